import type { SignatureInMessage, InsertionReason } from '../../streams/message/signatures/signature.ts'
import type {
  ChosenDefaults,
  VariableDefinition,
  UserProfile,
  VariableValues,
  VariableStates,
} from '../../streams/wire/user.ts'
import type {
  CachedSignature,
  ListedSignature,
  SenderCopy,
  SignatureNames,
  SignaturePage,
} from '../../streams/wire/signatures.ts'
import type { SignatureContent, SignatureImage } from '../../streams/html/content.ts'
import type { DefaultUse } from '../../streams/message/defaults/events.ts'
import type { InsertionTarget } from '../../streams/message/insertion/events.ts'
import fc from 'fast-check'
import type { LoggedEvent } from '../../streams/pane/events.ts'
import type { Session, SignOutReason } from '../../streams/message/auth/events.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { languages } from '../../streams/wire/languages.ts'
import type {
  MailAddress,
  HostUser,
  InsertedSignature,
  MailItem,
  Message,
} from '../../streams/message/mailbox/events.ts'
import type { PictureRefusal } from '../../streams/pane/picture/events.ts'
import type { SelfTestFindings } from '../../streams/pane/selfTest/events.ts'
import type { UserSettings } from '../../streams/message/settings/settings.ts'
import { switchNames } from '../../streams/pane/settings/rules.ts'
import { OWN_OWNER } from '../../streams/message/signatures/entry.ts'
import type { ListName } from '../../streams/message/signatures/events.ts'
import { contentHash } from '../../streams/html/hash.ts'
import type { TelemetryContext } from '../../streams/pane/telemetry/events.ts'
import type { VariableDrafts } from '../../streams/pane/variables/events.ts'
import { launchOutcomes } from '../../streams/launch/events.ts'
import type { CachedDefault } from '../../streams/launch/cachedDefault.ts'
import type { Senders } from '../../streams/message/senders/senders.ts'

/** Characters and starts of markup, including Word's comments, for building broken HTML. */
export const MARKUP_SIGNS: readonly string[] = [
  ...['<', '>', '"', "'", '`', '=', '/', ' ', '-', '--', '&lt;', '\0'],
  ...['-->', '--!>', '<!--', '<!', '<?', '</', ']]>', '[if mso]>', '<![endif]'],
  ...['<!--[if mso]>', '<!--[if !mso]><!-->', '<!--<![endif]-->', '<![endif]-->'],
]

// One arbitrary per event. Keys, pages and contents come from small pools, so events in one log match: about half of
// the answers belong to an earlier question.

const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('', '<p>Hi</p>', '😀'))
const itemKey = fc.constantFrom('item-1', 'item-2', 'item-3')
const pageNumber = fc.integer({ min: 1, max: 4 })
const combinedIds = fc.constantFrom('c-1', 'c-2', 'c-3')
const html = fc.constantFrom('', '<p>One</p>', '<p>Two</p>', '<p>Three</p>')
const hash = html.map(contentHash)
/** The number of an event that may have requested an insertion or another default. */
const requestId = fc.integer({ min: 0, max: 30 })
const entryId = fc
  .tuple(pageNumber, fc.integer({ min: 0, max: 2 }), fc.constantFrom('master', 'variant-0'))
  .map(([page, index, place]) => `${OWN_OWNER}-${page}-${index}-${place}`)

const composeType = fc.constantFrom('newMail', 'reply', 'forward', 'meeting', null)
const address: fc.Arbitrary<MailAddress> = fc.record({
  address: fc.oneof(fc.emailAddress(), text),
  name: text,
})

