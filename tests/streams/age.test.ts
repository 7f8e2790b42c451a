import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageAt, nextAge } from '../../streams/kernel/age.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('the age of something', () => {
  test.each([
    [0, null],
    [MINUTE - 1, null],
    [-5 * MINUTE, null],
    [MINUTE, { unit: 'minutes', count: 1 }],
    [59 * MINUTE + 59_999, { unit: 'minutes', count: 59 }],
    [HOUR, { unit: 'hours', count: 1 }],
    [DAY - 1, { unit: 'hours', count: 23 }],
    [DAY, { unit: 'days', count: 1 }],
    [40 * DAY, { unit: 'days', count: 40 }],
  ])('[KNOW-5] after %i milliseconds is %o', (ms, expected) => {
    expect(ageAt(1000, 1000 + ms)).toEqual(expected)
  })

  test('[KNOW-5] stays until it is said to change, and changes then', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: -HOUR, max: 90 * DAY }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (since, ms, part) => {
          const moment = since + ms
          const next = nextAge(since, moment)
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
