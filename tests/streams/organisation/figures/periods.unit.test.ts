import { fc, test } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import {
  AHEAD_DAYS,
  aheadUntil,
  findingChangingPeriods,
  MAX_CHANGING,
  nextChangeOf,
} from '../../../../streams/organisation/figures/periods.ts'
import { DAY_MS, dayOf } from '../../../../streams/organisation/release/names.ts'
import type { Period } from '../../../../streams/organisation/release/release.ts'
import { isPeriodOpen } from '../../../../streams/organisation/rules/rules.ts'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import { block } from '../../../support/blocks.ts'
import { northwind } from '../../../support/northwind.ts'

const AT = Date.parse('2026-11-23T12:00:00Z')
const HOUR_MS = DAY_MS / 24

const zone = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'],
  ...['Asia/Kolkata', 'Africa/Cairo', 'Europe/Nowhere'],
)
/** A period around `AT`. Some end before they begin. */
const period: fc.Arbitrary<Period> = fc
  .tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -2, max: 60 }), zone)
  .map(([first, days, timeZone]) => ({
    from: dayOf(AT + first * DAY_MS),
    to: dayOf(AT + (first + days) * DAY_MS),
    timeZone,
  }))
const time = fc.integer({ min: -48, max: 48 }).map((hours) => AT + hours * HOUR_MS)

const [own] = northwind.document.signatures
if (!own) throw new Error('The demonstration has signatures.')
const signatureDuring = (id: string, during: Period | null) => ({ ...own, id, name: `Named ${id}`, during })
const blockDuring = (id: string, during: Period | null) => block({ id, name: `Named ${id}`, during })
const found = (during: readonly (Period | null)[], at: number) =>
  runSteps(
    findingChangingPeriods(
      { signatures: during.map((each, i) => signatureDuring(`s${String(i)}`, each)) },
      at,
    ),
  )

test.prop([period, time])(
  'a period is listed exactly when it begins or ends at a time after now, and at most 30 days later',
  (during, at) => {
    const hours = Array.from({ length: AHEAD_DAYS * 24 }, (_, hour) => at + (hour + 1) * HOUR_MS)
    // Every zone above changes the day at a full or half hour.
    const times = hours.flatMap((each) => [each - HOUR_MS / 2, each])
    const changes = times.some((each) => isPeriodOpen(during, each) !== isPeriodOpen(during, at))
    expect(found([during, null], at)).toEqual({
      at,
      periods: changes ? [{ of: 'signature', id: 's0', name: 'Named s0', during }] : [],
      more: 0,
    })
  },
)

test.prop([period, time])(
  'the next change is the first time at which a period opens or closes',
  (during, at) => {
    const next = nextChangeOf(during, at)
    if (next === null) {
      for (let days = 0; days <= 200; days += 1) expect(isPeriodOpen(during, at + days * DAY_MS)).toBe(false)
      return
    }
    expect(next).toBeGreaterThan(at)
    expect(isPeriodOpen(during, next - 1)).toBe(isPeriodOpen(during, at))
    expect(isPeriodOpen(during, next)).toBe(!isPeriodOpen(during, at))
  },
)

test.prop([fc.array(period, { maxLength: 3 * MAX_CHANGING }), time])(
  'of many periods, those that change first are listed, and the others counted',
  (all, at) => {
    const { periods, more } = found(all, at)
    const nexts = (listed: readonly Period[]) => listed.map((during) => nextChangeOf(during, at) ?? 0)
    const due = nexts(all.filter((each) => (nextChangeOf(each, at) ?? Infinity) <= aheadUntil(at)))
    expect(nexts(periods.map(({ during }) => during))).toEqual(
      due.sort((one, other) => one - other).slice(0, MAX_CHANGING),
    )
    expect(periods.length + more).toBe(due.length)
  },
)

it('signatures and blocks are listed together, each with its own days', () => {
  const inBerlin = { from: '2026-11-30', to: '2026-12-12', timeZone: 'Europe/Berlin' }
  const inTokyo = { from: '2026-09-01', to: '2026-11-24', timeZone: 'Asia/Tokyo' }
  const always = { from: '2026-01-01', to: '2026-12-31', timeZone: 'UTC' }
  const { periods } = runSteps(
    findingChangingPeriods(
      {
        signatures: [signatureDuring('winter', inBerlin), signatureDuring('always', always)],
        blocks: [blockDuring('autumn', inTokyo), blockDuring('careers', null)],
      },
      AT,
    ),
  )
  expect(periods).toEqual([
    { of: 'block', id: 'autumn', name: 'Named autumn', during: inTokyo },
    { of: 'signature', id: 'winter', name: 'Named winter', during: inBerlin },
  ])
})