export const failure: fc.Arbitrary<Failure> = fc.oneof(
  fc.record({
    kind: fc.constant('http' as const),
    status: fc.constantFrom(401, 403),
    code: fc.constantFrom('invalid_token', 'unknown_user'),
    data: fc.constant(null),
    refused: fc.record({ account: fc.emailAddress(), mailbox: fc.emailAddress() }),
  }),
  fc.constantFrom<Failure>(
    { kind: 'network' },
    { kind: 'timeout' },
    { kind: 'notLoaded' },
    { kind: 'itemGone' },
    { kind: 'entryGone' },
    { kind: 'clipboard' },
    { kind: 'storage', action: 'read' },
    { kind: 'storage', action: 'write' },
  ),
  fc.record({
    kind: fc.constant('http' as const),
    status: fc.constantFrom(400, 401, 403, 404, 409, 422, 500, 503),
    code: fc.option(text),
    data: fc.constantFrom(null, {}, { code: 'no' }, ['no'], 'no'),
  }),
  fc.record({ kind: fc.constant('malformed' as const), at: text }),
  fc.record({ kind: fc.constant('host' as const), call: text, code: fc.nat(14_000), name: text }),
  fc.record({ kind: fc.constant('hostSilent' as const), call: text }),
  fc.record({
    kind: fc.constant('tooLarge' as const),
    characters: fc.nat(),
    limit: fc.constant(30_000),
    parts: fc.array(
      fc.record({ part: fc.constantFrom('styles', 'pictures', 'text'), characters: fc.nat() }),
      { maxLength: 3 },
    ),
  }),
  fc.record(
    { kind: fc.constant('auth' as const), code: text, cause: text },
    { requiredKeys: ['kind', 'code'] },
  ),
  fc.record({ kind: fc.constant('defect' as const), message: text }),
)

const session: fc.Arbitrary<Session> = fc.record({
  token: text.map(createSecret),
  userId: fc.constantFrom('u-1', 'u-2'),
  email: fc.emailAddress(),
  expiresAt: fc.nat(),
})
const signOutReason: fc.Arbitrary<SignOutReason> = fc.oneof(
  fc.record({ kind: fc.constantFrom('person' as const, 'elsewhere' as const, 'expired' as const) }),
  fc.record({ kind: fc.constantFrom('signInFailed' as const, 'rejected' as const), failure }),
)

const hostUser: fc.Arbitrary<HostUser> = fc.record({
  accountType: text,
  displayName: text,
  email: fc.emailAddress(),
  timezone: text,
})
const mailItem: fc.Arbitrary<MailItem> = fc.record(
  {
    key: itemKey,
    mode: fc.constantFrom('compose' as const, 'read' as const),
    isMeeting: fc.constant(true as const),
  },
  { requiredKeys: ['key', 'mode'] },
)
const inserted: fc.Arbitrary<InsertedSignature> = fc.record({
  combinedIds,
  hash,
  name: text,
  reply: fc.boolean(),
  origin: fc.constantFrom('default', 'manual', 'putBack'),
  trace: fc.constantFrom(
    null,
    ...(['mark', 'words', null] as const).map((seen) => ({
      mark: 'r-1',
      words: [24, 1, 2] as const,
      pictures: ['lsi-attachlogo.png'],
      copies: [1, 0] as const,
      seen,
    })),
  ),
})
export const message: fc.Arbitrary<Message> = fc.record(
  {
    composeType,
    bodyType: fc.constantFrom('html', 'text', null),
    from: fc.option(address),
    to: fc.array(address, { maxLength: 3 }),
    cc: fc.array(address, { maxLength: 3 }),
    stopPush: fc.boolean(),
    inserted: fc.option(inserted),
    isExisting: fc.constant(true as const),
  },
  { requiredKeys: ['composeType', 'bodyType', 'from', 'to', 'cc', 'stopPush', 'inserted'] },
)

