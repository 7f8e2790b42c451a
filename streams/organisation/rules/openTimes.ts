/** Finds when blocks with hours, or with days that a person enters, are open. Times are in milliseconds since 1970. */
import type { OpenTime } from '../../html/slots.ts'
import { DAY_MS, dayIn, dayNumberOf, dayOf, startOfDay } from '../release/names.ts'
import type { Block, Hours, OwnDays, Period, Release } from '../release/release.ts'
import { variableValue } from '../release/selectors.ts'
import type { PersonState } from '../facts/state.ts'

/** Open times reach this many days ahead, longer than the copies that add-ins keep. */
export const OPEN_DAYS = 35

/** Whether a block is open only in some hours or on days that a person enters. */
export const hasOpenTimes = ({ hours, ownDays }: Pick<Block, 'hours' | 'ownDays'>): boolean =>
  hours !== undefined || ownDays !== undefined

/** A time with one offset: its clocks show `at + offset` in UTC. */
type Stretch = Readonly<{ from: number; to: number; offset: number }>

/** Divides the time from `from` until just before `to` where the clocks of a time zone change. */
function stretchesIn(timeZone: string, from: number, to: number): readonly Stretch[] {
  const part = 'numeric'
  const calendar = { calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', timeZone } as const
  const date = { year: part, month: part, day: part, hour: part, minute: part, second: part } as const
  const clock = new Intl.DateTimeFormat('en-US', { ...calendar, ...date })
  const offsetAt = (at: number): number => {
    const shown = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
  }
  const stretches: { from: number; to: number; offset: number }[] = []
  let last = { from, to, offset: offsetAt(from) }
  // No time zone changes its clocks twice within a day.
  for (let at = from; at < to; at += DAY_MS) {
    let [before, after] = [at, Math.min(at + DAY_MS, to)]
    const offset = offsetAt(after)
    if (offset === last.offset) continue
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === offset) after = middle
      else before = middle
    }
    stretches.push({ ...last, to: after })
    last = { from: after, to, offset }
  }
  return [...stretches, last]
}

type KnownStretches = Readonly<{ from: number; stretches: readonly Stretch[] }>
const known = new WeakMap<Hours | OwnDays, KnownStretches>()

/** The stretches of a rule's time zone from a moment on, cached for the last moment. */
function stretchesFrom(rule: Hours | OwnDays, from: number): readonly Stretch[] {
  const last = known.get(rule)
  if (last?.from === from) return last.stretches
  const stretches = stretchesIn(rule.timeZone, from, from + OPEN_DAYS * DAY_MS)
  known.set(rule, { from, stretches })
  return stretches
}

/**
 * The times at which the clocks show an open time.
 *
 * @param opensOn the open times of a day, which is numbered from 1970, in milliseconds since its midnight
 */
function timesIn(
  stretches: readonly Stretch[],
  opensOn: (day: number) => readonly OpenTime[],
): readonly OpenTime[] {
  const times: [number, number][] = []
  for (const { from, to, offset } of stretches)
    for (let day = Math.floor((from + offset) / DAY_MS); day * DAY_MS < to + offset; day += 1)
      for (const [opens, closes] of opensOn(day)) {
        const midnight = day * DAY_MS - offset
        const time: [number, number] = [Math.max(midnight + opens, from), Math.min(midnight + closes, to)]
        if (time[0] < time[1]) times.push(time)
      }
  return merged(times)
}

/** The same times in order, without overlaps. */
function merged(times: readonly OpenTime[]): readonly OpenTime[] {
  const all: [number, number][] = []
  for (const [opens, closes] of [...times].sort(([one], [other]) => one - other)) {
    const last = all.at(-1)
    if (last && opens <= last[1]) last[1] = Math.max(last[1], closes)
    else all.push([opens, closes])
  }
  return all
}

/** The times that are in both lists. Both are in order, without overlaps. */
export const sharedTimes = (one: readonly OpenTime[], other: readonly OpenTime[]): readonly OpenTime[] =>
  one.flatMap(([from, to]) =>
    other.flatMap(([opens, closes]): OpenTime[] => {
      const [start, end] = [Math.max(from, opens), Math.min(to, closes)]
      return start < end ? [[start, end]] : []
    }),
  )

/** The milliseconds from midnight to a time of the day such as `08:00`. */
function timeOfDay(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return (hour * 60 + minute) * 60_000
}

/** The weekday of a day that is numbered from 1970, from 1 for Monday to 7. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

/**
 * The times at which hours are open, in order, from a moment on for `OPEN_DAYS`. They follow the clocks: an hour that
 * the clocks skip has no time, an hour that they show twice has two.
 */
export function timesOfHours(hours: Hours, from: number): readonly OpenTime[] {
  const spans = hours.spans.map(({ days, ...span }) => ({
    days,
    time: [timeOfDay(span.from), timeOfDay(span.to)] as const,
  }))
  const opensOn = (day: number) =>
    spans.flatMap(({ days, time }) => (days.includes(weekdayOf(day)) ? [time] : []))
  return timesIn(stretchesFrom(hours, from), opensOn)
}

/**
 * The days that a person entered for a block. `from` and `to` are the values as entered. `period` begins earlier if the
 * block opens some days before. It is null if a value is missing or no day, or if the last day is before the first.
 */
export type EnteredDays = Readonly<{ from: string; to: string; period: Period | null }>

export function enteredDays(release: Release, ownDays: OwnDays, person: PersonState): EnteredDays {
  const [from, to] = [ownDays.from, ownDays.to].map((name) => variableValue(release, person, name).trim())
  const [first, last] = [dayIn(from ?? ''), dayIn(to ?? '')]
  const isPeriod = first !== null && last !== null && first >= '1900' && first <= last
  return {
    from: from ?? '',
    to: to ?? '',
    period: isPeriod
      ? {
          from: dayOf((dayNumberOf(first) - ownDays.before) * DAY_MS),
          to: last,
          timeZone: ownDays.timeZone,
        }
      : null,
  }
}

const WHOLE_DAY: readonly OpenTime[] = [[0, DAY_MS]]
const NEVER: readonly OpenTime[] = []

function timesOfDays(ownDays: OwnDays, { from, to }: Period, moment: number): readonly OpenTime[] {
  const [first, last] = [dayNumberOf(from), dayNumberOf(to)]
  return timesIn(stretchesFrom(ownDays, moment), (day) => (first <= day && day <= last ? WHOLE_DAY : NEVER))
}

/**
 * The times at which a block's hours and days are open for a person, in order, from the start of the current UTC day
 * for `OPEN_DAYS`; null for a block without both.
 */
export function blockTimes(
  release: Release,
  { hours, ownDays }: Block,
  person: PersonState,
  at: number,
): readonly OpenTime[] | null {
  const from = startOfDay(at)
  const ofHours = hours ? timesOfHours(hours, from) : null
  if (!ownDays) return ofHours
  const { period } = enteredDays(release, ownDays, person)
  const ofDays = period ? timesOfDays(ownDays, period, from) : NEVER
  return ofHours ? sharedTimes(ofHours, ofDays) : ofDays
}
