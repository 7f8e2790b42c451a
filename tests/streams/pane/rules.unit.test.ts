import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toCatalogueError } from '../../../streams/pane/catalogue.ts'
import { evolveApp } from '../../../streams/pane/state.ts'
import {
  forgetsLastUser,
  isSignatureGone,
  isSignedIn,
  isUnexpired,
  mayBeSameUser,
  rejectsSession,
} from '../../../streams/message/auth/rules.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import type { AuthState } from '../../../streams/pane/auth/reducer.ts'
import { Configuration } from '../../../streams/pane/configuration/events.ts'
import { selectConfiguration } from '../../../streams/pane/configuration/selectors.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Telemetry } from '../../../streams/pane/telemetry/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { languages } from '../../../streams/wire/languages.ts'
import { locale } from '../../../streams/pane/locale/reducer.ts'
import { mustLoadLanguage } from '../../../streams/pane/locale/rules.ts'
import { toLanguage } from '../../../streams/wire/languages.ts'
import { isReplyOrForward, recipientAddresses, themeOf } from '../../../streams/message/mailbox/rules.ts'
import { DASHBOARD_PATH, HOME_PATH, redirectionFor } from '../../../streams/pane/router/rules.ts'
import { defaultSettings } from '../../../streams/message/settings/settings.ts'
import { failure } from '../../support/arbitraries.ts'
import { freshState, recorded, session, stateAfter } from '../../support/state.ts'

const http = (status: number) => ({ kind: 'http', status, code: null, data: null }) as const satisfies Failure

describe('a session', () => {
  test('counts only while it is unexpired', () => {
    expect(isUnexpired({ expiresAt: 1_000 }, 999)).toBe(true)
    expect(isUnexpired({ expiresAt: 1_000 }, 1_000)).toBe(false)
    expect(isUnexpired({ expiresAt: 1_000 }, 1_001)).toBe(false)
  })

  test('is rejected by 401, 404 and 500, and by no other failure', () => {
    const statuses = Array.from({ length: 500 }, (_, index) => index + 100)
    expect(statuses.filter((status) => rejectsSession(http(status)))).toEqual([401, 404, 500])
    fc.assert(
      fc.property(failure, (each) => {
        fc.pre(each.kind !== 'http')
        expect(rejectsSession(each)).toBe(false)
        expect(isSignatureGone(each)).toBe(false)
      }),
    )
    expect(isSignatureGone(http(404))).toBe(true)
    expect(isSignatureGone(http(401))).toBe(false)
  })

  const refused = { account: 'maria@northwind.example', mailbox: 'alex@northwind.example' }

  test('that was not verified forgets the last user only when the service or the user said so', () => {
    const after = (each: Failure) => forgetsLastUser({ kind: 'signInFailed', failure: each })
    for (const unreachable of [{ kind: 'network' }, { kind: 'timeout' }] as const)
      expect(after(unreachable)).toBe(false)
    expect(after({ kind: 'hostSilent', call: 'auth.getAccessToken' })).toBe(false)
    for (const status of [400, 429, 500, 502, 503]) expect(after(http(status))).toBe(false)
    for (const status of [401, 403, 404]) expect(after(http(status))).toBe(true)
    expect(after({ ...http(401), refused })).toBe(false)
    expect(after({ ...http(403), refused })).toBe(true)
    expect(forgetsLastUser({ kind: 'person' })).toBe(true)
    expect(forgetsLastUser({ kind: 'expired' })).toBe(true)
    expect(forgetsLastUser({ kind: 'rejected', failure: http(500) })).toBe(true)
  })

  test('after a sign-out the user may be the same, unless the service refused their sign-in', () => {
    const failed = (each: Failure) => mayBeSameUser({ kind: 'signInFailed', failure: each })
    for (const status of [400, 401, 403, 404]) expect(failed(http(status))).toBe(false)
    for (const status of [500, 503]) expect(failed(http(status))).toBe(true)
    expect(failed({ ...http(401), refused })).toBe(true)
    expect(failed({ ...http(403), refused })).toBe(false)
    fc.assert(
      fc.property(failure, (each) => {
        fc.pre(each.kind !== 'http')
        expect(failed(each)).toBe(true)
      }),
    )
    for (const kind of ['person', 'elsewhere', 'expired'] as const) expect(mayBeSameUser({ kind })).toBe(true)
    expect(mayBeSameUser({ kind: 'rejected', failure: http(401) })).toBe(true)
  })

  test('exists only after success', () => {
    const success: AuthState = { status: 'success', session: session(), asked: false }
    const signedOut: AuthState = { status: 'signedOut', reason: null }
    expect(isSignedIn(success)).toBe(true)
    for (const status of ['unknown', 'pending'] as const) expect(isSignedIn({ status })).toBe(false)
    expect(isSignedIn(signedOut)).toBe(false)
  })

  test('keeps the count of stored edits until another user is signed out', () => {
    const edits = [
      Auth.signedOut({ reason: { kind: 'expired' }, userId: null }),
      Auth.editsKept({ count: 3 }),
    ]
    const again = (userId: string | null) =>
      stateAfter(...edits, Auth.signedOut({ reason: { kind: 'expired' }, userId })).auth
    expect(again(null)).toMatchObject({ keptEdits: 3 })
    expect(again('u-2')).not.toHaveProperty('keptEdits')
  })
})

