import { describe, expect, test } from 'vitest'
import { App, type LoggedEvent } from '../../../streams/pane/events.ts'
import type { AppState } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Chunks } from '../../../streams/pane/chunks/events.ts'
import { Configuration } from '../../../streams/pane/configuration/events.ts'
import { selectConfiguration } from '../../../streams/pane/configuration/selectors.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { Locale } from '../../../streams/pane/locale/events.ts'
import { selectChosenLanguage, selectRequestLanguage } from '../../../streams/pane/locale/selectors.ts'
import { LogExport } from '../../../streams/pane/logExport/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { isSameEnvelope, isOwnStopPush, themeOf } from '../../../streams/message/mailbox/rules.ts'
import { selectItemStatus, selectOtherSender } from '../../../streams/pane/mailbox/selectors.ts'
import { Maintenance } from '../../../streams/pane/maintenance/events.ts'
import { Notifications } from '../../../streams/pane/notifications/events.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { pictureTypeOf, parseBase64 } from '../../../streams/pane/picture/rules.ts'
import { Preview } from '../../../streams/pane/preview/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import {
  HELP_PATH,
  isPublicPath,
  viewKeyAt,
  plainPath,
  routeAt,
  signaturesPath,
} from '../../../streams/pane/router/routes.ts'
import {
  safeAppPath,
  isHomePath,
  isAppPath,
  isLogoutPath,
  pathBeforeLogout,
} from '../../../streams/pane/router/rules.ts'
import { Screen } from '../../../streams/pane/screen/events.ts'
import { SelfTest } from '../../../streams/pane/selfTest/events.ts'
import { SendersRead } from '../../../streams/message/senders/events.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import { OWN_OWNER } from '../../../streams/message/signatures/entry.ts'
import { whyOffered } from '../../../streams/pane/signatures/why.ts'
import { isSameDraft } from '../../../streams/pane/variables/rules.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { toSubscriptionPlan } from '../../../streams/pane/subscription/rules.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import {
  compose,
  freshState,
  hostUser,
  message,
  profile,
  session,
  stateAfter,
  verification,
} from '../../support/state.ts'

const failure: Failure = { kind: 'timeout' }
const http = (code: string): Failure => ({ kind: 'http', status: 403, code, data: null })
const verified = Auth.verified(verification())
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
const to = (path: string) => Router.navigated({ path })
/** The last of `count` events is asked at -1. */
const LAST = -1

