/** Reads or draws the number by which blocks share messages. */
import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  distinctUntilChanged,
  EMPTY,
  ignoreElements,
  map,
  type Observable,
  of,
  switchMap,
} from 'rxjs'
import { toFailure } from '../../streams/kernel/failure.ts'
import { Mailbox } from '../../streams/message/mailbox/events.ts'
import { drawnTurn, parseTurn, TURN_KEY } from '../../streams/message/mailbox/turn.ts'
import { itemWithoutTurn } from '../../streams/message/senders/selectors.ts'
import type { MessagePorts } from '../ports.ts'
import type { MessageEffect } from './app.ts'

/**
 * The item's number. Without one, this runtime stores its own and reads it again, because another runtime may have
 * stored one meanwhile. If session data does not work, the number counts in this runtime only.
 */
function turnOf(itemKey: string, { host, runtimeId, log }: MessagePorts): Observable<number> {
  const own = drawnTurn(runtimeId, itemKey)
  const read$ = defer(() => host.sessionData(itemKey, TURN_KEY)).pipe(map(parseTurn))
  return read$.pipe(
    switchMap((turn) =>
      turn === null
        ? concat(
            defer(() => host.setSessionData(itemKey, TURN_KEY, String(own))).pipe(ignoreElements()),
            read$,
          ).pipe(map((stored) => stored ?? own))
        : of(turn),
    ),
    catchError((error: unknown) => {
      log.warn('turn_not_kept', { kind: toFailure(error).kind })
      return of(own)
    }),
    defaultIfEmpty(own),
  )
}

/** Reads the message's number once a known block is shown by only a share of messages. */
export const readTurn: MessageEffect = (_event$, state$, ports) =>
  state$.pipe(
    map(itemWithoutTurn),
    distinctUntilChanged(),
    switchMap((itemKey) =>
      itemKey === null
        ? EMPTY
        : turnOf(itemKey, ports).pipe(map((turn) => Mailbox.turnRead({ itemKey, turn }))),
    ),
  )