describe('the addresses of the recipients', () => {
  const domain = fc.constantFrom('a.example', 'B.example', 'c.EXAMPLE')
  const address = fc.record({ address: domain.map((name) => `alex@${name}`), name: fc.string() })
  const addresses = fc.array(address, { maxLength: 5 })

  test('[HOST-6] come from To and Cc, lower-cased, each once', () => {
    fc.assert(
      fc.property(addresses, addresses, (to, cc) => {
        const recipients = recipientAddresses({ to, cc })
        const expected = [...to, ...cc].map(({ address }) => address.toLowerCase())
        expect(new Set(recipients)).toEqual(new Set(expected))
        expect(recipients.length).toBe(new Set(expected).size)
      }),
    )
  })

  test('[HOST-6] keep the order of their first use', () => {
    const named = (address: string) => ({ address, name: '' })
    expect(
      recipientAddresses({
        to: [named('one@B.example'), named('two@a.example')],
        cc: [named('three@c.example'), named('ONE@b.EXAMPLE')],
      }),
    ).toEqual(['one@b.example', 'two@a.example', 'three@c.example'])
  })

  test('of a text that is no address are none', () => {
    const addresses = ['', 'alex', 'alex@', 'a@b@last.example ']
    expect(recipientAddresses({ to: addresses.map((address) => ({ address, name: '' })), cc: [] })).toEqual([
      'a@b@last.example',
    ])
  })
})

describe('a reply or forward', () => {
  test('[HOST-5] is known by its compose type; a message without one is neither', () => {
    expect([isReplyOrForward('reply'), isReplyOrForward('forward')]).toEqual([true, true])
    expect([isReplyOrForward('newMail'), isReplyOrForward(null)]).toEqual([false, false])
  })
})

describe('the theme of the mail client', () => {
  test.each([
    ['#ffffff', 'light'],
    ['#F3F2F1', 'light'],
    ['#00ff00', 'light'],
    ['#1f1f1f', 'dark'],
    ['#0000FF', 'dark'],
    ['#7f7f7f', 'dark'],
    ['#808080', 'light'],
    ['', null],
    ['black', null],
    ['#12345', null],
    ['#1234567', null],
  ] as const)('of a background %s is %s', (color, theme) => {
    expect(themeOf(color)).toBe(theme)
  })
})

describe('the language', () => {
  test.each([
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['pt-PT', 'pt'],
    ['pt', 'pt'],
    ['pt-BR', 'pt-BR'],
    ['pt_br', 'pt-BR'],
    ['fr_CA', 'fr'],
    ['nl', 'nl'],
    ['sv-SE', 'en'],
    ['', 'en'],
    ['english', 'en'],
    ['-de', 'en'],
  ])('[I18N-5] of %s is %s', (tag, expected) => {
    expect(toLanguage(tag)).toBe(expected)
  })

  test('[I18N-5] is one with texts for any tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tag) => {
        expect(languages).toContain(toLanguage(tag))
      }),
    )
  })

  test('is loaded only when its texts are missing', () => {
    expect(mustLoadLanguage(locale.initial, 'en')).toBe(false)
    expect(mustLoadLanguage(locale.initial, 'fr')).toBe(true)
    expect(mustLoadLanguage({ ...locale.initial, loaded: ['en', 'fr'] }, 'fr')).toBe(false)
  })
})

