import type { Recorded } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Address, HostUser, Inserted, MailItem, Message } from '../mailbox/events.ts'
import type { Notice } from '../notifications/events.ts'
import type { Profile } from '../profile/events.ts'
import type {
  CachedSignature,
  Content,
  InMessage,
  ListedSignature,
  SignatureImage,
  SignaturePage,
  Target,
} from '../signatures/events.ts'
import type { Findings, ServiceFacts } from '../selfTest/events.ts'
import { contentHash } from '../html/hash.ts'
import type { Session, SignOutReason } from '../auth/events.ts'
import type { PreparedPicture } from '../picture/events.ts'
import type { Definition, Drafts, SavedVariables, Values, VariableStates } from '../variables/events.ts'
import type { LoggedEvent } from './events.ts'

// What of each event may leave the machine. Nothing does unless it is named here: a new event, or a new field of an
// event, does not compile until somebody decides.

/** What stands in place of what may not leave: the same for the same value, within one export. */
type Placeholders = Readonly<{
  of(kind: string, value: string): string
  html(html: string): string
  hash(hash: string): string
}>

/** Gives a value of the same shape with nothing in it that may not leave. */
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
      const place = `<p>${of('html', html)}, ${String(html.length)} characters</p>`
      hashes.set(contentHash(html), contentHash(place))
      return place
    },
    hash: (hash) => hashes.get(hash) ?? hash,
  }
}

