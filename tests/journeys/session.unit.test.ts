import { Signatures } from '../../streams/message/signatures/events.ts'
import fc from 'fast-check'
import { describe, expect, it, test, vi } from 'vitest'
import { delay, NEVER, of } from 'rxjs'
import { SESSION_KEY } from '../../effects/pane/auth.ts'
import { initialState } from '../../streams/pane/state.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { selectUnexpiredToken } from '../../streams/pane/auth/selectors.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { createSecret, revealSecret } from '../../streams/kernel/secret.ts'
import { emitAt } from '../../streams/kernel/time.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { routeAt, signaturesPath } from '../../streams/pane/router/routes.ts'
import { safeAppPath, pathBeforeLogout } from '../../streams/pane/router/rules.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { SETTINGS_KEY } from '../../streams/pane/settings/rules.ts'
import type { Ports } from '../../effects/ports.ts'
import { createWholeApp } from '../support/app.ts'
import { createClock } from '../support/clock.ts'
import { development, openPane, type Pane, type PaneOptions, START } from '../support/pane.ts'
import { failing } from '../support/ports.ts'
import { DAY_MS, define, HOUR_MS, listedSignature, profile, session, verification } from '../support/state.ts'
import { cases } from '../support/cases.ts'

// The whole application as it ships over the mailbox model and fakes of the service, on virtual time: how a session
// begins, is renewed, ends, and what is left of it.

/** The key under which local storage keeps the last user. */
const LAST_USER = 'lastPerson'
/** How long before its end a session is renewed (specification, section 9). */
const RENEWAL_OFFSET_MS = 300_000
const http = (status: number): Failure => ({ kind: 'http', status, code: null, data: null })

/** Opens a pane with a session of one hour, whose renewal is never answered. */
const open = (prepare: PaneOptions['prepare'] = () => undefined): Pane =>
  openPane({
    prepare(pane) {
      pane.ports.api.verify.answers(of(verification({ expiresAt: START + HOUR_MS })))
      pane.ports.api.renew.answers(NEVER)
      prepare(pane)
    },
  })

const typesOf = ({ app }: Pane) => app.log.map(({ type }) => type)
const countOf = (pane: Pane, type: string) => typesOf(pane).filter((each) => each === type).length
const tokenOf = ({ app, clock }: Pane) => {
  const secret = selectUnexpiredToken(app.state$.value, clock.scheduler.now())
  return secret && revealSecret(secret)
}
const authOf = ({ app }: Pane) => app.state$.value.auth
const pathOf = ({ app }: Pane) => app.state$.value.router.path
const pressSignIn = ({ app }: Pane) => {
  app.record(Auth.signInRequested({ silent: false }))
}
const signOut = ({ app }: Pane) => {
  app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
}
const fresh = (expiresAt: number) => session({ expiresAt, token: createSecret('renewed') })

