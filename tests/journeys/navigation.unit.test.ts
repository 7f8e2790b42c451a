import { describe, expect, it } from 'vitest'
import { map, NEVER, type Observable, of, switchMap, throwError, timer } from 'rxjs'
import { SESSION_KEY } from '../../effects/pane/auth.ts'
import type { Ports } from '../../effects/ports.ts'
import type { SignetApp } from '../../src/engine/createApp.ts'
import { createWholeApp } from '../support/app.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { routeAt, signaturesPath } from '../../streams/pane/router/routes.ts'
import type { UserProfile } from '../../streams/wire/user.ts'
import { type Clock, createClock } from '../support/clock.ts'
import { failing, type MailboxPorts, mailboxPorts } from '../support/ports.ts'
import { HOUR_MS, profile, session, verification } from '../support/state.ts'

// The whole application as it ships over the mailbox model and fakes of the service, on virtual time:
// routes, redirections and the analytics of navigation.

const START = Date.UTC(2026, 10, 20, 9)
const stage = { production: false, beta: false }

type Pane = Readonly<{ app: SignetApp; ports: MailboxPorts; clock: Clock }>

/** Opens a pane at this path. The user is signed in silently unless `prepare` prevents it. */
function open(path: string, prepare: (ports: MailboxPorts, clock: Clock) => void = () => undefined): Pane {
  const clock = createClock(START)
  const { ports } = mailboxPorts(clock)
  ports.address.path$.next(path)
  ports.api.verify.answers(of(verification({ expiresAt: START + 24 * HOUR_MS })))
  prepare(ports, clock)
  const app = createWholeApp(stage, (): Ports => ports)
  clock.advance(1000)
  return { app, ports, clock }
}

const refusesSignIn = ({ api }: MailboxPorts) => {
  api.verify.answers(failing({ kind: 'http', status: 403, code: null, data: null }))
}
const hasSession = ({ storage }: MailboxPorts) => {
  const { token: _token, ...rest } = session({ expiresAt: START + HOUR_MS })
  storage.session.set(SESSION_KEY, { ...rest, token: 'kept' }).subscribe()
}

const pathOf = ({ app }: Pane) => app.state$.value.router.path
const go = ({ app, clock }: Pane, to: string) => {
  app.record(Router.navigationRequested({ to }))
  clock.advance(1000)
}
/** The tracked events by name, without those of inserted signatures. */
const tracked = ({ ports }: Pane) =>
  ports.analytics.track.calls
    .map(([{ name, parameters }]) => (parameters['folder'] ? `${name} ${parameters['folder']}` : name))
    .filter((name) => name !== 'change_signature')

describe('the routes', () => {
  const inApp: readonly (readonly [path: string, name: string, view: string])[] = [
    ['/app/dashboard', 'DashboardRoute', 'dashboard'],
    ['/app/signatures/main', 'SignaturesListRoute', 'signatures'],
    ['/app/signatures/delegations', 'SignaturesListRoute', 'signatures'],
    ['/app/settings/config', 'ConfigRoute', 'settings'],
    ['/app/settings/attributes', 'AttributesRoute', 'variables'],
    ['/app/settings/app', 'AppSettingsRoute', 'settings'],
    ['/app/settings/variables', 'VariablesRoute', 'variables'],
  ]
  const outsideApp = [
    ['/about', 'AboutRoute', 'about'],
    ['/pages/about', 'AboutRoute', 'about'],
    ['/help', 'HelpRoute', 'help'],
  ] as const

  it.each([...inApp, ...outsideApp])(
    '[NAV-1] %s is %s, and a signed-in user stays there',
    (path, name, page) => {
      const pane = open(path)
      expect(isSignedIn(pane.app.state$.value.auth)).toBe(true)
      expect(pathOf(pane)).toBe(path)
      expect(pane.ports.address.gone).toEqual([])
      expect(routeAt(path)).toMatchObject({ name, page })
      expect(pane.app.state$.value.chunks[routeAt(path)?.page ?? 'dashboard']?.status).toBe('loaded')
    },
  )

  it('[NAV-1] accepts any single segment as {type} of the signatures', () => {
    for (const type of ['main', 'delegations', 'Über%20uns', '2026.fair'])
      expect(routeAt(`/app/signatures/${type}?x=1`)).toEqual({
        name: 'SignaturesListRoute',
        page: 'signatures',
        type: decodeURIComponent(type),
      })
    expect(routeAt('/app/signatures/100%')).toMatchObject({ type: '100%' })
    expect(routeAt(signaturesPath('Über uns/2026'))).toMatchObject({ type: 'Über uns/2026' })
    expect(routeAt('/app/signatures')).toBeNull()
    expect(routeAt('/app/signatures/main/more')).toBeNull()
  })

  it.each(['/home', '/app', '/app/'])('[NAV-1] %s leads to the dashboard', (path) => {
    const pane = open(path)
    expect(pathOf(pane)).toBe('/app/dashboard')
  })

  it.each([
    ...[
      '/',
      '/nowhere',
      '/application',
      '/signatures/main',
      '/homepage',
      '/logout/elsewhere',
      '/constructor',
    ],
    ...['/app/nowhere', '/app/signatures', '/app/settings'],
  ])('[NAV-1] %s is unknown and leads to /home, and a signed-in user on to the dashboard', (path) => {
    const pane = open('/app/dashboard')
    go(pane, path)
    expect(pane.ports.address.gone).toEqual([path, '/home', '/app/dashboard'])
  })

  it('[NAV-1] an unknown path leads a signed-out user to /home and no further', () => {
    const pane = open('/nowhere', refusesSignIn)
    expect(pane.app.state$.value.auth.status).toBe('signedOut')
    expect(pane.ports.address.gone).toEqual(['/home'])
  })

  it.each(['/auth', '/auth/login', '/auth/logout', '/loading'])(
    '[NAV-8] %s waits until the sign-in ends, then redirects',
    (path) => {
      const pane = open(path, ({ api }) => {
        api.verify.answers(NEVER, of(verification({ expiresAt: START + HOUR_MS })))
      })
      expect(routeAt(path)).toEqual({ name: 'LoadingRoute', page: null })
      expect(pathOf(pane)).toBe(path)
      pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
      pane.clock.advance(1000)
      expect(pathOf(pane)).toBe('/home')
      expect(pathOf(open(path))).toBe('/app/dashboard')
    },
  )
})