describe('the state has of', () => {
  const picked = <Name extends keyof AppState>(
    name: Name,
    events: readonly LoggedEvent[],
    expected: Partial<AppState[Name]>,
  ) => [name, events, expected] as const
  test.each([
    picked('logExport', [LogExport.requested()], { status: 'pending', asked: LAST }),
    picked('logExport', [LogExport.requested(), LogExport.saved()], { status: 'success' }),
    picked('logExport', [LogExport.failed({ failure })], { status: 'fail', failure }),
    picked('logExport', [LogExport.failed({ failure }), to('/help')], { status: 'idle' }),
    picked('logExport', [LogExport.saved(), signedOut], { status: 'idle' }),
    picked('preview', [Preview.copyRequested({ text: 'a' })], {
      text: 'a',
      copy: { status: 'pending', asked: LAST },
    }),
    picked('preview', [Preview.copyRequested({ text: 'a' }), Preview.copied()], {
      text: 'a',
      copy: { status: 'success' },
    }),
    picked('preview', [Preview.copyRequested({ text: 'a' }), Preview.copyFailed({ failure })], {
      text: 'a',
      copy: { status: 'fail', failure },
    }),
    picked('preview', [Preview.copied(), to('/help')], { text: '', copy: { status: 'idle' } }),
    picked('preview', [Preview.copyRequested({ text: 'a' }), signedOut], {
      text: '',
      copy: { status: 'idle' },
    }),
    picked('selfTest', [SelfTest.requested()], { isRunning: true, result: null }),
    picked('selfTest', [SelfTest.copyRequested({ text: 'a' })], {
      isRunning: false,
      copy: { status: 'pending', asked: LAST },
    }),
    picked('selfTest', [SelfTest.copied()], { copy: { status: 'success' } }),
    picked('selfTest', [SelfTest.requested(), SelfTest.copyFailed({ failure })], {
      isRunning: true,
      copy: { status: 'fail', failure },
    }),
    picked('selfTest', [SelfTest.requested(), SelfTest.copied(), to('/help')], {
      isRunning: true,
      copy: { status: 'idle' },
    }),
    picked('selfTest', [SelfTest.requested(), SelfTest.copied(), signedOut], {
      isRunning: false,
      copy: { status: 'idle' },
    }),
    picked('screen', [Screen.due({ reason: 'late' })], { load: { status: 'pending', asked: LAST } }),
    picked('screen', [Screen.loaded(), Screen.due({ reason: 'late' })], { load: { status: 'success' } }),
    picked('screen', [Screen.due({ reason: 'late' }), Screen.loadFailed({ failure })], {
      load: { status: 'fail', failure },
    }),
    picked('maintenance', [], { known: false, status: null }),
    picked('maintenance', [Maintenance.loaded({ status: null })], { known: true, status: null }),
    picked('maintenance', [Maintenance.loaded({ status: null }), signedOut], { known: false, status: null }),
    picked(
      'notifications',
      [
        Notifications.shown({
          itemKey: 'item-1',
          notice: { kind: 'defaultNotInserted', signature: '', reply: false },
        }),
      ],
      { shownIn: 'item-1' },
    ),
    ...[Notifications.dismissed({ itemKey: 'item-1' }), Mailbox.itemChanged({ item: null })].map((event) =>
      picked(
        'notifications',
        [
          Notifications.shown({
            itemKey: 'item-1',
            notice: { kind: 'defaultNotInserted', signature: '', reply: false },
          }),
          event,
        ],
        { shownIn: null },
      ),
    ),
    picked(
      'configuration',
      [verified, Defaults.changeFailed({ id: 0, failure: http('default_not_allowed') })],
      { status: 'pending', asked: LAST },
    ),
    picked('configuration', [verified, Defaults.changeFailed({ id: 0, failure: http('other') })], {
      status: 'pending',
      asked: -2,
    }),
    ...[
      Signatures.refreshFailed({ failure: http('not_delegated') }),
      SendersRead.loadFailed({ failure: http('not_delegated') }),
    ].map((event) =>
      picked('profile', [Profile.loaded({ value: profile() }), event], {
        status: 'pending',
        asked: LAST,
        value: profile(),
      }),
    ),
    ...[
      Signatures.refreshFailed({ failure: http('other') }),
      SendersRead.loadFailed({ failure }),
      to('/home'),
    ].map((event) =>
      picked('profile', [Profile.loaded({ value: profile() }), event], {
        status: 'success',
        value: profile(),
      }),
    ),
    picked('profile', [Profile.loadFailed({ failure }), to('/home')], { status: 'pending', asked: LAST }),
    picked('profile', [Profile.loadFailed({ failure }), to('/help')], { status: 'fail', failure }),
    picked('profile', [Variables.saved({ sent: {}, saved: { values: {}, changedFields: [] } })], {
      status: 'pending',
      asked: LAST,
    }),
    picked('picture', [Variables.opened(), Picture.loaded({ value: 'https://a.example/' })], {
      url: { status: 'success', value: 'https://a.example/' },
    }),
    picked('picture', [Picture.loaded({ value: 'https://a.example/' })], { url: { status: 'idle' } }),
    picked('senders', [SendersRead.loaded({ senders: noSenders })], {
      known: noSenders,
      isStale: false,
      load: { status: 'success' },
    }),
    picked('senders', [SendersRead.loaded({ senders: noSenders }), Signatures.reloadDue()], {
      known: noSenders,
      isStale: true,
      load: { status: 'success' },
    }),
    picked('senders', [SendersRead.loadFailed({ failure }), App.serviceReachable()], {
      load: { status: 'idle' },
    }),
    picked('senders', [SendersRead.loadFailed({ failure: http('x') }), App.serviceReachable()], {
      load: { status: 'fail', failure: http('x') },
    }),
    picked('senders', [SendersRead.loadFailed({ failure: http('x') }), App.retryRequested()], {
      load: { status: 'idle' },
    }),
    picked('chunks', [to('/help')], { help: { status: 'pending', asked: LAST } }),
    picked('chunks', [to('/logout')], {}),
    picked('chunks', [to('/nowhere')], {}),
    picked('chunks', [to('/help'), to('/help')], { help: { status: 'pending', asked: -2 } }),
    picked('chunks', [to('/help'), Chunks.slow({ page: 'help' })], { help: { status: 'slow', asked: -2 } }),
    picked('chunks', [to('/help'), Chunks.slow({ page: 'about' })], {
      help: { status: 'pending', asked: -2 },
    }),
    picked('chunks', [to('/help'), Chunks.loaded({ page: 'help' }), Chunks.slow({ page: 'help' })], {
      help: { status: 'loaded' },
    }),
    picked(
      'chunks',
      [to('/help'), Chunks.loaded({ page: 'help' }), Chunks.timedOut({ page: 'help' }), to('/help')],
      { help: { status: 'loaded' } },
    ),
    picked('chunks', [to('/help'), Chunks.timedOut({ page: 'help' })], { help: { status: 'timedOut' } }),
    picked('chunks', [to('/help'), Chunks.timedOut({ page: 'help' }), to('/help')], {
      help: { status: 'pending', asked: LAST },
    }),
    picked('chunks', [to('/help'), Chunks.timedOut({ page: 'help' }), Chunks.loaded({ page: 'help' })], {
      help: { status: 'loaded' },
    }),
  ])('%s, after %o: %o', (name, events, expected) => {
    const state = stateAfter(...events)[name]
    if (name === 'chunks') expect(state).toEqual(expected)
    else expect(state).toMatchObject(expected)
  })
})

