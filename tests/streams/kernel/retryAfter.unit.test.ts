import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRetryAfter } from '../../../streams/kernel/retryAfter.ts'

const DATE = 'Fri, 20 Nov 2026 09:00:00 GMT'
const MAX_MS = 60_000

describe('Retry-After', () => {
  test('in seconds is that long, and a minute at most', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(DATE, ''), (seconds, date) => {
        const expected = seconds === 0 ? undefined : Math.min(seconds * 1000, MAX_MS)
        expect(readRetryAfter(String(seconds), date)).toBe(expected)
      }),
    )
    expect(readRetryAfter('9'.repeat(400), DATE)).toBe(MAX_MS)
  })

  test('as a date counts from the date of the answer, whatever the clock here says', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
        const at = new Date(Date.parse(DATE) + seconds * 1000).toUTCString()
        expect(readRetryAfter(at, DATE)).toBe(seconds > 0 ? Math.min(seconds * 1000, MAX_MS) : undefined)
        expect(readRetryAfter(at, '')).toBeUndefined()
      }),
    )
  })

  test.each(['', '-5', '1.5', '5 s', 'soon', '0', '١٢', '5, 10', 'soon GMT', '1e3', 'Infinity'])(
    'is ignored where it says nothing: %j',
    (text) => {
      expect(readRetryAfter(text, DATE)).toBeUndefined()
    },
  )
})
