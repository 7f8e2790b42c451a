import {
  STRICTEST_CIRCUMSTANCES,
  type Candidate,
  type SlottedHtml,
  blockAppearsIn,
} from '../../streams/html/slots.ts'
import type { VariableDefinition, UserProfile, VariableStates } from '../../streams/wire/user.ts'
import {
  type CachedSignature,
  type ListedSignature,
  READ_SIGNATURES,
  type ReplyVersion,
  type SignaturePage,
} from '../../streams/wire/signatures.ts'
import { bodyReader } from '../../streams/kernel/schema.ts'
import type { SignatureImage } from '../../streams/html/content.ts'
import type { AppEvent, LoggedEvent } from '../../streams/pane/events.ts'
import { type AppState, evolveApp, initialState } from '../../streams/pane/state.ts'
import { Auth, type Session, type VerifiedSession } from '../../streams/message/auth/events.ts'
import type { Event, Recorded } from '../../streams/kernel/event.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { replayLog } from '../../streams/kernel/store.ts'
import { type HostUser, Mailbox, type MailItem, type Message } from '../../streams/message/mailbox/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { defaultSettings, type UserSettings } from '../../streams/message/settings/settings.ts'

// Sample domain data, and states built from events.

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const session = (over: Partial<Session> = {}): Session => ({
  token: createSecret('session-token'),
  userId: 'u-alex',
  email: 'alex.kim@northwind.example',
  expiresAt: 30 * DAY_MS,
  ...over,
})

/** The result of a sign-in, without the default. */
export const verification = (over: Partial<Session> = {}): VerifiedSession => ({
  session: session(over),
  signature: null,
})

/** The user's storage has neither recently used signatures nor favourites. */
export const nothingStored: readonly AppEvent[] = [
  Signatures.recentRestored({ recent: [] }),
  Signatures.favouritesRestored({ favourites: [] }),
]

export const hostUser = (over: Partial<HostUser> = {}): HostUser => ({
  accountType: 'office365',
  displayName: 'Alex Kim',
  email: 'Alex.Kim@northwind.example',
  timezone: 'Pacific Standard Time',
  ...over,
})

export const profile = (over: Partial<UserProfile> = {}): UserProfile => ({
  id: 'u-alex',
  email: 'alex.kim@northwind.example',
  isAdmin: false,
  pictureUrl: null,
  authType: 'azure',
  language: 'en',
  clientName: 'Northwind',
  displayName: 'Alex Kim',
  delegations: [],
  metadata: { defaultSignature: null, others: {} },
  ...over,
})

export const define = (path: string, over: Partial<VariableDefinition> = {}): VariableDefinition => ({
  path,
  lookups: {},
  customType: null,
  displayName: null,
  hidden: false,
  nonEditable: false,
  resettable: false,
  ...over,
})

export const variableStates = (over: Partial<VariableStates> = {}): VariableStates => ({
  id: 'u-alex',
  changedFields: [],
  originalData: {},
  ...over,
})

/** The smallest possible PNG, in base64. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const image = (url: string, over: Partial<SignatureImage> = {}): SignatureImage => ({
  url,
  name: url.slice(url.lastIndexOf('/') + 1),
  content: PNG,
  status: 200,
  ...over,
})

/** This signature's reply version, as a service names it. */
export const replyVersion = (
  html: string,
  of: ReplyVersion['of'] = { name: 'Standard', combinedIds: 'c-standard' },
): ReplyVersion => ({ html, of })

/** A block as a service sends it. */
export const candidate = (over: Partial<Candidate> = {}): Candidate => ({
  id: 'autumn',
  name: 'Autumn banner',
  html: '<p>Harbour days</p>',
  audiences: [],
  replies: true,
  everyone: true,
  closes: null,
  ...over,
})

/** The HTML with a slot at the end. */
export const withSlot = (html: string, ...candidates: readonly Candidate[]): Required<SlottedHtml> => {
  const { html: always = '' } = candidates.find((each) => blockAppearsIn(each, STRICTEST_CIRCUMSTANCES)) ?? {}
  const slot = { name: 'notice', start: html.length, end: html.length + always.length, candidates }
  return { html: html + always, slots: [slot] }
}

