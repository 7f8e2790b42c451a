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
import { App } from '../../streams/message/lifecycle.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { after, growingIntervals } from '../../streams/kernel/time.ts'
import {
  type ComposeType,
  type Inserted,
  Mailbox,
  type Message,
} from '../../streams/message/mailbox/events.ts'
import {
  type BodyType,
  findSignatures,
  type Found,
  isCopied,
  type Known,
  type Trace,
} from '../../streams/html/message.ts'
import { isReplyOrForward, isStopPushOfThis } from '../../streams/message/mailbox/rules.ts'
import type { AppEffect, MessageEffect } from './app.ts'
import { isWrittenByOther, markFor, marksIn } from './claim.ts'
import type { MessagePorts } from '../ports.ts'

/** The message's custom property that prevents the default signature (specification, section 3, storage). */
export const STOP_PUSH = 'lsi_stop_push_signature'
/** The key of the last insertion in the item's session data, and in its custom properties. */
export const INSERTED = 'lsi_inserted'
/** The key of the previous signature in the item's session data, during a replacement. */
export const REPLACING = 'lsi_replacing'

/**
 * The body from before an insertion that altered the author's text, with the record of its signature (`marker`), as it
 * is stored.
 */
export type AlteredBody = Readonly<{ body: string; type: BodyType; marker: string }>

/** The last insertion as it is stored. `putBack` and `trace` are missing where an older version of Signet stored it. */
type Stored = Omit<Inserted, 'origin' | 'trace'> &
  Readonly<{ manual: boolean; putBack?: boolean; trace?: unknown; composeType?: unknown }>

/** The trace in a record. Only its lists are checked; a trace with wrong values recognises no signature. */
const readTrace = (value: unknown): Trace | null => {
  const { words, copies, pictures } = (value ?? {}) as Partial<Trace>
  return [words, copies, pictures ?? []].every(Array.isArray) ? (value as Trace) : null
}

function readInserted(stored: unknown): Inserted | null {
  const { combinedIds, hash, name, reply, manual, putBack, trace } = (stored ?? {}) as Partial<Stored>
  return typeof combinedIds === 'string' && typeof hash === 'string'
    ? {
        combinedIds,
        hash,
        name: typeof name === 'string' ? name : '',
        reply: reply === true,
        origin: manual !== true ? 'default' : putBack === true ? 'putBack' : 'manual',
        trace: readTrace(trace),
      }
    : null
}

/** Parses the stored last insertion; null for another shape. */
export const parseInserted = (json: string | null | undefined): Inserted | null => {
  try {
    return readInserted(JSON.parse(json ?? 'null'))
  } catch {
    return null
  }
}

/**
 * The last insertion by the custom properties of a message, which outlive its window. Null when they have none, or when
 * it belongs to a message of another kind: some clients copy the properties into a forward.
 */
const keptInserted = (
  properties: Readonly<Record<string, unknown>>,
  composeType: ComposeType | null,
): Inserted | null => {
  const kept = properties[INSERTED] as Partial<Stored> | null | undefined
  // The user may have chosen when the kind of the message was still unknown.
  return (kept?.composeType ?? composeType) === composeType ? readInserted(kept) : null
}

/** The longest record in the custom properties, in characters. A client takes 2,500 characters in all. */
const MAX_KEPT_CHARACTERS = 1_500

/**
 * The record of an insertion for the custom properties. Leaves the names of the pictures out if they make it too long;
 * null if it is too long without them.
 */
export function toKept(
  stored: Omit<Stored, 'name' | 'trace'> & Readonly<{ trace: Trace | null }>,
  composeType: ComposeType | null,
): object | null {
  const kept = { ...stored, composeType }
  const smaller = { ...kept, trace: stored.trace && { ...stored.trace, pictures: null } }
  return [kept, smaller].find((each) => JSON.stringify(each).length <= MAX_KEPT_CHARACTERS) ?? null
}

/** The data about a message besides its body, from the session data of its item. */
export const knownOf = (
  itemKey: string,
  session: Readonly<Record<string, string>> | null,
  { composeType, inserted }: Readonly<{ composeType: ComposeType | null; inserted: Inserted | null }>,
  ports: Pick<MessagePorts, 'runtimeId'>,
): Known => ({
  marks: [
    markFor(itemKey, ports),
    ...marksIn(session ?? {}),
    ...(inserted?.trace ? [inserted.trace.mark] : []),
  ],
  isAnswer: isReplyOrForward(composeType),
  inserted,
})

