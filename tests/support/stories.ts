import type { SignatureInMessage, InsertionReason } from '../../streams/message/signatures/signature.ts'
import { fillForMessage, type WithBlocks } from '../../streams/message/signatures/blocks.ts'
import { READ_VARIABLE_DEFINITIONS } from '../../streams/wire/user.ts'
import type { CachedSignature, ListedSignature, SignaturePage } from '../../streams/wire/signatures.ts'
import { type InsertionTarget, Insertion } from '../../streams/message/insertion/events.ts'
import { defaultVersionFor } from '../../streams/message/senders/rules.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import {
  replacedFields,
  variableDefinitionsOf,
  replacedDirectoryValues,
  variableValues,
} from '../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import type { LoggedEvent } from '../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../streams/pane/state.ts'
import { Auth, type SignOutReason } from '../../streams/message/auth/events.ts'
import { Configuration } from '../../streams/pane/configuration/events.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { replayLog } from '../../streams/kernel/store.ts'
import { Locale } from '../../streams/pane/locale/events.ts'
import type { Language } from '../../streams/wire/languages.ts'
import { Mailbox, type Message } from '../../streams/message/mailbox/events.ts'
import { LogExport } from '../../streams/pane/logExport/events.ts'
import { Maintenance } from '../../streams/pane/maintenance/events.ts'
import { Picture } from '../../streams/pane/picture/events.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { type PageName, signaturesPath } from '../../streams/pane/router/routes.ts'
import { type SelfTestFindings, SelfTest } from '../../streams/pane/selfTest/events.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { MAX_SIGNATURE_CHARACTERS } from '../../streams/html/limits.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { Telemetry } from '../../streams/pane/telemetry/events.ts'
import { type VariableDraft, Variables } from '../../streams/pane/variables/events.ts'
import { Chunks } from '../../streams/pane/chunks/events.ts'
import { noSenders } from '../../streams/message/senders/senders.ts'
import type { FatalCause } from '../../views/pane/FatalPage.tsx'
import { northwind, personOf, pictureUrlOf, signaturesOf } from './northwind.ts'
import {
  candidate,
  compose,
  DAY_MS,
  freshState,
  hostUser,
  logOf,
  message,
  nothingStored,
  profile,
  session,
  listedSignature,
  withSlot,
} from './state.ts'

// Every view and state of the pane, each with the events that produce it, and with the demonstration's people,
// signatures and pictures.

/** A state is a further state of a view; a variant has the same elements as another story, with different words. */
export type StoryKind = 'view' | 'state' | 'variant'

/** One picture of the pane. Times are in milliseconds since the first event. */
export type Story = Readonly<{
  name: string
  kind: StoryKind
  log: readonly LoggedEvent[]
  /** The time since the last event. */
  later: number
  /** How many of the log's last events come after the pane is first drawn. */
  arriving: number
  /** The user's clicks in order, as CSS selectors, because the texts exist in many languages. */
  clicks: readonly string[]
  /** Why there is no pane: the views crashed, or the page is outside a mail client. */
  fails: FatalCause | null
}>

type Extra = Partial<Pick<Story, 'later' | 'arriving' | 'clicks' | 'fails'>>

/** The data for the page that draws a replayed pane, without its functions. */
export type Drawn = Readonly<{ state: AppState; at: number }>

/** The state at the end of a story's log, in this language; `without` leaves out that many of the last events. */
export function drawnOf({ log, later }: Story, language: Language, without = 0): Drawn {
  const events = log.slice(0, log.length - without)
  const state = replayLog(freshState(), evolveApp, logOf(...events, Locale.languageChanged({ language })))
  return { state, at: events.length + later }
}

const ITEM = 'item-1'

const searched = (query: string) => Signatures.searched({ query, shared: false })

const alex = personOf('alex.kim@northwind.example')
const sales = personOf('sales@northwind.example')
const maria = personOf('maria.silva@northwind.example')

/** A person's signatures as the service lists them; `imagesUrl` is the URL of their pictures. */
const listOf = (owner: PersonState, imagesUrl: string, isDelegated: boolean): readonly ListedSignature[] =>
  signaturesOf(owner, imagesUrl).map((signature) =>
    listedSignature({
      ...signature,
      email: isDelegated ? (owner.addresses[0] ?? '') : null,
      collection: signature.collection ?? 'main',
    }),
  )

const noConnection: Failure = { kind: 'network' }
const silentService: Failure = { kind: 'timeout' }
const down: Failure = { kind: 'http', status: 503, code: null, data: null }
const rejected: Failure = { kind: 'http', status: 500, code: null, data: null }

/** A request and its outcomes. An insertion's id is the number of the event that requested it. */
const asking = (
  before: readonly LoggedEvent[],
  ask: LoggedEvent,
  ...outcomes: readonly ((id: number) => LoggedEvent)[]
): readonly LoggedEvent[] => [...before, ask, ...outcomes.map((outcome) => outcome(before.length))]

/** A photograph with an off-centre person: 320 by 200 pixels. */
const PHOTOGRAPH = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#9cc3d5"/>
  <path d="M0 140 90 60l70 80 60-50 100 70v40H0z" fill="#5f8f6b"/><circle cx="215" cy="85" r="32" fill="#e9b99a"/>
  <path d="M160 200c0-50 25-78 55-78s55 28 55 78z" fill="#27435c"/><path d="M181 80a34 34 0 0 1 68 0z" fill="#4a3325"/></svg>`,
)}`