describe('a redirection', () => {
  const signedIn: AuthState = { status: 'success', session: session(), asked: false }
  const signedOut: AuthState = { status: 'signedOut', reason: { kind: 'person' } }
  const atFirst: AuthState = { status: 'signedOut', reason: null }
  const states: readonly AuthState[] = [
    signedIn,
    signedOut,
    atFirst,
    { status: 'unknown' },
    { status: 'pending', asked: false },
  ]

  test.each([
    ['/home', DASHBOARD_PATH],
    ['/', HOME_PATH],
    ['/nowhere', HOME_PATH],
    ['/app/nowhere', HOME_PATH],
    ['/app', DASHBOARD_PATH],
    ['/app/', DASHBOARD_PATH],
    ['/loading', DASHBOARD_PATH],
    ['/app/dashboard', null],
    ['/app/signatures/main', null],
    ['/logout', null],
    ['/application', HOME_PATH],
    ['/logout/elsewhere', HOME_PATH],
  ])('signed in at %s: %s', (path, expected) => {
    expect(redirectionFor(path, signedIn)).toBe(expected)
  })

  test('signed out, the routes under /app lead to /logout, which remembers the path', () => {
    expect(redirectionFor('/app/signatures/main?tab=2', signedOut)).toBe(
      '/logout?redirectFrom=%2Fapp%2Fsignatures%2Fmain%3Ftab%3D2',
    )
    expect(redirectionFor('/logout?redirectFrom=%2Fapp', signedOut)).toBe(HOME_PATH)
    expect(redirectionFor('/nowhere', signedOut)).toBe(HOME_PATH)
    expect(redirectionFor(HOME_PATH, signedOut)).toBeNull()
  })

  test('while the sign-in is not known, no route that exists redirects', () => {
    for (const auth of states.slice(3)) {
      for (const path of ['/home', '/app', '/app/dashboard', '/logout', '/auth/login', '/loading'])
        expect(redirectionFor(path, auth)).toBeNull()
      expect(redirectionFor('/nowhere', auth)).toBe(HOME_PATH)
    }
  })

  test('a user who never signed in is sent away from /app, too', () => {
    expect(redirectionFor('/app/dashboard', atFirst)).toBe('/logout?redirectFrom=%2Fapp%2Fdashboard')
  })

  test('ends at a path that needs no other, after at most two redirections', () => {
    const path = fc.oneof(
      fc.constantFrom('/', '/home', '/app', '/app/x', '/logout', '/about', '/help', '/app?x', ''),
      fc.webPath(),
      fc.string({ unit: 'binary' }).map((part) => `/app/${part}`),
    )
    fc.assert(
      fc.property(path, fc.constantFrom(...states), (start, auth) => {
        const first = redirectionFor(start, auth)
        if (first === null) return
        expect(first).not.toBe(start)
        const second = redirectionFor(first, auth)
        if (second !== null) expect(redirectionFor(second, auth)).toBeNull()
      }),
    )
  })
})

describe('the settings', () => {
  test('have the defaults of the specification at every stage', () => {
    for (const production of [true, false])
      for (const beta of [true, false])
        expect(defaultSettings({ production, beta })).toEqual({
          enableLogs: !production || beta,
          enableTelemetry: true,
          enableSilentSSO: true,
          enableSignaturePush: true,
          enableVariablesResync: true,
          enableEmbedImages: false,
          enableVariablesMissing: false,
          enableVariablesAutosave: false,
        })
    expect(defaultSettings({ production: true, beta: false }).enableLogs).toBe(false)
  })
})

describe('the error catalogue', () => {
  test('no response is NETWORK_ERROR; any other answer is REPOSITORY_ERROR with status, code and data', () => {
    expect(toCatalogueError({ kind: 'network' })).toEqual({ code: 'NETWORK_ERROR' })
    expect(toCatalogueError({ kind: 'timeout' })).toEqual({ code: 'NETWORK_ERROR' })
    expect(toCatalogueError({ kind: 'http', status: 422, code: 'locked', data: { code: 'locked' } })).toEqual(
      {
        code: 'REPOSITORY_ERROR',
        status: 422,
        detail: 'locked',
        data: { code: 'locked' },
      },
    )
    expect(toCatalogueError({ kind: 'malformed', at: 'data.url' })).toMatchObject({
      code: 'REPOSITORY_ERROR',
      detail: 'malformed_response',
    })
  })

  test.each<[Failure, object]>([
    [
      { kind: 'malformed', at: 'data.url' },
      { code: 'REPOSITORY_ERROR', status: 200, detail: 'malformed_response', data: 'data.url' },
    ],
    [
      { kind: 'host', call: 'body.setAsync', code: 5001, name: 'x' },
      { code: 'HOST_ERROR', call: 'body.setAsync' },
    ],
    [
      { kind: 'hostSilent', call: 'body.setAsync' },
      { code: 'HOST_ERROR', call: 'body.setAsync' },
    ],
    [{ kind: 'itemGone' }, { code: 'HOST_ERROR', call: 'item' }],
    [
      { kind: 'auth', code: 'host_13001' },
      { code: 'AUTH_ERROR', detail: 'host_13001' },
    ],
    [{ kind: 'entryGone' }, { code: 'REFUSED', detail: 'entryGone' }],
    [{ kind: 'clipboard' }, { code: 'REFUSED', detail: 'clipboard' }],
    [{ kind: 'notLoaded' }, { code: 'REFUSED', detail: 'notLoaded' }],
    [
      { kind: 'tooLarge', characters: 2, limit: 1, parts: [] },
      { code: 'REFUSED', detail: 'tooLarge' },
    ],
    [
      { kind: 'storage', action: 'write' },
      { code: 'REFUSED', detail: 'storage_write' },
    ],
    [{ kind: 'defect', message: 'secret' }, { code: 'DEFECT' }],
  ])('names %o', (each, expected) => {
    expect(toCatalogueError(each)).toEqual(expected)
  })

  test('has a code for every failure', () => {
    fc.assert(
      fc.property(failure, (each) => {
        expect(toCatalogueError(each).code).toMatch(
          /^(NETWORK|REPOSITORY|HOST|AUTH)_ERROR$|^REFUSED$|^DEFECT$/,
        )
      }),
    )
  })
})

