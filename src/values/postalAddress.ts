/** Writes postal addresses in the order of their country, by OpenCage's templates. */
import addressFormatter from '@fragaria/address-formatter'
import { type Formats, type PostalParts, PLAIN } from '../../streams/organisation/template/formats.ts'
import { countryCode, countryName } from './countries.ts'

/** How long a part can be; the rest is left out. */
const MAX_CHARACTERS = 200

/** A part on one line. */
const flat = (part: string): string => part.slice(0, MAX_CHARACTERS).replace(/\s+/g, ' ').trim()

/** A street with its floor or house name on lines of their own. */
const streetLines = (street: string): string =>
  street
    .slice(0, MAX_CHARACTERS)
    .split(/[\r\n]+/)
    .map(flat)
    .filter((line) => line !== '')
    .join('\n')

/**
 * Characters that stand for the parts while a template puts them in order. The templates look into values, leave out
 * what they find twice, and replace countries; of these characters they know nothing.
 */
const SIGNS = { street: '\uE000', postalCode: '\uE001', city: '\uE002', state: '\uE003', country: '\uE004' }
type Part = Exclude<keyof typeof SIGNS, 'country'>
const PARTS: readonly Part[] = ['street', 'postalCode', 'city', 'state']

/** Templates in English, of countries whose others begin with the country in their own script. */
const IN_ENGLISH: Readonly<Record<string, string>> = { CN: 'CN_en', KR: 'KR_en', TW: 'TW_en' }

/** A line with nothing but the signs of parts, and separators between them. */
const tidy = (line: string): string =>
  line
    .replace(/[^\uE000-\uE003\s,-]/g, '')
    .replace(/^[\s,-]+|[\s,-]+$/g, '')
    .replace(/\s*,[\s,-]*/g, ', ')
    .replace(/\s*-[\s-]*/g, ' - ')
    .replace(/\s+/g, ' ')

/** The lines of the template of a country. */
const templateLines = (code: string, sign: (part: Part) => string, country: string): readonly string[] =>
  addressFormatter.format(
    {
      road: sign('street'),
      postcode: sign('postalCode'),
      city: sign('city'),
      state: sign('state'),
      ...(country !== '' && { country }),
      countryCode: IN_ENGLISH[code] ?? code,
    },
    { output: 'array', cleanupPostcode: false },
  )

/** The orders that were needed, by the country and the given parts. There are not many. */
const orders = new Map<string, readonly string[]>()

/** The lines without the country, with a sign for each part. */
function orderOf(code: string | null, given: readonly Part[]): readonly string[] {
  const key = `${code ?? ''} ${given.join(' ')}`
  const known = orders.get(key)
  if (known) return known
  const sign = (part: Part) => (given.includes(part) ? SIGNS[part] : '')
  const isWhole = (lines: readonly string[]) =>
    given.every((part) => part === 'state' || lines.join('').includes(SIGNS[part]))
  // Some templates write the country in the place of the city, and others the state in the place of a missing country.
  const whole =
    code === null
      ? undefined
      : [SIGNS.country, ''].map((country) => templateLines(code, sign, country)).find(isWhole)
  const lines =
    whole && !whole[0]?.includes(SIGNS.country)
      ? whole.map(tidy).filter((line) => line !== '')
      : PLAIN.address({
          street: sign('street'),
          postalCode: sign('postalCode'),
          city: sign('city'),
          state: sign('state'),
          country: '',
        })
  orders.set(key, lines)
  return lines
}

/**
 * The lines of an address; none without a street, a postal code and a city. Each part stands in it once and as it is
 * given, the state only where the country writes it. The country comes last: a code as its English name, a name as it is
 * given. Where a template begins with the country, and without a known one, the order is street, postal code and city,
 * state, country.
 */
export function formatAddress(parts: PostalParts): readonly string[] {
  const [postalCode, city, state, country] = [parts.postalCode, parts.city, parts.state, parts.country].map(
    flat,
  ) as [string, string, string, string]
  const values: Readonly<Record<Part, string>> = {
    street: streetLines(parts.street),
    postalCode,
    city,
    state,
  }
  // A country alone is no address.
  if (values.street + postalCode + city === '') return []
  const code = countryCode(country)
  const given = PARTS.filter((part) => values[part] !== '')
  const lines = orderOf(code, given).flatMap((line) =>
    line
      .replace(/[\uE000-\uE003]/g, (sign) => values[PARTS.find((part) => SIGNS[part] === sign) ?? 'street'])
      .split('\n'),
  )
  const named = code !== null && country.length === 2 ? countryName(code) : country
  // A city that is its own state or country is written once.
  return Array.from(new Set(named === '' ? lines : [...lines, named]))
}

/** How many addresses are remembered. People share sites, and a plan asks several times for each person. */
const MAX_REMEMBERED = 500

/** Remembers the last addresses that were written. */
export function remembering(write: Formats['address'], most = MAX_REMEMBERED): Formats['address'] {
  const known = new Map<string, readonly string[]>()
  return (parts) => {
    const { street, postalCode, city, state, country } = parts
    const key = JSON.stringify([street, postalCode, city, state, country])
    const lines = known.get(key) ?? write(parts)
    // The one that was asked for last comes last, and the first one is forgotten.
    known.delete(key)
    known.set(key, lines)
    for (const [first] of known) {
      if (known.size <= most) break
      known.delete(first)
    }
    return lines
  }
}
