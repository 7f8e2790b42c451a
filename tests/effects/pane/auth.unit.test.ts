import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { defer, of, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import {
  SESSION_KEY,
  TOKEN_TYPE_KEY,
  forgetSession,
  storeSession,
  logOut,
  logOutAfterFailedSignIn,
  logOutOnRejectedSession,
  recoverSession,
  signIn,
  signInSilently,
} from '../../../effects/pane/auth.ts'
import { signOutIdentity, renewSession, tellOtherPanes } from '../../../effects/pane/session.ts'
import { createFallbackChain } from '../../../src/engine/signIn/fallbackChain.ts'
import { App } from '../../../streams/pane/events.ts'
import { Auth, type SignOutReason } from '../../../streams/message/auth/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { createSecret, revealSecret } from '../../../streams/kernel/secret.ts'
import { Maintenance } from '../../../streams/pane/maintenance/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { Telemetry } from '../../../streams/pane/telemetry/events.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import { failing, silent$ } from '../../support/ports.ts'
import { hostUser, session, settingsLoaded, verification } from '../../support/state.ts'

/** The key under which local storage keeps the last user. */
const LAST_USER = 'lastPerson'
const person = { kind: 'person' } as const
const http = (status: number): Failure => ({ kind: 'http', status, code: null, data: null })
const requested = Auth.signInRequested({ silent: true })
const signedIn = [Auth.sessionRecovered({ session: session() })]
const signedOut = Auth.signedOut({ reason: person, userId: 'u-alex' })
const saved = { token: 'saved', userId: 'u-alex', email: 'alex.kim@northwind.example', expiresAt: 1_000 }

describe('recovering the session of an earlier pane', () => {
  const started = { s: App.started() }
  /** What session storage has under the key of the session, and under the key of the token's type. */
  const stored =
    (kept: unknown, type: unknown = 'Bearer') =>
    (key: string) =>
      of(key === SESSION_KEY ? kept : key === TOKEN_TYPE_KEY ? type : null)
  /** The events after a start at this time, with `kept` in session storage. */
  const recovering = (
    { hot, react, ports, expectEvents }: Marbles,
    marble: string,
    kept: unknown,
    type?: unknown,
  ) => {
    ports.storage.session.get.answers(stored(kept, type))
    return expectEvents(react({ recoverSession }, hot(marble, started)))
  }

  test('[AUTH-1] reuses a saved, unexpired session with its token', () => {
    withMarbles((marbles) => {
      const { ports, hot, react, expectObservable, afterwards } = marbles
      ports.storage.session.get.answers(stored(saved))
      const tokens: unknown[] = []
      const stores: unknown[] = []
      const happened$ = react({ recoverSession }, hot('998ms s', started), {
        stores: ({ event$ }) => {
          event$.subscribe((event) => {
            if (event.type !== 'auth/sessionRecovered') return
            tokens.push(revealSecret(event.data.session.token))
            stores.push(event.data.session)
          })
        },
      })
      expectObservable(happened$).toBe('998ms s', {
        s: expect.objectContaining({ type: 'auth/sessionRecovered' }) as unknown,
      })
      afterwards(() => {
        expect(tokens).toEqual(['saved'])
        expect(stores).toMatchObject([{ userId: 'u-alex', expiresAt: 1_000 }])
        expect(ports.storage.session.get.calls).toEqual([[SESSION_KEY], [TOKEN_TYPE_KEY]])
      })
    })
  })

  test.each([
    ['that has expired', '1000ms s', saved],
    ["of another mailbox's user", 's', { ...saved, email: 'maria@northwind.example' }],
    ['without a token', 's', { ...saved, token: undefined }],
    ['with an expiry that is no number', 's', { ...saved, expiresAt: '1000' }],
    ['that is junk', 's', 'junk'],
    ['that is missing', 's', null],
  ])('[AUTH-1] a session %s counts as none', (_, marble, kept) => {
    withMarbles((marbles) => {
      recovering(marbles, marble, kept).toBe(marble, { s: Auth.sessionMissing() })
    })
  })

  test('[AUTH-1] a session with a token of another type counts as none', () => {
    withMarbles((marbles) => {
      recovering(marbles, 's', saved, 'pop').toBe('s', { s: Auth.sessionMissing() })
    })
  })

  test('[AUTH-1] reuses a session of an earlier version, which stored no type', () => {
    withMarbles((marbles) => {
      const { token: _token, ...rest } = saved
      recovering(marbles, 's', saved, null).toBe('s', {
        s: Auth.sessionRecovered({ session: { ...rest, token: createSecret('saved') } }),
      })
    })
  })

  test('[AUTH-1] a failure at start-up is logged and counts as no session', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.storage.session.get.answers(throwError(() => new Error('quota')))
      expectEvents(react({ recoverSession }, hot('s', started))).toBe('s', { s: Auth.sessionMissing() })
      afterwards(() => {
        expect(ports.log.lines).toMatchObject([{ level: 'error', action: 'session_recovery_failed' }])
      })
    })
  })

  test('ignores the case of the address', () => {
    withMarbles((marbles) => {
      marbles.ports.host.user.answers(of(hostUser({ email: 'ALEX.KIM@Northwind.Example' })))
      const { token: _token, ...rest } = saved
      recovering(marbles, 's', saved).toBe('s', {
        s: Auth.sessionRecovered({ session: { ...rest, token: createSecret('saved') } }),
      })
    })
  })
})