/** All stories. `imagesUrl` is the URL of the demonstration's pictures, without a trailing slash. */
export function storiesOf(imagesUrl: string): readonly Story[] {
  const own = listOf(alex, imagesUrl, false)
  const delegated = [...listOf(sales, imagesUrl, true), ...listOf(maria, imagesUrl, true)]
  const pageOf = (all: readonly ListedSignature[], page: number, size = 5): SignaturePage => ({
    page,
    total: all.length,
    objects: all.slice((page - 1) * size, page * size),
  })
  const named = (name: string): ListedSignature => {
    const found = own.find((each) => each.name === name)
    if (!found) throw new Error(`Alex has no signature ${name}`)
    return found
  }
  const standard = named('Northwind standard')
  const portrait = named('With portrait')
  const entryIdOf = ({ name }: ListedSignature): string => {
    const index = own.findIndex((each) => each.name === name)
    return `user-${Math.floor(index / 5) + 1}-${index % 5}-master`
  }
  const byDefault: CachedSignature = {
    name: portrait.name,
    userId: alex.id,
    combinedIds: portrait.combinedIds,
    html: portrait.html,
    reply: {
      html: portrait.variants.find(({ code }) => code === 'reply')?.html ?? '',
      of: { name: portrait.name, combinedIds: portrait.combinedIds },
    },
    images: [],
  }

  const user = hostUser({ email: 'alex.kim@northwind.example' })
  const started = [Router.navigated({ path: '/home' }), Mailbox.userRead({ user })]
  const signedIn = [
    Mailbox.userRead({ user }),
    Auth.sessionRecovered({ session: session() }),
    ...nothingStored,
    Router.navigated({ path: '/app/dashboard' }),
  ]
  const writingA = (over: Partial<Message> = {}): readonly LoggedEvent[] => [
    ...signedIn,
    Mailbox.itemChanged({ item: compose(ITEM) }),
    Mailbox.messageRead({
      itemKey: ITEM,
      message: message({
        from: { address: 'alex.kim@northwind.example', name: 'Alex Kim' },
        to: [{ address: 'claire@quayside.example', name: 'Claire' }],
        ...over,
      }),
    }),
  ]
  const known = [
    Profile.loaded({
      value: profile({
        metadata: { defaultSignature: { master: portrait.combinedIds, reply: null }, others: {} },
        delegations: ['u-2', 'u-3'],
      }),
    }),
    Configuration.loaded({ value: { allowDefaultSignature: true } }),
    Defaults.loaded({ value: byDefault }),
  ]
  const few = Signatures.pageLoaded({
    list: 'own',
    epoch: 0,
    page: { page: 1, total: 4, objects: own.slice(0, 4) },
  })
  const allOf = (listed: readonly ListedSignature[]) => [
    Signatures.recentRestored({ recent: [named('Short').combinedIds] }),
    ...[1, 2, 3].map((page) => Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(listed, page) })),
    ...[1, 2].map((page) =>
      Signatures.pageLoaded({ list: 'delegated', epoch: 0, page: pageOf(delegated, page) }),
    ),
  ]
  const many = allOf(own)

  type Signature = Pick<ListedSignature, 'name' | 'combinedIds' | 'html'> & WithBlocks
  const inMessageOf = (
    { name, combinedIds, html, blocks }: Signature,
    reason: InsertionReason,
  ): SignatureInMessage => ({
    name,
    combinedIds,
    hash: contentHash(html),
    reason,
    ...(blocks && { blocks }),
  })
  const inserted = (target: InsertionTarget, signature: Signature, reason: InsertionReason) => {
    return (id: number): LoggedEvent =>
      Insertion.succeeded({
        id,
        itemKey: ITEM,
        target,
        inMessage: inMessageOf(signature, reason),
        content: { html: signature.html, images: [] },
      })
  }
  const withDefault = (
    before: readonly LoggedEvent[],
    composeType: InsertionReason['composeType'] = 'newMail',
  ): readonly LoggedEvent[] => {
    const { reply, ...signature } = defaultVersionFor(byDefault, { composeType })!
    return asking(
      before,
      Insertion.defaultDue({ itemKey: ITEM, hash: contentHash(signature.html) }),
      inserted({ kind: 'default' }, signature, { origin: 'default', composeType, reply }),
    )
  }
  const writing = [...writingA(), ...known]
  const dashboard = withDefault([...writing, few])
  /** The list starts with this signature, which is in the message. */
  const writingWith = (signature: ListedSignature): readonly LoggedEvent[] => {
    const before = [
      ...writing,
      ...known,
      Signatures.pageLoaded({
        list: 'own',
        epoch: 0,
        page: { page: 1, total: 2, objects: [signature, standard] },
      }),
      Signatures.pageLoaded({ list: 'delegated', epoch: 0, page: { page: 1, total: 0, objects: [] } }),
    ]
    return asking(
      before,
      Insertion.chosen({ entryId: 'user-1-0-master', itemKey: ITEM }),
      inserted({ kind: 'entry', entryId: 'user-1-0-master' }, signature, {
        origin: 'manual',
        composeType: 'newMail',
        reply: false,
      }),
    )
  }
  const faint: ListedSignature = {
    ...standard,
    html: '<p style="color:#b8c4cc;font-size:8px">Northwind Trading, <b>registered</b> in Harbour Town</p>',
  }
  const wide: ListedSignature = {
    ...standard,
    html: '<table width="560" bgcolor="#e3eef4"><tr><td>Alex Kim</td><td align="right">Northwind Trading</td></tr></table>',
  }
  const endless: ListedSignature = {
    ...standard,
    html: `<p>${'Northwind '.repeat(MAX_SIGNATURE_CHARACTERS)}</p>`,
  }
  /** One of ten pages is loaded. */
  const beginning = withDefault([
    ...writing,
    Signatures.pageLoaded({ list: 'own', epoch: 0, page: { ...pageOf(own, 1), total: 50 } }),
    Signatures.nextPageRequested({ list: 'own' }),
  ])
  const everything = withDefault([...writing, ...many])
  /** Two of these are in collections, one of them open; the last page is not loaded yet. */
  const campaigns = [
    ...writing,
    ...[1, 2].map((page) => {
      const { objects, total } = pageOf(own, page)
      const sorted = objects.map((each, index) => ({
        ...each,
        collection: ['main', 'Campaigns', 'Trade fairs and events'][index % 3] ?? 'main',
      }))
      return Signatures.pageLoaded({ list: 'own' as const, epoch: 0, page: { page, total, objects: sorted } })
    }),
    Router.navigated({ path: signaturesPath('Campaigns') }),
  ]
  const choosing = (name: string, ...outcomes: readonly ((id: number) => LoggedEvent)[]) =>
    asking(everything, Insertion.chosen({ entryId: entryIdOf(named(name)), itemKey: ITEM }), ...outcomes)
  const byHand = { origin: 'manual', composeType: 'newMail', reply: false } as const
  const chosen = (name: string): readonly LoggedEvent[] =>
    choosing(name, inserted({ kind: 'entry', entryId: entryIdOf(named(name)) }, named(name), byHand))
  const putBack = { origin: 'putBack', composeType: 'newMail', reply: false } as const
  const undone = asking(
    chosen('Short'),
    Insertion.undoRequested({ itemKey: ITEM }),
    inserted({ kind: 'previous' }, standard, putBack),
  )
  /** A banner for all messages, and a notice for external recipients. */
  const banner = withSlot(
    portrait.html,
    candidate({
      html: '<p>Harbour Days: meet us at the quay</p>',
      closes: Date.UTC(2026, 9, 31, 12),
    }),
  )
  const notice = withSlot(
    banner.html,
    candidate({
      id: 'notice',
      name: 'Confidentiality notice',
      html: '<p>This message is for its recipients only.</p>',
      audiences: ['!northwind.example'],
      replies: false,
      everyone: false,
    }),
  )
  const slotted = { html: notice.html, slots: [...banner.slots, ...notice.slots] }
  const { to, cc } = message({ to: [{ address: 'claire@quayside.example', name: 'Claire' }] })
  const filled = { ...portrait, ...fillForMessage(slotted, { composeType: 'newMail', to, cc }) }
  const withBlocks = [
    ...writing,
    Defaults.loaded({ value: { ...byDefault, ...slotted } }),
    ...allOf(own.map((each) => (each === portrait ? { ...each, ...slotted } : each))),
  ]
  const blocksIn = asking(
    withBlocks,
    Insertion.defaultDue({ itemKey: ITEM, hash: contentHash(filled.html) }),
    inserted({ kind: 'default' }, filled, { origin: 'default', composeType: 'newMail', reply: false }),
  )
  const blocksChosen = asking(
    withBlocks,
    Insertion.chosen({ entryId: entryIdOf(portrait), itemKey: ITEM }),
    inserted({ kind: 'entry', entryId: entryIdOf(portrait) }, filled, byHand),
  )
  const shortBesideBlocks = asking(
    withBlocks,
    Insertion.chosen({ entryId: entryIdOf(named('Short')), itemKey: ITEM }),
    inserted({ kind: 'entry', entryId: entryIdOf(named('Short')) }, named('Short'), byHand),
  )
  const [ofSales = standard] = delegated
  const asSales = Mailbox.senderChanged({
    itemKey: ITEM,
    from: { address: 'sales@northwind.example', name: 'Northwind Sales desk' },
  })
  const failing = (name: string, failure: Failure) =>
    choosing(name, (id) =>
      Insertion.failed({
        id,
        itemKey: ITEM,
        target: { kind: 'entry', entryId: entryIdOf(named(name)) },
        failure,
      }),
    )

  const at = (path: string, page: PageName): readonly LoggedEvent[] => [
    ...dashboard,
    Router.navigated({ path }),
    Chunks.loaded({ page }),
  ]
  const platform = Telemetry.platformRead({
    platform: {
      package: { name: 'signet', version: '0.1.0' },
      context: { platform: 'OfficeOnline', language: 'en-GB' },
      beta: false,
      navigator: { userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', language: 'en-GB' },
    },
  })
  const settings = [...at('/app/settings/app', 'settings'), platform]

  const atSelfTest = at('/app/settings/self-test', 'selfTest')
  const well: SelfTestFindings = {
    host: {
      name: 'outlook',
      version: '16.0.18730.20122',
      platform: 'OfficeOnline',
      requirementSets: { Mailbox: '1.15', IdentityAPI: '1.3', NestedAppAuth: '1.1' },
      clientSignature: false,
    },
    launch: { outcome: 'inserted', at: 0, ms: 180, age: 720_000, runtime: 'page', told: [] },
    storage: { lasting: 'indexedDB', session: 'sessionStorage' },
    service: { call: 'GET /api/v1/maintenance', status: 200, ms: 84, date: 0, failure: null },
    signIn: { status: 'success', method: 'nested', expiresAt: 30 * DAY_MS },
  }
  const unwell: SelfTestFindings = {
    host: { ...well.host, version: null, requirementSets: { Mailbox: '1.8' }, clientSignature: true },
    launch: { outcome: 'offline', at: 0, ms: 5_200, age: null, runtime: 'classic', told: ['offline'] },
    storage: { lasting: 'memory', session: 'memory' },
    service: { ...well.service, status: 503, ms: 5_012, date: -480_000, failure: down },
    signIn: { status: 'signedOut', method: null, expiresAt: null },
  }
  /** In a plain browser. */
  const outside: SelfTestFindings = {
    ...well,
    host: { name: 'standalone', version: null, platform: null, requirementSets: {}, clientSignature: null },
    launch: 'unknown',
    service: { ...well.service, status: null, ms: 5_000, date: null, failure: noConnection },
  }

  const values = variableValues(northwind, alex, { pictureUrl: pictureUrlOf(alex, imagesUrl) })
  const variables = Variables.loaded({
    asked: 0,
    definitions: READ_VARIABLE_DEFINITIONS.answer.read({ objects: variableDefinitionsOf(northwind) }, ''),
    states: {
      id: alex.id,
      changedFields: replacedFields(northwind, alex),
      originalData: replacedDirectoryValues(northwind, alex),
    },
    values,
  })
  const opened = [...at('/app/settings/variables', 'variables'), Variables.opened()]
  const pictureThere = [Picture.loaded({ value: values['picture_url'] ?? null })]
  const details = [...opened, ...pictureThere, variables]
  const edits: Readonly<Record<string, VariableDraft>> = {
    phone: { value: '+44 20 5550 0177', resync: false },
    booking_link: { value: '', resync: false },
  }
  const edited = [
    ...details,
    ...Object.entries(edits).map(([path, { value }]) => Variables.edited({ path, value })),
  ]
  const unsaved = (failure: Failure) => [
    ...edited,
    Variables.saveStarted({ sent: edits }),
    Variables.saveFailed({ failure }),
  ]
  const offered = [...details, Picture.offered({ file: createHandle(null) })]

  const prepared = [...offered, Picture.opened({ picture: { dataUrl: PHOTOGRAPH, width: 320, height: 200 } })]

  const leftBecause = (reason: SignOutReason): readonly LoggedEvent[] => [
    ...started,
    Auth.signedOut({ reason, userId: null }),
  ]
  const signInFailed = (failure: Failure) => leftBecause({ kind: 'signInFailed', failure })
  const noAccount: Failure = { kind: 'auth', code: 'user_login_error' }

  const ended = Auth.signedOut({ reason: { kind: 'rejected', failure: rejected }, userId: alex.id })

  const story =
    (kind: StoryKind) =>
    (name: string, log: readonly LoggedEvent[], extra: Extra = {}): Story => ({
      name,
      kind,
      log,
      later: 0,
      arriving: 0,
      clicks: [],
      fails: null,
      ...extra,
    })
  const view = story('view')
  const state = story('state')
  const variant = story('variant')

  const firstMenu = 'button[aria-haspopup="menu"]'
  const menuInUse = `${firstMenu}[tabindex="0"]`
  const otherMenu = `${firstMenu}[tabindex="-1"]`
  const advanced = 'main details > summary'
  const dataSent = 'details details:has(pre) > summary'
  const unfoldVersions = 'button[data-of][aria-expanded]:not([aria-haspopup])'
  const unfoldInMessage = '[data-sticky] h1 ~ button[aria-expanded]'
  const menuItem = { preview: '[data-item="preview"]', changes: '[data-item="changes"]' }

  return [
    view('first run', signInFailed(noAccount)),
    view('signing in', [...started, Auth.signInRequested({ silent: true })]),
    state('sign-in failed', signInFailed(noConnection)),
    variant('sign-in refused', signInFailed({ kind: 'auth', code: 'user_cancelled' })),
    variant('unknown mailbox', signInFailed({ kind: 'http', status: 403, code: null, data: null })),
    state(
      'sign-in with the account of another mailbox',
      signInFailed({
        kind: 'http',
        status: 401,
        code: 'invalid_token',
        data: null,
        refused: { account: 'maria.silva@northwind.example', mailbox: 'alex.kim@northwind.example' },
      }),
    ),
    state('signed out', leftBecause({ kind: 'person' })),
    variant('signed out elsewhere', leftBecause({ kind: 'elsewhere' })),
    variant('session ended', leftBecause({ kind: 'expired' })),
    variant('signed out by the service', [...details, ended]),
    state('signed out, edits kept', [...edited, ended, Auth.editsKept({ count: 2 })]),
    state('sign-in failed, edits kept', [
      ...edited,
      ended,
      Auth.editsKept({ count: 2 }),
      Auth.signInRequested({ silent: false }),
      Auth.signedOut({ reason: { kind: 'signInFailed', failure: noConnection }, userId: null }),
    ]),

    view('loading', [...dashboard, Router.navigated({ path: '/loading' })]),
    state('looking at the message', [...signedIn, Mailbox.itemChanged({ item: compose(ITEM) })]),
    variant('looking at the message, list loaded', [
      ...signedIn,
      Mailbox.itemChanged({ item: compose(ITEM) }),
      ...known,
      few,
    ]),
    variant('no signature in the message yet', [...writing, few]),
    state('list loading', [...writingA()]),

    view('dashboard', dashboard),
    state('reply', withDefault([...writingA({ composeType: 'reply' }), ...known, few], 'reply')),
    variant('forward', withDefault([...writingA({ composeType: 'forward' }), ...known, few], 'forward')),
    state('chosen by the user', chosen('Short')),
    state('chosen by the user, in an older version', [
      ...chosen('Short'),
      Signatures.refreshed({
        epoch: 0,
        own: {
          page: 3,
          total: own.length,
          objects: own.map((each) =>
            each.name === 'Short' ? { ...each, html: `${each.html}<p>Director</p>` } : each,
          ),
        },
        delegated: null,
      }),
    ]),
    view('blocks in the message', blocksIn),
    state('blocks in the message, unfolded', blocksIn, { clicks: [unfoldInMessage] }),
    state('signature in the message, unfolded', dashboard, { clicks: [unfoldInMessage] }),
    state('versions of a signature', dashboard, { clicks: [unfoldVersions] }),
    state('folders', everything, { clicks: ['nav button[aria-expanded]'] }),
    view('every signature', everything, { later: 600_000 }),
    view('signature list', [...everything, Router.navigated({ path: '/app/signatures/main' })]),
    view('shared signatures', [...everything, Router.navigated({ path: '/app/signatures/delegations' })]),
    view('favourite and recent signatures', [
      ...writing,
      Signatures.favouritesRestored({ favourites: [ofSales.combinedIds, named('Colleagues').combinedIds] }),
      ...many,
    ]),
    view('folder of a collection', campaigns),
    view('signature actions', dashboard, { clicks: [menuInUse] }),
    state('signature actions for a sender', [...chosen('Short'), asSales], { clicks: [menuInUse] }),
    view('signature preview', dashboard, { clicks: [menuInUse, menuItem.preview] }),
    view('what will change', everything, { clicks: [otherMenu, menuItem.changes] }),
    state('signature preview, with blocks', blocksIn, { clicks: [menuInUse, menuItem.preview] }),
    state('what will change, with blocks', shortBesideBlocks, {
      clicks: [firstMenu, menuItem.changes],
    }),
    // The menu of the signature in the message.
    variant('nothing will change', chosen('Short'), { clicks: [menuInUse, menuItem.changes] }),
    state('signature preview, dark and on a phone', dashboard, {
      clicks: [
        menuInUse,
        menuItem.preview,
        'fieldset:first-of-type label:nth-of-type(2)',
        'fieldset:last-of-type label:nth-of-type(3)',
      ],
    }),
    state('hard to read', writingWith(faint), { clicks: [firstMenu, menuItem.preview] }),
    state('signature preview, hard to read, opened', writingWith(faint), {
      clicks: [firstMenu, menuItem.preview, 'dialog summary'],
    }),
    variant('signature preview, wider than a phone', writingWith(wide), {
      clicks: [firstMenu, menuItem.preview, 'fieldset:last-of-type label:nth-of-type(3)'],
    }),
    variant('what will change, opened', everything, {
      clicks: [otherMenu, menuItem.changes, 'dialog summary'],
    }),
    state('searching', [...everything, searched('sh')]),
    state('search without a result', [...everything, searched('xyz')]),
    state('searching while pages load', [...beginning, searched('no')]),
    state('too long to preview', writingWith(endless)),
    state('not for these recipients', [
      ...withDefault([
        ...writing,
        Signatures.pageLoaded({
          list: 'own',
          epoch: 0,
          page: { page: 1, total: 3, objects: [standard, named('Colleagues'), named('Partners')] },
        }),
        Signatures.pageLoaded({ list: 'delegated', epoch: 0, page: { page: 1, total: 0, objects: [] } }),
      ]),
    ]),
    state('becoming the default', [
      ...dashboard,
      Defaults.changeRequested({ combinedIds: standard.combinedIds, use: 'master' }),
    ]),
    state(
      'signature actions while it becomes the default',
      [
        ...dashboard,
        Defaults.changeRequested({ combinedIds: standard.combinedIds, use: 'master' }),
        Defaults.changeRequested({ combinedIds: standard.combinedIds, use: 'reply' }),
      ],
      { clicks: [firstMenu] },
    ),
    state(
      'default not changed',
      asking(
        dashboard,
        Defaults.changeRequested({ combinedIds: standard.combinedIds, use: 'master' }),
        (id) => Defaults.changeFailed({ id, failure: down }),
      ),
    ),

    view('empty list', [
      ...writing,
      ...(['own', 'delegated'] as const).map((list) =>
        Signatures.pageLoaded({ list, epoch: 0, page: pageOf([], 1) }),
      ),
    ]),
    state('list failed', [
      ...writing,
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: silentService }),
    ]),
    variant('default and list failed', [
      ...writingA(),
      Defaults.loadFailed({ failure: down }),
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: down }),
    ]),
    variant('default failed', [...writingA(), few, Defaults.loadFailed({ failure: silentService })]),
    variant('profile failed', [
      ...dashboard,
      Profile.loadFailed({ failure: { kind: 'malformed', at: 'data' } }),
    ]),
    state('shared signatures failed', [
      ...dashboard,
      Signatures.pageFailed({ list: 'delegated', epoch: 0, page: 1, failure: down }),
    ]),
    state('list failed, shared signatures loaded', [
      ...writing,
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: down }),
      Signatures.pageLoaded({ list: 'delegated', epoch: 0, page: pageOf(delegated, 1) }),
    ]),
    state('partly loaded', [
      ...withDefault([
        ...writing,
        Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(own, 1) }),
        Signatures.pageFailed({ list: 'own', epoch: 0, page: 2, failure: silentService }),
      ]),
    ]),
    state('next page loading', [
      ...withDefault([
        ...writing,
        Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(own, 1) }),
        Signatures.nextPageRequested({ list: 'own' }),
      ]),
    ]),
    state('offline', [...dashboard, Signatures.refreshFailed({ failure: noConnection })], {
      later: 3 * DAY_MS,
    }),
    variant('checking again', [...dashboard, Signatures.refreshRequested()]),
    state('cached default', [
      ...writingA(),
      Defaults.restored({ signature: byDefault, senders: noSenders }),
      Defaults.loadFailed({ failure: noConnection }),
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: down }),
    ]),

    state(
      'inserting',
      choosing('Harbour Days', (id) => Insertion.progressed({ id, imagesDone: 2, imagesTotal: 5 })),
    ),
    state(
      'inserting the default',
      asking(
        [...writing, few],
        Insertion.defaultDue({ itemKey: ITEM, hash: contentHash(byDefault.html) }),
        (id) => Insertion.progressed({ id, imagesDone: 0, imagesTotal: 1 }),
      ),
    ),
    view(
      'too large',
      failing('With legal notice', {
        kind: 'tooLarge',
        characters: 40_000,
        limit: 30_000,
        parts: [
          { part: 'styles', characters: 21_400 },
          { part: 'comments', characters: 11_250 },
          { part: 'text', characters: 4_120 },
        ],
      }),
    ),
    state('mail client silent', failing('Short', { kind: 'hostSilent', call: 'body.setSignatureAsync' })),
    variant(
      'mail client refused',
      failing('Short', {
        kind: 'host',
        call: 'body.setSignatureAsync',
        code: 5_000,
        name: 'InternalError',
      }),
    ),
    state(
      'failure for the helpdesk',
      failing('Short', { kind: 'host', call: 'body.setSignatureAsync', code: 5_000, name: 'InternalError' }),
      { clicks: ['[role="alert"] details > summary'] },
    ),
    state(
      'signature not removed',
      asking(everything, Insertion.noneChosen({ itemKey: ITEM }), (id) =>
        Insertion.failed({
          id,
          itemKey: ITEM,
          target: { kind: 'none' },
          failure: { kind: 'host', call: 'body.setSignatureAsync', code: 5_000, name: 'InternalError' },
        }),
      ),
    ),
    state('the signature in the message becomes the default', [
      ...chosen('Short'),
      Defaults.changeRequested({ combinedIds: named('Short').combinedIds, use: 'master' }),
    ]),
    state(
      'chosen in a reply',
      asking(
        [...writingA({ composeType: 'reply' }), ...known, few],
        Insertion.chosen({ entryId: entryIdOf(standard), itemKey: ITEM }),
        inserted({ kind: 'entry', entryId: entryIdOf(standard) }, standard, {
          origin: 'manual',
          composeType: 'reply',
          reply: false,
        }),
      ),
    ),
    state('body altered', [
      ...chosen('Short'),
      Insertion.bodyAltered({ itemKey: ITEM, before: createSecret('<p>Dear Claire</p>') }),
    ]),
    variant('body being restored', [
      ...chosen('Short'),
      Insertion.bodyAltered({ itemKey: ITEM, before: createSecret('<p>Dear Claire</p>') }),
      Insertion.bodyRestoreRequested({ itemKey: ITEM }),
    ]),
    variant('body not restored', [
      ...chosen('Short'),
      Insertion.bodyAltered({ itemKey: ITEM, before: createSecret('<p>Dear Claire</p>') }),
      Insertion.bodyRestoreRequested({ itemKey: ITEM }),
      Insertion.bodyRestoreFailed({
        itemKey: ITEM,
        failure: { kind: 'hostSilent', call: 'body.setAsync' },
      }),
    ]),
    state('interrupted', [
      ...everything,
      Insertion.chosen({ entryId: entryIdOf(standard), itemKey: ITEM }),
      Mailbox.itemChanged({ item: compose('item-2') }),
      Mailbox.messageRead({ itemKey: 'item-2', message: message({ from: null }) }),
      Insertion.failed({
        id: everything.length,
        itemKey: ITEM,
        target: { kind: 'entry', entryId: entryIdOf(standard) },
        failure: { kind: 'itemGone' },
      }),
    ]),
    state(
      'new version inserted',
      asking(
        dashboard,
        Insertion.defaultDue({ itemKey: ITEM, hash: contentHash(standard.html) }),
        inserted({ kind: 'default' }, standard, { origin: 'default', composeType: 'newMail', reply: false }),
      ),
    ),
    state(
      'empty signature',
      asking(
        dashboard,
        Insertion.chosen({ entryId: entryIdOf(standard), itemKey: ITEM }),
        inserted(
          { kind: 'entry', entryId: entryIdOf(standard) },
          { name: 'Empty', combinedIds: 'empty-u-1', html: '<p>&nbsp;</p>' },
          { origin: 'manual', composeType: 'newMail', reply: false },
        ),
      ),
    ),
    state(
      'no signature',
      asking(
        dashboard,
        Insertion.noneChosen({ itemKey: ITEM }),
        inserted(
          { kind: 'none' },
          { name: '', combinedIds: '', html: '' },
          {
            origin: 'manual',
            composeType: 'newMail',
            reply: false,
          },
        ),
      ),
    ),
    variant('removing the signature', asking(dashboard, Insertion.noneChosen({ itemKey: ITEM }))),
    variant(
      'signature not removed',
      asking(dashboard, Insertion.noneChosen({ itemKey: ITEM }), (id) =>
        Insertion.failed({
          id,
          itemKey: ITEM,
          target: { kind: 'none' },
          failure: { kind: 'hostSilent', call: 'body.setSignatureAsync' },
        }),
      ),
    ),
    variant(
      'undo failed',
      asking(chosen('Short'), Insertion.undoRequested({ itemKey: ITEM }), (id) =>
        Insertion.failed({ id, itemKey: ITEM, target: { kind: 'previous' }, failure: { kind: 'notLoaded' } }),
      ),
    ),
    state('after Undo', undone),
    state(
      'after Redo',
      asking(
        undone,
        Insertion.redoRequested({ itemKey: ITEM }),
        inserted({ kind: 'previous' }, named('Short'), putBack),
      ),
    ),
    state(
      'undone default',
      asking(
        dashboard,
        Insertion.undoRequested({ itemKey: ITEM }),
        inserted({ kind: 'previous' }, { name: '', combinedIds: '', html: '' }, putBack),
      ),
    ),
    variant('undoing', [...chosen('Short'), Insertion.undoRequested({ itemKey: ITEM })]),
    state('no message open', [...signedIn, Mailbox.itemChanged({ item: null }), ...known, few]),
    view('reading a message', [
      ...signedIn,
      Mailbox.itemChanged({ item: { key: ITEM, mode: 'read' } }),
      ...known,
      few,
    ]),
    variant('copied', [
      ...signedIn,
      Mailbox.itemChanged({ item: { key: ITEM, mode: 'read' } }),
      ...known,
      few,
      Signatures.copyRequested({ entryId: entryIdOf(standard) }),
      Signatures.copied({ entryId: entryIdOf(standard) }),
    ]),
    state('not copied', [
      ...signedIn,
      Mailbox.itemChanged({ item: { key: ITEM, mode: 'read' } }),
      ...known,
      few,
      Signatures.copyRequested({ entryId: entryIdOf(standard) }),
      Signatures.copyFailed({ entryId: entryIdOf(standard), failure: { kind: 'clipboard' } }),
    ]),
    state('plain text', withDefault([...writingA({ bodyType: 'text' }), ...known, few])),
    state('asked before sending', [
      ...writingA({
        stopPush: true,
        asked: '[{"kind":"signature","name":"Standard"},{"kind":"block","name":"Notice"}]',
      }),
      ...known,
      few,
    ]),
    variant('asked before sending, in plain text without a known signature', [
      ...writingA({
        bodyType: 'text',
        stopPush: true,
        asked: '[{"kind":"signature","name":"Standard"},{"kind":"block","name":"Notice"}]',
      }),
      ...known,
      few,
    ]),
    view('writing as another sender', [...chosen('Short'), asSales]),
    state('writing as another sender, with blocks', [...blocksChosen, asSales]),
    state('writing as another sender, with blocks, unfolded', [...blocksChosen, asSales], {
      clicks: [unfoldInMessage],
    }),
    variant(
      'writing as another sender, whose signature is in',
      asking(
        [...everything, asSales],
        Insertion.defaultDue({ itemKey: ITEM, hash: contentHash(ofSales.html) }),
        inserted({ kind: 'default' }, ofSales, { origin: 'default', composeType: 'newMail', reply: false }),
      ),
    ),
    variant(
      'writing as a sender without a signature',
      withDefault([
        ...writingA({ from: { address: 'press@northwind.example', name: 'Northwind Press' } }),
        ...known,
        few,
      ]),
    ),
    variant('maintenance planned', [...dashboard, Maintenance.loaded({ status: 'planned' })]),
    state('maintenance', [...dashboard, Maintenance.loaded({ status: 'active' })]),
    variant('maintenance, nothing loaded', [...writingA(), Maintenance.loaded({ status: 'active' })]),
    variant('maintenance, no message open', [
      ...[...signedIn, Mailbox.itemChanged({ item: null }), ...known, few],
      Maintenance.loaded({ status: 'active' }),
    ]),

    view('my details', edited),
    variant('my details saved before', details),
    state('my details loading', [...opened, Variables.opened()]),
    state('my details not loaded', [
      ...opened,
      ...pictureThere,
      Variables.loadFailed({ failure: silentService }),
    ]),
    variant('my details not loaded again', [...details, Variables.loadFailed({ failure: silentService })]),
    state('no details', [
      ...opened,
      ...pictureThere,
      Variables.loaded({
        asked: 0,
        definitions: [],
        states: { id: alex.id, changedFields: [], originalData: {} },
        values: {},
      }),
    ]),
    state('detail to be taken from the directory', [...details, Variables.marked({ path: 'job_title' })]),
    state('detail as in the directory', [
      ...details,
      Variables.edited({
        path: 'job_title',
        value: replacedDirectoryValues(northwind, alex)['jobTitle'] ?? '',
      }),
    ]),
    state('details without a value', [
      ...details,
      Settings.updated({
        changes: { enableVariablesMissing: true, enableVariablesAutosave: true },
        lasting: true,
      }),
      Variables.edited({ path: 'phone', value: '' }),
    ]),
    state('changes that are not stored', [...edited, Variables.draftsWritten({ lasting: false })]),
    state('saving my details', [...edited, Variables.saveStarted({ sent: edits })]),
    state(
      'my details saved',
      [
        ...edited,
        Variables.saveStarted({ sent: edits }),
        Variables.saved({
          sent: edits,
          saved: { values: { ...values, phone: '+44 20 5550 0177', booking_link: '' }, changedFields: [] },
        }),
      ],
      { arriving: 1 },
    ),
    variant(
      'my details saved, and changed elsewhere',
      [
        ...edited,
        Variables.saveStarted({ sent: edits }),
        Variables.saved({
          sent: edits,
          saved: { values: { ...values, job_title: 'Captain', department: 'Fleet' }, changedFields: [] },
        }),
      ],
      { arriving: 1 },
    ),
    state('my details not saved', unsaved(down)),
    state(
      'one detail is locked',
      unsaved({
        kind: 'http',
        status: 409,
        code: 'variable_is_locked',
        data: null,
      }),
    ),
    variant(
      'directory value not taken',
      unsaved({
        kind: 'http',
        status: 409,
        code: 'variable_resync_failed',
        data: null,
      }),
    ),
    view('leaving unsaved edits', edited, { clicks: ['nav a:first-of-type'] }),
    state('no picture', [...opened, Variables.opened(), variables, Picture.loaded({ value: null })]),
    state('picture chosen', prepared),
    state('picture cropped', [...prepared, Picture.cropped({ crop: { x: 0.68, y: 0.1, size: 0.65 } })]),
    variant('picture being prepared', offered),
    variant('picture being saved', [...prepared, Picture.saveRequested()]),
    variant('picture saved', [
      ...prepared,
      Picture.saveRequested(),
      Picture.saved({ url: values['picture_url'] ?? '' }),
    ]),
    state('picture not loaded', [...opened, variables, Picture.loadFailed({ failure: silentService })]),
    variant('picture too large', [
      ...offered,
      Picture.refused({ refusal: { reason: 'size', limit: 10 * 1024 * 1024 } }),
    ]),
    variant('picture not deleted', [
      ...details,
      Picture.deleteRequested(),
      Picture.changeFailed({ failure: down }),
    ]),
    state('picture refused', [...offered, Picture.refused({ refusal: { reason: 'type' } })]),
    state('picture not saved', [
      ...prepared,
      Picture.saveRequested(),
      Picture.changeFailed({ failure: noConnection }),
    ]),
    variant('picture deleted', [...details, Picture.deleteRequested(), Picture.deleted()]),
    state('deleting the picture', details, { clicks: ['main img ~ div button:last-of-type'] }),

    view('settings', settings),
    state('resetting the settings', settings, { clicks: ['main h1 ~ div > button'] }),
    state('advanced settings', settings, { clicks: [advanced] }),
    state('what is sent', settings, { clicks: [advanced, dataSent] }),
    variant(
      'what would be sent',
      [...settings, Settings.updated({ changes: { enableTelemetry: false }, lasting: true })],
      {
        clicks: [advanced, dataSent],
      },
    ),
    variant('self-test', atSelfTest),
    variant('self-test running', [...atSelfTest, SelfTest.requested()]),
    variant('self-test passed', [...atSelfTest, SelfTest.requested(), SelfTest.ended({ findings: well })]),
    variant('self-test again', [...atSelfTest, SelfTest.ended({ findings: unwell }), SelfTest.requested()]),
    view('self-test failed', [...atSelfTest, SelfTest.ended({ findings: unwell })]),
    state('self-test for the helpdesk', [...atSelfTest, SelfTest.ended({ findings: unwell })], {
      clicks: ['main details > summary'],
    }),
    state('self-test outside Outlook', [...atSelfTest, SelfTest.ended({ findings: outside })]),
    state('settings not saved', [
      ...settings,
      Settings.updateFailed({ failure: { kind: 'storage', action: 'write' } }),
    ]),
    variant('log not saved', [
      ...settings,
      LogExport.requested(),
      LogExport.failed({ failure: { kind: 'notLoaded' } }),
    ]),
    view('account', dashboard, { clicks: ['footer button[aria-expanded]'] }),
    view('about', at('/about', 'about')),
    state('about, signed out', [
      ...leftBecause({ kind: 'person' }),
      Router.navigated({ path: '/about' }),
      Chunks.loaded({ page: 'about' }),
    ]),
    view('help', at('/help', 'help')),
    state('help, signed out', [
      ...leftBecause({ kind: 'person' }),
      Router.navigated({ path: '/help' }),
      Chunks.loaded({ page: 'help' }),
    ]),
    state('slow view', [
      ...dashboard,
      Router.navigated({ path: '/app/settings/app' }),
      Chunks.slow({ page: 'settings' }),
    ]),
    view('view timed out', [
      ...dashboard,
      Router.navigated({ path: '/app/settings/app' }),
      Chunks.timedOut({ page: 'settings' }),
    ]),
    view('fatal page', dashboard, { fails: 'crash' }),
    state('no mail client', [], { fails: 'noHost' }),
  ]
}