describe('/home', () => {
  it('[NAV-6] keeps a signed-out user there, and loads and tracks nothing', () => {
    const pane = open('/home', refusesSignIn)
    expect(pathOf(pane)).toBe('/home')
    expect(pane.ports.api.user.calls).toEqual([])
    expect(tracked(pane)).toEqual([])
  })

  /** The steps of a visit of /home, in their order. The profile is answered by `load`. */
  const watch = (
    { api, analytics, address }: MailboxPorts,
    load: () => Observable<UserProfile>,
  ): readonly string[] => {
    const steps: string[] = []
    api.user.answers(() => {
      steps.push('profile')
      return load()
    })
    analytics.track.answers(({ name }) => {
      if (name === 'task_pane_open') steps.push('event')
      return of(undefined)
    })
    address.path$.subscribe((path) => steps.push(path))
    return steps
  }

  it.each([
    ['a session that goes on', true, 0, 0],
    ['a sign-in', false, 0, 0],
    ['a profile that is slower than the settings', true, 500, 0],
    ['settings that are slower than the profile', true, 0, 500],
  ])(
    '[NAV-6] loads the profile, records the event, then moves on, in this order: %s',
    (_, isKept, profileMs, settingsMs) => {
      let steps: readonly string[] = []
      const pane = open('/home', (ports, { scheduler }) => {
        if (isKept) hasSession(ports)
        steps = watch(ports, () => timer(profileMs, scheduler).pipe(map(() => profile())))
        ports.storage.persistent.get.answers(() => timer(settingsMs, scheduler).pipe(map(() => null)))
      })
      expect(steps).toEqual(['/home', 'profile', 'event', '/app/dashboard'])
      go(pane, '/home')
      expect(steps.slice(4)).toEqual(['/home', 'event', '/app/dashboard'])
    },
  )

  it('[NAV-6] stays at /home while the profile loads, and moves on without the event when it fails', () => {
    let steps: readonly string[] = []
    const pane = open('/home', (ports, { scheduler }) => {
      const failure = new Failed({ kind: 'timeout' })
      steps = watch(ports, () => timer(3_000, scheduler).pipe(switchMap(() => throwError(() => failure))))
      // Its response would trigger a retry of the profile.
      ports.api.maintenance.answers(NEVER)
    })
    expect(steps).toEqual(['/home', 'profile'])
    pane.clock.advance(3_000)
    expect(steps).toEqual(['/home', 'profile', '/app/dashboard'])
  })

  it('[NAV-6] does not call back a user who left /home while the profile loads', () => {
    const pane = open('/home', ({ api }, clock) => {
      api.user.answers(timer(3_000, clock.scheduler).pipe(map(() => profile())))
    })
    go(pane, '/app/settings/config')
    pane.clock.advance(3_000)
    expect(pathOf(pane)).toBe('/app/settings/config')
    expect(tracked(pane)).toEqual(['task_pane_open'])
  })

  it('[NAV-6] loads the profile of a signed-in user, tracks task-pane-open, and leads to the dashboard', () => {
    const pane = open('/home', hasSession)
    expect(pane.ports.api.verify.calls).toEqual([])
    expect(pane.ports.api.user.calls).toHaveLength(1)
    expect(pane.ports.analytics.track.calls).toEqual(
      expect.arrayContaining([[{ name: 'task_pane_open', userId: 'u-alex', parameters: { role: 'user' } }]]),
    )
    expect(tracked(pane)).toEqual(['task_pane_open'])
    expect(pathOf(pane)).toBe('/app/dashboard')
  })

  it('[NAV-6] tracks each visit, and does not load the profile again', () => {
    const pane = open('/home', hasSession)
    go(pane, '/home')
    expect(tracked(pane)).toEqual(['task_pane_open', 'task_pane_open'])
    expect(pane.ports.api.user.calls).toHaveLength(1)
    expect(pathOf(pane)).toBe('/app/dashboard')
  })

  it('[NAV-6] loads a failed profile again, and tracks the visit that waited for it once', () => {
    const pane = open('/home', (ports) => {
      hasSession(ports)
      ports.api.user.answers(failing({ kind: 'timeout' }), of(profile({ isAdmin: true })))
      // Its response would trigger a retry of the profile.
      ports.api.maintenance.answers(NEVER)
    })
    expect(tracked(pane)).toEqual([])
    go(pane, '/home')
    expect(pane.ports.api.user.calls).toHaveLength(2)
    expect(tracked(pane)).toEqual(['task_pane_open'])
    expect(pane.ports.analytics.track.calls.map(([{ parameters }]) => parameters['role'])).toContain('admin')
  })
})

