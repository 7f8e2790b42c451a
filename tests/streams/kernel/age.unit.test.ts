import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageAt, nextAgeChange } from '../../../streams/kernel/age.ts'
import { DAY_MS, HOUR_MS } from '../../support/state.ts'

const MINUTE_MS = 60_000

describe('the age of something', () => {
  test.each([
    [0, null],
    [MINUTE_MS - 1, null],
    [-5 * MINUTE_MS, null],
    [MINUTE_MS, { unit: 'minutes', count: 1 }],
    [59 * MINUTE_MS + 59_999, { unit: 'minutes', count: 59 }],
    [HOUR_MS, { unit: 'hours', count: 1 }],
    [DAY_MS - 1, { unit: 'hours', count: 23 }],
    [DAY_MS, { unit: 'days', count: 1 }],
    [40 * DAY_MS, { unit: 'days', count: 40 }],
  ])('[KNOW-5] after %i milliseconds is %o', (ms, expected) => {
    expect(ageAt(1000, 1000 + ms)).toEqual(expected)
  })

  test('[KNOW-5] is the same until `nextAgeChange`, and another one then', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: -HOUR_MS, max: 90 * DAY_MS }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (since, ms, part) => {
          const moment = since + ms
          const next = nextAgeChange(since, moment)
          expect(next).toBeGreaterThan(moment)
          const between = moment + Math.floor(part * (next - moment))
          expect(ageAt(since, between)).toEqual(ageAt(since, moment))
          expect(ageAt(since, next - 1)).toEqual(ageAt(since, moment))
          expect(ageAt(since, next)).not.toEqual(ageAt(since, moment))
        },
      ),
    )
  })
})
