/** Writes the hours of a week, and checks the times of a day. */
import type { Hours } from './release.ts'

/** The weekdays as a folder writes them, from Monday. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** Whether a text is a time of the day such as `08:00`. `24:00` is the end of a day. */
export const isTimeOfDay = (text: string): boolean => /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text)

/** The first and last days of each run of days without gaps. The days are in order. */
export function dayRuns(days: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run?.[1] === day - 1) run[1] = day
    else runs.push([day, day])
  }
  return runs
}

const dayName = (day: number): string => WEEKDAYS[day - 1] ?? ''

/** Writes days as a folder does: `Mon-Fri, Sun`. */
export const daysText = (days: readonly number[]): string =>
  dayRuns(days)
    .map(([first, last]) => (first === last ? dayName(first) : `${dayName(first)}-${dayName(last)}`))
    .join(', ')

/** Writes hours as a folder does: `Mon-Fri 08:00-18:00, Sat 09:00-12:00`. */
export const hoursText = ({ spans }: Pick<Hours, 'spans'>): string =>
  spans.map(({ days, from, to }) => `${daysText(days)} ${from}-${to}`).join(', ')
