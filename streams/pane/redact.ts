import type { Session, SignOutReason } from '../message/auth/events.ts'
import type { InsertionTarget } from '../message/insertion/events.ts'
import { contentHash } from '../html/hash.ts'
import { isSealedList, sealList } from '../html/sealedList.ts'
import type { Recorded } from '../kernel/event.ts'
import type { Failure, RefusedAccount } from '../kernel/failure.ts'
import type { KindOf, ValueOf } from '../kernel/field.ts'
import type { CachedDefault } from '../launch/cachedDefault.ts'
import type { MissingContent } from '../launch/events.ts'
import type {
  MailAddress,
  HostUser,
  InsertedSignature,
  MailItem,
  Message,
} from '../message/mailbox/events.ts'
import type { Notice } from './notifications/events.ts'
import type { OpenedPicture } from './picture/events.ts'
import type {
  ChosenDefaults,
  VariableDefinition,
  SavedVariables,
  UserProfile,
  VariableValues,
  VariableStates,
} from '../wire/user.ts'
import type {
  CachedSignature,
  ListedSignature,
  SenderCopy,
  MeetingVersion,
  SignatureNames,
  ReplyVersion,
  SignaturePage,
} from '../wire/signatures.ts'
import type { SelfTestFindings, ServiceFacts } from './selfTest/events.ts'
import type { Senders, SenderSignature } from '../message/senders/senders.ts'
import type { SignatureInMessage } from '../message/signatures/signature.ts'
import type { SignatureContent, SignatureImage } from '../html/content.ts'
import type { Candidate, Guard, Slot, SlottedHtml } from '../html/slots.ts'
import type { VariableDrafts } from './variables/events.ts'
import { OWN_OWNER } from '../message/signatures/entry.ts'
import { App, domains, type LoggedEvent } from './events.ts'

// Decides which part of each value an exported log contains. A field names its redactor where the event is declared;
// the redactors are here, in a chunk that only an export loads. A new field of a value does not compile until it has a
// redactor.

/** Makes placeholders. Within one session, equal values have the same placeholder. */
type Placeholders = Readonly<{
  of(kind: string, value: string): string
  html(html: string): string
  hash(hash: string): string
}>

/** Returns a value of the same shape, without private data. */
type Redact<T> = (value: T, places: Placeholders) => T

function createPlaceholders(): Placeholders {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const hashes = new Map<string, string>()
  const of = (kind: string, value: string): string => {
    if (value === '') return ''
    const key = `${kind}:${value}`
    const before = known.get(key)
    if (before !== undefined) return before
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const place = `${kind}-${String(count)}`
    known.set(key, place)
    return place
  }
  return {
    of,
    html(html) {
      if (html === '') return ''
      const hash = contentHash(html)
      // `known` keeps the hash instead of the html, because the html of a whole day would take too much memory.
      const place = `<p>${of('html', hash)}, ${String(html.length)} characters</p>`
      if (!hashes.has(hash)) hashes.set(hash, contentHash(place))
      return place
    },
    // A hash that is logged before its html stays as it is, also in all later events and exports.
    hash(hash) {
      const place = hashes.get(hash) ?? hash
      hashes.set(hash, place)
      return place
    },
  }
}

const keep = <T>(value: T): T => value
const drop =
  <T>(instead: T): Redact<T> =>
  () =>
    instead
const place =
  (kind: string): Redact<string> =>
  (value, places) =>
    places.of(kind, value)
const list =
  <T>(each: Redact<T>): Redact<readonly T[]> =>
  (values, places) =>
    values.map((value) => each(value, places))
const orNull =
  <T>(some: Redact<T>): Redact<T | null> =>
  (value, places) =>
    value === null ? null : some(value, places)
const record =
  <T extends object>(fields: {
    readonly [Field in keyof T]-?: Redact<Exclude<T[Field], undefined>>
  }): Redact<T> =>
  (value, places) => {
    const result: Partial<T> = {}
    for (const field of Object.keys(fields) as (keyof T)[])
      if (value[field] !== undefined)
        result[field] = fields[field](value[field] as Exclude<T[keyof T], undefined>, places)
    return result as T
  }
const valuesOf =
  <T>(each: Redact<T>): Redact<Readonly<Record<string, T>>> =>
  (values, places) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, each(value, places)]))

const address: Redact<string> = (value, places) =>
  value === '' ? '' : `${places.of('person', value.toLowerCase())}@example.invalid`
const person = place('name')
const html: Redact<string> = (value, places) => places.html(value)
const hash: Redact<string> = (value, places) => places.hash(value)
const item = place('item')
const url: Redact<string> = (value, places) =>
  value === '' ? '' : `https://example.invalid/${places.of('picture', value)}.png`
const label = place('signature')
const words = place('text')