describe('signing in', () => {
  test('[AUTH-2] requests one silent sign-in when there is no session', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react({ signInSilently }, hot('m', { m: Auth.sessionMissing() }))).toBe('r', {
        r: requested,
      })
    })
  })

  test('waits for the settings before a silent sign-in, and skips it if the user clicked meanwhile', () => {
    const failure = { kind: 'timeout' } as const
    const happening = {
      l: App.started(),
      m: Auth.sessionMissing(),
      p: Auth.signInRequested({ silent: false }),
      k: settingsLoaded(),
      f: Settings.loadFailed({ failure }),
    }
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react({ signInSilently }, hot('lm 7ms k', happening))).toBe('9ms r', { r: requested })
    })
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react({ signInSilently }, hot('lm 3ms p 3ms k', happening))).toBe('-')
    })
    // Whether the user switched it off cannot be read.
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react({ signInSilently }, hot('lm 7ms f', happening))).toBe('-')
    })
  })

  test('[AUTH-2] [AUTH-3] gets a token with consent allowed, and verifies it with the address of the mailbox', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.identity.accessToken.answers(cold('200ms (t|)', { t: createSecret('from the mail client') }))
      ports.api.verify.answers(cold('300ms (s|)', { s: verification() }))
      expectEvents(react({ signIn }, hot('r', { r: requested }))).toBe('500ms v', {
        v: Auth.verified(verification()),
      })
      afterwards(() => {
        expect(ports.identity.accessToken.calls).toEqual([
          [{ allowConsentPrompt: true, silent: true, loginHint: 'Alex.Kim@northwind.example' }],
        ])
        const [[credentials] = []] = ports.api.verify.calls
        expect(credentials?.email).toBe('Alex.Kim@northwind.example')
        expect(credentials && revealSecret(credentials.accessToken)).toBe('from the mail client')
      })
    })
  })

  const failed = (failure: Failure) => ({
    f: Auth.signInFailed({ failure }),
    o: Auth.signOutRequested({ reason: { kind: 'signInFailed', failure } }),
  })

  test('[AUTH-3] verifies nothing without an address, and signs out', () => {
    for (const user of [null, hostUser({ email: '' })])
      withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
        ports.host.user.answers(of(user))
        expectEvents(react({ signIn, logOutAfterFailedSignIn }, hot('r', { r: requested }))).toBe(
          '(fo)',
          failed({ kind: 'auth', code: 'email_missing' }),
        )
        afterwards(() => {
          expect(ports.api.verify.calls).toEqual([])
        })
      })
  })

  test('[AUTH-3] verifies nothing without a token, and signs out', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.identity.accessToken.answers(of(createSecret('')))
      expectEvents(react({ signIn, logOutAfterFailedSignIn }, hot('r', { r: requested }))).toBe(
        '(fo)',
        failed({ kind: 'auth', code: 'token_missing' }),
      )
      afterwards(() => {
        expect(ports.api.verify.calls).toEqual([])
      })
    })
  })

  test.each<[string, Failure]>([
    ['the mail client refuses a token', { kind: 'auth', code: 'host_13001' }],
    ['the mail client does not reply', { kind: 'hostSilent', call: 'auth.getAccessToken' }],
  ])('signs out and logs the error when %s', (_, failure) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.identity.accessToken.answers(failing(failure))
      expectEvents(react({ signIn, logOutAfterFailedSignIn }, hot('r', { r: requested }))).toBe(
        '(fo)',
        failed(failure),
      )
      afterwards(() => {
        expect(ports.log.lines).toMatchObject([{ level: 'error', action: 'handle_auth_error' }])
      })
    })
  })

  test('[AUTH-3] signs out after a failed verification, through all effects', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const failure: Failure = { kind: 'http', status: 403, code: 'unknown_person', data: null }
      ports.api.verify.answers(failing(failure))
      const effects = { signIn, logOutAfterFailedSignIn, logOut, forgetSession }
      expectEvents(react(effects, hot('r', { r: requested }))).toBe('(fox)', {
        ...failed(failure),
        x: Auth.signedOut({ reason: { kind: 'signInFailed', failure }, userId: null }),
      })
      afterwards(() => {
        expect(ports.log.lines).toEqual([
          {
            level: 'error',
            action: 'handle_auth_error',
            detail: { code: 'REPOSITORY_ERROR', kind: 'http', detail: 'unknown_person' },
          },
        ])
        expect(ports.storage.session.clear.calls).toHaveLength(1)
      })
    })
  })

  describe('with an account that the service does not accept for the mailbox', () => {
    const MAILBOX = 'Alex.Kim@northwind.example'
    const MARIA = 'maria.silva@northwind.example'
    const foreign: Failure = { kind: 'http', status: 401, code: 'invalid_token', data: null }
    const unknown: Failure = { kind: 'http', status: 403, code: 'unknown_user', data: null }
    const refusedAs = (account: string) => ({ account, mailbox: MAILBOX })

    /** Methods by their names, each with the account of its token or the failure to get one. */
    const signingIn = (
      methods: readonly (readonly [name: string, gives: string | Failure, opensWindow?: boolean])[],
      accepts: (account: string) => Failure | null,
      silent = true,
    ) => {
      const ended: unknown[] = []
      const verified: string[] = []
      withMarbles(({ hot, react, ports, afterwards }) => {
        const chain = createFallbackChain(
          methods.map(([name, gives, opensWindow = false]) => ({
            name,
            opensWindow,
            isOffered: () => true,
            signIn: () =>
              typeof gives === 'string' ? of({ token: createSecret(gives), account: gives }) : failing(gives),
          })),
          ports.log,
        )
        Object.assign(ports.identity, chain)
        ports.api.verify.answers(({ accessToken }) =>
          defer(() => {
            const account = revealSecret(accessToken) ?? ''
            verified.push(account)
            const refusal = accepts(account)
            return refusal ? failing(refusal) : of(verification())
          }),
        )
        const happening$ = hot('r', { r: Auth.signInRequested({ silent }) })
        react({ signIn }, happening$).subscribe(({ type, data }) => ended.push({ type, data }))
        afterwards(() => undefined)
      })
      return { ended, verified }
    }
    const onlyAlex = (account: string) => (account === MAILBOX ? null : foreign)
    const failedWith = (failure: Failure) => [Auth.signInFailed({ failure })]

    test('goes on to the next method, down to the dialog where an account is chosen', () => {
      const methods = [
        ['nested', MARIA],
        ['mailClient', MARIA],
        ['dialog', MAILBOX, true],
      ] as const
      expect(signingIn(methods, onlyAlex, false)).toEqual({
        ended: [Auth.verified(verification())],
        verified: [MARIA, MARIA, MAILBOX],
      })
      // At the start no window may open: the user is told, and presses the button.
      expect(signingIn(methods, onlyAlex)).toEqual({
        ended: failedWith({ ...foreign, refused: refusedAs(MARIA) }),
        verified: [MARIA, MARIA],
      })
    })

    test('names the account that was used last, when the dialog brings a wrong one, too', () => {
      const { ended } = signingIn(
        [
          ['mailClient', MARIA],
          ['dialog', 'jonas.weber@northwind.example', true],
        ],
        (account) => (account === MARIA ? foreign : unknown),
        false,
      )
      expect(ended).toEqual(failedWith({ ...unknown, refused: refusedAs('jonas.weber@northwind.example') }))
    })

    test.each<[string, Failure, boolean, boolean]>([
      ['a mail client that has no user', { kind: 'auth', code: 'host_13001' }, true, true],
      ['a mail client that does not answer', { kind: 'hostSilent', call: 'auth.getAccessToken' }, true, true],
      ['a mail client that has no user, at a click', { kind: 'auth', code: 'host_13001' }, false, false],
      ['a lost connection', { kind: 'network' }, true, false],
      ['the user’s own cancellation', { kind: 'auth', code: 'user_cancelled' }, false, false],
      ['a blocked window', { kind: 'auth', code: 'popup_window_error' }, false, false],
    ])('tells of the refusal or of %s, whichever the user can mend', (_, next, silent, isRefusal) => {
      const methods = [
        ['nested', MARIA],
        ['mailClient', next],
      ] as const
      expect(signingIn(methods, onlyAlex, silent).ended).toEqual(
        failedWith(isRefusal ? { ...foreign, refused: refusedAs(MARIA) } : next),
      )
    })

    test('tells of the refusal when the mail client offers no other method', () => {
      for (const silent of [true, false])
        expect(signingIn([['nested', MARIA]], onlyAlex, silent).ended).toEqual(
          failedWith({ ...foreign, refused: refusedAs(MARIA) }),
        )
    })

    test('leaves it to the service which account may use which mailbox', () => {
      // A sign-in name that differs from the address, or a shared mailbox: accepted is accepted.
      expect(signingIn([['nested', MARIA]], () => null)).toEqual({
        ended: [Auth.verified(verification())],
        verified: [MARIA],
      })
      // An account that is named like the mailbox is no other account.
      expect(signingIn([['nested', MAILBOX.toLowerCase()]], () => unknown).ended).toEqual(failedWith(unknown))
    })

    test('asks no other method when the service itself fails', () => {
      for (const failure of [http(500), http(404), http(429), { kind: 'timeout' } as const])
        expect(
          signingIn(
            [
              ['nested', MARIA],
              ['mailClient', MAILBOX],
            ],
            () => failure,
          ),
        ).toEqual({ ended: failedWith(failure), verified: [MARIA] })
    })
  })

  test('ignores a request while one is pending, and tries again afterwards', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.verify.answers(cold('10ms #', undefined, 'down'), cold('10ms (s|)', { s: verification() }))
      expectEvents(react({ signIn }, hot('r 4ms r 9ms r', { r: requested }))).toBe('10ms f 14ms v', {
        f: Auth.signInFailed({ failure: { kind: 'defect', message: 'down' } }),
        v: Auth.verified(verification()),
      })
      afterwards(() => {
        expect(ports.api.verify.calls).toHaveLength(2)
        expect(ports.identity.accessToken.calls).toHaveLength(2)
      })
    })
  })

  test('a sign-out cancels a slow verification', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const verification$ = cold('1s (s|)', { s: verification() })
      ports.api.verify.answers(verification$, of(verification()))
      const happening$ = hot('r 99ms o 4s r', { r: requested, o: Auth.signOutRequested({ reason: person }) })
      expectEvents(react({ signIn, logOut }, happening$)).toBe('100ms x 4s v', {
        x: Auth.signedOut({ reason: person, userId: null }),
        v: Auth.verified(verification()),
      })
      afterwards(() => {
        expect(ports.api.verify.cancelled()).toBe(1)
      })
    })
  })
})

