import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  alertsOf,
  type OrganisationSummary,
  organisationsPage,
  type OverseenDirectory,
} from '../../../../streams/organisation/figures/operating.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const AT = 1_800_000_000_000

const healthy: OrganisationSummary = {
  release: { id: 'a'.repeat(32), at: AT - HOUR_MS },
  people: 12,
  lastSync: { at: AT - MINUTE_MS, outcome: 'done' },
  lastDone: AT - MINUTE_MS,
}
const graph = (minutes: number) => ({ kind: 'graph', minutes }) as const
const scim = { kind: 'scim' } as const

const age = fc.integer({ min: 0, max: 10 * 24 * 60 }).map((minutes) => AT - minutes * MINUTE_MS)
const summary: fc.Arbitrary<OrganisationSummary> = fc.record({
  release: fc.option(fc.record({ id: fc.string(), at: age })),
  people: fc.nat({ max: 3 }),
  lastSync: fc.option(
    fc.record({
      at: age,
      outcome: fc.constantFrom('done' as const, 'needsLeave' as const, 'failed' as const),
    }),
  ),
  lastDone: fc.option(age),
})
const directory: fc.Arbitrary<OverseenDirectory | null> = fc.oneof(
  fc.constant(null),
  fc.constant(scim),
  fc.integer({ min: 1, max: 1440 }).map(graph),
)

describe('the alerts of an organisation', () => {
  test('are each there exactly while its figures say so', () => {
    fc.assert(
      fc.property(summary, directory, (known, connected) => {
        const { release, people, lastSync, lastDone } = known
        const alerts = alertsOf(known, { directory: connected, isRemoved: false }, AT)
        const isSynced = connected !== null
        const hasOutcome = (outcome: string) => isSynced && lastSync?.outcome === outcome
        const interval = connected?.kind === 'graph' ? connected.minutes * MINUTE_MS : Infinity
        const isOld = lastDone !== null && AT - lastDone > Math.max(3 * HOUR_MS, 3 * interval)
        const wanted = {
          unpublished: release === null,
          noPeople: people === 0,
          notSynced: isSynced && lastSync === null,
          syncFailed: hasOutcome('failed'),
          syncNeedsLeave: hasOutcome('needsLeave'),
          syncOld: isOld,
        }
        const due = Object.entries(wanted).flatMap(([alert, isDue]) => (isDue ? [alert] : []))
        expect(alerts.toSorted()).toEqual(due.sort())
      }),
    )
  })

  test('are none while all is well', () => {
    for (const each of [null, scim, graph(15)])
      expect(alertsOf(healthy, { directory: each, isRemoved: false }, AT)).toEqual([])
  })

  test('are only that its data is being deleted, once it is removed', () => {
    fc.assert(
      fc.property(summary, directory, (known, connected) => {
        expect(alertsOf(known, { directory: connected, isRemoved: true }, AT)).toEqual(['removing'])
      }),
    )
  })

  test.each([
    ['at three hours', 15, 3 * HOUR_MS, []],
    ['after three hours', 15, 3 * HOUR_MS + 1, ['syncOld']],
    ['at three long intervals', 120, 6 * HOUR_MS, []],
    ['after three long intervals', 120, 6 * HOUR_MS + 1, ['syncOld']],
  ])('call the last complete sync old: %s', (_, minutes, ago, alerts) => {
    const known = { ...healthy, lastDone: AT - ago }
    expect(alertsOf(known, { directory: graph(minutes), isRemoved: false }, AT)).toEqual(alerts)
    // SCIM runs only when something changes.
    expect(alertsOf(known, { directory: scim, isRemoved: false }, AT)).toEqual([])
  })

  test('are on the wire with the figures', () => {
    fc.assert(
      fc.property(summary, directory, fc.boolean(), (known, connected, isRemoved) => {
        const { lastDone: _, ...shown } = known
        const page = {
          at: AT,
          organisations: [
            {
              id: 'contoso',
              name: 'Contoso',
              tenants: 1,
              directory: connected?.kind ?? null,
              ...shown,
              alerts: alertsOf(known, { directory: connected, isRemoved }, AT),
            },
          ],
          next: null,
        }
        expect(organisationsPage.read(page, '')).toEqual(page)
      }),
    )
  })
})