describe('the analytics of navigation', () => {
  it('[NAV-7] distinguishes the delegations folder from every other', () => {
    const pane = open('/app/dashboard')
    for (const folder of ['main', 'delegations', 'delegations2', 'delegations'])
      go(pane, signaturesPath(folder))
    expect(tracked(pane)).toEqual([
      'task_pane_open',
      'signatures_opened other',
      'signatures_opened delegations',
      'signatures_opened other',
      'signatures_opened delegations',
    ])
  })

  it('[NAV-7] tracks settings/variables as edit-profile, and not the same view under its other path', () => {
    const pane = open('/app/dashboard')
    go(pane, '/app/settings/attributes')
    go(pane, '/app/settings/config')
    expect(tracked(pane)).toEqual(['task_pane_open'])
    go(pane, '/app/settings/variables')
    expect(tracked(pane)).toEqual(['task_pane_open', 'edit_profile'])
  })

  it('[NAV-7] tracks the first page once the profile is loaded, unless the user has left it before', () => {
    const opened = open('/app/signatures/delegations')
    expect(tracked(opened).sort()).toEqual(['signatures_opened delegations', 'task_pane_open'])
    const left = open('/app/signatures/delegations', ({ api }) => {
      api.user.answers(NEVER, of(profile()))
    })
    go(left, '/app/dashboard')
    expect(tracked(left)).toEqual([])
  })
})

describe('/logout', () => {
  it('[NAV-7] tracks disconnect, signs out, then goes to /home', () => {
    const pane = open('/app/dashboard')
    const before = pane.ports.sent.length
    go(pane, '/logout')
    const sent = pane.ports.sent.slice(before).map(({ name, args: [first] }) => [name, first])
    expect(sent[0]).toEqual([
      'analytics.track',
      { name: 'disconnect', userId: 'u-alex', parameters: { role: 'user' } },
    ])
    expect(sent.map(([name]) => name)).toContain('session.clear')
    expect(pane.ports.storage.session.content()).toEqual({})
    expect(pane.app.state$.value.auth).toEqual({ status: 'signedOut', reason: { kind: 'person' } })
    expect(pane.ports.address.gone).toEqual(['/logout', '/home'])
    expect(tracked(pane)).toEqual(['task_pane_open', 'disconnect'])
  })

  it('[NAV-7] tracks disconnect once for two sign-outs requested at the same time', () => {
    const pane = open('/app/dashboard')
    for (const _ of [1, 2]) {
      pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
      pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
      pane.clock.advance(1000)
      pane.app.record(Auth.signInRequested({ silent: false }))
      pane.clock.advance(1000)
    }
    expect(tracked(pane)).toEqual([
      ...['task_pane_open', 'disconnect'],
      ...['task_pane_open', 'disconnect'],
      'task_pane_open',
    ])
  })
})

describe('the fallback language', () => {
  it('is used when the user’s language is none of the seven', () => {
    const languageOf = (displayLanguage: string) => {
      const clock = createClock(START)
      const { ports } = mailboxPorts(clock)
      const app = createWholeApp(stage, (): Ports => ({
        ...ports,
        locales: { ...ports.locales, fallback: 'fr' },
        host: { ...ports.host, displayLanguage },
      }))
      clock.advance(1000)
      return app.state$.value.locale.language
    }
    expect(['sv-SE', '', 'de-AT', 'en-GB'].map(languageOf)).toEqual(['fr', 'fr', 'de', 'en'])
  })
})