const image: fc.Arbitrary<SignatureImage> = fc.record({
  url: fc.webUrl(),
  name: text,
  content: fc.base64String({ maxLength: 8 }),
  status: fc.constantFrom(200, 404, 500),
})
const named: fc.Arbitrary<SignatureNames> = fc.record({ name: text, combinedIds })
const copies: fc.Arbitrary<readonly SenderCopy[]> = fc.array(
  fc.record({
    sender: fc.emailAddress().map((each) => each.toLowerCase()),
    html,
    variants: fc.array(fc.record({ code: fc.constantFrom('reply', 'meeting'), html }), { maxLength: 1 }),
  }),
  { minLength: 1, maxLength: 2 },
)
export const cachedSignature: fc.Arbitrary<CachedSignature> = fc.record(
  {
    name: text,
    userId: fc.constantFrom('u-1', 'u-2'),
    combinedIds,
    html,
    reply: fc.option(fc.record({ html, of: fc.option(named) })),
    meeting: fc.record({ name: text, combinedIds, html }),
    copies,
    images: fc.array(image, { maxLength: 2 }),
  },
  { requiredKeys: ['name', 'userId', 'combinedIds', 'html', 'reply', 'images'] },
)
const audiences = fc.array(
  fc.oneof(
    fc.domain(),
    fc.domain().map((domain) => `!${domain}`),
  ),
  { maxLength: 2 },
)
export const listedSignature: fc.Arbitrary<ListedSignature> = fc
  .record({
    name: text,
    email: fc.option(fc.emailAddress(), { freq: 4 }),
    combinedIds,
    html,
    images: fc.array(image, { maxLength: 2 }),
    audiences,
    order: fc.nat(9),
    collection: fc.constantFrom('main', 'other'),
    variants: fc.array(fc.record({ code: fc.constantFrom('reply', 'meeting', 'short'), html }), {
      maxLength: 2,
    }),
    copied: fc.option(copies),
  })
  .map(({ copied, ...listed }) => (copied ? { ...listed, copies: copied } : listed))
export const signaturePage: fc.Arbitrary<SignaturePage> = fc.record({
  page: pageNumber,
  total: fc.nat(15),
  objects: fc.array(listedSignature, { maxLength: 3 }),
})
const target: fc.Arbitrary<InsertionTarget> = fc.oneof(
  fc.constantFrom<InsertionTarget>({ kind: 'default' }, { kind: 'none' }, { kind: 'previous' }),
  fc.record({ kind: fc.constant('entry' as const), entryId }),
)
const reason: fc.Arbitrary<InsertionReason> = fc.record({
  origin: fc.constantFrom('default', 'manual', 'putBack'),
  composeType,
  reply: fc.boolean(),
})
const inMessage: fc.Arbitrary<SignatureInMessage> = fc.record({ combinedIds, hash, name: text, reason })
const content: fc.Arbitrary<SignatureContent> = fc.record({ html, images: fc.array(image, { maxLength: 2 }) })
const list: fc.Arbitrary<ListName> = fc.constantFrom('own', 'delegated')
/** The number of times that a list was reset. */
const epoch = fc.nat(2)
const use: fc.Arbitrary<DefaultUse> = fc.constantFrom('master', 'reply')

const emailAddress = fc.emailAddress().map((each) => each.toLowerCase())
const bySender = fc.dictionary(emailAddress, combinedIds, { maxKeys: 2 })

export const chosenDefaults: fc.Arbitrary<ChosenDefaults> = fc.oneof(
  fc.record(
    { master: combinedIds, reply: fc.option(combinedIds), bySender },
    { requiredKeys: ['master', 'reply'] },
  ),
  fc.record({ master: fc.constant(null), reply: fc.constant(null), bySender }),
)

export const senders: fc.Arbitrary<Senders> = fc.record({
  at: fc.nat(),
  audiences: fc.dictionary(combinedIds, audiences),
  bySender,
  others: fc.array(
    fc.record(
      {
        name: text,
        combinedIds,
        owner: fc.oneof(fc.constant(OWN_OWNER), emailAddress),
        order: fc.nat(9),
        audiences,
        html,
        reply: fc.option(html),
        meeting: fc.record({ html }),
        copies,
        images: fc.array(image, { maxLength: 2 }),
      },
      { requiredKeys: ['name', 'combinedIds', 'owner', 'order', 'audiences', 'html', 'reply', 'images'] },
    ),
    { maxLength: 3 },
  ),
})

