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
import {
  flag,
  list,
  mapSchema as mapped,
  number,
  object,
  oneOf,
  orElse,
  orNull,
  type Schema,
  text,
  withCheck,
} from '../../streams/kernel/schema.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { emitAfter, growingIntervals } from '../../streams/kernel/time.ts'
import {
  type MailAddress,
  type ComposeType,
  type InsertedSignature,
  Mailbox,
  type Message,
} from '../../streams/message/mailbox/events.ts'
import {
  type BodyType,
  findSignatures,
  type FoundSignature,
  isCopied,
  type MessageFacts,
  type SignatureTrace,
} from '../../streams/html/message.ts'
import {
  isSignatureRecognisable,
  isReplyOrForward,
  isOwnStopPush,
  knownRecipients,
} from '../../streams/message/mailbox/rules.ts'
import type { Fingerprint } from '../../streams/html/words.ts'
import { parseTurn, TURN_KEY } from '../../streams/message/mailbox/turn.ts'
import { GUARD_RECORD_KEY, isGuardRecordCurrent } from '../../streams/launch/record.ts'
import type { AppEffect, MessageEffect } from './app.ts'
import { isItemClaimedByOther, signatureMarkFor, marksInSession } from './claim.ts'
import type { MessagePorts } from '../ports.ts'

/** The custom property that prevents the default signature in a message (specification, section 3, storage). */
export const STOP_PUSH_KEY = 'lsi_stop_push_signature'
/** The key of the last insertion, in the item's session data and custom properties. */
export const INSERTED_SIGNATURE_KEY = 'lsi_inserted'
/** The session data key of the previous signature during a replacement. */
export const REPLACED_SIGNATURE_KEY = 'lsi_replacing'

/**
 * The session data key of the body before an insertion altered the author's text, as JSON. A pane offers to restore
 * this body, even after another runtime's insertion. Empty once the body is restored.
 */
export const BODY_BEFORE_KEY = 'lsi_altered'
/** The maximum length of the JSON under `BODY_BEFORE_KEY`: a client accepts 50,000 characters for all keys. */
export const MAX_BODY_BEFORE_CHARACTERS = 20_000

/** The body before an insertion altered the author's text, and the stored record of its signature (`marker`). */
export type BodyBefore = Readonly<{ body: string; type: BodyType; marker: string }>

/** The stored last insertion. Records from older versions of Signet lack `putBack` and `trace`. */
type Stored = Omit<InsertedSignature, 'origin' | 'trace'> &
  Readonly<{ manual: boolean; putBack?: boolean; trace?: unknown; composeType?: unknown }>

const texts = list(text)
const numbers = (count: number) =>
  withCheck(list(number), ({ length }) => length === count, `${String(count)} numbers`)
const pair = mapped(numbers(2), ([first = 0, second = 0]) => [first, second] as const)

/** Reads a text's fingerprint from a record. */
export const storedFingerprint = mapped(numbers(3), ([letters = 0, one = 0, other = 0]): Fingerprint => [
  letters,
  one,
  other,
])

const trace: Schema<SignatureTrace> = object({
  mark: text,
  words: storedFingerprint,
  pictures: orNull(texts),
  copies: pair,
  seen: orNull(oneOf('mark', 'words')),
  around: orElse(pair, undefined),
})

const stored = mapped(
  object({
    combinedIds: text,
    hash: text,
    name: orElse(text, ''),
    reply: orElse(flag, false),
    manual: orElse(flag, false),
    putBack: orElse(flag, false),
    trace: orNull(trace),
    blocks: orElse(texts, undefined),
    undone: orElse(texts, undefined),
    code: orElse(text, undefined),
  }),
  ({ manual, putBack, ...read }): InsertedSignature => ({
    ...read,
    origin: !manual ? 'default' : putBack ? 'putBack' : 'manual',
  }),
)

/** Reads the last insertion from a record; null if the record has another shape. */
const readInserted = (record: unknown): InsertedSignature | null =>
  orNull(stored).read(record, INSERTED_SIGNATURE_KEY)

/** Parses the stored last insertion; null if the JSON has another shape. */
export const parseInsertedSignature = (json: string | null | undefined): InsertedSignature | null => {
  try {
    return readInserted(JSON.parse(json ?? 'null'))
  } catch {
    return null
  }
}