/** The recorded signature of a message: by its session data, else as it was read when the message was opened. */
export function recordedIn(
  session: Readonly<Record<string, string>> | null,
  message: Message | null,
): Inserted | null {
  const marker = session?.[INSERTED]
  return marker === undefined ? (message?.inserted ?? null) : parseInserted(marker)
}

/** When the stored insertion was requested, in milliseconds since the epoch; 0 when unknown. */
export const parseAskedAt = (json: string | null): number => {
  try {
    const value = JSON.parse(json ?? 'null') as Readonly<{ at?: unknown }> | null
    return typeof value?.at === 'number' ? value.at : 0
  } catch {
    return 0
  }
}

/**
 * The address of the mailbox in lower case: the mail client's, which is known before a sign-in, else that of `user`.
 * Null when neither is known.
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
 * Reads the parts of the message being written that the rules need; a newer item replaces an older one. Signing out
 * resets the insertion state, so the message is read again after the next sign-in.
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

/**
 * The current message. `isUnclear`: its signature is not the recorded one. This is a choice of the user, unless another
 * runtime is writing.
 */
type Reading = Readonly<{ message: Message; isUnclear: boolean }>

const readNow = (itemKey: string, ports: MessagePorts): Observable<Reading> => {
  const { host } = ports
  return forkJoin({
    composeType: host.composeType(itemKey),
    bodyType: host.bodyType(itemKey),
    from: host.from(itemKey),
    recipients: host.recipients(itemKey),
    properties: host.customProperties(itemKey),
    session: host.allSessionData(itemKey),
    html: host.body(itemKey, 'html'),
  }).pipe(
    switchMap((read) =>
      (read.bodyType === 'text' && read.html !== null ? host.body(itemKey, 'text') : of(read.html)).pipe(
        map((body) => ({ ...read, body })),
      ),
    ),
    map(({ composeType, bodyType, from, recipients, properties, session, body }) => {
      const remembered = parseInserted(session?.[INSERTED])
      const kept = keptInserted(properties, composeType)
      const trace = remembered === null && composeType === 'forward' ? kept?.trace : null
      const isForeign = trace ? isCopied(body ?? '', trace, bodyType ?? 'html') : false
      const recorded = remembered ?? (isForeign ? null : kept)
      const known = knownOf(itemKey, session, { composeType, inserted: recorded }, ports)
      const [found] = findSignatures(body ?? '', known, bodyType ?? 'html')
      const flag = { composeType, hasSession: remembered !== null, hasSignature: found !== undefined }
      const unknown = found && found.hash !== recorded?.hash ? found : null
      const isGone =
        found === undefined && body !== null && isExpected(recorded) && (session?.[REPLACING] ?? '') === ''
      return {
        isUnclear: unknown !== null || isGone,
        message: {
          composeType,
          bodyType,
          from,
          ...recipients,
          stopPush: isGone || (!isForeign && isStopPushOfThis(properties[STOP_PUSH], flag)),
          // An interrupted insertion may have set another signature than the recorded one.
          inserted: unknown ? insertedBefore(unknown) : isGone ? null : recorded,
        },
      }
    }),
  )
}

/**
 * Whether a recorded signature would be recognised if it were still in the message: the client returned it in a
 * recognisable form before.
 */
export const isExpected = (inserted: Inserted | null): boolean =>
  inserted !== null && inserted.combinedIds !== '' && (inserted.trace?.seen ?? null) !== null

/** The delay before a message is read again into which another runtime is writing. */
const READ_AGAIN_MS = 150

/**
 * Reads the message, and reads it again while another runtime writes into it. That runtime records only at the end what
 * it has inserted: until then its default would look like a choice of the user, and a signature that it replaces like
 * one that the user removed.
 */
const readCompleteMessage = (itemKey: string, ports: MessagePorts): Observable<Message> =>
  readNow(itemKey, ports).pipe(
    switchMap(({ message, isUnclear }) => {
      if (!isUnclear) return of(message)
      const again$ = defer(() => readCompleteMessage(itemKey, ports))
      return isWrittenByOther(itemKey, ports).pipe(
        switchMap((isWritten) =>
          isWritten
            ? after(READ_AGAIN_MS, ports.time).pipe(switchMap(() => again$))
            : // It may have ended meanwhile.
              readNow(itemKey, ports).pipe(map((reading) => reading.message)),
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
  trace: null,
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