const profile: fc.Arbitrary<UserProfile> = fc.record({
  id: fc.constantFrom('u-1', 'u-2'),
  email: fc.emailAddress(),
  isAdmin: fc.boolean(),
  pictureUrl: fc.option(fc.webUrl()),
  authType: text,
  language: fc.constantFrom(...languages),
  clientName: text,
  displayName: text,
  delegations: fc.array(text, { maxLength: 2 }),
  metadata: fc.record({
    defaultSignature: fc.option(chosenDefaults),
    others: fc.constantFrom({}, { tour: 'seen' }),
  }),
})

const settings: fc.Arbitrary<UserSettings> = fc.record({
  enableLogs: fc.boolean(),
  enableTelemetry: fc.boolean(),
  enableSilentSSO: fc.boolean(),
  enableSignaturePush: fc.boolean(),
  enableVariablesResync: fc.boolean(),
  enableEmbedImages: fc.boolean(),
  enableVariablesMissing: fc.boolean(),
  enableVariablesAutosave: fc.boolean(),
})
const settingsChanges: fc.Arbitrary<Partial<UserSettings>> = fc
  .tuple(settings, fc.subarray([...switchNames]))
  .map(([all, names]) => Object.fromEntries(names.map((name) => [name, all[name]])))

const telemetryContext: fc.Arbitrary<TelemetryContext> = fc.record(
  {
    platform: fc.constantFrom('web', 'desktop'),
    language: fc.constantFrom('en', 'de'),
    launch: fc.constantFrom('went', 'failed'),
  },
  { requiredKeys: ['platform', 'language'] },
)

const fields = ['jobTitle', 'mail', 'mobile'] as const
const variablePath = fc.constantFrom('job_title', 'mobile_phone', 'website', 'toString', 'email')
const variableValue = fc.constantFrom('', 'one', 'two', '😀', '<b>three</b>')
const variableValues: fc.Arbitrary<VariableValues> = fc.dictionary(variablePath, variableValue, {
  maxKeys: 4,
})
const drafts: fc.Arbitrary<VariableDrafts> = fc.dictionary(
  variablePath,
  fc.record({ value: variableValue, resync: fc.boolean() }),
  { maxKeys: 3 },
)
export const definition: fc.Arbitrary<VariableDefinition> = fc.record({
  path: variablePath,
  lookups: fc.dictionary(fc.constantFrom('azure', 'google'), fc.constantFrom(...fields), { maxKeys: 2 }),
  customType: fc.constantFrom(null, 'mapped', 'rest', 'personal'),
  displayName: fc.option(text),
  hidden: fc.boolean(),
  nonEditable: fc.boolean(),
  resettable: fc.boolean(),
})
export const variableStates: fc.Arbitrary<VariableStates> = fc.record({
  id: fc.constantFrom('u-1', 'u-2'),
  changedFields: fc.subarray([...fields]),
  originalData: fc.dictionary(fc.constantFrom(...fields), variableValue, { maxKeys: 3 }),
})