describe('a session near its end', () => {
  const due = HOUR_MS - RENEWAL_OFFSET_MS

  it('[AUTH-6] is renewed 300 s before it expires, and the fresh token is used and kept', () => {
    const pane = open(({ ports }) => {
      ports.api.renew.answers(of(fresh(START + 2 * HOUR_MS)), NEVER)
    })
    pane.clock.advance(due - 1000)
    expect(pane.ports.api.renew.calls).toHaveLength(0)
    expect(tokenOf(pane)).toBe('session-token')
    pane.clock.advance(2000)
    expect(pane.ports.api.renew.calls).toHaveLength(1)
    expect(tokenOf(pane)).toBe('renewed')
    expect(pane.ports.storage.session.content()).toMatchObject({
      [SESSION_KEY]: { token: 'renewed', expiresAt: START + 2 * HOUR_MS },
    })
    pane.clock.advance(HOUR_MS)
    expect(isSignedIn(authOf(pane))).toBe(true)
    expect(pane.ports.api.renew.calls).toHaveLength(2)
  })

  it('[AUTH-6] that was recovered shortly before its end is renewed at once', () => {
    const pane = open(({ ports }) => {
      const { token: _token, ...rest } = session({ expiresAt: START + 60_000 })
      ports.storage.session.set(SESSION_KEY, { ...rest, token: 'old' }).subscribe()
      ports.api.renew.answers(of(fresh(START + HOUR_MS)), NEVER)
    })
    pane.clock.advance(0)
    expect(tokenOf(pane)).toBe('renewed')
  })

  it.each<[string, Failure]>([
    ['no connection', { kind: 'network' }],
    ['a service error', http(500)],
    ['a refusal', http(401)],
  ])(
    '[AUTH-6] stays in use after %s at its renewal, until it expires and the user is signed out',
    (_, failure) => {
      const pane = open(({ ports }) => {
        ports.api.renew.answers(failing(failure))
      })
      pane.clock.advance(HOUR_MS - 1)
      expect(pane.ports.api.renew.calls).toHaveLength(1)
      expect(tokenOf(pane)).toBe('session-token')
      expect(isSignedIn(authOf(pane))).toBe(true)
      pane.clock.advance(1)
      expect(tokenOf(pane)).toBeNull()
      pane.clock.advance(1000)
      expect(authOf(pane)).toEqual({ status: 'signedOut', reason: { kind: 'expired' } })
    },
  )

  it("is not renewed by another user's token", () => {
    const pane = open(({ ports }) => {
      ports.api.renew.answers(of({ ...fresh(START + 2 * HOUR_MS), userId: 'u-maria' }))
    })
    pane.clock.advance(due + 1000)
    expect(tokenOf(pane)).toBe('session-token')
    expect(countOf(pane, 'auth/renewalFailed')).toBe(1)
  })

  it('[AUTH-6] whose renewal is answered after it expired stays ended, and nothing of the answer is kept', () => {
    const pane = open(({ ports, clock }) => {
      ports.api.renew.answers(
        of(fresh(START + 2 * HOUR_MS)).pipe(delay(RENEWAL_OFFSET_MS + 1000, clock.scheduler)),
      )
    })
    pane.clock.advance(2 * HOUR_MS)
    expect(pane.ports.api.renew.calls).toHaveLength(1)
    expect(authOf(pane)).toEqual({ status: 'signedOut', reason: { kind: 'expired' } })
    expect(countOf(pane, 'auth/renewed')).toBe(0)
    expect(pane.ports.storage.session.content()).toEqual({})
  })

  it('is renewed once, not in a loop, when the new one is shorter than the offset', () => {
    const pane = open(({ ports, clock }) => {
      ports.api.renew.answers(() => of(fresh(clock.scheduler.now() + 60_000)))
    })
    pane.clock.advance(2 * HOUR_MS)
    expect(pane.ports.api.renew.calls).toHaveLength(1)
  })

  it('ends on time, even if it lasts longer than the longest timer', () => {
    const clock = createClock(START)
    const ended: number[] = []
    emitAt(START + 60 * DAY_MS, clock).subscribe(() => ended.push(clock.scheduler.now()))
    clock.advance(60 * DAY_MS - 1)
    expect(ended).toEqual([])
    clock.advance(1)
    expect(ended).toEqual([START + 60 * DAY_MS])
  })
})

