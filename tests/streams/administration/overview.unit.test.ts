import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import {
  AuditLog,
  InsightLoad,
  MaintenanceChange,
  OverviewLoad,
  ReleasesLoad,
  RollBack,
} from '../../../streams/administration/overview/events.ts'
import { AREAS, areaNames, areaOf, START_PATH } from '../../../streams/administration/place/areas.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { readAdministrators } from '../../../streams/administration/session/administrators.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import {
  endsSession,
  hasRole,
  isOtherOwner,
  lacksRole,
  mayEnter,
  refusesAccount,
} from '../../../streams/administration/session/rules.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { wasBegunBy, loadedValue } from '../../../streams/kernel/load.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { roles } from '../../../streams/wire/administration/insight.ts'
import { failure as anyFailure } from '../../support/arbitraries.ts'
import {
  auditFact,
  auditPage,
  insight,
  me,
  overview,
  releaseId,
  releases,
} from '../../support/administration/answers.ts'
import { administrationStateAfter, at, recorded } from '../../support/administration/story.ts'
import { deepFreeze } from '../../support/state.ts'

const path = fc.constantFrom(...areaNames.map((area) => `/${area}`), '/people/u-1?at=3', '/nowhere', '/home')
const release = fc.constantFrom('a', 'b', 'c').map(releaseId)
const status = fc.constantFrom(null, 'planned' as const, 'active' as const)
const failure = anyFailure
const after = fc.constantFrom(null, 'one', 'two')
const page = fc.record({
  facts: fc.array(
    fc.integer({ min: 0, max: 99 }).map((time) => auditFact({ at: time })),
    { maxLength: 3 },
  ),
  next: after,
})
const someRoles = fc.subarray([...roles])
const administrators = fc.array(fc.record({ name: fc.string(), roles: someRoles }), { maxLength: 3 })

/** The events of session, place and overview. */
const event: fc.Arbitrary<AdministrationEvent> = fc.oneof(
  path.map((to) => Place.linkFollowed({ to })),
  path.map((changed) => Place.changed({ path: changed })),
  path.map((entered) => Place.entered({ path: entered })),
  fc.constant(Place.retryRequested()),
  administrators.map((read) => Session.administratorsRead({ administrators: read })),
  fc.boolean().map((known) => Session.started({ known })),
  fc.constantFrom(
    Session.signInRequested(),
    Session.otherAccountRequested(),
    Session.signOutRequested(),
    Session.signedOut(),
  ),
  someRoles.map((has) => Session.opened({ me: me({ roles: has }) })),
  failure.map((why) => Session.signInFailed({ failure: why })),
  failure.map((why) => Session.expired({ failure: why })),
  fc.constant(OverviewLoad.loaded({ value: overview() })),
  failure.map((why) => OverviewLoad.loadFailed({ failure: why })),
  fc.constant(InsightLoad.loaded({ value: insight() })),
  failure.map((why) => InsightLoad.loadFailed({ failure: why })),
  fc.constant(ReleasesLoad.loaded({ value: releases() })),
  failure.map((why) => ReleasesLoad.loadFailed({ failure: why })),
  release.map((to) => RollBack.requested({ release: to, note: '' })),
  release.map((to) => RollBack.done({ release: to, history: releases().history })),
  failure.map((why) => RollBack.failed({ failure: why })),
  status.map((to) => MaintenanceChange.requested({ status: to })),
  status.map((to) => MaintenanceChange.done({ status: to })),
  failure.map((why) => MaintenanceChange.failed({ failure: why })),
  fc.constant(AuditLog.moreRequested()),
  fc.record({ query: fc.constant(null), after, page }).map((loaded) => AuditLog.pageLoaded(loaded)),
  failure.map((why) => AuditLog.pageFailed({ failure: why })),
)
const log = fc.array(event, { maxLength: 25 })
const anyState = log.map((events) => deepFreeze(administrationStateAfter(...events)))
const next = (given: AdministrationEvent) => ({ ...given, meta: { seq: 99, at: 0, source: 'test' } })

describe('the setting of who can sign in', () => {
  test('is read as the server writes it', () => {
    fc.assert(
      fc.property(administrators, (written) => {
        expect(readAdministrators(JSON.stringify(written))).toEqual(written)
      }),
    )
  })

  test('names nobody when a server writes none', () => {
    expect(readAdministrators(undefined)).toEqual([])
  })

  test('is refused with an unknown role', () => {
    expect(() => readAdministrators('[{"name":"Alex","roles":["Signet.All"]}]')).toThrow()
  })
})

