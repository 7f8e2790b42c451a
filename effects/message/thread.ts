import { catchError, concat, distinctUntilChanged, filter, map, type Observable, of, switchMap } from 'rxjs'
import type { ThreadPlace } from '../../streams/html/slots.ts'
import type { StateStream } from '../../streams/kernel/effect.ts'
import { Mailbox } from '../../streams/message/mailbox/events.ts'
import { threadPlaceIn, type UnreadThread, unreadThreadIn } from '../../streams/message/senders/thread.ts'
import type { MessageState } from '../../streams/message/state.ts'
import type { AppEvent } from '../../streams/pane/events.ts'
import type { MessageEffect } from './app.ts'
import { bestEffort } from './attempts.ts'
import type { MessagePorts } from '../ports.ts'

/**
 * The session data key of the item's place in its thread: `first` or `later`, a blank, and the sender's address. All
 * runtimes use the first answer, so it stays when the author deletes the quoted thread.
 */
export const THREAD_KEY = 'lsi_thread'

const parsePlace = (stored: string | null, sender: string): ThreadPlace | null =>
  (['first', 'later'] as const).find((place) => stored === `${place} ${sender}`) ?? null

/** Reads the place from the item's session data, or else from its body. An unreadable body counts as the first message. */
const readPlace = (
  unread: UnreadThread,
  state$: StateStream<MessageState>,
  ports: MessagePorts,
): Observable<AppEvent> => {
  const { itemKey, type, sender } = unread
  const { host } = ports
  const told = (thread: ThreadPlace) => of(Mailbox.threadRead({ itemKey, thread }))
  return host.sessionData(itemKey, THREAD_KEY).pipe(
    switchMap((stored) => {
      const known = parsePlace(stored, sender)
      if (known) return told(known)
      return host.body(itemKey, type).pipe(
        switchMap((body) => {
          if (body === null) return told('first')
          const place = threadPlaceIn(state$.value, unread, { body, type })
          const kept$ = host.setSessionData(itemKey, THREAD_KEY, `${place} ${sender}`)
          return concat(told(place), bestEffort(kept$, 'thread_not_kept', ports))
        }),
      )
    }),
    catchError(() => told('first')),
  )
}

const isSame = (one: UnreadThread | null, other: UnreadThread | null): boolean =>
  one?.itemKey === other?.itemKey && one?.sender === other?.sender

/**
 * Reads once whether a reply or forward is its sender's first message in the thread, if a known signature or block
 * depends on it. Reads again for another sender.
 */
export const readThread: MessageEffect = (event$, state$, ports) =>
  event$.pipe(
    map(() => unreadThreadIn(state$.value)),
    distinctUntilChanged(isSame),
    filter((unread) => unread !== null),
    switchMap((unread) => readPlace(unread, state$, ports)),
  )
