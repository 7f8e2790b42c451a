import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { fetchMaintenanceStatus, scheduleStatusPolls } from '../../../effects/pane/maintenance.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Maintenance } from '../../../streams/pane/maintenance/events.ts'
import { withMarbles } from '../../support/marbles.ts'
import { type FakePorts, failing } from '../../support/ports.ts'
import { session, verification } from '../../support/state.ts'

const polling = { pollTicks: scheduleStatusPolls, fetchStatus: fetchMaintenanceStatus }
const PERSON = { kind: 'person' } as const
const MINUTE_MS = 60_000

describe('polling for maintenance', () => {
  const tick = (n: number) => Maintenance.ticked({ tick: n })
  const events = {
    l: Maintenance.loaded({ status: null }),
    f: Maintenance.loadFailed({ failure: { kind: 'timeout' } }),
    a: tick(0),
    b: tick(1),
    c: tick(2),
    d: tick(3),
  }
  const fetchedAt = (ports: FakePorts) =>
    ports.sent.filter(({ name }) => name === 'api.maintenance').map(({ at }) => at / MINUTE_MS)

  test('[MNT-1] fetches at once, then after 3 minutes, and each later interval is a minute longer', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const happened$ = react(polling, hot('a', { a: Auth.sessionRecovered({ session: session() }) }))
      expectEvents(happened$, '^ 13m !').toBe('(al) 179996ms (bl) 239996ms (cl) 299996ms (dl)', events)
      afterwards(() => {
        expect(fetchedAt(ports)).toEqual([0, 3, 7, 12])
      })
    })
  })

  test('[MNT-1] signing out cancels the timer', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const happened$ = react(
        polling,
        hot('a 4m b', {
          a: Auth.verified(verification()),
          b: Auth.signedOut({ reason: PERSON, userId: 'u-alex' }),
        }),
      )
      expectEvents(happened$, '^ 1440m !').toBe('(al) 179996ms (bl)', events)
      afterwards(() => {
        expect(fetchedAt(ports)).toEqual([0, 3])
      })
    })
  })

  test('[MNT-1] no fetch without a session', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(react(polling, hot('m-a-b', { ...events, m: Auth.sessionMissing() })), '^ 8m !').toBe('')
      afterwards(() => {
        expect(fetchedAt(ports)).toEqual([])
      })
    })
  })

  test('a new sign-in starts over with one timer', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const verified = Auth.verified(verification())
      expectEvents(react(polling, hot('a 1m b', { a: verified, b: verified })), '^ 5m !').toBe(
        '(al) 59997ms (al) 179996ms (bl)',
        events,
      )
      afterwards(() => {
        expect(fetchedAt(ports)).toEqual([0, 60_001 / MINUTE_MS, 240_001 / MINUTE_MS])
      })
    })
  })

  test('a tick during a fetch starts no other', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.maintenance.answers(cold('10ms (a|)', { a: 'planned' as const }))
      const happening$ = hot('a 4ms b 9ms c', events)
      const given = [Auth.sessionRecovered({ session: session() })]
      expectEvents(react({ fetchStatus: fetchMaintenanceStatus }, happening$, { given })).toBe(
        '10ms p 14ms p',
        {
          p: Maintenance.loaded({ status: 'planned' }),
        },
      )
      afterwards(() => {
        expect(ports.api.maintenance.calls).toHaveLength(2)
      })
    })
  })

  test('signing out cancels the fetch, and the next session does not wait for it', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.maintenance.answers(cold('50ms (a|)', { a: 'planned' as const }), of(null))
      const verified = Auth.verified(verification())
      const out = Auth.signedOut({ reason: PERSON, userId: 'u-alex' })
      expectEvents(react(polling, hot('a 9ms b 9ms c', { a: verified, b: out, c: verified })), '^ 1m !').toBe(
        'a 19ms (al)',
        events,
      )
      afterwards(() => {
        expect(ports.api.maintenance.cancelled()).toBe(1)
      })
    })
  })

  test('a failed fetch is recorded, and polling goes on', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.maintenance.answers(failing({ kind: 'timeout' }), of(null))
      const happened$ = react(polling, hot('a', { a: Auth.verified(verification()) }))
      expectEvents(happened$, '^ 4m !').toBe('(af) 179996ms (bl)', events)
    })
  })
})
