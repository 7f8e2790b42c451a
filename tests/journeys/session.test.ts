import { Signatures } from '../../streams/signatures/events.ts'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { NEVER, of } from 'rxjs'
import { SESSION } from '../../effects/auth.ts'
import type { Ports } from '../../effects/ports.ts'
import { createApp, type SignetApp } from '../../src/engine/createApp.ts'
import { initialState } from '../../streams/app/state.ts'
import { Auth } from '../../streams/auth/events.ts'
import { isSignedIn, RENEWAL_OFFSET_MS } from '../../streams/auth/rules.ts'
import { selectBearer } from '../../streams/auth/selectors.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { createSecret, reveal } from '../../streams/kernel/secret.ts'
import { at } from '../../streams/kernel/time.ts'
import { Router } from '../../streams/router/events.ts'
import { inAppPath, wantedBy } from '../../streams/router/rules.ts'
import { SETTINGS_KEY } from '../../streams/settings/rules.ts'
import { type Clock, createClock } from '../support/clock.ts'
import { failing, type MailboxPorts, mailboxPorts } from '../support/ports.ts'
import { DAY_MS, HOUR_MS, session } from '../support/state.ts'

// The whole application as it ships over the mailbox model and fakes of the service, on virtual time: how a session
// begins, is renewed, ends, and what is left of it.

/** The key under which local storage keeps the last user. */
const LAST_USER = 'lastPerson'
const START = Date.UTC(2026, 10, 20, 9)
const stage = { production: false, beta: false }
const http = (status: number): Failure => ({ kind: 'http', status, code: null, data: null })

type Pane = Readonly<{ app: SignetApp; ports: MailboxPorts; clock: Clock }>

function arrange(prepare: (pane: Omit<Pane, 'app'>) => void = () => undefined): Pane {
  const clock = createClock(START)
  const { ports } = mailboxPorts(clock)
  ports.api.verify.answers(of(session({ expiresAt: START + HOUR_MS })))
  ports.api.renew.answers(NEVER)
  prepare({ ports, clock })
  return { app: createApp(stage, (): Ports => ports), ports, clock }
}