describe('every state of the administration page', () => {
  test('takes every event, and changes nothing that it is given', () => {
    fc.assert(
      fc.property(anyState, event, (state, given) => {
        expect(Object.keys(evolveAdministration(state, next(given)))).toEqual(Object.keys(state))
      }),
    )
  })

  test('forgets with the session everything but the place, and who can sign in', () => {
    fc.assert(
      fc.property(
        anyState,
        fc.constantFrom(Session.signedOut(), Session.otherAccountRequested()),
        (state, end) => {
          const {
            place,
            session,
            administrators: known,
            ...forgotten
          } = evolveAdministration(state, next(end))
          const { place: _place, session: _session, administrators: _known, ...fresh } = initialState
          expect(forgotten).toEqual(fresh)
          expect(place).toEqual(state.place)
          expect(known).toEqual(state.administrators)
          expect(session.status).not.toBe('in')
        },
      ),
    )
  })

  test('keeps what was loaded while it loads again, and when that fails', () => {
    fc.assert(
      fc.property(anyState, failure, (state, why) => {
        const entered = evolveAdministration(state, next(Place.entered({ path: '/now' })))
        expect(loadedValue(entered.overview)).toEqual(loadedValue(state.overview))
        const failed = evolveAdministration(entered, next(OverviewLoad.loadFailed({ failure: why })))
        expect(loadedValue(failed.overview)).toEqual(loadedValue(state.overview))
        expect(failed.overview.status).toBe('fail')
      }),
    )
  })
})

describe('coming to an area', () => {
  test('loads what it shows, and nothing that it does not show', () => {
    fc.assert(
      fc.property(path, (entered) => {
        const arriving = next(Place.entered({ path: entered }))
        const state = evolveAdministration(initialState, arriving)
        const area = areaOf(entered)
        expect(wasBegunBy(state.overview, arriving)).toBe(
          area === 'now' || area === 'maintenance' || area === 'directory',
        )
        expect(wasBegunBy(state.insight, arriving)).toBe(
          area === 'now' || area === 'signatures' || area === 'blocks',
        )
        expect(wasBegunBy(state.releases, arriving)).toBe(area === 'history' || area === 'plan')
        expect(wasBegunBy(state.audit.load, arriving)).toBe(area === 'audit')
      }),
    )
  })

  test('takes the role of its calls', () => {
    fc.assert(
      fc.property(path, someRoles, (to, has) => {
        const area = areaOf(to)
        const { session } = administrationStateAfter(Session.opened({ me: me({ roles: has }) }))
        expect(mayEnter(session, to)).toBe(area !== null && has.includes(AREAS[area]))
        expect(mayEnter({ status: 'out', why: null }, to)).toBe(false)
      }),
    )
  })

  test('finds the area of what is below it, and none elsewhere', () => {
    for (const area of areaNames) {
      expect(areaOf(`/${area}`)).toBe(area)
      expect(areaOf(`/${area}/u-1`)).toBe(area)
      expect(areaOf(`/${area}?at=3`)).toBe(area)
      expect(areaOf(`/${area}s`)).toBeNull()
    }
    expect(areaOf('/')).toBeNull()
    expect(areaOf('/constructor')).toBeNull()
    expect(areaOf(START_PATH)).toBe('now')
  })

  test('retries what failed alone', () => {
    const state = administrationStateAfter(
      ...at('/now'),
      OverviewLoad.loaded({ value: overview() }),
      InsightLoad.loadFailed({ failure: { kind: 'network' } }),
      Place.retryRequested(),
    )
    expect(state.overview.status).toBe('success')
    expect(state.insight.status).toBe('pending')
    expect(state.releases.status).toBe('idle')
  })
})