/**
 * The last insertion from the message's custom properties, which remain after its window closes. Null if there is none,
 * or if it was made in another type of message: some clients copy the properties into a forward.
 */
const keptInserted = (
  properties: Readonly<Record<string, unknown>>,
  composeType: ComposeType | null,
): InsertedSignature | null => {
  const kept = properties[INSERTED_SIGNATURE_KEY] as Partial<Stored> | null | undefined
  // A record without a type belongs to this message: the user may have chosen before the type was known.
  return (kept?.composeType ?? composeType) === composeType ? readInserted(kept) : null
}

/**
 * The maximum length of a record in the custom properties, in characters. A client accepts 2,500 for all properties.
 */
const MAX_KEPT_CHARACTERS = 1_500

/** The record for the custom properties. Leaves out picture names if it is too long; null if it is still too long. */
export function toPropertyRecord(
  stored: Omit<Stored, 'name' | 'trace'> & Readonly<{ trace: SignatureTrace | null }>,
  composeType: ComposeType | null,
): object | null {
  const kept = { ...stored, composeType }
  const smaller = { ...kept, trace: stored.trace && { ...stored.trace, pictures: null } }
  return [kept, smaller].find((each) => JSON.stringify(each).length <= MAX_KEPT_CHARACTERS) ?? null
}

/** A message body with the item's session data. `inserted` is the recorded signature. */
type BodyWithRecord = Readonly<{
  body: string
  type: BodyType
  session: Readonly<Record<string, string>> | null
  composeType: ComposeType | null
  inserted: InsertedSignature | null
}>

/** Finds Signet's signatures in a message body. `known` is the data that identifies them. */
export const recogniseSignatures = (
  itemKey: string,
  { body, type, session, composeType, inserted }: BodyWithRecord,
  ports: Pick<MessagePorts, 'runtimeId'>,
): Readonly<{ known: MessageFacts; found: readonly FoundSignature[] }> => {
  const known = {
    marks: [
      signatureMarkFor(itemKey, ports),
      ...marksInSession(session ?? {}),
      ...(inserted?.trace ? [inserted.trace.mark] : []),
    ],
    isAnswer: isReplyOrForward(composeType),
    inserted,
  }
  return { known, found: findSignatures(body, known, type) }
}

/** The recorded signature of a message: from the session data, or else as read when the message was opened. */
export function recordedSignatureIn(
  session: Readonly<Record<string, string>> | null,
  message: Message | null,
): InsertedSignature | null {
  const marker = session?.[INSERTED_SIGNATURE_KEY]
  return marker === undefined ? (message?.inserted ?? null) : parseInsertedSignature(marker)
}

/** When the stored insertion was requested, in milliseconds since the epoch; 0 if unknown. */
export const parseRequestTime = (json: string | null): number => {
  try {
    const value = JSON.parse(json ?? 'null') as Readonly<{ at?: unknown }> | null
    return typeof value?.at === 'number' ? value.at : 0
  } catch {
    return 0
  }
}

/**
 * The mailbox's address in lower case. The mail client reports it even before a sign-in; otherwise it is the address of
 * `user`. Null if both are unknown.
 */
export const readMailboxAddress = (
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

/** Follows the mail client from item to item; the item is null if none is open. */
export const followItem: AppEffect = (event$, _state$, { host }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => host.item$.pipe(map((item) => Mailbox.itemChanged({ item })))),
  )

/**
 * Reads the parts of the open message that the rules need. Opening another item cancels a pending read. Signing out
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
 * The current message. `isUnclear`: it lacks the recorded signature, because the user changed or removed it, or because
 * another runtime is writing.
 */
type Reading = Readonly<{ message: Message; isUnclear: boolean }>

/**
 * Whether a meeting may have existed before its window opened. In another mailbox's calendar, the new Outlook reports
 * every meeting as unsaved.
 */