/** Says nothing of a person: a number, a flag, one of a few words, or a name of the software's own. */
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
  <T extends object>(fields: { readonly [Field in keyof T]-?: Redact<T[Field]> }): Redact<T> =>
  (value, places) => {
    const result: Partial<T> = {}
    for (const field of Object.keys(fields) as (keyof T)[])
      if (field in value) result[field] = fields[field](value[field], places)
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

/** The uuid of a delegated entry begins with its owner's address. */
const uuid: Redact<string> = (value, places) => {
  const [, owner, rest] = /^(.*)(-\d+-\d+-(?:master|variant-\d+))$/s.exec(value) ?? []
  if (owner === undefined || rest === undefined) return places.of('entry', value)
  return (owner === 'user' ? owner : address(owner, places)) + rest
}

const failure: Redact<Failure> = (value) => {
  if (value.kind === 'http') return { ...value, data: null }
  if (value.kind === 'defect') return { ...value, message: '' }
  return value.kind === 'malformed' ? { ...value, at: value.at.replace(/[^\w.]/g, '') } : value
}

const session = record<Session>({ token: keep, userId: place('user'), email: address, expiresAt: keep })
const reason: Redact<SignOutReason> = (value, places) =>
  'failure' in value ? { ...value, failure: failure(value.failure, places) } : value
const mailAddress = record<Address>({ address, name: person })
const hostUser = record<HostUser>({ accountType: keep, displayName: person, email: address, timezone: keep })
const message = record<Message>({
  composeType: keep,
  bodyType: keep,
  from: orNull(mailAddress),
  to: list(mailAddress),
  cc: list(mailAddress),
  stopPush: keep,
  inserted: orNull(record<Inserted>({ combinedIds: keep, hash, name: label, reply: keep, manual: keep })),
})
const profile = record<Profile>({
  id: place('user'),
  email: address,
  isAdmin: keep,
  pictureUrl: orNull(url),
  authType: keep,
  language: keep,
  clientName: place('organisation'),
  displayName: person,
  delegations: list(place('user')),
  metadata: record<Profile['metadata']>({ defaultSignature: keep, others: drop({}) }),
})
const image = record<SignatureImage>({ url, name: place('file'), content: drop(''), status: keep })
const content = record<Content>({ html, images: list(image) })
const cached = record<CachedSignature>({
  name: label,
  userId: place('user'),
  combinedIds: keep,
  html,
  reply: orNull(html),
  images: list(image),
})
const listed = record<ListedSignature>({
  name: label,
  email: orNull(address),
  combinedIds: keep,
  html,
  images: list(image),
  audiences: list(place('domain')),
  order: keep,
  collection: place('collection'),
  variants: list(record<ListedSignature['variants'][number]>({ code: keep, html })),
})
const signaturePage = record<SignaturePage>({ page: keep, total: keep, objects: list(listed) })
const target: Redact<Target> = (value, places) =>
  value.kind === 'entry' ? { kind: 'entry', uuid: uuid(value.uuid, places) } : value
const inMessage = record<InMessage>({ combinedIds: keep, hash, name: label, reason: keep })
const values: Redact<Values> = valuesOf(words)
const states = record<VariableStates>({ id: place('user'), changedFields: keep, originalData: values })
const drafts: Redact<Drafts> = valuesOf(record<Drafts[string]>({ value: words, resync: keep }))
const definition = record<Definition>({
  path: keep,
  lookups: keep,
  customType: keep,
  displayName: orNull(words),
  hidden: keep,
  nonEditable: keep,
  resettable: keep,
})

const nothing = record<object>({})
const failed = record<{ failure: Failure }>({ failure })

type Data<Type extends LoggedEvent['type']> = Extract<LoggedEvent, { type: Type }>['data']

type Allowed = { readonly [E in LoggedEvent as E['type']]: Redact<E['data']> }

const allowed: Allowed = {
  'app/started': nothing,
  'auth/sessionRecovered': record<Data<'auth/sessionRecovered'>>({ session }),
  'auth/sessionMissing': nothing,
  'auth/signInRequested': keep,
  'auth/verified': record<Data<'auth/verified'>>({ session }),
  'auth/renewed': record<Data<'auth/renewed'>>({ session }),
  'auth/renewalFailed': failed,
  'auth/signInFailed': failed,
  'auth/signOutRequested': record<Data<'auth/signOutRequested'>>({ reason }),
  'auth/signedOut': record<Data<'auth/signedOut'>>({ reason, userId: orNull(place('user')) }),
  'auth/editsKept': keep,
  'configuration/loadRequested': nothing,
  'configuration/loaded': keep,
  'configuration/loadFailed': failed,
  'kernel/effectCrashed': record<Data<'kernel/effectCrashed'>>({
    effect: keep,
    message: drop(''),
    restarts: keep,
    givenUp: keep,
  }),
  'locale/languageRequested': keep,
  'locale/languageChanged': keep,
  'locale/languageFailed': record<Data<'locale/languageFailed'>>({ language: keep, failure }),
  'mailbox/userRead': record<Data<'mailbox/userRead'>>({ user: orNull(hostUser) }),
  'mailbox/themeChanged': keep,
  'mailbox/itemChanged': record<Data<'mailbox/itemChanged'>>({
    item: orNull(record<MailItem>({ key: item, mode: keep })),
  }),
  'mailbox/messageRead': record<Data<'mailbox/messageRead'>>({ itemKey: item, message }),
  'mailbox/senderChanged': record<Data<'mailbox/senderChanged'>>({
    itemKey: item,
    from: orNull(mailAddress),
  }),
  'mailbox/bodyTypeChanged': record<Data<'mailbox/bodyTypeChanged'>>({ itemKey: item, bodyType: keep }),
  'mailbox/recipientsChanged': record<Data<'mailbox/recipientsChanged'>>({
    itemKey: item,
    to: list(mailAddress),
    cc: list(mailAddress),
  }),
  'maintenance/pollingStarted': nothing,
  'maintenance/pollingStopped': nothing,
  'maintenance/ticked': keep,
  'maintenance/loaded': keep,
  'maintenance/loadFailed': failed,
  'notifications/shown': record<Data<'notifications/shown'>>({
    itemKey: item,
    notice: record<Notice>({ kind: keep, signature: label }),
  }),
  'notifications/dismissed': record<Data<'notifications/dismissed'>>({ itemKey: item }),
  'picture/loadRequested': nothing,
  'picture/reloadRequested': nothing,
  'picture/loaded': record<Data<'picture/loaded'>>({ url: orNull(url) }),
  'picture/loadFailed': failed,
  'picture/offered': record<Data<'picture/offered'>>({ file: keep }),
  'picture/prepared': record<Data<'picture/prepared'>>({
    picture: record<PreparedPicture>({ dataUrl: drop(''), type: keep, size: keep, edge: keep }),
  }),
  'picture/refused': keep,
  'picture/dropped': nothing,
  'picture/saveRequested': nothing,
  'picture/deleteRequested': nothing,
  'picture/saved': record<Data<'picture/saved'>>({ url }),
  'picture/deleted': nothing,
  'picture/changeFailed': failed,
  'profile/loadRequested': nothing,
  'profile/reloadRequested': nothing,
  'profile/loaded': record<Data<'profile/loaded'>>({ profile }),
  'profile/loadFailed': failed,
  'router/navigationRequested': keep,
  'router/navigated': keep,
  'selfTest/requested': nothing,
  'selfTest/ended': record<Data<'selfTest/ended'>>({
    findings: record<Findings>({
      host: keep,
      storage: keep,
      service: record<ServiceFacts>({
        call: keep,
        status: keep,
        ms: keep,
        date: keep,
        failure: orNull(failure),
      }),
      signIn: keep,
    }),
  }),
  'settings/loadRequested': nothing,
  'settings/reloadRequested': nothing,
  'settings/loaded': keep,
  'settings/loadFailed': failed,
  'settings/updateRequested': keep,
  'settings/updated': keep,
  'settings/updateFailed': failed,
  'settings/resetRequested': nothing,
  'settings/errorsCleared': nothing,
  'signatures/snapshotRestored': record<Data<'signatures/snapshotRestored'>>({ signature: cached }),
  'signatures/cacheRequested': nothing,
  'signatures/cacheLoaded': record<Data<'signatures/cacheLoaded'>>({ signature: cached }),
  'signatures/cacheFailed': failed,
  'signatures/nextPageWanted': keep,
  'signatures/pageRequested': keep,
  'signatures/pageLoaded': record<Data<'signatures/pageLoaded'>>({
    list: keep,
    epoch: keep,
    page: signaturePage,
  }),
  'signatures/pageFailed': record<Data<'signatures/pageFailed'>>({
    list: keep,
    epoch: keep,
    page: keep,
    failure,
  }),
  'signatures/reloadRequested': keep,
  'signatures/refreshRequested': nothing,
  'signatures/refreshed': record<Data<'signatures/refreshed'>>({
    epoch: keep,
    own: signaturePage,
    delegated: orNull(signaturePage),
  }),
  'signatures/refreshFailed': failed,
  'signatures/recentRestored': keep,
  'signatures/chosen': record<Data<'signatures/chosen'>>({ uuid, itemKey: item }),
  'signatures/noneChosen': record<Data<'signatures/noneChosen'>>({ itemKey: item }),
  'signatures/undoRequested': record<Data<'signatures/undoRequested'>>({ itemKey: item }),
  'signatures/defaultDue': record<Data<'signatures/defaultDue'>>({ itemKey: item, hash }),
  'signatures/insertionProgressed': keep,
  'signatures/insertionSucceeded': record<Data<'signatures/insertionSucceeded'>>({
    id: keep,
    itemKey: item,
    target,
    inMessage,
    content,
  }),
  'signatures/insertionFailed': record<Data<'signatures/insertionFailed'>>({
    id: keep,
    itemKey: item,
    target,
    failure,
  }),
  'signatures/insertionSuperseded': record<Data<'signatures/insertionSuperseded'>>({ id: keep, target }),
  'signatures/insertionSkipped': record<Data<'signatures/insertionSkipped'>>({ id: keep, itemKey: item }),
  'signatures/insertionSettled': keep,
  'signatures/wordsChanged': record<Data<'signatures/wordsChanged'>>({ itemKey: item, former: keep }),
  'signatures/wordsRestoreRequested': record<Data<'signatures/wordsRestoreRequested'>>({ itemKey: item }),
  'signatures/wordsRestored': record<Data<'signatures/wordsRestored'>>({ itemKey: item }),
  'signatures/wordsRestoreFailed': record<Data<'signatures/wordsRestoreFailed'>>({ itemKey: item, failure }),
  'signatures/defaultChangeRequested': keep,
  'signatures/defaultChanged': keep,
  'signatures/defaultChangeFailed': record<Data<'signatures/defaultChangeFailed'>>({
    combinedIds: keep,
    use: keep,
    failure,
  }),
  'signatures/copyRequested': record<Data<'signatures/copyRequested'>>({ uuid }),
  'signatures/copied': record<Data<'signatures/copied'>>({ uuid }),
  'signatures/copyFailed': record<Data<'signatures/copyFailed'>>({ uuid, failure }),
  'subscription/loadRequested': nothing,
  'subscription/reloadRequested': nothing,
  'subscription/loaded': keep,
  'subscription/loadFailed': failed,
  'telemetry/platformRead': keep,
  'telemetry/contextRestored': keep,
  'telemetry/sent': nothing,
  'telemetry/sendFailed': failed,
  'variables/loadRequested': nothing,
  'variables/reloadRequested': nothing,
  'variables/loaded': record<Data<'variables/loaded'>>({
    asked: keep,
    definitions: list(definition),
    states,
    values,
  }),
  'variables/loadFailed': failed,
  'variables/draftsRestored': record<Data<'variables/draftsRestored'>>({ drafts }),
  'variables/edited': record<Data<'variables/edited'>>({ path: keep, value: words }),
  'variables/marked': keep,
  'variables/unmarked': keep,
  'variables/discarded': keep,
  'variables/allDiscarded': nothing,
  'variables/saveRequested': keep,
  'variables/saveStarted': record<Data<'variables/saveStarted'>>({ sent: drafts }),
  'variables/saved': record<Data<'variables/saved'>>({
    sent: drafts,
    saved: record<SavedVariables>({ values, changedFields: keep }),
  }),
  'variables/saveFailed': failed,
  'variables/statesLoaded': record<Data<'variables/statesLoaded'>>({ states }),
  'variables/statesFailed': failed,
  'variables/errorsCleared': nothing,
  'views/wanted': keep,
  'views/loaded': keep,
  'views/slow': keep,
  'views/timedOut': keep,
}

/**
 * A log as it may leave the machine: the same events in the same order, with persons as stable placeholders, html as
 * its length, and nothing else that nobody allowed. It replays as the original does.
 */
export function redactLog(log: Iterable<Recorded<LoggedEvent>>): readonly Recorded<LoggedEvent>[] {
  const places = createPlaceholders()
  return [...log].map((event) => {
    // The table's function for a type takes the data of that type.
    const redact = allowed[event.type] as Redact<LoggedEvent['data']>
    const { type, meta } = event
    return { type, data: redact(event.data, places), meta } as Recorded<LoggedEvent>
  })
}

/** Whether this is the type of an event that Signet knows. */
export const isKnownType = (type: string): type is LoggedEvent['type'] => Object.hasOwn(allowed, type)