describe('keeping the session', () => {
  test('[AUTH-4] keeps the token and its type in session storage, and the user in local storage', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const verified = Auth.verified(verification({ email: 'Alex.Kim@northwind.example' }))
      expectEvents(react({ keepSession: storeSession }, hot('v', { v: verified })), '^-!').toBe('-')
      afterwards(() => {
        const { userId, expiresAt } = session()
        expect(ports.storage.session.content()).toEqual({
          [TOKEN_TYPE_KEY]: 'Bearer',
          [SESSION_KEY]: { token: 'session-token', userId, email: 'Alex.Kim@northwind.example', expiresAt },
        })
        expect(ports.storage.local.content()).toEqual({
          [LAST_USER]: { email: 'alex.kim@northwind.example', userId },
        })
      })
    })
  })

  test('keeps a session that the next pane recovers', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('v 10ms s', { v: Auth.verified(verification()), s: App.started() })
      expectEvents(react({ keepSession: storeSession, recoverSession }, happening$)).toBe('11ms r', {
        r: Auth.sessionRecovered({ session: session() }),
      })
    })
  })
})

describe('renewing the session', () => {
  test('[AUTH-6] ignores an answer that comes after the session expired', () => {
    for (const [ms, marble] of [
      [300_001, '-'],
      [299_999, '399999ms r'],
    ] as const)
      withMarbles(({ cold, hot, react, ports, expectEvents }) => {
        const renewed = session({ expiresAt: 9_000_000 })
        ports.api.renew.answers(cold(`${String(ms)}ms (r|)`, { r: renewed }))
        const recovered = Auth.sessionRecovered({ session: session({ expiresAt: 400_000 }) })
        // The next renewal is far away.
        expectEvents(react({ renewSession }, hot('r', { r: recovered })), '^ 401s !').toBe(marble, {
          r: Auth.renewed({ session: renewed }),
        })
      })
  })
})