describe('the language', () => {
  const read = (language: 'de' | 'fr' | 'en') => Locale.displayLanguageRead({ language })
  const changed = (language: 'de' | 'fr' | 'en') => Locale.languageChanged({ language })
  const failed = (language: 'de' | 'fr') => Locale.languageFailed({ language, failure })
  test.each<[string, readonly LoggedEvent[], string | null, string | null, readonly string[]]>([
    ['nothing', [], null, null, ['en']],
    ['a wish', [read('de')], null, 'de', ['en']],
    ['its texts', [read('de'), changed('de')], 'de', 'de', ['en', 'de']],
    ['its texts twice', [read('de'), changed('de'), changed('de')], 'de', 'de', ['en', 'de']],
    [
      'another wish',
      [read('de'), changed('de'), Locale.languageRequested({ language: 'fr' })],
      'de',
      'fr',
      ['en', 'de'],
    ],
    ['texts that are wanted no longer', [read('de'), read('fr'), changed('de')], null, 'fr', ['en', 'de']],
    [
      'texts that cannot be loaded',
      [read('de'), changed('de'), read('fr'), failed('fr')],
      'en',
      'en',
      ['en', 'de'],
    ],
    ['a failure of others', [read('de'), failed('fr')], null, 'de', ['en']],
    ['English', [read('en'), changed('en')], 'en', 'en', ['en']],
  ])('after %s', (_, events, chosen, requested, loaded) => {
    const state = stateAfter(...events)
    expect([selectChosenLanguage(state), selectRequestLanguage(state), state.locale.loaded]).toEqual([
      chosen,
      requested,
      loaded,
    ])
  })
})