const readExisting = (
  itemKey: string,
  from: MailAddress | null,
  { host }: MessagePorts,
): Observable<boolean> =>
  forkJoin([host.isSaved(itemKey), readMailboxAddress({ host }, null)]).pipe(
    map(([isSaved, own]) => isSaved || (from !== null && own !== null && from.address.toLowerCase() !== own)),
  )

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
      forkJoin({
        body: read.bodyType === 'text' && read.html !== null ? host.body(itemKey, 'text') : of(read.html),
        isExisting: read.composeType === 'meeting' ? readExisting(itemKey, read.from, ports) : of(false),
      }).pipe(map((more) => ({ ...read, ...more }))),
    ),
    map(({ composeType, bodyType, from, recipients, properties, session, body, isExisting }) => {
      const remembered = parseInsertedSignature(session?.[INSERTED_SIGNATURE_KEY])
      const turn = parseTurn(session?.[TURN_KEY])
      const record = session?.[GUARD_RECORD_KEY]
      const asked = record && isGuardRecordCurrent(record, session[INSERTED_SIGNATURE_KEY]) ? record : ''
      const kept = keptInserted(properties, composeType)
      const trace = remembered === null && composeType === 'forward' ? kept?.trace : null
      const isForeign = trace ? isCopied(body ?? '', trace, bodyType ?? 'html') : false
      const recorded = remembered ?? (isForeign ? null : kept)
      const [found] = recogniseSignatures(
        itemKey,
        { body: body ?? '', type: bodyType ?? 'html', session, composeType, inserted: recorded },
        ports,
      ).found
      const flag = { composeType, hasSession: remembered !== null, hasSignature: found !== undefined }
      const unknown = found && found.hash !== recorded?.hash ? found : null
      const isGone =
        found === undefined &&
        body !== null &&
        isSignatureRecognisable(recorded) &&
        (session?.[REPLACED_SIGNATURE_KEY] ?? '') === ''
      return {
        isUnclear: unknown !== null || isGone,
        message: {
          composeType,
          bodyType,
          from,
          ...knownRecipients(recipients, null),
          // The signature is known only by its words, so a default would be a second signature.
          stopPush:
            isGone ||
            asked.includes('"wordsOnly"') ||
            (!isForeign && isOwnStopPush(properties[STOP_PUSH_KEY], flag)),
          // An interrupted insertion may have set a signature that differs from the record.
          inserted: unknown ? insertedBefore(unknown) : isGone ? null : recorded,
          // Signet wrote into this meeting in this window, so it was new, even if it is saved by now.
          ...(isExisting && remembered === null && { isExisting: true }),
          ...(asked && { asked }),
          ...(turn !== null && { turn }),
          ...(session?.[BODY_BEFORE_KEY] && { altered: createSecret(session[BODY_BEFORE_KEY]) }),
        },
      }
    }),
  )
}

/** How long Signet waits before it rereads a message while another runtime writes into it. */
const READ_AGAIN_MS = 150

/**
 * Reads the message, and rereads it as long as another runtime writes into it. That runtime records its insertion only
 * at the end. Until then, its default would look like the user's choice, and a signature that it replaces would seem
 * removed by the user.
 */
const readCompleteMessage = (itemKey: string, ports: MessagePorts): Observable<Message> =>
  readNow(itemKey, ports).pipe(
    switchMap(({ message, isUnclear }) => {
      if (!isUnclear) return of(message)
      const again$ = defer(() => readCompleteMessage(itemKey, ports))
      return isItemClaimedByOther(itemKey, ports).pipe(
        switchMap((isWritten) =>
          isWritten
            ? emitAfter(READ_AGAIN_MS, ports.time).pipe(switchMap(() => again$))
            : // The other runtime may have finished meanwhile.
              readNow(itemKey, ports).pipe(map((reading) => reading.message)),
        ),
      )
    }),
  )

const insertedBefore = ({ combinedIds, hash }: FoundSignature): InsertedSignature => ({
  combinedIds,
  hash,
  name: '',
  reply: false,
  origin: 'manual',
  trace: null,
})

/** How often the sender and the body type are read: the mail client has no event for their changes. */
const LOOK_AT_MESSAGE_MS = 3000

/** Follows changes of the sender address and of the body type. */
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
 * Follows changes of the recipients. Listens from the start, because the mail client reports changes only to registered
 * handlers. If recipients change while the message is being read, they are read again afterwards.
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
        map((recipients) =>
          Mailbox.recipientsChanged({
            itemKey,
            ...knownRecipients(recipients, state$.value.mailbox.message),
          }),
        ),
        takeUntil(event$.pipe(ofType(Mailbox.itemChanged))),
      )
    }),
  )
