const DAY_MS = 24 * 3_600_000

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0)

/**
 * A short date in a language (BCP 47): for today the time, for the last six days the weekday and the time, else the
 * date. Times are in milliseconds since the epoch, and shown in the system's time zone.
 */
export function shortDate(date: number, now: number, language: string): string {
  const shown = (shape: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, shape).format(date)
  const days = Math.round((startOfDay(now) - startOfDay(date)) / DAY_MS)
  if (days === 0) return shown({ timeStyle: 'short' })
  if (days > 0 && days < 7) return `${shown({ weekday: 'short' })} ${shown({ timeStyle: 'short' })}`
  const isThisYear = new Date(date).getFullYear() === new Date(now).getFullYear()
  return shown({ day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) })
}

/** The full date and time of a message, as the open message shows it. */
export const fullDate = (date: number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(date)
