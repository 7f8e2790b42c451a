import { type Observable, of, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import { DROP_INTERVAL_MS, dropOld } from '../../../effects/organisation/dropOld.ts'
import { CLICKS_KEPT_MS } from '../../../streams/organisation/figures/clicks.ts'
import { REPORTED_KEPT_MS } from '../../../streams/organisation/figures/reported.ts'
import { createClock } from '../../support/clock.ts'

const START = 1_790_000_000_000
const DAY_MS = 24 * 60 * 60 * 1000

function dropping(over: (times: number) => Observable<unknown> = () => of(null)) {
  const clock = createClock()
  const told: number[] = []
  const clicks: number[] = []
  const plans: number[] = []
  const subscription = dropOld(
    {
      now: () => START + clock.scheduler.now(),
      dropReported: (before) => over(told.push(before)),
      dropClicks: (before) => of(clicks.push(before)),
      dropPlans: (at) => of(plans.push(at)),
    },
    clock,
  ).subscribe()
  return { clock, told, clicks, plans, subscription }
}

it('drops what was told more than 90 days ago, and plans that are over, at once and every hour', () => {
  const { clock, told, plans, subscription } = dropping()
  expect(REPORTED_KEPT_MS).toBe(90 * DAY_MS)
  const begun = plans[0] ?? 0
  expect(told).toEqual([begun - 90 * DAY_MS])
  clock.advance(DROP_INTERVAL_MS - 1)
  expect(plans).toHaveLength(1)
  clock.advance(1)
  expect(plans).toEqual([begun, begun + DROP_INTERVAL_MS])
  expect(told).toEqual(plans.map((at) => at - 90 * DAY_MS))
  subscription.unsubscribe()
  clock.advance(10 * DROP_INTERVAL_MS)
  expect(plans).toHaveLength(2)
})

it('drops clicks of more than 400 days ago, although reports are not dropped', () => {
  const { clock, clicks, plans } = dropping(() => throwError(() => new Error('away')))
  clock.advance(DROP_INTERVAL_MS)
  expect(CLICKS_KEPT_MS).toBe(400 * DAY_MS)
  expect(clicks).toEqual(plans.map((at) => at - 400 * DAY_MS))
})

it('tries again after an hour, and drops plans although the other fails', () => {
  const { clock, told, plans } = dropping((times) =>
    times === 1 ? throwError(() => new Error('away')) : of(null),
  )
  expect([told.length, plans.length]).toEqual([1, 1])
  clock.advance(DROP_INTERVAL_MS)
  expect([told.length, plans.length]).toEqual([2, 2])
})
