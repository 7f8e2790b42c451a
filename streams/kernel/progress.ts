/** How far work is: `done` of `of` items. While nothing is counted, both are 0. */
export type Progress = Readonly<{ done: number; of: number }>

export const NOT_COUNTED: Progress = { done: 0, of: 0 }

/**
 * The progress after a further report. The numbers never go back, and `done` never exceeds `of`: a report may arrive
 * after a later one, and people may join while they are counted. Returns the same reference when nothing changed.
 */
export function advanced(before: Progress, report: Progress): Progress {
  const done = Math.max(before.done, report.done)
  const of = Math.max(before.of, report.of, done)
  return done === before.done && of === before.of ? before : { done, of }
}

/** How many items are done between two reports. */
export const REPORT_ITEMS = 500
/** After this time, in milliseconds, progress is reported even if fewer items are done. */
export const REPORT_MS = 1_000

/**
 * Whether progress is to be reported again, so that a report costs little beside the work.
 *
 * @param reported the last report; null before the first
 * @param sinceMs the time since the last report
 */
export const isReportDue = (reported: Progress | null, now: Progress, sinceMs: number): boolean =>
  reported === null ||
  now.done - reported.done >= REPORT_ITEMS ||
  (now !== reported && (sinceMs >= REPORT_MS || now.done === now.of))

/** The part that is done, from 0 to 1; null while nothing is counted. */
export const partOf = ({ done, of }: Progress): number | null => (of === 0 ? null : done / of)
