import { describe, expect, it } from 'vitest'
import { NEVER, of } from 'rxjs'
import { SESSION } from '../../effects/auth.ts'
import type { Ports } from '../../effects/ports.ts'
import { createApp, type SignetApp } from '../../src/engine/createApp.ts'
import { Auth } from '../../streams/auth/events.ts'
import { isSignedIn } from '../../streams/auth/rules.ts'
import { Router } from '../../streams/router/events.ts'
import { routeAt } from '../../streams/router/routes.ts'
import { type Clock, createClock } from '../support/clock.ts'
import { failing, type MailboxPorts, mailboxPorts } from '../support/ports.ts'
import { HOUR_MS, profile, session } from '../support/state.ts'

// The whole application as it ships over the mailbox model and fakes of the service, on virtual time: where it goes,
// and what is told of where it has been.

const START = Date.UTC(2026, 10, 20, 9)
const stage = { production: false, beta: false }

type Pane = Readonly<{ app: SignetApp; ports: MailboxPorts; clock: Clock }>

/** A pane that opens at this path; who it is for is signed in without a click unless `prepare` says otherwise. */
function open(path: string, prepare: (ports: MailboxPorts) => void = () => undefined): Pane {
  const clock = createClock(START)
  const { ports } = mailboxPorts(clock)
  ports.address.path$.next(path)
  ports.api.verify.answers(of(session({ expiresAt: START + 24 * HOUR_MS })))
  prepare(ports)
  const app = createApp(stage, (): Ports => ports)
  clock.advance(1000)
  return { app, ports, clock }
}

const signsInNobody = ({ api }: MailboxPorts) => {
  api.verify.answers(failing({ kind: 'http', status: 403, code: null, data: null }))
}
const hasSession = ({ storage }: MailboxPorts) => {
  const { token: _token, ...rest } = session({ expiresAt: START + HOUR_MS })
  storage.session.set(SESSION, { ...rest, token: 'kept' }).subscribe()
}

