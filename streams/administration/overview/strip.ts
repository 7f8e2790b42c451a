/** Places the periods that begin or end soon on a strip of days: today and the next 30. */
import {
  AHEAD_DAYS,
  aheadUntil,
  type ChangingPeriod,
  type ChangingPeriods,
} from '../../organisation/figures/periods.ts'
import { dayNumberOf } from '../../organisation/release/names.ts'
import { windowOf } from '../../organisation/rules/rules.ts'
import { dayAt } from '../people/rules.ts'

/** The number of days on the strip. */
export const STRIP_DAYS = AHEAD_DAYS + 1

/** The index of a day on the strip; 0 is today. */
type DayIndex = number

/** A period on the strip: from the day `first` to the day `last`, both included. */
export type StripRow = ChangingPeriod &
  Readonly<{
    first: DayIndex
    last: DayIndex
    /** Whether the period begins or ends on the strip, and not before or after it. At least one is true. */
    begins: boolean
    ends: boolean
  }>

/**
 * `today` is a day such as `2026-11-23`. The strip shows the days of one time zone: that of the first period. A period
 * of another time zone covers the days on which it is open at some time.
 */
export type Strip = Readonly<{ today: string; timeZone: string; rows: readonly StripRow[] }>

/** Returns the strip; null without a period in a time zone that the browser knows. */
export function stripOf({ at, periods }: Pick<ChangingPeriods, 'at' | 'periods'>): Strip | null {
  const known = periods.flatMap((each) => {
    const window = windowOf(each.during)
    return window === null ? [] : [{ ...each, window }]
  })
  const [next] = known
  if (!next) return null
  const { timeZone } = next.during
  const today = dayAt(at, timeZone)
  // When clocks go forward meanwhile, 30 times 24 hours can end one day later.
  const indexOf = (moment: number): DayIndex =>
    Math.min(dayNumberOf(dayAt(moment, timeZone)) - dayNumberOf(today), STRIP_DAYS - 1)
  const rows = known.map(({ window: { opens, closes }, ...each }): StripRow => {
    const begins = opens > at
    const ends = closes <= aheadUntil(at)
    return {
      ...each,
      first: begins ? indexOf(opens) : 0,
      last: ends ? indexOf(closes - 1) : STRIP_DAYS - 1,
      begins,
      ends,
    }
  })
  return { today, timeZone, rows }
}
