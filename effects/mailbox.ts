import {
  type Observable,
  EMPTY,
  defer,
  exhaustMap,
  filter,
  forkJoin,
  map,
  merge,
  of,
  skip,
  switchMap,
  take,
  takeUntil,
} from 'rxjs'
import { App } from '../streams/app/lifecycle.ts'
import { Auth } from '../streams/auth/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import { after, growingIntervals } from '../streams/kernel/time.ts'
import { type Inserted, Mailbox, type Message } from '../streams/mailbox/events.ts'
import { isStopPushOfThis } from '../streams/mailbox/rules.ts'
import { findSignatures, type Found } from '../streams/html/message.ts'
import type { AppEffect, MessageEffect } from './app.ts'
import { isWrittenByOther } from './claim.ts'
import type { MessagePorts } from './ports.ts'

/** The message's custom property that prevents the default signature (specification, section 3, storage). */
export const STOP_PUSH = 'lsi_stop_push_signature'
/** The key of the last insertion in the item's session data. */
export const INSERTED = 'lsi_inserted'

/** The last insertion as it is stored. `putBack` is missing where an older version of Signet stored it. */
type Stored = Omit<Inserted, 'origin'> & Readonly<{ manual: boolean; putBack?: boolean }>

/** Parses the stored last insertion; null for another shape. */
export const parseInserted = (json: string | null): Inserted | null => {
  try {
    const value = JSON.parse(json ?? 'null') as Partial<Stored> | null
    return typeof value?.combinedIds === 'string' && typeof value.hash === 'string'
      ? {
          combinedIds: value.combinedIds,
          hash: value.hash,
          name: typeof value.name === 'string' ? value.name : '',
          reply: value.reply === true,
          origin: value.manual !== true ? 'default' : value.putBack === true ? 'putBack' : 'manual',
        }
      : null
  } catch {
    return null
  }
}

/** When the stored insertion was asked for, in milliseconds since the epoch; 0 when that is unknown. */
export const parseAskedAt = (json: string | null): number => {
  try {
    const value = JSON.parse(json ?? 'null') as Readonly<{ at?: unknown }> | null
    return typeof value?.at === 'number' ? value.at : 0
  } catch {
    return 0
  }
}

/**
 * The address of the mailbox in lower case: the mail client's, which is known before a sign-in, else that of `user`; null
 * when neither is known.
 */
export const mailboxOf = (
  { host }: Pick<MessagePorts, 'host'>,
  user: Readonly<{ email: string }> | null,
): Observable<string | null> =>
  host.user().pipe(
    take(1),
    map((owner) => (owner?.email ?? user?.email)?.toLowerCase() || null),
  )

/** Asks the mail client for the user. */
export const readUser: MessageEffect = (event$, _state$, { host }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => host.user().pipe(map((user) => Mailbox.userRead({ user })))),
  )

/** Follows the theme of the mail client. */
export const followTheme: AppEffect = (event$, state$, { host }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => host.theme$),
    filter((theme) => theme !== state$.value.mailbox.theme),
    map((theme) => Mailbox.themeChanged({ theme })),
  )

/** Follows the mail client from item to item; the item is null when none is open. */
export const followItem: AppEffect = (event$, _state$, { host }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => host.item$.pipe(map((item) => Mailbox.itemChanged({ item })))),
  )

/**
 * Reads what the rules need of the message that is being written; a newer item wins. Signing out resets the insertion
 * state, so the message is read again after the next sign-in.
 */
export const readMessage: MessageEffect = (event$, state$, ports) =>
  merge(
    event$.pipe(
      ofType(Mailbox.itemChanged),
      map(({ data }) => data.item),
    ),
    event$.pipe(
      ofType(Auth.signedOut),
      switchMap(() => event$.pipe(ofType(Auth.verified), take(1))),
      map(() => state$.value.mailbox.item),
    ),
  ).pipe(
    switchMap((item) =>
      item?.mode === 'compose'
        ? readCompleteMessage(item.key, ports).pipe(
            map((message) => Mailbox.messageRead({ itemKey: item.key, message })),
          )
        : EMPTY,
    ),
  )

/** What the message says now, and the signature in it whose origin is not known. */
type Reading = Readonly<{ message: Message; unknown: Found | null }>