describe('a sign-out', () => {
  it.each([401, 404, 500])(
    '[AUTH-8] by a %i happens once for several responses, and no sign-in follows',
    (status) => {
      const pane = open(({ ports }) => {
        ports.api.user.answers(failing(http(status)))
        ports.api.signatures.answers(failing(http(status)))
        ports.api.maintenance.answers(failing(http(status)))
      })
      pane.clock.advance(DAY_MS)
      expect(authOf(pane)).toMatchObject({ status: 'signedOut', reason: { kind: 'rejected' } })
      expect(countOf(pane, 'auth/signedOut')).toBe(1)
      expect(pane.ports.api.verify.calls).toHaveLength(1)
      expect(pane.ports.address.gone.filter((path) => path.startsWith('/logout'))).toHaveLength(1)
      expect(pathOf(pane)).toBe('/home')
    },
  )

  it('[AUTH-8] by a rejection lets the user sign in again', () => {
    const pane = open(({ ports }) => {
      ports.api.user.answers(failing(http(401)), NEVER)
    })
    pane.clock.advance(1000)
    expect(isSignedIn(authOf(pane))).toBe(false)
    pressSignIn(pane)
    pane.clock.advance(1000)
    expect(isSignedIn(authOf(pane))).toBe(true)
  })

  it.each<[string, (pane: Pick<Pane, 'ports' | 'mailbox'>) => void, string]>([
    [
      'getting an access token, because the mail client refuses',
      ({ mailbox }) => mailbox.fail('auth.getAccessToken', { code: 13001, name: 'NotSignedIn' }),
      'AUTH_ERROR',
    ],
    [
      'getting an access token, because the mail client is silent',
      ({ mailbox }) => mailbox.silence('auth.getAccessToken'),
      'HOST_ERROR',
    ],
    [
      'reading whose mailbox it is',
      ({ ports }) => vi.spyOn(ports.host, 'user').mockReturnValue(of(null)),
      'AUTH_ERROR',
    ],
    [
      'verifying, because the service refuses',
      ({ ports }) => ports.api.verify.answers(failing(http(403))),
      'REPOSITORY_ERROR',
    ],
    [
      'verifying, without a connection',
      ({ ports }) => ports.api.verify.answers(failing({ kind: 'network' })),
      'NETWORK_ERROR',
    ],
  ])('[AUTH-5] after a failure of %s logs handle_auth_error once and keeps the failure', (_, spoil, code) => {
    const pane = open(spoil)
    pane.clock.advance(60_000)
    expect(authOf(pane)).toMatchObject({ status: 'signedOut', reason: { kind: 'signInFailed' } })
    expect(countOf(pane, 'auth/signedOut')).toBe(1)
    const logged = pane.ports.log.lines.filter(({ action }) => action === 'handle_auth_error')
    expect(logged).toMatchObject([{ level: 'error', detail: { code } }])
    expect(pane.ports.storage.session.content()).toEqual({})
  })

  it.each([
    [401, []],
    [404, []],
    [503, ['alex.kim@northwind.example']],
  ])(
    '[AUTH-7] by a first sign-in that is refused with %i leaves these copies of a default: %j',
    (status, left) => {
      const pane = open()
      pane.clock.advance(1000)
      pane.app.stop()
      pane.ports.storage.session.clear().subscribe()
      expect(Object.keys(pane.ports.storage.kept.content())).toEqual(['alex.kim@northwind.example'])
      pane.ports.api.verify.answers(failing(http(status)))
      const next = createWholeApp(development, (): Ports => pane.ports)
      pane.clock.advance(1000)
      expect(next.state$.value.auth).toMatchObject({ reason: { kind: 'signInFailed' } })
      expect(Object.keys(pane.ports.storage.kept.content())).toEqual(left)
    },
  )

  it('[AUTH-9] the state has the status, token, user and failure of the sign-in', () => {
    const pane = open(({ ports }) => {
      ports.api.verify.answers(failing(http(403)), of(verification({ expiresAt: START + HOUR_MS })))
    })
    pane.clock.advance(0)
    expect(authOf(pane)).toEqual({
      status: 'signedOut',
      reason: { kind: 'signInFailed', failure: http(403) },
    })
    expect([isSignedIn(authOf(pane)), tokenOf(pane)]).toEqual([false, null])
    pressSignIn(pane)
    pane.clock.advance(1000)
    expect(authOf(pane)).toMatchObject({ status: 'success', session: { userId: 'u-alex' } })
    expect([isSignedIn(authOf(pane)), tokenOf(pane)]).toEqual([true, 'session-token'])
  })

  it('[AUTH-7] resets every store of the user, and clears the token, the session and the caches', () => {
    const pane = open(({ service, ports }) => {
      service.own = [listedSignature()]
      service.delegated = [listedSignature({ combinedIds: 'c-maria' })]
      service.profile = profile({ delegations: ['u-maria'] })
      ports.api.variableDefinitions.answers(of([define('first_name')]))
      ports.api.maintenance.answers(of('planned'))
    })
    pane.clock.advance(1000)
    pane.app.record(Router.navigationRequested({ to: '/app/settings/variables' }))
    pane.app.record(Settings.updateRequested({ changes: { enableEmbedImages: true } }))
    pane.clock.advance(5000)
    const { storage } = pane.ports
    const before = initialState(development)
    const reset = [
      ...(['variables', 'profile', 'subscription', 'configuration', 'maintenance'] as const),
      ...(['settings', 'defaults', 'picture'] as const),
    ]
    const signedIn = pane.app.state$.value
    for (const slice of reset) expect(signedIn[slice], slice).not.toEqual(before[slice])
    for (const list of ['own', 'delegated'] as const)
      expect(signedIn.signatures[list].entries).toHaveLength(1)
    expect(tokenOf(pane)).toBe('session-token')
    expect(storage.session.content()).toHaveProperty(SESSION_KEY)
    expect(storage.privateRoaming('u-alex').content()).toHaveProperty(SETTINGS_KEY)
    expect(Object.keys(storage.privateCache('u-alex').content())).toEqual(
      expect.arrayContaining(['telemetry']),
    )
    expect(storage.kept.content()).not.toEqual({})
    expect(storage.local.content()).toHaveProperty(LAST_USER)

    signOut(pane)
    pane.clock.advance(1000)
    const after = pane.app.state$.value
    for (const slice of reset) expect(after[slice], slice).toEqual(before[slice])
    for (const list of ['own', 'delegated'] as const) {
      // Only the epoch goes on, so that no late page joins the list of the next user.
      const { epoch, ...rest } = after.signatures[list]
      expect({ ...rest, epoch: 0 }).toEqual(before.signatures[list])
      expect(epoch).toBeGreaterThan(0)
    }
    expect({ ...after.signatures, own: null, delegated: null }).toEqual({
      ...before.signatures,
      own: null,
      delegated: null,
    })
    // What every request carries as its Authorization header.
    expect(tokenOf(pane)).toBeNull()
    expect(storage.session.content()).toEqual({})
    expect(storage.privateRoaming('u-alex').content()).toEqual({})
    expect(storage.privateCache('u-alex').content()).toEqual({})
    expect(storage.kept.content()).toEqual({})
    expect(storage.local.content()).not.toHaveProperty(LAST_USER)
  })

  it('stops the renewal of the session', () => {
    const pane = open()
    pane.clock.advance(1000)
    signOut(pane)
    pane.clock.advance(DAY_MS)
    expect(isSignedIn(authOf(pane))).toBe(false)
    expect(pane.ports.api.renew.calls).toHaveLength(0)
  })
})