/** A delegated entry's id begins with its owner's address. */
const entryId: Redact<string> = (value, places) => {
  const [, owner, rest] = /^(.*)(-\d+-\d+-(?:master|variant-\d+))$/s.exec(value) ?? []
  if (owner === undefined || rest === undefined) return places.of('entry', value)
  return (owner === 'user' ? owner : address(owner, places)) + rest
}

const refused = record<RefusedAccount>({ account: address, mailbox: address })
const failure: Redact<Failure> = (value, places) => {
  if (value.kind === 'http')
    return {
      ...value,
      data: null,
      ...(value.refused ? { refused: refused(value.refused, places) } : {}),
    }
  if (value.kind === 'defect') return { ...value, message: '' }
  return value.kind === 'malformed' ? { ...value, at: value.at.replace(/[^\w.]/g, '') } : value
}

const session = record<Session>({ token: keep, userId: place('user'), email: address, expiresAt: keep })
const reason: Redact<SignOutReason> = (value, places) =>
  'failure' in value ? { ...value, failure: failure(value.failure, places) } : value
const mailAddress = record<MailAddress>({ address, name: person })
const hostUser = record<HostUser>({ accountType: keep, displayName: person, email: address, timezone: keep })
const message = record<Message>({
  composeType: keep,
  bodyType: keep,
  from: orNull(mailAddress),
  to: list(mailAddress),
  cc: list(mailAddress),
  stopPush: keep,
  isExisting: keep,
  asked: drop('[]'),
  altered: keep,
  readAt: keep,
  thread: keep,
  turn: keep,
  inserted: orNull(
    record<InsertedSignature>({
      combinedIds: keep,
      hash,
      name: label,
      reply: keep,
      origin: keep,
      trace: () => null,
      blocks: keep,
      undone: keep,
      code: keep,
    }),
  ),
})
const bySender: Redact<Senders['bySender']> = (value, places) =>
  Object.fromEntries(Object.entries(value).map(([sender, ids]) => [address(sender, places), ids]))
const chosenDefaults = record<Required<ChosenDefaults>>({
  master: keep,
  reply: keep,
  bySender,
}) as Redact<ChosenDefaults>
const profile = record<UserProfile>({
  id: place('user'),
  email: address,
  isAdmin: keep,
  pictureUrl: orNull(url),
  authType: keep,
  language: keep,
  clientName: place('organisation'),
  displayName: person,
  delegations: list(place('user')),
  metadata: record<UserProfile['metadata']>({ defaultSignature: orNull(chosenDefaults), others: drop({}) }),
})
const image = record<SignatureImage>({
  id: place('picture'),
  url,
  name: place('file'),
  content: drop(''),
  status: keep,
})
const content = record<SignatureContent>({ html, images: list(image) })
const named = record<SignatureNames>({ name: label, combinedIds: keep })
const audience: Redact<string> = (value, places) => {
  if (isSealedList(value)) return sealList(places.of('list', value), [])
  if (value.startsWith('!')) return `!${places.of('domain', value.slice(1))}`
  return value.includes('@') ? address(value, places) : places.of('domain', value)
}
const slots = list(
  record<Slot>({
    name: keep,
    // The html is replaced by a text of another length, so these positions would be wrong.
    start: drop(0),
    end: drop(0),
    candidates: list(
      record<Candidate>({
        id: keep,
        name: label,
        html,
        audiences: list(audience),
        replies: keep,
        everyone: keep,
        closes: keep,
        thread: keep,
        open: keep,
        share: keep,
      }),
    ),
  }),
)
const copies = list(
  record<SenderCopy>({
    sender: address,
    html,
    slots,
    variants: list(record<SenderCopy['variants'][number]>({ code: keep, html, slots })),
  }),
)
const cached = record<CachedSignature>({
  name: label,
  userId: place('user'),
  combinedIds: keep,
  html,
  slots,
  reply: orNull(record<ReplyVersion>({ html, slots, of: orNull(named) })),
  meeting: record<MeetingVersion>({ name: label, combinedIds: keep, html, slots }),
  guard: record<Guard>({ signature: list(list(audience)), blocks: keep }),
  copies,
  images: list(image),
})
const listed = record<ListedSignature>({
  name: label,
  email: orNull(address),
  combinedIds: keep,
  html,
  slots,
  images: list(image),
  audiences: list(audience),
  thread: keep,
  senders: list(address),
  order: keep,
  collection: place('collection'),
  variants: list(record<ListedSignature['variants'][number]>({ code: keep, html, slots })),
  copies,
})
const signaturePage = record<SignaturePage>({ page: keep, total: keep, objects: list(listed) })
const senders = record<Senders>({
  at: keep,
  audiences: valuesOf(list(audience)),
  limits: valuesOf(record<NonNullable<Senders['limits']>[string]>({ thread: keep, senders: list(address) })),
  bySender,
  others: list(
    record<SenderSignature>({
      name: label,
      combinedIds: keep,
      owner: (value, places) => (value === OWN_OWNER ? OWN_OWNER : address(value, places)),
      order: keep,
      audiences: list(audience),
      thread: keep,
      senders: list(address),
      html,
      slots,
      reply: orNull(html),
      replySlots: slots,
      meeting: record<SlottedHtml>({ html, slots }),
      copies,
      images: list(image),
    }),
  ),
})
const target: Redact<InsertionTarget> = (value, places) =>
  value.kind === 'entry' ? { kind: 'entry', entryId: entryId(value.entryId, places) } : value