export const findings: fc.Arbitrary<SelfTestFindings> = fc.record({
  host: fc.record({
    name: fc.constantFrom('outlook', 'simulated', 'standalone'),
    version: fc.option(text),
    platform: fc.option(text),
    requirementSets: fc.dictionary(
      fc.constantFrom('Mailbox', 'IdentityAPI', 'toString'),
      fc.constantFrom('1.1', '1.9', '1.10', '1.15', '2.0', ''),
    ),
    clientSignature: fc.option(fc.boolean()),
  }),
  launch: fc.oneof(
    fc.constantFrom(null, 'unknown' as const),
    fc.record({
      outcome: fc.constantFrom(...launchOutcomes),
      at: fc.nat(),
      ms: fc.nat(60_000),
      age: fc.option(fc.nat()),
      runtime: fc.constantFrom('page' as const, 'classic' as const),
      told: fc.constant([]),
    }),
  ),
  storage: fc.record({
    lasting: fc.constantFrom('indexedDB', 'localStorage', 'memory'),
    session: fc.constantFrom('sessionStorage', 'memory'),
  }),
  service: fc.record({
    call: fc.constant('GET /api/addin/maintenance'),
    status: fc.option(fc.constantFrom(200, 401, 429, 500, 503)),
    ms: fc.nat(6000),
    date: fc.option(fc.nat()),
    failure: fc.option(failure),
  }),
  signIn: fc.record({
    status: fc.constantFrom('unknown', 'pending', 'success', 'signedOut'),
    method: fc.option(fc.constantFrom('nested', 'mailClient', 'dialog')),
    expiresAt: fc.option(fc.nat()),
  }),
})

const language = fc.constantFrom(...languages)
const path = fc.oneof(
  fc.constantFrom(
    '/',
    '/home',
    '/app',
    '/app/dashboard',
    '/app/signatures/main',
    '/logout',
    '/about',
    '/help',
  ),
  text.map((part) => `/${part}`),
)
const nothing = fc.constant({})

type DataOf<Type extends LoggedEvent['type']> = Extract<LoggedEvent, { type: Type }>['data']

const pageName = fc.constantFrom(
  'dashboard',
  'signatures',
  'settings',
  'selfTest',
  'variables',
  'about',
  'help',
)

export const kept: fc.Arbitrary<CachedDefault> = fc.record({
  email: fc.emailAddress().map((email) => email.toLowerCase()),
  at: fc.nat(),
  signature: cachedSignature,
  senders,
})

const launchId = fc.nat(3)