describe('a silent sign-in', () => {
  it('[AUTH-2] does not happen when enableSilentSSO is off, and the button still signs in', () => {
    const pane = open(({ ports }) => {
      ports.storage.local
        .set(LAST_USER, { email: 'alex.kim@northwind.example', userId: 'u-alex' })
        .subscribe()
      ports.storage.privateRoaming('u-alex').set(SETTINGS_KEY, { enableSilentSSO: false }).subscribe()
    })
    pane.clock.advance(5000)
    expect(pane.ports.api.verify.calls).toHaveLength(0)
    expect(authOf(pane)).toEqual({ status: 'signedOut', reason: null })
    pressSignIn(pane)
    pane.clock.advance(1000)
    expect(isSignedIn(authOf(pane))).toBe(true)
  })
})

describe('two panes at once', () => {
  it('a sign-out in one is announced to the others, and signs out the same user there', () => {
    const pane = open()
    pane.clock.advance(1000)
    signOut(pane)
    pane.clock.advance(1000)
    expect(pane.ports.otherPanes.tellSignedOut.calls).toEqual([['u-alex']])

    const other = open()
    other.clock.advance(1000)
    other.ports.otherPanes.signedOut$.next('u-maria')
    expect(isSignedIn(authOf(other))).toBe(true)
    other.ports.otherPanes.signedOut$.next('u-alex')
    other.clock.advance(1000)
    expect(authOf(other)).toEqual({ status: 'signedOut', reason: { kind: 'elsewhere' } })
    expect(other.ports.otherPanes.tellSignedOut.calls).toEqual([])
  })
})

describe('an unavailable service', () => {
  it('[HTTP-6] a 503 fetches the maintenance status when it is unknown, once at a time', () => {
    const pane = open(({ ports }) => {
      ports.api.maintenance.answers(failing({ kind: 'timeout' }), NEVER)
      ports.api.signatures.answers(NEVER, failing(http(503)))
    })
    pane.clock.advance(1000)
    expect(pane.ports.api.maintenance.calls).toHaveLength(1)
    for (const _ of [1, 2, 3]) {
      pane.app.record(Signatures.refreshRequested())
      pane.clock.advance(10)
    }
    expect(countOf(pane, 'signatures/refreshFailed')).toBeGreaterThan(1)
    expect(pane.ports.api.maintenance.calls).toHaveLength(2)
    expect(isSignedIn(authOf(pane))).toBe(true)
  })

  it('[HTTP-6] nothing is fetched when the status is known, while signed out, for the status itself, or by another refusal', () => {
    const known = open(({ ports }) => {
      ports.api.signatures.answers(NEVER, failing(http(503)))
    })
    known.clock.advance(1000)
    known.app.record(Signatures.refreshRequested())
    known.clock.advance(1000)
    expect(known.ports.api.maintenance.calls).toHaveLength(1)

    const signedOut = open(({ ports }) => {
      ports.api.verify.answers(failing(http(503)))
    })
    signedOut.clock.advance(1000)
    expect(signedOut.ports.api.maintenance.calls).toHaveLength(0)

    // Another refusal says nothing of maintenance.
    const refused = open(({ ports }) => {
      ports.api.maintenance.answers(failing({ kind: 'timeout' }))
      ports.api.signatures.answers(NEVER, failing(http(502)))
    })
    refused.clock.advance(1000)
    refused.app.record(Signatures.refreshRequested())
    refused.clock.advance(1000)
    expect(countOf(refused, 'signatures/refreshFailed')).toBeGreaterThan(0)
    expect(refused.ports.api.maintenance.calls).toHaveLength(1)

    const down = open(({ ports }) => {
      ports.api.maintenance.answers(failing(http(503)))
    })
    down.clock.advance(1000)
    expect(down.ports.api.maintenance.calls).toHaveLength(1)
  })
})

