import {
  blockDaysBeforeIn,
  isDay,
  isTimeZone,
  isVariableName,
} from '../../../streams/organisation/release/names.ts'
import { type EntryFields, isRecordEntry, type YamlEntry } from '../yaml.ts'
import type { Block, Hours, OwnDays, Period } from '../../../streams/organisation/release/release.ts'
import { quoteUntrusted } from '../finding.ts'
import { readSpans } from './hours.ts'
import type { SectionReader } from './reader.ts'

/** Reads `during` of a signature, with its `time-zone`. */
export function readPeriod(reader: SectionReader, of: EntryFields): Period | null {
  const { error, text } = reader
  const { during, 'time-zone': zone } = of
  if (during === undefined) return readMissing(reader, zone)
  const written = isRecordEntry(during) ? null : text(during)
  if (isRecordEntry(during) || (written !== null && hasHours(written)))
    return error(
      during.place,
      'during',
      'A signature has whole days, the same for everyone: put the part that changes into a block.',
    )
  return written === null ? null : readDays(reader, during, zone, written)
}

/** Reads `during` of a block, with its `time-zone`: days, hours, both, or the days that a person enters. */
export function readBlockPeriod(
  reader: SectionReader,
  of: EntryFields,
  path: string,
): Pick<Block, 'during' | 'hours' | 'ownDays'> {
  const { during, 'time-zone': zone } = of
  if (during === undefined) return { during: readMissing(reader, zone) }
  if (isRecordEntry(during)) {
    const ownDays = readOwnDays(reader, during, zone, path)
    return { during: null, ...(ownDays && { ownDays }) }
  }
  const written = reader.text(during)
  if (written === null) return { during: null }
  if (!hasHours(written)) return { during: readDays(reader, during, zone, written) }
  const [first = '', ...others] = written.trim().split(/\s+/)
  const hasDays = first.includes('/')
  const hours = readHours(reader, during, zone, hasDays ? others.join(' ') : written)
  return {
    during: hours !== null && hasDays ? readDays(reader, during, zone, first) : null,
    ...(hours && { hours }),
  }
}

const hasHours = (written: string): boolean => /\d:\d|\b(?:mon|tue|wed|thu|fri|sat|sun)/i.test(written)

function readMissing({ error }: SectionReader, zone: YamlEntry | undefined): null {
  return zone === undefined ? null : error(zone.place, 'timeZone', '"time-zone" needs "during".')
}

function readDays(
  reader: SectionReader,
  during: YamlEntry,
  zone: YamlEntry | undefined,
  written: string,
): Period | null {
  const { error } = reader
  const [from = '', to, ...more] = written.split('/')
  if (to === undefined || more.length > 0 || !isDay(from) || !isDay(to)) {
    const missing = [from, to ?? ''].flatMap((day) => whyNoSuchDay(day) ?? [])
    return error(during.place, 'during', missing[0] ?? '"during" is two days: 2026-09-01/2026-11-30.')
  }
  const timeZone = readZone(reader, during, zone)
  return timeZone === null ? null : { from, to, timeZone }
}

function readHours(
  reader: SectionReader,
  during: YamlEntry,
  zone: YamlEntry | undefined,
  written: string,
): Hours | null {
  const spans = readSpans(written)
  if (typeof spans === 'string') return reader.error(during.place, 'during', spans)
  const timeZone = readZone(reader, during, zone)
  return timeZone === null ? null : { spans, timeZone }
}

function readOwnDays(
  reader: SectionReader,
  during: YamlEntry,
  zone: YamlEntry | undefined,
  path: string,
): OwnDays | null {
  const { error, keepPlaces, record, text } = reader
  const of = record(during, ['from', 'to', 'days-before'])
  keepPlaces(of, `${path}.during`, ['from', 'to'])
  const nameOf = (key: 'from' | 'to'): string | null => {
    const entry = of[key]
    if (entry === undefined)
      return error(
        during.place,
        'during',
        `"during" needs ${quoteUntrusted(key)}: the variable in which a person enters the ${key === 'from' ? 'first' : 'last'} day.`,
      )
    const name = text(entry)
    return name === null || isVariableName(name)
      ? name
      : error(entry.place, 'unknownVariable', `There is no variable ${quoteUntrusted(name)}.`)
  }
  const [from, to] = [nameOf('from'), nameOf('to')]
  const before = readDaysBefore(reader, of['days-before'])
  const timeZone = readZone(reader, during, zone)
  return from === null || to === null || before === null || timeZone === null
    ? null
    : { from, to, before, timeZone }
}

function readDaysBefore({ error, text }: SectionReader, entry: YamlEntry | undefined): number | null {
  if (entry === undefined) return 0
  const written = text(entry)
  if (written === null) return null
  return (
    blockDaysBeforeIn(written) ??
    error(
      entry.place,
      'during',
      `"days-before" is a number of days, from 0 to 366: ${quoteUntrusted(written)} is not.`,
    )
  )
}

function readZone(
  { error, text }: SectionReader,
  during: YamlEntry,
  zone: YamlEntry | undefined,
): string | null {
  const timeZone = text(zone) ?? 'UTC'
  if (isTimeZone(timeZone)) return timeZone
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