/** The HTML with a slot for a notice to recipients outside Northwind. */
export const withNotice = (html: string, notice: string): Required<SlottedHtml> =>
  withSlot(html, candidate({ id: 'notice', html: notice, audiences: ['!northwind.example'] }))

export const cachedSignature = (over: Partial<CachedSignature> = {}): CachedSignature => ({
  name: 'Standard',
  userId: 'u-alex',
  combinedIds: 'c-standard',
  html: '<p>Alex Kim, Northwind</p>',
  reply: replyVersion('<p>Alex</p>'),
  images: [],
  ...over,
})

const [standard] = bodyReader(READ_SIGNATURES.answer)({
  objects: [
    {
      name: 'Standard',
      signature: '<p>Alex Kim, Northwind</p>',
      combined_ids: 'c-standard',
      base64_embedded_images: [],
    },
  ],
  total: 1,
  page: 1,
}).objects as readonly [ListedSignature]

/** A signature with the fields that a service must send, and defaults for the rest. */
export const listedSignature = (over: Partial<ListedSignature> = {}): ListedSignature => ({
  ...standard,
  ...over,
})

/** A page of `count` objects with different names, out of `total`. */
export const signaturePage = (page: number, count = 5, total = count): SignaturePage => ({
  page,
  total,
  objects: Array.from({ length: count }, (_, index) => {
    const name = `Signature ${page}.${index + 1}`
    return listedSignature({ name, combinedIds: `c-${page}-${index}`, html: `<p>${name}</p>` })
  }),
})

/** The entryId of the master at this place in the user's own list; `page` counts from 1, `index` from 0. */
export const masterId = (page: number, index: number): string => `user-${page}-${index}-master`

export const compose = (key: string): MailItem => ({ key, mode: 'compose' })

export const message = (over: Partial<Message> = {}): Message => ({
  composeType: 'newMail',
  bodyType: 'html',
  from: { address: 'alex.kim@northwind.example', name: 'Alex Kim' },
  to: [],
  cc: [],
  stopPush: false,
  inserted: null,
  ...over,
})

/** The event as the store emits it. */
export const recorded = <E extends Event>(event: E, seq = 0, at = 0, source = 'test'): Recorded<E> => ({
  ...event,
  meta: { seq, at, source },
})

/** A log of these events, one millisecond apart. */
export const logOf = <E extends Event>(...events: readonly E[]): readonly Recorded<E>[] =>
  events.map((event, seq) => recorded(event, seq, seq))

/** The event without the fields added by the store. */
export const withoutMeta = ({ type, data }: Event): Event => ({ type, data })

/** The value after a round trip through JSON. */
export const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** The text of a log file. */
export const textOf = (parts: Iterable<string>): string => [...parts].join('')

export const freshState = (): AppState => initialState({ production: true, beta: false })

/**
 * The state after these events. Their numbers end at -1, so they differ from the numbers that a store records later.
 */
export const stateAfter = (...events: readonly LoggedEvent[]): AppState =>
  replayLog(
    freshState(),
    evolveApp,
    events.map((event, index) => recorded(event, index - events.length)),
  )

/** Settings were loaded: the defaults with these changes. */
export const settingsLoaded = (over: Partial<UserSettings> = {}): AppEvent =>
  Settings.loaded({
    settings: { ...defaultSettings({ production: true, beta: false }), ...over },
    userId: null,
  })

/** The events up to a signed-in user writing the message with this key. */
export const signedInWriting = (itemKey: string, over: Partial<Message> = {}): readonly AppEvent[] => [
  Mailbox.userRead({ user: hostUser() }),
  Auth.sessionRecovered({ session: session() }),
  ...nothingStored,
  settingsLoaded(),
  Mailbox.itemChanged({ item: compose(itemKey) }),
  Mailbox.messageRead({ itemKey, message: message(over) }),
]

/** Freezes the value and everything in it, so that a write throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}