const typesOf = ({ app }: Pane) => app.log.map(({ type }) => type)
const countOf = (pane: Pane, type: string) => typesOf(pane).filter((each) => each === type).length
const tokenOf = ({ app, clock }: Pane) => {
  const secret = selectBearer(app.state$.value, clock.scheduler.now())
  return secret && reveal(secret)
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
    const pane = arrange(({ ports }) => {
      ports.api.renew.answers(of(fresh(START + 2 * HOUR_MS)), NEVER)
    })
    pane.clock.advance(due - 1000)
    expect(pane.ports.api.renew.calls).toHaveLength(0)
    expect(tokenOf(pane)).toBe('session-token')
    pane.clock.advance(2000)
    expect(pane.ports.api.renew.calls).toHaveLength(1)
    expect(tokenOf(pane)).toBe('renewed')
    expect(pane.ports.storage.session.content()).toMatchObject({
      [SESSION]: { token: 'renewed', expiresAt: START + 2 * HOUR_MS },
    })
    pane.clock.advance(HOUR_MS)
    expect(isSignedIn(authOf(pane))).toBe(true)
    expect(pane.ports.api.renew.calls).toHaveLength(2)
  })

  it('[AUTH-6] that was recovered shortly before its end is renewed at once', () => {
    const pane = arrange(({ ports }) => {
      const { token: _token, ...rest } = session({ expiresAt: START + 60_000 })
      ports.storage.session.set(SESSION, { ...rest, token: 'old' }).subscribe()
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
      const pane = arrange(({ ports }) => {
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
    const pane = arrange(({ ports }) => {
      ports.api.renew.answers(of({ ...fresh(START + 2 * HOUR_MS), userId: 'u-maria' }))
    })
    pane.clock.advance(due + 1000)
    expect(tokenOf(pane)).toBe('session-token')
    expect(countOf(pane, 'auth/renewalFailed')).toBe(1)
  })

  it('is renewed once, not in a loop, when the new one is shorter than the offset', () => {
    const pane = arrange(({ ports, clock }) => {
      ports.api.renew.answers(() => of(fresh(clock.scheduler.now() + 60_000)))
    })
    pane.clock.advance(2 * HOUR_MS)
    expect(pane.ports.api.renew.calls).toHaveLength(1)
  })

  it('ends on time, even if it lasts longer than the longest timer', () => {
    const clock = createClock(START)
    const ended: number[] = []
    at(START + 60 * DAY_MS, clock).subscribe(() => ended.push(clock.scheduler.now()))
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
      const pane = arrange(({ ports }) => {
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
    const pane = arrange(({ ports }) => {
      ports.api.user.answers(failing(http(401)), NEVER)
    })
    pane.clock.advance(1000)
    expect(isSignedIn(authOf(pane))).toBe(false)
    pressSignIn(pane)
    pane.clock.advance(1000)
    expect(isSignedIn(authOf(pane))).toBe(true)
  })

  it.each<[string, (pane: Pick<Pane, 'ports'>) => void, string]>([
    ['signing in', ({ ports }) => ports.api.verify.answers(failing(http(403))), 'REPOSITORY_ERROR'],
    ['verifying', ({ ports }) => ports.api.verify.answers(failing({ kind: 'network' })), 'NETWORK_ERROR'],
  ])('[AUTH-5] after a failure of %s logs handle_auth_error once and keeps the failure', (_, spoil, code) => {
    const pane = arrange(spoil)
    pane.clock.advance(1000)
    expect(authOf(pane)).toMatchObject({ status: 'signedOut', reason: { kind: 'signInFailed' } })
    const logged = pane.ports.log.lines.filter(({ action }) => action === 'handle_auth_error')
    expect(logged).toMatchObject([{ level: 'error', detail: { code } }])
  })

  it('[AUTH-9] the state has the status, token, user and failure of the sign-in', () => {
    const pane = arrange(({ ports }) => {
      ports.api.verify.answers(failing(http(403)), of(session({ expiresAt: START + HOUR_MS })))
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

  it('[AUTH-7] resets the stores, and clears the token, the session and the caches of the user', () => {
    const pane = arrange()
    pane.clock.advance(5000)
    const { storage } = pane.ports
    storage.privateRoaming('u-alex').set(SETTINGS_KEY, { enableTelemetry: false }).subscribe()
    expect(storage.session.content()).toHaveProperty(SESSION)
    expect(pane.app.state$.value.profile).not.toEqual(initialState(stage).profile)
    signOut(pane)
    pane.clock.advance(1000)
    const before = initialState(stage)
    const { variables, profile, subscription, signatures, settings, configuration, maintenance } =
      pane.app.state$.value
    expect({ variables, profile, subscription, configuration, maintenance }).toEqual({
      variables: before.variables,
      profile: before.profile,
      subscription: before.subscription,
      configuration: before.configuration,
      maintenance: before.maintenance,
    })
    expect(settings).toMatchObject(before.settings)
    // Only the epoch goes on, so that no late page joins the list of the next user.
    const { epoch, ...own } = signatures.own
    expect({ ...own, epoch: 0 }).toEqual(before.signatures.own)
    expect(epoch).toBeGreaterThan(0)
    expect(tokenOf(pane)).toBeNull()
    expect(storage.session.content()).toEqual({})
    expect(storage.privateRoaming('u-alex').content()).toEqual({})
    expect(storage.privateCache('u-alex').content()).toEqual({})
    expect(storage.local.content()).not.toHaveProperty(LAST_USER)
  })

  it('stops the renewal of the session', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    signOut(pane)
    pane.clock.advance(DAY_MS)
    expect(isSignedIn(authOf(pane))).toBe(false)
    expect(pane.ports.api.renew.calls).toHaveLength(0)
  })
})

describe('a silent sign-in', () => {
  it('[AUTH-2] does not happen when enableSilentSSO is off, and the button still signs in', () => {
    const pane = arrange(({ ports }) => {
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
    const pane = arrange()
    pane.clock.advance(1000)
    signOut(pane)
    pane.clock.advance(1000)
    expect(pane.ports.otherPanes.tellSignedOut.calls).toEqual([['u-alex']])

    const other = arrange()
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
    const pane = arrange(({ ports }) => {
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

  it('[HTTP-6] a 503 fetches nothing when the status is known, while signed out, or for the status itself', () => {
    const known = arrange(({ ports }) => {
      ports.api.signatures.answers(NEVER, failing(http(503)))
    })
    known.clock.advance(1000)
    known.app.record(Signatures.refreshRequested())
    known.clock.advance(1000)
    expect(known.ports.api.maintenance.calls).toHaveLength(1)

    const signedOut = arrange(({ ports }) => {
      ports.api.verify.answers(failing(http(503)))
    })
    signedOut.clock.advance(1000)
    expect(signedOut.ports.api.maintenance.calls).toHaveLength(0)

    const down = arrange(({ ports }) => {
      ports.api.maintenance.answers(failing(http(503)))
    })
    down.clock.advance(1000)
    expect(down.ports.api.maintenance.calls).toHaveLength(1)
  })
})

describe('the requested path', () => {
  it('[NAV-2] is kept by /logout and opens after the next sign-in', () => {
    const pane = arrange(({ ports }) => {
      ports.address.path$.next('/app/signatures/main')
      ports.api.verify.answers(failing(http(403)), of(session({ expiresAt: START + HOUR_MS })))
    })
    pane.clock.advance(1000)
    expect(pane.ports.address.gone).toContain('/logout?redirectFrom=%2Fapp%2Fsignatures%2Fmain')
    expect(pathOf(pane)).toBe('/home')
    pressSignIn(pane)
    pane.clock.advance(1000)
    expect(pathOf(pane)).toBe('/app/signatures/main')
  })

  it('[NAV-2] is ignored unless it is under /app', () => {
    for (const evil of [
      '//evil.example',
      'https://evil.example',
      '/app//evil.example',
      '/app/..\\x',
      '/home',
    ]) {
      const pane = arrange(({ ports }) => {
        ports.api.verify.answers(failing(http(403)), of(session({ expiresAt: START + HOUR_MS })))
      })
      pane.clock.advance(1000)
      pane.app.record(Router.navigationRequested({ to: `/logout?redirectFrom=${encodeURIComponent(evil)}` }))
      pressSignIn(pane)
      pane.clock.advance(1000)
      expect(pathOf(pane), evil).toBe('/app/dashboard')
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
        const accepted = wantedBy(`/logout?redirectFrom=${encodeURIComponent(path)}`)
        if (accepted === null) return
        expect(accepted).toBe(path)
        expect(accepted).toMatch(/^\/app(\/|\?|$)/)
        expect(accepted).not.toMatch(/\/\/|\\|:|%|#|\s/)
        const there = new URL(accepted, 'https://pane.example')
        expect(there.origin).toBe('https://pane.example')
        expect(there.pathname).toBe(accepted.split('?')[0])
      }),
      { numRuns: 2000 },
    )
    expect(inAppPath('/app/signatures/main')).toBe('/app/signatures/main')
  })
})