const readNow = (itemKey: string, { host }: MessagePorts): Observable<Reading> =>
  forkJoin({
    composeType: host.composeType(itemKey),
    bodyType: host.bodyType(itemKey),
    from: host.from(itemKey),
    recipients: host.recipients(itemKey),
    properties: host.customProperties(itemKey),
    inserted: host.sessionData(itemKey, INSERTED),
    body: host.body(itemKey, 'html'),
  }).pipe(
    map(({ composeType, bodyType, from, recipients, properties, inserted, body }) => {
      const [found] = findSignatures(body ?? '')
      const remembered = parseInserted(inserted)
      const flag = {
        composeType,
        hasSession: remembered !== null,
        hasSignature: found !== undefined,
      }
      const unknown = found && found.hash !== remembered?.hash ? found : null
      return {
        unknown,
        message: {
          composeType,
          bodyType,
          from,
          ...recipients,
          stopPush: isStopPushOfThis(properties[STOP_PUSH], flag),
          // A reopened draft has no session data, but its signature has a marker; an interrupted insertion may have set
          // another signature than the stored one.
          inserted: unknown ? insertedBefore(unknown) : remembered,
        },
      }
    }),
  )

/** How long another runtime is waited for before the message is read again. */
const READ_AGAIN_MS = 150

/**
 * Reads the message; once more while another runtime writes into it, which says only at the end what it has inserted: its
 * default would be taken for a choice of the user.
 */
const readCompleteMessage = (itemKey: string, ports: MessagePorts): Observable<Message> =>
  readNow(itemKey, ports).pipe(
    switchMap(({ message, unknown }) => {
      if (unknown === null) return of(message)
      return isWrittenByOther(itemKey, ports).pipe(
        switchMap((isWritten) =>
          isWritten
            ? after(READ_AGAIN_MS, ports.time).pipe(switchMap(() => readCompleteMessage(itemKey, ports)))
            : // It may have ended meanwhile.
              ports.host.sessionData(itemKey, INSERTED).pipe(
                map(parseInserted),
                map((inserted) => (inserted?.hash === unknown.hash ? { ...message, inserted } : message)),
              ),
        ),
      )
    }),
  )

const insertedBefore = ({ combinedIds, hash }: Found): Inserted => ({
  combinedIds,
  hash,
  name: '',
  reply: false,
  origin: 'manual',
})

/** The polling interval while a message is open: the mail client has no event for these changes. */
const LOOK_AT_MESSAGE_MS = 3000

/** Follows the sender address and the body type. */
export const followMessage: AppEffect = (event$, state$, { host, time }) =>
  event$.pipe(
    ofType(Mailbox.messageRead),
    switchMap(({ data: { itemKey } }) => {
      const message = () => state$.value.mailbox.message
      const sender$ = defer(() => host.from(itemKey)).pipe(
        filter((from) => from !== null),
        filter(({ address }) => message() !== null && address !== message()?.from?.address),
        map((from) => Mailbox.senderChanged({ itemKey, from })),
      )
      const bodyType$ = defer(() => host.bodyType(itemKey)).pipe(
        filter((bodyType) => bodyType !== null),
        filter((bodyType) => message() !== null && bodyType !== message()?.bodyType),
        map((bodyType) => Mailbox.bodyTypeChanged({ itemKey, bodyType })),
      )
      return growingIntervals(LOOK_AT_MESSAGE_MS, 0, time).pipe(
        skip(1),
        exhaustMap(() => merge(sender$, bodyType$)),
        takeUntil(event$.pipe(ofType(Mailbox.itemChanged))),
      )
    }),
  )

/**
 * Follows the recipients. Listens from the start, because the mail client reports a change only to registered handlers;
 * recipients that change while the message is being read are read again afterwards.
 */
export const followRecipients: AppEffect = (event$, state$, { host }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => host.recipientsChanged$),
    switchMap(() => {
      const { item, message } = state$.value.mailbox
      if (item?.mode !== 'compose') return EMPTY
      const itemKey = item.key
      const read$: Observable<unknown> = message
        ? of(null)
        : event$.pipe(ofType(Mailbox.messageRead), take(1))
      return read$.pipe(
        switchMap(() => host.recipients(itemKey)),
        map((recipients) => Mailbox.recipientsChanged({ itemKey, ...recipients })),
        takeUntil(event$.pipe(ofType(Mailbox.itemChanged))),
      )
    }),
  )
