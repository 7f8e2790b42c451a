import { NEVER, of, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { AuditLog, MaintenanceChange, RollBack } from '../../streams/administration/overview/events.ts'
import { Place } from '../../streams/administration/place/events.ts'
import { Session } from '../../streams/administration/session/events.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { auditFact, auditPage, me, NOON, releaseId, releases } from '../support/administration/answers.ts'
import { fakeAdministrationPorts, startAdministrationAt } from '../support/administration/ports.ts'
import { found } from '../support/administration/people.ts'
import { createClock } from '../support/clock.ts'
import { failing } from '../support/ports.ts'

// What an administrator does on the page, through the whole program over fakes.

const rejected$ = failing({ kind: 'http', status: 401, code: 'invalid_token', data: null })
const conflict$ = failing({ kind: 'http', status: 409, code: 'base_moved', data: null })
const blocked$ = failing({ kind: 'auth', code: 'popup_window_error' })

function open(
  path = '/now',
  prepare: (ports: ReturnType<typeof fakeAdministrationPorts>) => void = () => {},
) {
  const ports = fakeAdministrationPorts(createClock(NOON))
  prepare(ports)
  const page = startAdministrationAt(path, ports)
  /** Of the service and the identity provider, in order. */
  const calls = () => ports.sent.map(({ name }) => name).filter((name) => !name.startsWith('drafts.'))
  return { ports, page, calls, state: () => page.state$.value }
}

describe('signing in', () => {
  test('happens without a window where someone is known, and loads what the place shows', () => {
    const { state, calls } = open('/now')
    expect(state().session).toEqual({ status: 'in', me: me() })
    expect(calls()).toEqual(['identity.known', 'api.me', 'api.overview', 'api.insight', 'api.approvals'])
  })

  test('waits for a press where no account is known, and asks the service nothing before', () => {
    const { page, state, calls } = open('/history', ({ identity }) => identity.known.answers(of(null)))
    expect(state().session).toEqual({ status: 'out', why: null })
    expect(calls()).toEqual(['identity.known'])
    page.record(Session.signInRequested())
    expect(state().session.status).toBe('in')
    expect(calls()).toEqual(['identity.known', 'identity.signIn', 'api.me', 'api.releases'])
  })

  test('says why it failed, and can be tried again', () => {
    const { page, state } = open('/now', ({ identity }) => {
      identity.known.answers(of(null))
      identity.signIn.answers(blocked$, of(undefined))
    })
    page.record(Session.signInRequested())
    expect(state().session).toMatchObject({
      status: 'out',
      why: { kind: 'failed', failure: { code: 'popup_window_error' } },
    })
    page.record(Session.signInRequested())
    expect(state().session.status).toBe('in')
  })

  test('opens one window, however often the button is pressed', () => {
    const { page, ports } = open('/now', ({ identity }) => {
      identity.known.answers(of(null))
      identity.signIn.answers(NEVER)
    })
    page.record(Session.signInRequested())
    page.record(Session.signInRequested())
    expect(ports.identity.signIn.calls).toHaveLength(1)
  })

  test('that meets an unexpected error logs its message, which the page does not show', () => {
    const { ports } = open('/now', ({ api }) => {
      api.me.answers(throwError(() => new TypeError('x is not a function')))
    })
    expect(ports.log.lines.map(({ level, action, detail }) => [level, action, detail])).toEqual([
      [
        'error',
        'unexpected_error',
        { event: 'session/signInFailed', error: 'TypeError: x is not a function' },
      ],
    ])
  })

  test('with another account forgets the first before the window opens', () => {
    const { page, calls, state, ports } = open('/now')
    ports.api.me.answers(of(me({ name: 'maria', roles: ['Signet.Read'] })))
    ports.api.overview.answers(NEVER)
    const before = calls().length
    page.record(Session.otherAccountRequested())
    expect(calls().slice(before, before + 3)).toEqual(['identity.forget', 'identity.signIn', 'api.me'])
    expect(state().session).toMatchObject({ status: 'in', me: { name: 'maria' } })
    expect(state().overview).toMatchObject({ status: 'pending' })
    expect(state().overview).not.toHaveProperty('value')
  })
})

describe('a session', () => {
  test('ends when a call is refused for its token, and goes on at the same place', () => {
    const { page, state, ports } = open('/now')
    ports.api.releases.answers(rejected$, of(releases()))
    ports.address.path$.next('/history')
    expect(state().session).toMatchObject({ status: 'out', why: { kind: 'expired' } })
    page.record(Session.signInRequested())
    expect(state().releases).toEqual({ status: 'success', value: releases() })
  })

  test('that another administrator opens after an expired one shows nothing of the first', () => {
    const { page, state, ports } = open('/people', ({ api }) =>
      api.listPeople.answers(of({ people: [found('p-ana')], next: null })),
    )
    expect(state().people.items).toHaveLength(1)
    ports.api.releases.answers(rejected$, of(releases()))
    ports.address.path$.next('/history')
    expect(state().session.status).toBe('out')
    expect(state().people.items).toHaveLength(1)
    ports.api.me.answers(of(me({ name: 'maria', organisation: 'Contoso' })))
    page.record(Session.signInRequested())
    expect(state().session).toMatchObject({ status: 'in', me: { name: 'maria' } })
    expect(state().people.items).toBeNull()
  })

  test('cancels with its end what still loads', () => {
    const { page, ports } = open('/now', ({ api }) => api.overview.answers(NEVER))
    expect(ports.api.overview.running()).toBe(1)
    page.record(Session.signOutRequested())
    expect(ports.api.overview.cancelled()).toBe(1)
  })

  test('is signed out at the identity provider, too, and forgets what was loaded', () => {
    const { page, state, calls } = open('/now')
    page.record(Session.signOutRequested())
    expect(calls().at(-1)).toBe('identity.signOut')
    expect(state().session).toEqual({ status: 'out', why: { kind: 'signedOut' } })
    expect(state().overview).toEqual({ status: 'idle' })
  })

  test('is signed out here when the identity provider fails', () => {
    const { page, state } = open('/now', ({ identity }) =>
      identity.signOut.answers(throwError(() => new Failed({ kind: 'network' }))),
    )
    page.record(Session.signOutRequested())
    expect(state().session.status).toBe('out')
  })
})

describe('a place', () => {
  test('is followed by the address, and loads again each time', () => {
    const { page, ports, state } = open('/now')
    page.record(Place.linkFollowed({ to: '/history' }))
    expect(ports.address.gone).toEqual(['/history'])
    expect(state().place.path).toBe('/history')
    expect(ports.api.releases.calls).toHaveLength(1)
    page.record(Place.linkFollowed({ to: '/now' }))
    expect(ports.api.overview.calls).toHaveLength(2)
  })

  test('asks nothing that the roles do not allow', () => {
    const { calls, ports } = open('/audit', ({ api }) => api.me.answers(of(me({ roles: ['Signet.Read'] }))))
    expect(calls()).toEqual(['identity.known', 'api.me'])
    ports.address.path$.next('/history')
    expect(calls().at(-1)).toBe('api.releases')
  })

  test('loads again what failed when the connection is back', () => {
    const { ports, state } = open('/now', ({ api }) => {
      api.overview.answers(failing({ kind: 'network' }))
    })
    expect(state().overview.status).toBe('fail')
    ports.connection.back$.next()
    expect(ports.api.overview.calls).toHaveLength(2)
    expect(ports.api.insight.calls).toHaveLength(1)
  })
})

describe('rolling back', () => {
  const toB = RollBack.requested({ release: releaseId('b'), note: 'Too early' })

  test('publishes the release again, with the note, and shows the new history', () => {
    const { page, ports, state } = open('/history')
    page.record(toB)
    expect(ports.api.rollBack.calls).toEqual([[releaseId('b'), 'Too early']])
    expect(state().rollBack.attempt.status).toBe('success')
    expect(state().releases).toMatchObject({ value: { current: releaseId('b') } })
  })

  test('happens once, however often it is asked for, and goes on elsewhere', () => {
    const { page, ports, state } = open('/history', ({ api }) => api.rollBack.answers(NEVER))
    page.record(toB)
    page.record(toB)
    ports.address.path$.next('/now')
    expect(ports.api.rollBack.calls).toHaveLength(1)
    expect(ports.api.rollBack.running()).toBe(1)
    expect(state().rollBack.attempt.status).toBe('pending')
  })

  test('says that another release was published meanwhile, and loads the history', () => {
    const { page, ports, state } = open('/history', ({ api }) => api.rollBack.answers(conflict$))
    page.record(toB)
    expect(state().rollBack.attempt).toMatchObject({ status: 'fail', failure: { status: 409 } })
    expect(ports.api.releases.calls).toHaveLength(2)
    expect(state().releases.status).toBe('success')
  })
})

test('the maintenance is set, and shown as the service answers it', () => {
  const { page, ports, state } = open('/maintenance', ({ api }) => api.setMaintenance.answers(of('planned')))
  page.record(MaintenanceChange.requested({ status: 'active' }))
  expect(ports.api.setMaintenance.calls).toEqual([['active']])
  expect(state().overview).toMatchObject({ value: { maintenance: 'planned' } })
  ports.api.setMaintenance.answers(failing({ kind: 'timeout' }))
  page.record(MaintenanceChange.requested({ status: null }))
  expect(state().maintenanceChange).toEqual({ status: 'fail', failure: { kind: 'timeout' } })
  expect(state().overview).toMatchObject({ value: { maintenance: 'planned' } })
})

test('the audit log is asked for page by page', () => {
  const [first, second] = [auditPage({ next: 'two' }), auditPage({ facts: [auditFact({ at: 1 })] })]
  const { page, ports, state } = open('/audit', ({ api }) => api.audit.answers(of(first), of(second)))
  page.record(AuditLog.moreRequested())
  expect(ports.api.audit.calls).toEqual([[null], ['two']])
  expect(state().audit.items).toEqual([...first.facts, ...second.facts])
  page.record(AuditLog.moreRequested())
  expect(ports.api.audit.calls).toHaveLength(2)
})

test('a stopped page asks nothing more', () => {
  const { page, ports } = open('/now')
  page.stop()
  page.record(Place.linkFollowed({ to: '/history' }))
  expect(ports.address.gone).toEqual([])
})