describe('signing out', () => {
  const kept = (ports: Marbles['ports']) => {
    ports.storage.session.set(SESSION_KEY, saved).subscribe()
    ports.storage.local.set(LAST_USER, { email: saved.email, userId: 'u-alex' }).subscribe()
    ports.storage.privateRoaming('u-alex').set('defaultSignature', {}).subscribe()
    ports.storage.privateRoaming('u-maria').set('defaultSignature', {}).subscribe()
  }

  test('clears the session, the last user and their private storage, and no other user’s', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      kept(ports)
      const happening$ = hot('o', { o: Auth.signOutRequested({ reason: person }) })
      expectEvents(react({ logOut, forgetSession }, happening$, { given: signedIn })).toBe('x', {
        x: signedOut,
      })
      afterwards(() => {
        const { session: ofSession, local, privateRoaming } = ports.storage
        expect([ofSession, local, privateRoaming('u-alex')].map((each) => each.content())).toEqual([
          {},
          {},
          {},
        ])
        expect(privateRoaming('u-maria').content()).toEqual({ defaultSignature: {} })
      })
    })
  })

  test('keeps the last user and their default after a sign-in that timed out', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      kept(ports)
      const reason = { kind: 'signInFailed', failure: { kind: 'timeout' } } as const
      const happening$ = hot('o', { o: Auth.signOutRequested({ reason }) })
      expectEvents(react({ logOut, forgetSession }, happening$)).toBe('x', {
        x: Auth.signedOut({ reason, userId: null }),
      })
      afterwards(() => {
        expect(ports.storage.session.content()).toEqual({})
        expect(ports.storage.local.content()).toHaveProperty(LAST_USER)
        expect(ports.storage.privateRoaming('u-alex').content()).toHaveProperty('defaultSignature')
      })
    })
  })

  test('happens once for concurrent requests, and not while signed out', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const asked = Auth.signOutRequested({ reason: person })
      expectEvents(react({ logOut }, hot('(oo)-o', { o: asked }), { given: signedIn })).toBe('x', {
        x: signedOut,
      })
    })
  })

  test('works again after the next sign-in', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const asked = Auth.signOutRequested({ reason: person })
      const happening$ = hot('o-v-o', { o: asked, v: Auth.verified(verification()) })
      expectEvents(react({ logOut }, happening$, { given: signedIn })).toBe('x---x', { x: signedOut })
    })
  })

  test.each([
    ['the profile', (failure: Failure) => Profile.loadFailed({ failure })],
    ['the list', (failure: Failure) => Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure })],
    ['the maintenance status', (failure: Failure) => Maintenance.loadFailed({ failure })],
    ['telemetry', (failure: Failure) => Telemetry.sendFailed({ failure })],
    ['the default signature', (failure: Failure) => Defaults.loadFailed({ failure })],
  ])('happens once when the service rejects requests for %s', (_, event) => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('ab-a', { a: event(http(401)), b: event(http(500)) })
      const reason = { kind: 'rejected', failure: http(401) } as const
      expectEvents(react({ logOutOnRejectedSession, logOut }, happening$, { given: signedIn })).toBe('(rx)', {
        r: Auth.signOutRequested({ reason }),
        x: Auth.signedOut({ reason, userId: 'u-alex' }),
      })
    })
  })

  test('happens once when several concurrent calls are rejected', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const failure = http(401)
      const happening$ = hot('(abc)', {
        a: Profile.loadFailed({ failure }),
        b: Defaults.loadFailed({ failure }),
        c: Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure }),
      })
      const reason = { kind: 'rejected', failure } as const
      expectEvents(react({ logOutOnRejectedSession, logOut }, happening$, { given: signedIn })).toBe('(rx)', {
        r: Auth.signOutRequested({ reason }),
        x: Auth.signedOut({ reason, userId: 'u-alex' }),
      })
    })
  })

  test('does not follow a missing signature, nor any other failure', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const target = { kind: 'default' } as const
      const happening$ = hot('abcde', {
        a: Defaults.loadFailed({ failure: http(404) }),
        b: Insertion.failed({ id: 0, itemKey: 'item-1', target, failure: http(404) }),
        c: Profile.loadFailed({ failure: http(503) }),
        d: Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: { kind: 'timeout' } }),
        e: Maintenance.loadFailed({ failure: http(403) }),
      })
      expectEvents(react({ logOutOnRejectedSession }, happening$, { given: signedIn }), '^ 10ms !').toBe('-')
    })
  })

  test('does not follow a rejection while signed out', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('a', { a: Profile.loadFailed({ failure: http(401) }) })
      expectEvents(react({ logOutOnRejectedSession }, happening$, { given: [signedOut] }), '^ 10ms !').toBe(
        '-',
      )
    })
  })

  test.each<[SignOutReason, number]>([
    [person, 1],
    [{ kind: 'elsewhere' }, 0],
    [{ kind: 'expired' }, 0],
    [{ kind: 'signInFailed', failure: http(401) }, 0],
    [{ kind: 'rejected', failure: http(401) }, 0],
  ])(
    'signs out of the identity provider, and tells the other panes, only for the user: %j',
    (reason, calls) => {
      withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
        const happening$ = hot('o', { o: Auth.signedOut({ reason, userId: 'u-alex' }) })
        expectEvents(
          react({ endIdentity: signOutIdentity, tellOtherPanes }, happening$, { given: signedIn }),
          '^ 10ms !',
        ).toBe('-')
        afterwards(() => {
          expect(ports.identity.signOut.calls).toHaveLength(calls)
          expect(ports.otherPanes.tellSignedOut.calls).toEqual(calls === 1 ? [['u-alex']] : [])
        })
      })
    },
  )

  test('is not blocked by storage that never answers', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.storage.session.clear.answers(silent$)
      const asked = Auth.signOutRequested({ reason: person })
      const happening$ = hot('o-v-o', { o: asked, v: Auth.verified(verification()) })
      expectEvents(react({ logOut, forgetSession }, happening$, { given: signedIn })).toBe('x---x', {
        x: signedOut,
      })
    })
  })
})
