import type { Period } from '../../organisation/release.ts'
import { windowOf } from '../../organisation/rules.ts'
import type { Explained } from '../../organisation/why.ts'
import { areaOf } from '../place/areas.ts'

/** The time zone of a day when no signature has a period: then every day gives the same signatures. */
const NO_ZONE = 'UTC'

/** The address of a person in the page. */
export const pathOf = (person: string): string => `/people/${encodeURIComponent(person)}`

/** The person in a path such as `/people/alex.kim%40northwind.example`; null for none. */
export function personAt(path: string): string | null {
  if (areaOf(path) !== 'people') return null
  const [, name = ''] = /^\/people\/([^/?]+)/.exec(path) ?? []
  try {
    return decodeURIComponent(name) || null
  } catch {
    return null
  }
}

/** The time zone in which a day is meant: that of the first period of the release, or of a draft. */
export const zoneOf = ({
  signatures,
}: Readonly<{ signatures: readonly Readonly<{ during: Period | null }>[] }>): string =>
  signatures.find(({ during }) => during !== null)?.during?.timeZone ?? NO_ZONE

const wholeDay = (day: string, timeZone: string): Period => ({ from: day, to: day, timeZone })

/** Whether a text is a day that a calendar has: `2026-10-01`. */
export const isDay = (text: string): boolean => windowOf(wholeDay(text, NO_ZONE)) !== null

/**
 * The middle of a day in a time zone, in milliseconds since 1970: a moment at which the periods of that day are open, in
 * their own time zone and in every other that is less than half a day away. Null for no day.
 */
export function momentOf(day: string, timeZone: string): number | null {
  const window = windowOf(wholeDay(day, timeZone))
  return window && Math.floor((window.opens + window.closes) / 2)
}

/** The day of a moment in a time zone: `2026-10-01`. */
export function dayAt(at: number, timeZone: string): string {
  const calendar = new Intl.DateTimeFormat('en-US', {
    ...({ calendar: 'gregory', numberingSystem: 'latn', timeZone } as const),
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  })
  const parts = new Map(calendar.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month') ?? ''}-${parts.get('day') ?? ''}`
}

/** Whether what was typed names the person who is to be erased: one of their addresses, whatever the case. */
export const namesPerson = (typed: string, { person }: Pick<Explained, 'person'>): boolean =>
  [person.id, ...person.addresses].some((each) => each.toLowerCase() === typed.trim().toLowerCase())