/** The data of each event. A missing event does not compile. */
export const eventData: {
  readonly [Type in LoggedEvent['type']]: fc.Arbitrary<DataOf<Type>>
} = {
  'app/started': nothing,
  'app/retryRequested': nothing,
  'app/serviceReachable': nothing,
  'kernel/effectCrashed': fc.record({
    effect: text,
    message: text,
    restarts: fc.nat(10),
    givenUp: fc.boolean(),
  }),

  'launch/raised': fc.record({
    id: launchId,
    kind: fc.constantFrom('newMessage', 'fromChanged', 'recipientsChanged', 'send'),
  }),
  'launch/keptRead': fc.record({ at: fc.option(fc.nat()) }),
  'launch/factsRead': fc.record({ off: fc.boolean() }),
  'launch/refreshBegan': nothing,
  'launch/signedIn': fc.record({ session }),
  'launch/refreshed': fc.record({ kept }),
  'launch/stored': nothing,
  'launch/refreshFailed': fc.record({ failure }),
  'launch/looked': fc.record({
    missing: fc.array(fc.record({ kind: fc.constantFrom('signature', 'block'), name: text }), {
      maxLength: 2,
    }),
  }),
  'launch/timeUp': fc.record({ id: launchId }),
  'launch/completed': fc.record({ id: launchId, outcome: fc.constantFrom(...launchOutcomes, 'asked') }),

  'auth/sessionRecovered': fc.record({ session }),
  'auth/sessionMissing': nothing,
  'auth/signInRequested': fc.record({ silent: fc.boolean() }),
  'auth/verified': fc.record({ session, signature: fc.option(cachedSignature) }),
  'auth/renewed': fc.record({ session }),
  'auth/renewalFailed': fc.record({ failure }),
  'auth/signInFailed': fc.record({ failure }),
  'auth/signOutRequested': fc.record({ reason: signOutReason }),
  'auth/signedOut': fc.record({ reason: signOutReason, userId: fc.option(fc.constantFrom('u-1', 'u-2')) }),
  'auth/editsKept': fc.record({ count: fc.integer({ min: 1, max: 5 }) }),

  'locale/displayLanguageRead': fc.record({ language }),
  'locale/languageRequested': fc.record({ language }),
  'locale/languageChanged': fc.record({ language }),
  'locale/languageFailed': fc.record({ language, failure }),

  'mailbox/userRead': fc.record({ user: fc.option(hostUser) }),
  'mailbox/themeChanged': fc.record({ theme: fc.constantFrom('light', 'dark', null) }),
  'mailbox/itemChanged': fc.record({ item: fc.option(mailItem) }),
  'mailbox/messageRead': fc.record({ itemKey, message }),
  'mailbox/turnRead': fc.record({ itemKey, turn: fc.double({ min: 0, max: 99.99, noNaN: true }) }),
  'mailbox/senderChanged': fc.record({ itemKey, from: fc.option(address) }),
  'mailbox/bodyTypeChanged': fc.record({ itemKey, bodyType: fc.constantFrom('html', 'text') }),
  'mailbox/recipientsChanged': fc.record({
    itemKey,
    to: fc.array(address, { maxLength: 2 }),
    cc: fc.array(address, { maxLength: 2 }),
  }),
  'mailbox/threadRead': fc.record({ itemKey, thread: fc.constantFrom('first', 'later') }),
  'mailbox/envelopeRead': fc.record({
    itemKey,
    from: fc.option(address),
    to: fc.array(address, { maxLength: 2 }),
    cc: fc.array(address, { maxLength: 2 }),
  }),

  'maintenance/ticked': fc.record({ tick: fc.nat(20) }),
  'maintenance/loaded': fc.record({ status: fc.constantFrom('planned', 'active', null) }),
  'maintenance/loadFailed': fc.record({ failure }),

  'notifications/shown': fc.record({
    itemKey,
    notice: fc.record({
      kind: fc.constant('defaultNotInserted' as const),
      signature: text,
      reply: fc.boolean(),
    }),
  }),
  'notifications/dismissed': fc.record({ itemKey }),

  'configuration/loaded': fc.record({
    value: fc.record({ allowDefaultSignature: fc.boolean() }),
  }),
  'configuration/loadFailed': fc.record({ failure }),

  'picture/loaded': fc.record({ value: fc.option(fc.webUrl()) }),
  'picture/loadFailed': fc.record({ failure }),
  'picture/offered': fc.record({ file: text.map(createHandle) }),
  'picture/opened': fc.record({
    picture: fc.record({
      dataUrl: fc.base64String({ maxLength: 8 }).map((content) => `data:image/png;base64,${content}`),
      width: fc.integer({ min: 1, max: 1024 }),
      height: fc.integer({ min: 1, max: 1024 }),
    }),
  }),
  'picture/cropped': fc.record({ crop: fc.record({ x: fc.float(), y: fc.float(), size: fc.float() }) }),
  'picture/refused': fc.record({
    refusal: fc.constantFrom<PictureRefusal>(
      { reason: 'type' },
      { reason: 'empty' },
      { reason: 'unreadable' },
      { reason: 'notLoaded' },
      { reason: 'size', limit: 10 },
    ),
  }),
  'picture/dropped': nothing,
  'picture/saveRequested': nothing,
  'picture/deleteRequested': nothing,
  'picture/saved': fc.record({ url: fc.webUrl() }),
  'picture/deleted': nothing,
  'picture/changeFailed': fc.record({ failure }),

  'profile/loaded': fc.record({ value: profile }),
  'profile/loadFailed': fc.record({ failure }),

  'router/navigationRequested': fc.record({ to: path }),
  'router/navigated': fc.record({ path }),

  'selfTest/requested': nothing,
  'preview/copyRequested': fc.record({ text }),
  'preview/copied': nothing,
  'preview/copyFailed': fc.record({ failure }),
  'selfTest/copyRequested': fc.record({ text }),
  'selfTest/copied': nothing,
  'selfTest/copyFailed': fc.record({ failure }),
  'logExport/requested': nothing,
  'logExport/saved': nothing,
  'logExport/failed': fc.record({ failure }),
  'selfTest/ended': fc.record({ findings }),

  'settings/loaded': fc.record({ settings, userId: fc.option(fc.constantFrom('u-1', 'u-2')) }),
  'settings/loadFailed': fc.record({ failure }),
  'settings/updateRequested': fc.record({ changes: settingsChanges }),
  'settings/updated': fc.record({ changes: settingsChanges, lasting: fc.boolean() }),
  'settings/updateFailed': fc.record({ failure }),
  'settings/resetRequested': nothing,
  'settings/errorsCleared': nothing,

  'defaults/restored': fc.record({ signature: cachedSignature, senders }),
  'defaults/loaded': fc.record({ value: cachedSignature }),
  'defaults/loadFailed': fc.record({ failure }),
  'signatures/nextPageRequested': fc.record({ list }),
  'signatures/searched': fc.record({ query: text, shared: fc.boolean() }),
  'signatures/pageLoaded': fc.record({ list, epoch, page: signaturePage }),
  'signatures/pageFailed': fc.record({ list, epoch, page: pageNumber, failure }),
  'signatures/reloadDue': nothing,
  'signatures/refreshRequested': nothing,
  'signatures/refreshed': fc.record({ epoch, own: signaturePage, delegated: fc.option(signaturePage) }),
  'signatures/refreshFailed': fc.record({ failure }),
  'signatures/recentRestored': fc.record({ recent: fc.uniqueArray(combinedIds) }),
  'signatures/favouriteChanged': fc.record({ combinedIds, isFavourite: fc.boolean() }),
  'signatures/favouritesRestored': fc.record({ favourites: fc.uniqueArray(combinedIds) }),
  'insertion/chosen': fc.record({ entryId, itemKey }),
  'insertion/noneChosen': fc.record({ itemKey }),
  'insertion/undoRequested': fc.record({ itemKey }),
  'insertion/redoRequested': fc.record({ itemKey }),
  'insertion/defaultDue': fc.record({ itemKey, hash }),
  'insertion/progressed': fc.record({
    id: requestId,
    imagesDone: fc.nat(5),
    imagesTotal: fc.nat(5),
  }),
  'insertion/succeeded': fc.record({ id: requestId, itemKey, target, inMessage, content }),
  'insertion/failed': fc.record({ id: requestId, itemKey, target, failure }),
  'insertion/textAwaited': fc.record({ itemKey, until: fc.nat() }),
  'insertion/superseded': fc.record({ id: requestId, target }),
  'insertion/skipped': fc.record({ id: requestId, itemKey }),
  'insertion/leftAsIs': fc.record({ id: requestId, itemKey }),
  'insertion/settled': fc.record({ id: requestId }),
  'insertion/bodyAltered': fc.record({ itemKey, before: text.map(createSecret) }),
  'insertion/bodyRestoreRequested': fc.record({ itemKey }),
  'insertion/bodyRestored': fc.record({ itemKey }),
  'insertion/bodyRestoreFailed': fc.record({ itemKey, failure }),
  'defaults/changeRequested': fc.record({ combinedIds, use }),
  'defaults/senderChoiceRequested': fc.record({
    address: fc.emailAddress(),
    combinedIds: fc.option(combinedIds),
  }),
  'defaults/organisationRequested': fc.constant({}),
  'senders/loaded': fc.record({ senders }),
  'senders/loadFailed': fc.record({ failure }),
  'defaults/replyNamed': fc.record({ of: named }),
  'defaults/replyNameFailed': fc.record({ combinedIds, failure }),
  'defaults/changed': fc.record({ id: requestId, defaults: fc.option(chosenDefaults) }),
  'defaults/changeFailed': fc.record({ id: requestId, failure }),
  'signatures/copyRequested': fc.record({ entryId }),
  'signatures/copied': fc.record({ entryId }),
  'signatures/copyFailed': fc.record({ entryId, failure }),

  'subscription/loaded': fc.record({ value: fc.constantFrom('basic', 'trial', 'full') }),
  'subscription/loadFailed': fc.record({ failure }),

  'telemetry/platformRead': fc.record({
    platform: fc.record({
      package: fc.record({ name: fc.constant('signet'), version: text }),
      context: telemetryContext,
      beta: fc.boolean(),
      navigator: fc.record({ userAgent: text, language: text }),
    }),
  }),
  'telemetry/contextRestored': fc.record({ context: fc.array(telemetryContext, { maxLength: 3 }) }),
  'telemetry/launchRead': fc.record({ outcome: fc.constantFrom(...launchOutcomes) }),
  'telemetry/sent': nothing,
  'telemetry/sendFailed': fc.record({ failure }),

  'variables/opened': nothing,
  'variables/loaded': fc.record({
    asked: fc.integer({ min: -1, max: 40 }),
    definitions: fc.uniqueArray(definition, { maxLength: 4, selector: (each) => each.path }),
    states: variableStates,
    values: variableValues,
  }),
  'variables/loadFailed': fc.record({ failure }),
  'variables/draftsRestored': fc.record({ drafts }),
  'variables/draftsWritten': fc.record({ lasting: fc.boolean() }),
  'variables/edited': fc.record({ path: variablePath, value: variableValue }),
  'variables/marked': fc.record({ path: variablePath }),
  'variables/unmarked': fc.record({ path: variablePath }),
  'variables/discarded': fc.record({ path: variablePath }),
  'variables/allDiscarded': nothing,
  'variables/saveRequested': fc.record({ occasion: fc.constantFrom('person', 'pause') }),
  'variables/saveStarted': fc.record({ sent: drafts }),
  'variables/saved': fc.record({
    sent: drafts,
    saved: fc.record({ values: variableValues, changedFields: fc.subarray([...fields]) }),
  }),
  'variables/saveFailed': fc.record({ failure }),
  'variables/statesLoaded': fc.record({ states: variableStates }),
  'variables/statesFailed': fc.record({ failure }),

  'connection/changed': fc.record({ isLost: fc.boolean() }),

  'chunks/loaded': fc.record({ page: pageName }),
  'chunks/slow': fc.record({ page: pageName }),
  'chunks/timedOut': fc.record({ page: pageName }),
  'screen/due': fc.record({ reason: fc.constantFrom('told', 'noneDue', 'person', 'late') }),
  'screen/loaded': nothing,
  'screen/loadFailed': fc.record({ failure }),
}

const types = Object.keys(eventData) as LoggedEvent['type'][]

/** Events of these types, all equally likely; of every type if none is named. */
export const eventOf = <Type extends LoggedEvent['type']>(
  ...wanted: readonly Type[]
): fc.Arbitrary<Extract<LoggedEvent, { type: Type }>> =>
  fc.oneof(
    ...(wanted.length > 0 ? wanted : types).map((type) =>
      // The table pairs each type with its own data.
      (eventData[type] as fc.Arbitrary<object>).map(
        (data) => ({ type, data }) as Extract<LoggedEvent, { type: Type }>,
      ),
    ),
  )

/** Numbers these events as the store would. */
const numbered = <E extends LoggedEvent>(events: readonly E[]): readonly Recorded<E>[] =>
  events.map((event, seq) => ({ ...event, meta: { seq, at: seq * 10, source: 'test' } }))

/** A log of up to `maxLength` events of these types; of every type if none is named. */
export const logOfTypes = (
  wanted: readonly LoggedEvent['type'][] = [],
  maxLength = 30,
): fc.Arbitrary<readonly Recorded<LoggedEvent>[]> => fc.array(eventOf(...wanted), { maxLength }).map(numbered)
