import type { MeetingTime } from '../mailbox/model.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0)

/**
 * Formats a date briefly in a language (BCP 47): the time for today, the weekday and time for the last six days, else
 * the date. Times are in milliseconds since the epoch, and shown in the system's time zone.
 */
export function shortDate(date: number, now: number, language: string): string {
  const shown = (shape: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, shape).format(date)
  const days = Math.round((startOfDay(now) - startOfDay(date)) / DAY_MS)
  if (days === 0) return shown({ timeStyle: 'short' })
  if (days > 0 && days < 7) return `${shown({ weekday: 'short' })} ${shown({ timeStyle: 'short' })}`
  const isThisYear = new Date(date).getFullYear() === new Date(now).getFullYear()
  return shown({ day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) })
}

/** Formats the full date and time of the open message. */
export const fullDate = (date: number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(date)

/** The time of a half-hour meeting that starts at the next full half hour. */
export function nextHalfHour(now: number): MeetingTime {
  const half = 30 * MINUTE_MS
  const start = now - (now % half) + half
  return { start, end: start + half }
}

/** Formats a meeting's start for a list; for a series, only the weekday and time. */
export const meetingDate = ({ start, isWeekly }: MeetingTime, language: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    ...(!isWeekly && { day: 'numeric', month: 'short' }),
  }).format(start)

/** Formats the start and end of the open meeting. */
export const meetingTime = ({ start, end }: MeetingTime, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).formatRange(start, end)

/** Converts a time to the value of a date and time field, in the system's time zone. */
export const toDateField = (time: number): string =>
  new Date(time - new Date(time).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)

/** The inverse of `toDateField`; null if the value is not a time. */
export function fromDateField(value: string): number | null {
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}
