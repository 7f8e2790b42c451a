import type { LoggedEvent } from '../../../streams/app/events.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'

/** What somebody looks for in a log: a domain, and words anywhere in what a row of it says. Empty: everything. */
export type LogFilter = Readonly<{ domain: string; words: string }>

const WORDS = 48
const PARTS = 4

/** A value on one line: texts cut, lists by their length, objects by what they begin with. */
export function brief(value: unknown): string {
  if (typeof value === 'string') {
    const line = value.replace(/\s+/g, ' ')
    return line.length > WORDS ? `${line.slice(0, WORDS)}… (${String(value.length)})` : line || '""'
  }
  if (Array.isArray(value)) return `[${String(value.length)}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const plain = Object.entries(value).filter(([, part]) => typeof part !== 'object' && part !== '')
  return plain.length === 0
    ? '{…}'
    : plain
        .slice(0, 2)
        .map(([, part]) => brief(part))
        .join(' ')
}

const summaries = new WeakMap<object, string>()

/** What an event carries, on one line: `itemKey item-19/1 · failure network`. Empty when it carries nothing. */
export function summaryOf(event: Recorded<LoggedEvent>): string {
  const known = summaries.get(event)
  if (known !== undefined) return known
  const summary = Object.entries(event.data)
    .slice(0, PARTS)
    .map(([name, value]) => `${name} ${brief(value)}`)
    .join(' · ')
  summaries.set(event, summary)
  return summary
}

/** The domain of an event's type: `mailbox` of `mailbox/itemChanged`. */
export const domainOf = ({ type }: Readonly<{ type: string }>): string => type.slice(0, type.indexOf('/'))

/** The places in the log of what is looked for, in order. */
export function placesOf(
  log: readonly Recorded<LoggedEvent>[],
  { domain, words }: LogFilter,
): readonly number[] {
  const wanted = words.trim().toLowerCase()
  const places: number[] = []
  log.forEach((event, place) => {
    if (domain !== '' && domainOf(event) !== domain) return
    const says = () => `${event.type} ${event.meta.source} ${summaryOf(event)}`.toLowerCase()
    if (wanted === '' || says().includes(wanted)) places.push(place)
  })
  return places
}

/** The parts of an object or a list with their names; none of anything else. */
export const partsOf = (value: unknown): readonly (readonly [name: string, part: unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