describe('the session', () => {
  const { session } = initialState

  test('is tried without a button only where someone is known', () => {
    expect(administrationStateAfter(Session.started({ known: true })).session).toBe(session)
    expect(administrationStateAfter(Session.started({ known: false })).session).toEqual({
      status: 'out',
      why: null,
    })
  })

  test('opens a window on a press alone, once', () => {
    const out = administrationStateAfter(Session.started({ known: false }))
    const asking = evolveAdministration(out, next(Session.signInRequested()))
    expect(asking.session.status).toBe('asking')
    expect(evolveAdministration(asking, next(Session.signInRequested()))).toBe(asking)
  })

  test('ends by an expiry only while it is open', () => {
    fc.assert(
      fc.property(anyState, failure, (state, why) => {
        const ended = evolveAdministration(state, next(Session.expired({ failure: why })))
        expect(ended.session).toEqual(
          state.session.status === 'in'
            ? { status: 'out', why: { kind: 'expired', failure: why } }
            : state.session,
        )
      }),
    )
  })

  test.each<readonly [events: readonly AdministrationEvent[], session: unknown]>([
    [[Session.otherAccountRequested()], { status: 'asking' }],
    [[Session.signInRequested()], { status: 'opening' }],
    [[Session.opened({ me: me() })], { status: 'in', me: me() }],
    [
      [Session.signInFailed({ failure: { kind: 'network' } })],
      { status: 'out', why: { kind: 'failed', failure: { kind: 'network' } } },
    ],
    [[Session.opened({ me: me() }), Session.signedOut()], { status: 'out', why: { kind: 'signedOut' } }],
  ])('after %j is %j', (events, expected) => {
    expect(administrationStateAfter(...events).session).toEqual(expected)
  })

  test('has the roles of who signed in', () => {
    const opened = administrationStateAfter(Session.opened({ me: me({ roles: ['Signet.Audit'] }) })).session
    expect([hasRole(opened, 'Signet.Audit'), hasRole(opened, 'Signet.Read')]).toEqual([true, false])
    expect(hasRole(session, 'Signet.Audit')).toBe(false)
  })

  test.each([
    [{ kind: 'http', status: 403, code: 'role_missing', data: null }, true],
    [{ kind: 'http', status: 403, code: 'other', data: null }, false],
    [{ kind: 'http', status: 401, code: 'role_missing', data: null }, false],
    [{ kind: 'network' }, false],
  ] as const)('lacks a role after %j: %s', (why, lacks) => {
    expect(lacksRole(why)).toBe(lacks)
  })

  const alex = { name: 'alex', organisation: 'Northwind' }
  test.each([
    [null, null, false],
    [null, alex, false],
    [alex, null, false],
    [alex, { ...alex }, false],
    [alex, { ...alex, name: 'maria' }, true],
    [alex, { ...alex, organisation: 'Contoso' }, true],
  ])('of %j and then %j is that of another one: %s', (before, now, other) => {
    expect(isOtherOwner(before, now)).toBe(other)
  })

  test('is of an account that is refused after a 403, and after nothing else', () => {
    expect(refusesAccount({ kind: 'http', status: 403, code: 'any', data: null })).toBe(true)
    fc.assert(
      fc.property(failure, (why) => {
        expect(refusesAccount(why)).toBe(why.kind === 'http' && why.status === 403)
      }),
    )
  })

  test('is over after a 401 or without a token, and after nothing else', () => {
    fc.assert(
      fc.property(failure, (why) => {
        expect(endsSession(why)).toBe(why.kind === 'auth' || (why.kind === 'http' && why.status === 401))
      }),
    )
  })
})

describe('rolling back', () => {
  const loaded = [...at('/history'), ReleasesLoad.loaded({ value: releases() })]
  const asked = [...loaded, RollBack.requested({ release: releaseId('b'), note: '' })]

  test('is asked for once at a time', () => {
    const state = administrationStateAfter(...asked)
    expect(evolveAdministration(state, next(RollBack.requested({ release: releaseId('a'), note: '' })))).toBe(
      state,
    )
  })

  test('shows the new history at once', () => {
    const history = [...releases().history].reverse()
    const state = administrationStateAfter(...asked, RollBack.done({ release: releaseId('b'), history }))
    expect(loadedValue(state.releases)).toEqual({ ...releases(), current: releaseId('b'), history })
    expect(state.rollBack).toEqual({ attempt: { status: 'success' }, release: releaseId('b') })
  })

  test('loads the history again after a conflict alone', () => {
    fc.assert(
      fc.property(failure, (why) => {
        const events = recorded([...asked, RollBack.failed({ failure: why })])
        const state = replayLog(initialState, evolveAdministration, events)
        expect(state.releases.status).toBe(why.kind === 'http' && why.status === 409 ? 'pending' : 'success')
        expect(state.rollBack.attempt).toEqual({ status: 'fail', failure: why })
      }),
    )
  })

  test('is forgotten at the next place, but not while it runs', () => {
    const elsewhere = next(Place.entered({ path: '/now' }))
    const running = administrationStateAfter(...asked)
    expect(evolveAdministration(running, elsewhere).rollBack).toBe(running.rollBack)
    const failed = administrationStateAfter(...asked, RollBack.failed({ failure: { kind: 'network' } }))
    expect(evolveAdministration(failed, elsewhere).rollBack).toEqual({
      attempt: { status: 'idle' },
      release: null,
    })
  })
})