describe('the open item', () => {
  const [opened, item] = [Mailbox.itemChanged({ item: compose('item-1') }), 'item-1']
  const read = (over: Parameters<typeof message>[0] = {}) =>
    Mailbox.messageRead({ itemKey: item, message: message(over) })
  test.each<[string, readonly LoggedEvent[]]>([
    ['looking', []],
    ['none', [Mailbox.itemChanged({ item: null })]],
    ['read', [Mailbox.itemChanged({ item: { key: item, mode: 'read' } })]],
    ['reading', [opened]],
    ['ready', [opened, read()]],
    ['reading', [opened, read(), Mailbox.itemChanged({ item: compose('item-2') })]],
  ])('is %s', (destination, events) => {
    expect(selectItemStatus(stateAfter(...events))).toBe(destination)
  })

  test.each<[string, LoggedEvent[], boolean]>([
    ['another sender', [read({ from: { address: 'sales@northwind.example', name: '' } })], true],
    ['the user, in capitals', [read({ from: { address: 'ALEX.KIM@northwind.example', name: '' } })], false],
    ['no sender', [read({ from: null })], false],
    ['no message', [], false],
  ])('has %s', (_, events, isOther) => {
    const state = stateAfter(Mailbox.userRead({ user: hostUser() }), opened, ...events)
    expect(selectOtherSender(state)).toEqual(isOther ? state.mailbox.message?.from : null)
    expect(selectOtherSender(stateAfter(opened, ...events))).toBeNull()
  })

  const [a, b] = ['a@x.example', 'b@x.example'].map((address) => ({ address, name: '' }))
  const all = a && b ? [a, b] : []
  test.each([
    [{ from: a, to: all, cc: [] }, { from: { ...a, name: 'A' }, to: all, cc: [] }, true],
    [{ from: a, to: all, cc: [] }, { from: b, to: all, cc: [] }, false],
    [{ from: a, to: all, cc: [] }, { from: a, to: all.slice(1), cc: all.slice(0, 1) }, false],
    [{ from: a, to: all, cc: [] }, { from: a, to: all.slice(1), cc: [] }, false],
    [{ from: null, to: [], cc: all }, { from: null, to: [], cc: all }, true],
    [{ from: null, to: all, cc: [] }, { from: null, to: [], cc: all }, false],
  ])('has the envelope %o as %o: %s', (one, other, isSame) => {
    expect(isSameEnvelope(one as never, other as never)).toBe(isSame)
  })

  const here = { composeType: 'reply', hasSession: false, hasSignature: false } as const
  test.each<[unknown, object, boolean]>([
    [null, { hasSession: true }, false],
    [undefined, { hasSession: true }, false],
    [false, { hasSession: true }, false],
    [true, {}, true],
    [true, { composeType: 'forward' }, false],
    [true, { composeType: 'forward', hasSignature: true }, true],
    [true, { composeType: 'forward', hasSession: true }, true],
    [{ composeType: null, combinedIds: 'c' }, { composeType: 'forward' }, false],
    [{ composeType: 'reply', combinedIds: 'c' }, {}, false],
    [{ composeType: 'reply', combinedIds: 'c' }, { hasSignature: true }, true],
    [{ composeType: 'reply', combinedIds: '' }, {}, true],
    [{ composeType: 'newMail', combinedIds: '' }, { hasSignature: true }, false],
    [{ composeType: 'newMail', combinedIds: '' }, { hasSession: true }, true],
  ])('has the flag %o in %o: %s', (flag, over, isOfThis) => {
    expect(isOwnStopPush(flag, { ...here, ...over })).toBe(isOfThis)
  })

  test.each([
    ['#000000', 'dark'],
    ['#FFFFFF', 'light'],
    ['#808080', 'light'],
    ['#7f7f7f', 'dark'],
    ['#ff0000', 'dark'],
    ['#00ff00', 'light'],
    ['#0000ff', 'dark'],
    ['#fff', null],
    ['x#ffffff', null],
    ['#ffffff0', null],
    ['#gggggg', null],
  ] as const)('has a background of %s: %s', (colour, theme) => {
    expect(themeOf(colour)).toBe(theme)
  })
})

describe('what the organisation allows', () => {
  const loaded = Configuration.loaded({ value: { allowDefaultSignature: true } })
  test.each<[readonly LoggedEvent[], boolean]>([
    [[], false],
    [[loaded], true],
    [[loaded, Defaults.changeFailed({ id: 0, failure: http('default_not_allowed') })], true],
    [[loaded, Configuration.loadFailed({ failure })], false],
  ])('after %o: %s', (events, expected) => {
    expect(selectConfiguration(stateAfter(...events))).toEqual({ allowDefaultSignature: expected })
  })

  test.each([
    ['basic', 'basic'],
    ['trial', 'trial'],
    ['full', 'full'],
    ['gold', 'basic'],
  ])('by the plan %s is %s', (id, plan) => {
    expect(toSubscriptionPlan(id)).toBe(plan)
  })
})