const pathOf = ({ app }: Pane) => app.state$.value.router.path
const go = ({ app, clock }: Pane, to: string) => {
  app.record(Router.navigationRequested({ to }))
  clock.advance(1000)
}
/** The names of what analytics was told, without those of inserted signatures. */
const told = ({ ports }: Pane) =>
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
  const free = [
    ['/about', 'AboutRoute', 'about'],
    ['/pages/about', 'AboutRoute', 'about'],
  ] as const

  it.each([...inApp, ...free])(
    '[NAV-1] %s is %s, and whoever is signed in stays there',
    (path, name, page) => {
      const pane = open(path)
      expect(isSignedIn(pane.app.state$.value.auth)).toBe(true)
      expect(pathOf(pane)).toBe(path)
      expect(pane.ports.address.gone).toEqual([])
      expect(routeAt(path)).toMatchObject({ name, page })
      expect(pane.app.state$.value.chunks[routeAt(path)?.page ?? 'dashboard']?.status).toBe('loaded')
    },
  )

  it('[NAV-1] {type} of the signatures is whatever stands there', () => {
    for (const type of ['main', 'delegations', 'Über%20uns', '2026.fair'])
      expect(routeAt(`/app/signatures/${type}?x=1`)).toEqual({
        name: 'SignaturesListRoute',
        page: 'signatures',
        type,
      })
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
  ])('[NAV-1] %s is no route and leads to /home, and from there who is signed in goes on', (path) => {
    const pane = open('/app/dashboard')
    go(pane, path)
    expect(pane.ports.address.gone).toEqual([path, '/home', '/app/dashboard'])
  })

  it('[NAV-1] what is no route leads to /home and nowhere else for who is not signed in', () => {
    const pane = open('/nowhere', signsInNobody)
    expect(pane.app.state$.value.auth.status).toBe('signedOut')
    expect(pane.ports.address.gone).toEqual(['/home'])
  })

  it.each(['/auth', '/auth/login', '/auth/logout', '/loading'])(
    '[NAV-8] %s is where one waits until it is known who somebody is',
    (path) => {
      const pane = open(path, ({ api }) => {
        api.verify.answers(NEVER, of(session({ expiresAt: START + HOUR_MS })))
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

describe('coming home', () => {
  it('[NAV-6] not signed in, one stays there, and nothing is loaded or told', () => {
    const pane = open('/home', signsInNobody)
    expect(pathOf(pane)).toBe('/home')
    expect(pane.ports.api.user.calls).toEqual([])
    expect(told(pane)).toEqual([])
  })

  it('[NAV-6] already signed in, the profile is loaded, task-pane-open is told, and the dashboard is next', () => {
    const pane = open('/home', hasSession)
    expect(pane.ports.api.verify.calls).toEqual([])
    expect(pane.ports.api.user.calls).toHaveLength(1)
    expect(pane.ports.analytics.track.calls).toEqual(
      expect.arrayContaining([[{ name: 'task_pane_open', userId: 'u-alex', parameters: { role: 'user' } }]]),
    )
    expect(told(pane)).toEqual(['task_pane_open'])
    expect(pathOf(pane)).toBe('/app/dashboard')
  })

  it('[NAV-6] once more, it is told once more, and a profile that is there is not loaded again', () => {
    const pane = open('/home', hasSession)
    go(pane, '/home')
    expect(told(pane)).toEqual(['task_pane_open', 'task_pane_open'])
    expect(pane.ports.api.user.calls).toHaveLength(1)
    expect(pathOf(pane)).toBe('/app/dashboard')
  })

  it('[NAV-6] a profile that could not be loaded is asked for again, and what waited for it is told then, once', () => {
    const pane = open('/home', (ports) => {
      hasSession(ports)
      ports.api.user.answers(failing({ kind: 'timeout' }), of(profile({ isAdmin: true })))
      // Its answer would have the profile asked for again by itself.
      ports.api.maintenance.answers(NEVER)
    })
    expect(told(pane)).toEqual([])
    go(pane, '/home')
    expect(pane.ports.api.user.calls).toHaveLength(2)
    expect(told(pane)).toEqual(['task_pane_open'])
    expect(pane.ports.analytics.track.calls.map(([{ parameters }]) => parameters['role'])).toContain('admin')
  })
})

describe('what is told of entering a place', () => {
  it('[NAV-7] the folder of delegations is told from every other', () => {
    const pane = open('/app/dashboard')
    for (const folder of ['main', 'delegations', 'delegations2', 'delegations'])
      go(pane, `/app/signatures/${folder}`)
    expect(told(pane)).toEqual([
      'task_pane_open',
      'signatures_opened other',
      'signatures_opened delegations',
      'signatures_opened other',
      'signatures_opened delegations',
    ])
  })

  it('[NAV-7] settings/variables is edit-profile; the same view under its other name is not', () => {
    const pane = open('/app/dashboard')
    go(pane, '/app/settings/attributes')
    go(pane, '/app/settings/config')
    expect(told(pane)).toEqual(['task_pane_open'])
    go(pane, '/app/settings/variables')
    expect(told(pane)).toEqual(['task_pane_open', 'edit_profile'])
  })

  it('[NAV-7] a pane that opens at a place tells it as soon as the profile is known; of a place left before, nothing', () => {
    const opened = open('/app/signatures/delegations')
    expect(told(opened).sort()).toEqual(['signatures_opened delegations', 'task_pane_open'])
    const left = open('/app/signatures/delegations', ({ api }) => {
      api.user.answers(NEVER, of(profile()))
    })
    go(left, '/app/dashboard')
    expect(told(left)).toEqual([])
  })
})

describe('/logout', () => {
  it('[NAV-7] tells disconnect, logs out, then goes to /home', () => {
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
    expect(told(pane)).toEqual(['task_pane_open', 'disconnect'])
  })

  it('[NAV-7] for however many answers that reject the session at the same time, disconnect is told once', () => {
    const pane = open('/app/dashboard')
    for (const _ of [1, 2]) {
      pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
      pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
      pane.clock.advance(1000)
      pane.app.record(Auth.signInRequested({ silent: false }))
      pane.clock.advance(1000)
    }
    expect(told(pane)).toEqual([
      ...['task_pane_open', 'disconnect'],
      ...['task_pane_open', 'disconnect'],
      'task_pane_open',
    ])
  })
})

describe('the fallback language', () => {
  it('[I18N-6] is spoken to people whose own is none of the seven', () => {
    const languageOf = (displayLanguage: string) => {
      const clock = createClock(START)
      const { ports } = mailboxPorts(clock)
      const app = createApp(stage, (): Ports => ({
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