describe('the maintenance', () => {
  test('is shown as soon as it is set', () => {
    fc.assert(
      fc.property(status, (to) => {
        const state = administrationStateAfter(
          ...at('/maintenance'),
          OverviewLoad.loaded({ value: overview() }),
          MaintenanceChange.requested({ status: to }),
          MaintenanceChange.done({ status: to }),
        )
        expect(loadedValue(state.overview)).toEqual(overview({ maintenance: to }))
        expect(state.maintenanceChange.status).toBe('success')
      }),
    )
  })
})

describe('the audit log', () => {
  test('is the pages one after the other, and begins again on the next visit', () => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 5 }), page, (pages, first) => {
        const events: AdministrationEvent[] = [...at('/audit')]
        let asked: string | null = null
        for (const each of pages) {
          events.push(AuditLog.pageLoaded({ query: null, after: asked, page: each }))
          asked = each.next
          if (asked === null) break
          events.push(AuditLog.moreRequested())
        }
        const shown = events.flatMap((each) =>
          each.type === 'audit/pageLoaded' ? [...each.data.page.facts] : [],
        )
        expect(administrationStateAfter(...events).audit.items).toEqual(shown)
        const again = [
          Place.entered({ path: '/audit' }),
          AuditLog.pageLoaded({ query: null, after: null, page: first }),
        ]
        expect(administrationStateAfter(...events, ...again).audit).toMatchObject({
          items: first.facts,
          next: first.next,
        })
      }),
    )
  })

  test('knows the people of all its pages, and after the next visit only those of the first', () => {
    const named = (id: string, next: string | null) =>
      auditPage({ facts: [], next, people: { [id]: { name: id, address: '' } }, labels: { a: id } })
    const first = [...at('/audit'), AuditLog.pageLoaded({ query: null, after: null, page: named('a', 'n') })]
    const both = [
      ...first,
      AuditLog.moreRequested(),
      AuditLog.pageLoaded({ query: null, after: 'n', page: named('b', null) }),
    ]
    const known = (...events: readonly AdministrationEvent[]) => {
      const { people, labels } = administrationStateAfter(...events).audit
      return [Object.keys(people ?? {}), labels]
    }
    expect(known(...both)).toEqual([['a', 'b'], { a: 'b' }])
    expect(known(...both, AuditLog.pageLoaded({ query: null, after: 'n', page: named('c', null) }))).toEqual([
      ...[['a', 'b'], { a: 'b' }],
    ])
    const again = AuditLog.pageLoaded({ query: null, after: null, page: named('d', null) })
    expect(known(...both, Place.entered({ path: '/audit' }), again)).toEqual([['d'], { a: 'd' }])
    const { people: _, ...old } = named('a', null)
    const before = [...at('/audit'), AuditLog.pageLoaded({ query: null, after: null, page: old })]
    expect(administrationStateAfter(...before).audit.people).toBeUndefined()
  })

  test('asks for a page that there is, once at a time', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const more = evolveAdministration(state, next(AuditLog.moreRequested()))
        const { audit } = state
        if (audit.next === null || audit.load.status === 'pending') expect(more).toBe(state)
        else expect(more.audit).toMatchObject({ next: audit.next, load: { status: 'pending' } })
      }),
    )
  })

  test('asks again for the page that failed', () => {
    const state = administrationStateAfter(
      ...at('/audit'),
      AuditLog.pageLoaded({ query: null, after: null, page: { facts: [], next: 'two' } }),
      AuditLog.moreRequested(),
      AuditLog.pageFailed({ failure: { kind: 'network' } }),
      Place.retryRequested(),
    )
    expect(state.audit).toMatchObject({ next: 'two', load: { status: 'pending' } })
  })
})