describe('a path', () => {
  test.each([
    ['/home', 'dashboard', 'HomeRoute'],
    ['/app/dashboard', 'dashboard', 'DashboardRoute'],
    ['/app/dashboard/', 'dashboard', 'DashboardRoute'],
    ['/app/dashboard?x=1/', 'dashboard', 'DashboardRoute'],
    ['/app/signatures/main', 'signatures/main', 'SignaturesListRoute'],
    ['/app/signatures/A%20b', 'signatures/A b', 'SignaturesListRoute'],
    ['/app/signatures/%', 'signatures/%', 'SignaturesListRoute'],
    ['/app/signatures/a/b', 'dashboard', null],
    ['/x/app/signatures/a', 'dashboard', null],
    ['/app/settings/config', 'settings', 'ConfigRoute'],
    ['/app/settings/app', 'settings', 'AppSettingsRoute'],
    ['/app/settings/self-test', 'selfTest', 'SelfTestRoute'],
    ['/app/settings/attributes', 'variables', 'AttributesRoute'],
    ['/app/settings/variables', 'variables', 'VariablesRoute'],
    ['/pages/about', 'about', 'AboutRoute'],
    ['/about', 'about', 'AboutRoute'],
    [HELP_PATH, 'help', 'HelpRoute'],
    ...['/auth', '/auth/login', '/auth/logout', '/loading'].map(
      (path) => [path, 'loading', 'LoadingRoute'] as const,
    ),
    ['/logout', 'loading', 'LogoutRoute'],
    ['/constructor', 'dashboard', null],
    ['/', 'dashboard', null],
  ] as const)('%s is at %s, by %s', (path, place, name) => {
    expect([viewKeyAt(path), routeAt(path)?.name ?? null]).toEqual([place, name])
    expect(isHomePath(path)).toBe(name === 'HomeRoute')
    expect(isLogoutPath(path)).toBe(name === 'LogoutRoute')
    expect(isPublicPath(path)).toBe(name === 'AboutRoute' || name === 'HelpRoute')
  })

  test.each([
    ['/app', true],
    ['/app/', true],
    ['/app/x', true],
    ['/app?x', true],
    ['/apps', false],
    ['/home/app/', false],
  ])('%s needs a sign-in: %s', (path, isIn) => {
    expect(isAppPath(path)).toBe(isIn)
  })

  test.each([
    ['/a/?b\n/', '/a'],
    ['/', '/'],
    ['//', '/'],
    ['/a', '/a'],
  ])('%j is plainly %s', (path, plain) => {
    expect(plainPath(path)).toBe(plain)
    expect(signaturesPath('A b/c')).toBe('/app/signatures/A%20b%2Fc')
  })

  test.each([
    ['/app', true],
    ['/app/a-b/c.d~e_F9', true],
    ['/app/x?a=1&b=~.-_', true],
    ['/app/', true],
    ['/app/signatures/main/', true],
    [signaturesPath('Team A'), true],
    [signaturesPath('Größe & Co. (EU) / 100 % !'), true],
    [signaturesPath('.NET'), true],
    [signaturesPath('a%2Fb'), true],
    [`${signaturesPath('Team A')}?q=a%20b+c`, true],
    ['/app/signatures/team%c3%a9', true],
    ['/app//x', false],
    ['/app/x//', false],
    ['/app/.', false],
    ['/app/..', false],
    ['/app/%2E%2e', false],
    ['/app/.%2e', false],
    ['/app/a%2f..%2fb', false],
    ['/app/a%5C..', false],
    ['/app/%00', false],
    ['/app/a%0Ab', false],
    ['/app/%7F', false],
    ['/app/%', false],
    ['/app/%2', false],
    ['/app/%zz', false],
    ['/app/%FF', false],
    ['/app%2Fx', false],
    ['/app/x\n', false],
    ['/app/x:y', false],
    ['/app/%2e', false],
    ['/app/x?%', false],
    ['/app/x?a?b', false],
    ['/app/x#y', false],
    ['/application', false],
    ['x/app', false],
  ])('%s may be returned to: %s', (path, isSafe) => {
    expect(safeAppPath(path)).toBe(isSafe ? path : null)
    const encoded = encodeURIComponent(path)
    expect(pathBeforeLogout(`/logout?redirectFrom=${encoded}`)).toBe(isSafe ? path : null)
    expect(pathBeforeLogout(`/logout?from=${encoded}`)).toBeNull()
    expect(pathBeforeLogout(`/x/logout?redirectFrom=${encoded}`)).toBeNull()
  })

  test('that cannot be decoded is none to return to', () => {
    expect(pathBeforeLogout('/logout?redirectFrom=%')).toBeNull()
  })

  test.each<[readonly string[], string | null]>([
    [['/logout?redirectFrom=%2Fapp%2Fx'], '/app/x'],
    [['/logout?redirectFrom=%2Fapp%2Fx', '/home'], '/app/x'],
    [['/logout?redirectFrom=%2Fapp%2Fx', '/app/y'], null],
    [['/logout?redirectFrom=%2Fapp%2Fx', '/logout'], null],
    [['/home'], null],
  ])('after %j, the one to return to is %s', (paths, wanted) => {
    expect(stateAfter(...paths.map(to)).router).toEqual({ path: paths.at(-1), wanted })
  })
})

