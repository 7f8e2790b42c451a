import type { Period } from '../../organisation/release/release.ts'
import { windowOf } from '../../organisation/rules/rules.ts'
import type { ExplainedPerson } from '../../organisation/rules/why.ts'
import { areaOf } from '../place/areas.ts'

/** The time zone of a day if no signature or block has a period. Then any time zone gives the same result. */
const NO_ZONE = 'UTC'

const WITHOUT_SIGNATURE = '?without=signature'

/** The path of the list of people without a signature. */
export const UNSIGNED_PEOPLE_PATH = `/people${WITHOUT_SIGNATURE}`

/** Whether a path is that list, or the page of a person opened from that list. */
export const isUnsignedPeoplePath = (path: string): boolean => path.endsWith(WITHOUT_SIGNATURE)

/** The path of a person's page. `fromUnsigned`: its back link leads to the people without a signature. */
export const personPath = (person: string, fromUnsigned = false): string =>
  `/people/${encodeURIComponent(person)}${fromUnsigned ? WITHOUT_SIGNATURE : ''}`

/** The person in a path such as `/people/alex.kim%40northwind.example`; null for other paths. */
export function personAt(path: string): string | null {
  if (areaOf(path) !== 'people') return null
  const [, name = ''] = /^\/people\/([^/?]+)/.exec(path) ?? []
  try {
    return decodeURIComponent(name) || null
  } catch {
    return null
  }
}

type Dated = Readonly<{ during: Period | null }>

/** The time zone of a day: taken from the first signature, or else the first block, with a period. */
export const periodTimeZoneOf = ({
  signatures,
  blocks = [],
}: Readonly<{ signatures: readonly Dated[]; blocks?: readonly Dated[] | undefined }>): string =>
  [...signatures, ...blocks].find(({ during }) => during !== null)?.during?.timeZone ?? NO_ZONE

/** The time zone of a day on a person's page. Only blocks whose period affects the person count. */
export const personTimeZoneOf = ({
  signatures,
  blocks = [],
}: Pick<ExplainedPerson, 'blocks' | 'signatures'>): string =>
  periodTimeZoneOf({
    signatures,
    blocks: blocks.flatMap((slot) =>
      slot.blocks.flatMap(({ reason }) => ('during' in reason ? [reason] : [])),
    ),
  })

const wholeDay = (day: string, timeZone: string): Period => ({ from: day, to: day, timeZone })

/** Whether a text is a calendar day, such as `2026-10-01`. */
export const isCalendarDay = (text: string): boolean => windowOf(wholeDay(text, NO_ZONE)) !== null

/**
 * The middle of a day in a time zone, in milliseconds since 1970; null for an invalid day. At this moment, a period of
 * that day is open in this time zone and in every other time zone less than half a day away.
 */
export function middleOfDay(day: string, timeZone: string): number | null {
  const window = windowOf(wholeDay(day, timeZone))
  return window && Math.floor((window.opens + window.closes) / 2)
}

/** The day in a time zone at a given time, such as `2026-10-01`. */
export function dayAt(at: number, timeZone: string): string {
  const calendar = new Intl.DateTimeFormat('en-US', {
    ...({ calendar: 'gregory', numberingSystem: 'latn', timeZone } as const),
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  })
  const parts = new Map(calendar.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month') ?? ''}-${parts.get('day') ?? ''}`
}

/** Whether the typed text is the person's id or one of their addresses, ignoring case. */
export const matchesPerson = (typed: string, { person }: Pick<ExplainedPerson, 'person'>): boolean =>
  [person.id, ...person.addresses].some((each) => each.toLowerCase() === typed.trim().toLowerCase())