describe('the requested path', () => {
  it('[NAV-2] is kept by /logout and opens after the next sign-in', () => {
    const pane = open(({ ports }) => {
      ports.address.path$.next('/app/signatures/main')
      ports.api.verify.answers(failing(http(403)), of(verification({ expiresAt: START + HOUR_MS })))
    })
    pane.clock.advance(1000)
    expect(pane.ports.address.gone).toContain('/logout?redirectFrom=%2Fapp%2Fsignatures%2Fmain')
    expect(pathOf(pane)).toBe('/home')
    pressSignIn(pane)
    pane.clock.advance(1000)
    expect(pathOf(pane)).toBe('/app/signatures/main')
  })

  it('[NAV-2] is kept for a folder whose name has spaces and signs', () => {
    for (const folder of ['Team A', 'Größe & Co. / 100 %']) {
      const path = signaturesPath(folder)
      const pane = open(({ ports }) => {
        ports.address.path$.next(path)
        ports.api.verify.answers(failing(http(403)), of(verification({ expiresAt: START + HOUR_MS })))
      })
      pane.clock.advance(1000)
      expect(pathOf(pane)).toBe('/home')
      pressSignIn(pane)
      pane.clock.advance(1000)
      expect(pathOf(pane)).toBe(path)
      expect(routeAt(path)).toMatchObject({ name: 'SignaturesListRoute', type: folder })
    }
  })

  it('[NAV-2] is ignored unless it is under /app', () => {
    for (const evil of [
      '//evil.example',
      'https://evil.example',
      '/app//evil.example',
      '/app/..\\x',
      '/app/%2E%2e/home',
      '/app/a%2F..%2F..%2Fhome',
      '/home',
    ]) {
      const pane = open(({ ports }) => {
        ports.api.verify.answers(failing(http(403)), of(verification({ expiresAt: START + HOUR_MS })))
      })
      pane.clock.advance(1000)
      pane.app.record(Router.navigationRequested({ to: `/logout?redirectFrom=${encodeURIComponent(evil)}` }))
      pressSignIn(pane)
      pane.clock.advance(1000)
      expect(pathOf(pane), evil).toBe('/app/dashboard')
      expect(pathBeforeLogout(`/logout?redirectFrom=${encodeURIComponent(evil)}`), evil).toBeNull()
    }
  })

  test('[NAV-2] is only ever a plain path under /app, for any redirectFrom', () => {
    const piece = fc.constantFrom(
      '/',
      '//',
      '\\',
      'app',
      '..',
      '.',
      ':',
      'https:',
      'evil.example',
      '@',
      '%2f',
      '%2F',
      '%5c',
      '%2e',
      '%2E%2E',
      '%0a',
      '%41',
      '%',
      '?',
      '#',
      ' ',
      'a',
    )
    const written = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(piece, { maxLength: 8 }).map((pieces) => `/app${pieces.join('')}`),
    )
    fc.assert(
      fc.property(written, (path) => {
        const accepted = pathBeforeLogout(`/logout?redirectFrom=${encodeURIComponent(path)}`)
        if (accepted === null) return
        expect(accepted).toBe(path)
        expect(accepted).toMatch(/^\/app(\/|\?|$)/)
        expect(accepted).not.toMatch(/\/\/|\\|:|#|\s/)
        const there = new URL(accepted, 'https://pane.example')
        expect(there.origin).toBe('https://pane.example')
        expect(there.pathname).toBe(accepted.split('?')[0])
        // Nor does it lead elsewhere when it is decoded once more.
        const decoded = new URL(decodeURIComponent(there.pathname), 'https://pane.example')
        expect(decoded.origin).toBe('https://pane.example')
        expect(decoded.pathname).toMatch(/^\/app(\/|$)/)
      }),
      cases(500),
    )
    expect(safeAppPath('/app/signatures/main')).toBe('/app/signatures/main')
  })
})
