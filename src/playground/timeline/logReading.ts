import type { LoggedEvent } from '../../../streams/pane/events.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'

/** A log search: a domain, and a text in a list row. An empty field matches every event. */
export type LogFilter = Readonly<{ domain: string; words: string }>

const MAX_TEXT_CHARACTERS = 48
const MAX_SUMMARY_FIELDS = 4

/** A value on one line: the start of a text, an array's length, or an object's first two plain fields. */
export function briefText(value: unknown): string {
  if (typeof value === 'string') {
    const line = value.replace(/\s+/g, ' ')
    return line.length > MAX_TEXT_CHARACTERS
      ? `${line.slice(0, MAX_TEXT_CHARACTERS)}… (${String(value.length)})`
      : line || '""'
  }
  if (Array.isArray(value)) return `[${String(value.length)}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const plain = Object.entries(value).filter(([, part]) => typeof part !== 'object' && part !== '')
  return plain.length === 0
    ? '{…}'
    : plain
        .slice(0, 2)
        .map(([, part]) => briefText(part))
        .join(' ')
}

const summaryCache = new WeakMap<object, string>()

/** An event's data on one line: `itemKey item-19/1 · failure network`. Empty if the event has no data. */
export function eventSummary(event: Recorded<LoggedEvent>): string {
  const cached = summaryCache.get(event)
  if (cached !== undefined) return cached
  const summary = Object.entries(event.data)
    .slice(0, MAX_SUMMARY_FIELDS)
    .map(([name, value]) => `${name} ${briefText(value)}`)
    .join(' · ')
  summaryCache.set(event, summary)
  return summary
}

/** The domain of an event type: `mailbox` in `mailbox/itemChanged`. */
export const eventDomain = ({ type }: Readonly<{ type: string }>): string => type.slice(0, type.indexOf('/'))

/** The numbers of the matching events, in order. */
export function matchingEventNumbers(
  log: readonly Recorded<LoggedEvent>[],
  { domain, words }: LogFilter,
): readonly number[] {
  const needle = words.trim().toLowerCase()
  const places: number[] = []
  log.forEach((event) => {
    if (domain !== '' && eventDomain(event) !== domain) return
    const row = () => `${event.type} ${event.meta.source} ${eventSummary(event)}`.toLowerCase()
    if (needle === '' || row().includes(needle)) places.push(event.meta.seq)
  })
  return places
}

/** The named parts of an object or array; empty for any other value. */
export const valueParts = (value: unknown): readonly (readonly [name: string, part: unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