const inMessage = record<SignatureInMessage>({
  combinedIds: keep,
  hash,
  name: label,
  reason: keep,
  blocks: keep,
  undone: keep,
  code: keep,
})
const values: Redact<VariableValues> = valuesOf(words)
const states = record<VariableStates>({ id: place('user'), changedFields: keep, originalData: values })
const drafts: Redact<VariableDrafts> = valuesOf(
  record<VariableDrafts[string]>({ value: words, resync: keep }),
)
const definition = record<VariableDefinition>({
  path: keep,
  lookups: keep,
  customType: keep,
  displayName: orNull(words),
  hidden: keep,
  nonEditable: keep,
  resettable: keep,
})

const findings = record<SelfTestFindings>({
  host: keep,
  launch: keep,
  storage: keep,
  service: record<ServiceFacts>({ call: keep, status: keep, ms: keep, date: keep, failure: orNull(failure) }),
  signIn: keep,
})

type Declared = (typeof domains)[number] | typeof App
type FieldsOf<C> = C extends unknown
  ? { [Name in keyof C]: C[Name] extends { readonly fields: infer F } ? F[keyof F] : never }[keyof C]
  : never
/**
 * Unwraps a field: removes `?` and `[]` from the name of its redactor, and null and lists from the type of its values.
 */
type Innermost<Kind, Value> = Kind extends `${infer Inner}?`
  ? Innermost<Inner, Exclude<Value, null>>
  : Kind extends `${infer Inner}[]`
    ? Innermost<Inner, Value extends readonly (infer Item)[] ? Item : never>
    : readonly [Kind, Value]
type Used<F> = F extends unknown ? Innermost<KindOf<F>, ValueOf<F>> : never
type Redactors = {
  readonly [Pair in Used<FieldsOf<Declared>> as Pair[0] & string]: Redact<Pair[1]>
}

const redactors: Redactors = {
  address,
  open: keep,
  chosenDefaults,
  cachedSignature: cached,
  content,
  definition,
  drafts,
  entryId: entryId,
  errorMessage: drop(''),
  failure,
  findings,
  hash,
  hostUser,
  inMessage,
  item,
  kept: record<CachedDefault>({ email: address, at: keep, signature: cached, senders }),
  mailAddress,
  named,
  mailItem: record<MailItem>({ key: item, mode: keep, isMeeting: keep }),
  message,
  missing: record<MissingContent>({ kind: keep, name: label, wordsOnly: keep }),
  notice: record<Notice>({ kind: keep, signature: label, reply: keep }),
  pictureUrl: url,
  openedPicture: record<OpenedPicture>({ dataUrl: drop(''), width: keep, height: keep }),
  profile,
  savedVariables: record<SavedVariables>({ values, changedFields: keep }),
  senders,
  session,
  signOutReason: reason,
  signaturePage,
  target,
  text: words,
  user: place('user'),
  variableStates: states,
  variableValues: values,
}

const redactorOf = (field: string): Redact<unknown> => {
  if (field.endsWith('?')) return orNull(redactorOf(field.slice(0, -1)))
  if (field.endsWith('[]')) return list(redactorOf(field.slice(0, -2))) as Redact<unknown>
  // The cast is safe: `Redactors` has a redactor of the right type for each declared field.
  return redactors[field as keyof Redactors] as Redact<unknown>
}

const fieldsByType = new Map(
  [App, ...domains].flatMap((creators) =>
    Object.values<unknown>(creators).flatMap((creator) =>
      typeof creator === 'function' && 'type' in creator && 'fields' in creator
        ? [
            [
              creator.type as string,
              Object.entries(creator.fields as Readonly<Record<string, string>>),
            ] as const,
          ]
        : [],
    ),
  ),
)

/** Removes private data from the events of one session, one at a time. */
export type Redactor = (event: Recorded<LoggedEvent>) => Recorded<LoggedEvent>

/**
 * Removes private data from events: a user becomes a placeholder, html becomes its length, and other values stay only
 * if their declaration allows it. The redacted events replay like the originals.
 */
export function createRedactor(): Redactor {
  const places = createPlaceholders()
  return ({ type, data, meta }) => {
    const values = data as Readonly<Record<string, unknown>>
    const redacted = (fieldsByType.get(type) ?? []).flatMap(([name, field]) =>
      name in values ? [[name, redactorOf(field)(values[name], places)] as const] : [],
    )
    return { type, data: Object.fromEntries(redacted), meta } as Recorded<LoggedEvent>
  }
}

export const isKnownEventType = (type: string): type is LoggedEvent['type'] => fieldsByType.has(type)
