/** Formats postal addresses in each country's order, with OpenCage's templates. */
import addressFormatter from '@fragaria/address-formatter'
import { type Formats, type PostalParts, PLAIN_FORMATS } from '../../streams/organisation/template/formats.ts'
import { countryCode, countryName } from './countries.ts'

/** The length limit of a part; the rest is cut off. */
const MAX_CHARACTERS = 200

/** Puts a part on one line. */
const flat = (part: string): string => part.slice(0, MAX_CHARACTERS).replace(/\s+/g, ' ').trim()

/** Cleans the lines of a street. A floor or house name may have its own line. */
const streetLines = (street: string): string =>
  street
    .slice(0, MAX_CHARACTERS)
    .split(/[\r\n]+/)
    .map(flat)
    .filter((line) => line !== '')
    .join('\n')

/**
 * Placeholder characters that a template orders in place of the real values. It would change real values: drop
 * duplicates, and replace countries.
 */
const SIGNS = { street: '\uE000', postalCode: '\uE001', city: '\uE002', state: '\uE003', country: '\uE004' }
type Part = Exclude<keyof typeof SIGNS, 'country'>
const PARTS: readonly Part[] = ['street', 'postalCode', 'city', 'state']

/** English templates for countries whose own templates begin with the country in the local script. */
const IN_ENGLISH: Readonly<Record<string, string>> = { CN: 'CN_en', KR: 'KR_en', TW: 'TW_en' }

/** Reduces a line to the placeholder characters and the separators between them. */
const tidy = (line: string): string =>
  line
    .replace(/[^\uE000-\uE003\s,-]/g, '')
    .replace(/^[\s,-]+|[\s,-]+$/g, '')
    .replace(/\s*,[\s,-]*/g, ', ')
    .replace(/\s*-[\s-]*/g, ' - ')
    .replace(/\s+/g, ' ')

/** Formats an address with a country's template; `sign` returns the placeholder character of a part. */
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

/** Cached results of `orderOf`, by country and given parts. There are only a few. */
const orders = new Map<string, readonly string[]>()

/** The address lines in the country's order, without the country; with a placeholder character for each given part. */
function orderOf(code: string | null, given: readonly Part[]): readonly string[] {
  const key = `${code ?? ''} ${given.join(' ')}`
  const known = orders.get(key)
  if (known) return known
  const sign = (part: Part) => (given.includes(part) ? SIGNS[part] : '')
  const isWhole = (lines: readonly string[]) =>
    given.every((part) => part === 'state' || lines.join('').includes(SIGNS[part]))
  // Tries with the country, then without: some templates write the country in place of the city, others the state in
  // place of a missing country.
  const whole =
    code === null
      ? undefined
      : [SIGNS.country, ''].map((country) => templateLines(code, sign, country)).find(isWhole)
  const lines =
    whole && !whole[0]?.includes(SIGNS.country)
      ? whole.map(tidy).filter((line) => line !== '')
      : PLAIN_FORMATS.address({
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
 * The lines of an address; none if the street, postal code and city are all empty. Each given part appears once and
 * unchanged, but the state only if the country's template includes it. The country comes last; an ISO code becomes its
 * English name. If the country is unknown or its template begins with the country, the order is street, postal code and
 * city, state, country.
 */
export function formatPostalAddress(parts: PostalParts): readonly string[] {
  const [postalCode, city, state, country] = [parts.postalCode, parts.city, parts.state, parts.country].map(
    flat,
  ) as [string, string, string, string]
  const values: Readonly<Record<Part, string>> = {
    street: streetLines(parts.street),
    postalCode,
    city,
    state,
  }
  // A state or a country alone is not an address.
  if (values.street + postalCode + city === '') return []
  const code = countryCode(country)
  const given = PARTS.filter((part) => values[part] !== '')
  const lines = orderOf(code, given).flatMap((line) =>
    line
      .replace(/[\uE000-\uE003]/g, (sign) => values[PARTS.find((part) => SIGNS[part] === sign) ?? 'street'])
      .split('\n'),
  )
  const named = code !== null && country.length === 2 ? countryName(code) : country
  // A city with the same name as its state or country is written once.
  return Array.from(new Set(named === '' ? lines : [...lines, named]))
}

/** The number of cached addresses. People share sites, and a plan formats each address several times. */
const MAX_REMEMBERED = 500

/** Adds a cache of the most recently used addresses to an address formatter. */
export function withAddressCache(write: Formats['address'], most = MAX_REMEMBERED): Formats['address'] {
  const known = new Map<string, readonly string[]>()
  return (parts) => {
    const { street, postalCode, city, state, country } = parts
    const key = JSON.stringify([street, postalCode, city, state, country])
    const lines = known.get(key) ?? write(parts)
    // An address moves to the end when it is used, so the first one is the least recently used, and is dropped if the
    // cache is full.
    known.delete(key)
    known.set(key, lines)
    for (const [first] of known) {
      if (known.size <= most) break
      known.delete(first)
    }
    return lines
  }
}
