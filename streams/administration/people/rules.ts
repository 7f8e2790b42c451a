import type { Period } from '../../organisation/release/release.ts'
import { windowOf } from '../../organisation/rules/rules.ts'
import type { Explained } from '../../organisation/rules/why.ts'
import { areaOf } from '../place/areas.ts'

/** The time zone of a day when nothing has a period. Without periods, the time zone does not matter. */
const NO_ZONE = 'UTC'

const WITHOUT_SIGNATURE = '?without=signature'

/** The path of the list of people without a signature. */
export const UNSIGNED_PATH = `/people${WITHOUT_SIGNATURE}`

/** Whether a path is that list, or the page of a person who was opened from it. */
export const isUnsigned = (path: string): boolean => path.endsWith(WITHOUT_SIGNATURE)

/** The path of the page about a person. `fromUnsigned`: the way back leads to the people without a signature. */
export const pathOf = (person: string, fromUnsigned = false): string =>
  `/people/${encodeURIComponent(person)}${fromUnsigned ? WITHOUT_SIGNATURE : ''}`

/** The person in a path such as `/people/alex.kim%40northwind.example`; null when the path names no person. */
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

/** The time zone in which a day is meant: the time zone of the first signature, or else block, with a period. */
export const zoneOf = ({
  signatures,
  blocks = [],
}: Readonly<{ signatures: readonly Dated[]; blocks?: readonly Dated[] | undefined }>): string =>
  [...signatures, ...blocks].find(({ during }) => during !== null)?.during?.timeZone ?? NO_ZONE

/** The time zone in which a day of a person's page is meant. Only blocks whose period matters for the person count. */
export const zoneFor = ({ signatures, blocks = [] }: Pick<Explained, 'blocks' | 'signatures'>): string =>
  zoneOf({
    signatures,
    blocks: blocks.flatMap((slot) =>
      slot.blocks.flatMap(({ reason }) => ('during' in reason ? [reason] : [])),
    ),
  })

const wholeDay = (day: string, timeZone: string): Period => ({ from: day, to: day, timeZone })

/** Whether a text is a day of the calendar, such as `2026-10-01`. */
export const isDay = (text: string): boolean => windowOf(wholeDay(text, NO_ZONE)) !== null

/**
 * The middle of a day in a time zone, in milliseconds since 1970; null when the text is no day. A period of that day is
 * open at this moment, in this time zone and in every other one less than half a day away.
 */
export function momentOf(day: string, timeZone: string): number | null {
  const window = windowOf(wholeDay(day, timeZone))
  return window && Math.floor((window.opens + window.closes) / 2)
}

/** The day of a moment in a time zone, such as `2026-10-01`. */
export function dayAt(at: number, timeZone: string): string {
  const calendar = new Intl.DateTimeFormat('en-US', {
    ...({ calendar: 'gregory', numberingSystem: 'latn', timeZone } as const),
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  })
  const parts = new Map(calendar.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month') ?? ''}-${parts.get('day') ?? ''}`
}

/** Whether the typed text is the id or an address of the person who is to be erased, in upper or lower case. */
export const namesPerson = (typed: string, { person }: Pick<Explained, 'person'>): boolean =>
  [person.id, ...person.addresses].some((each) => each.toLowerCase() === typed.trim().toLowerCase())
