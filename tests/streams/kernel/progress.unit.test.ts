import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  mergeProgress,
  isReportDue,
  UNCOUNTED_PROGRESS,
  finishedFraction,
  type Progress,
  ITEMS_PER_REPORT,
  REPORT_INTERVAL_MS,
} from '../../../streams/kernel/progress.ts'
import { cases } from '../../support/cases.ts'

const counts = fc.nat({ max: 3_000 })
const reports = fc.array(fc.record({ done: counts, of: counts }), { maxLength: 30 })
const after = (all: readonly Progress[]) => all.reduce(mergeProgress, UNCOUNTED_PROGRESS)

describe('progress', () => {
  test('never goes back, and never exceeds what there is to do, in whatever order it is reported', () => {
    fc.assert(
      fc.property(reports, (all) => {
        let before = UNCOUNTED_PROGRESS
        for (const report of all) {
          const next = mergeProgress(before, report)
          expect(next.done).toBeGreaterThanOrEqual(Math.max(before.done, report.done))
          expect(next.of).toBeGreaterThanOrEqual(Math.max(before.of, report.of))
          expect(next.done).toBeLessThanOrEqual(next.of)
          expect([before.done, report.done]).toContain(next.done)
          expect([before.of, report.of, next.done]).toContain(next.of)
          before = next
        }
        expect(after(all.toReversed())).toEqual(before)
      }),
      cases(300),
    )
  })

  test('is the same object when nothing changed', () => {
    const before = { done: 5, of: 9 }
    for (const report of [before, { done: 4, of: 9 }, { done: 5, of: 8 }, UNCOUNTED_PROGRESS])
      expect(mergeProgress(before, { ...report })).toBe(before)
    expect(mergeProgress(before, { done: 6, of: 9 })).toEqual({ done: 6, of: 9 })
    expect(mergeProgress(before, { done: 5, of: 10 })).toEqual({ done: 5, of: 10 })
    expect(mergeProgress(before, { done: 12, of: 9 })).toEqual({ done: 12, of: 12 })
  })

  test('is a part of what there is, once that is counted', () => {
    expect(finishedFraction(UNCOUNTED_PROGRESS)).toBeNull()
    expect(finishedFraction({ done: 0, of: 4 })).toBe(0)
    expect(finishedFraction({ done: 3, of: 4 })).toBe(0.75)
  })
})

describe('a report', () => {
  const last = { done: 100, of: 2_000 }
  const at = (done: number, of = 2_000) => ({ done, of })
  test.each<[string, Progress | null, Progress, number, boolean]>([
    ['is due at first', null, UNCOUNTED_PROGRESS, 0, true],
    ['waits for enough items', last, at(99 + ITEMS_PER_REPORT), REPORT_INTERVAL_MS - 1, false],
    ['is due after enough items', last, at(100 + ITEMS_PER_REPORT), 0, true],
    ['is due after a time', last, at(101), REPORT_INTERVAL_MS, true],
    ['is due at the end', last, at(2_000), 0, true],
    ['is due at the end of few', { done: 0, of: 3 }, at(3, 3), 0, true],
    ['says nothing twice', last, last, REPORT_INTERVAL_MS, false],
  ])('%s', (_, reported, now, sinceMs, isDue) => {
    expect(isReportDue(reported, now, sinceMs)).toBe(isDue)
  })

  test('at the end is made once', () => {
    const end = at(2_000)
    expect(isReportDue(end, end, 0)).toBe(false)
  })
})