describe('why a signature is offered', () => {
  const sales = { address: 'Sales@northwind.example', name: 'Sales desk' }
  test.each([
    [OWN_OWNER, null, sales, { kind: 'own' }],
    ['it@northwind.example', null, sales, { kind: 'shared', owner: 'it@northwind.example' }],
    ['it@northwind.example', null, null, { kind: 'shared', owner: 'it@northwind.example' }],
    ['sales@northwind.example', null, sales, { kind: 'sender', sender: 'Sales desk' }],
    ['sales@northwind.example', null, { ...sales, name: '' }, { kind: 'sender', sender: sales.address }],
    [OWN_OWNER, 'default', sales, { kind: 'default', by: 'person' }],
    [OWN_OWNER, 'defaultReply', sales, { kind: 'forReplies' }],
  ] as const)('of %s as %s: %o, %o', (owner, role, sender, expected) => {
    expect(
      whyOffered({ owner }, role, false, { composeType: 'newMail' }, sender, 'person', null, false),
    ).toEqual(expected)
  })
})

test.each([
  [null, undefined, true],
  [{ value: 'a', resync: true }, { value: 'a', resync: true }, true],
  [{ value: 'a', resync: true }, { value: 'a', resync: false }, false],
  [{ value: 'a', resync: true }, { value: 'b', resync: true }, false],
  [{ value: 'a', resync: true }, null, false],
])('the edits %o and %o are the same: %s', (one, other, isSame) => {
  expect(isSameDraft(one, other)).toBe(isSame)
})

describe('the bytes of a picture', () => {
  const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
  test.each([
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff\xe0........', 'image/jpeg'],
    ['GIF87a......', 'image/gif'],
    ['GIF89a......', 'image/gif'],
    ['GIF88a......', null],
    ['RIFF....WEBP', 'image/webp'],
    ['RIFF....WAVE', null],
    ['RIFX....WEBP', null],
    ['.\x89PNG\r\n\x1a\n', null],
    ['', null],
  ])('%j are of %s', (text, type) => {
    expect(pictureTypeOf(bytes(text))).toBe(type)
  })

  test.each([
    ['data:image/png;base64,AAAA', 'AAAA'],
    ['data:,Ab+/9w==', 'Ab+/9w=='],
    [' AAA= ', 'AAA='],
    ['AA===', null],
    ['data:image/png;base64,', null],
    ['', null],
    ['A A', null],
    ['A,data:A', null],
    ['Adata:,A', null],
    ['-A', null],
    ['A-', null],
  ])('in %j are %j', (value, base64) => {
    expect(parseBase64(value)).toBe(base64)
  })
})

test('a session begins and ends the loads of its user', () => {
  const [before, during, afterwards] = [[], [verified], [verified, signedOut]].map((events) =>
    stateAfter(...events),
  )
  const statuses = (state: AppState | undefined) =>
    state && [state.profile, state.configuration, state.subscription].map(({ status }) => status)
  expect(statuses(before)).toEqual(['idle', 'idle', 'idle'])
  expect(statuses(during)).toEqual(['pending', 'pending', 'pending'])
  expect(statuses(afterwards)).toEqual(['idle', 'idle', 'idle'])
  const recovered = stateAfter(App.started(), Auth.sessionRecovered({ session: session() }))
  expect(statuses(recovered)).toEqual(['pending', 'pending', 'pending'])
  expect(freshState().screen.load.status).toBe('idle')
})
