import { isDay, isTimeZone } from '../../../streams/organisation/release/names.ts'
import type { EntryFields } from '../yaml.ts'
import type { Period } from '../../../streams/organisation/release/release.ts'
import { quoteUntrusted } from '../finding.ts'
import type { SectionReader } from './reader.ts'

/** Reads `during` with its `time-zone`. */
export function readPeriod(
  { error, text }: SectionReader,
  { during, 'time-zone': zone }: EntryFields,
): Period | null {
  if (during === undefined) {
    if (zone !== undefined) error(zone.place, 'timeZone', '"time-zone" needs "during".')
    return null
  }
  const [from, to, ...more] = text(during)?.split('/') ?? []
  if (from === undefined) return null
  if (to === undefined || more.length > 0 || !isDay(from) || !isDay(to)) {
    const missing = [from, to ?? ''].flatMap((day) => whyNoSuchDay(day) ?? [])
    return error(during.place, 'during', missing[0] ?? '"during" is two days: 2026-09-01/2026-11-30.')
  }
  const timeZone = text(zone) ?? 'UTC'
  if (isTimeZone(timeZone)) return { from, to, timeZone }
  return error(
    zone?.place ?? during.place,
    'timeZone',
    `${quoteUntrusted(timeZone)} is not a time zone: Europe/Berlin.`,
  )
}

/**
 * The reason why a day such as 2026-02-30 does not exist; null for a day that exists, and for text that does not look
 * like a day.
 */
export function whyNoSuchDay(day: string): string | null {
  const [, year, month] = /^(\d{4})-(\d\d)-\d\d$/.exec(day) ?? []
  if (year === undefined || month === undefined || isDay(day)) return null
  // Day 0 of the next month is the last day of this month.
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return isDay(`${year}-${month}-01`)
    ? `${day} is not a day: ${year}-${month} has ${last} days.`
    : `${day} is not a day: there is no month ${month}.`
}