describe('a picture', () => {
  const picture = { dataUrl: 'data:image/png;base64,AAAA', width: 300, height: 100 }

  test('is saved only when one is ready', () => {
    const offered = stateAfter(Picture.offered({ file: createHandle(null) }))
    for (const state of [freshState(), offered])
      expect(evolveApp(state, recorded(Picture.saveRequested(), 7)).picture.change).toBeNull()
    const ready = evolveApp(offered, recorded(Picture.opened({ picture }), 7))
    expect(evolveApp(ready, recorded(Picture.saveRequested(), 8)).picture.change).toMatchObject({
      kind: 'save',
      attempt: { status: 'pending' },
    })
  })
})

describe('the platforms of telemetry', () => {
  test('are those that were restored last, and none after the sign-out', () => {
    const of = (language: string) => Telemetry.contextRestored({ context: [{ platform: 'PC', language }] })
    const one = stateAfter(of('en'))
    const other = evolveApp(one, recorded(of('de'), 7))
    expect(other.telemetry.context).toEqual([{ platform: 'PC', language: 'de' }])
    const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-1' })
    expect(evolveApp(other, recorded(signedOut, 8)).telemetry.context).toEqual([])
  })

  const platformRead = Telemetry.platformRead({
    platform: {
      package: { name: 'signet', version: '1.2.3' },
      context: { platform: 'PC', language: 'en' },
      beta: false,
      navigator: { userAgent: 'Test/1', language: 'en' },
    },
  })

  test.each([
    ['inserted', 'went'],
    ['already', 'went'],
    ['signInNeeded', 'failed'],
    ['offline', 'failed'],
    ['failed', 'failed'],
    ['late', 'failed'],
    ['leftToPerson', undefined],
    ['none', undefined],
    ['superseded', undefined],
    ['itemGone', undefined],
  ] as const)('have the launch that ended with %s as %s, or the one before', (outcome, launch) => {
    for (const before of ['went', 'failed'] as const) {
      const known = [
        { platform: 'Mac', language: 'en', launch: before },
        { platform: 'PC', language: 'de', launch: before },
      ]
      const restored = stateAfter(platformRead, Telemetry.contextRestored({ context: known }))
      const after = evolveApp(restored, recorded(Telemetry.launchRead({ outcome }), 7))
      expect(after.telemetry.context).toEqual([
        { platform: 'Mac', language: 'en', launch: before },
        { platform: 'PC', language: 'en', launch: launch ?? before },
      ])
      if ((launch ?? before) === before) expect(after.telemetry).toBe(restored.telemetry)
      // What this pane read is newer than what an earlier one stored.
      const early = stateAfter(
        platformRead,
        Telemetry.launchRead({ outcome }),
        Telemetry.contextRestored({ context: known }),
      )
      expect(early.telemetry.context).toEqual(after.telemetry.context)
      const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-1' })
      expect(evolveApp(after, recorded(signedOut, 8)).telemetry.context).toEqual([
        { platform: 'PC', language: 'en' },
      ])
    }
    const nowhere = stateAfter(Telemetry.launchRead({ outcome }))
    expect(nowhere.telemetry.context).toEqual([])
  })
})

describe('the configuration', () => {
  test('[CFG-2] is the default when it cannot be loaded again', () => {
    const allowed = stateAfter(Configuration.loaded({ value: { allowDefaultSignature: true } }))
    expect(selectConfiguration(allowed)).toEqual({ allowDefaultSignature: true })
    const failed = evolveApp(allowed, recorded(Configuration.loadFailed({ failure: { kind: 'network' } }), 7))
    expect(selectConfiguration(failed)).toEqual({ allowDefaultSignature: false })
  })
})
