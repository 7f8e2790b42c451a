/** The progress of work: `done` of `of` items. Both are 0 before the items are counted. */
export type Progress = Readonly<{ done: number; of: number }>

export const UNCOUNTED_PROGRESS: Progress = { done: 0, of: 0 }

/**
 * The progress after another report. The numbers never decrease, and `done` never exceeds `of`, because reports may
 * arrive out of order and people may join during the count. Returns the same reference when nothing changed.
 */
export function mergeProgress(before: Progress, report: Progress): Progress {
  const done = Math.max(before.done, report.done)
  const of = Math.max(before.of, report.of, done)
  return done === before.done && of === before.of ? before : { done, of }
}

/** The number of items between two reports. */
export const ITEMS_PER_REPORT = 500
/** The longest time between two reports, in milliseconds, if fewer than `ITEMS_PER_REPORT` items are done. */
export const REPORT_INTERVAL_MS = 1_000

/**
 * Whether to report progress again. Reports are rare, so that they cost little compared with the work.
 * @param reported the last report; null before the first
 * @param sinceMs the time since the last report
 */
export const isReportDue = (reported: Progress | null, now: Progress, sinceMs: number): boolean =>
  reported === null ||
  now.done - reported.done >= ITEMS_PER_REPORT ||
  (now !== reported && (sinceMs >= REPORT_INTERVAL_MS || now.done === now.of))

/** The finished fraction, from 0 to 1; null before the items are counted. */
export const finishedFraction = ({ done, of }: Progress): number | null => (of === 0 ? null : done / of)
