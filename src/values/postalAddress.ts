/** Writes postal addresses in the order of their country, by OpenCage's templates. */
import addressFormatter from '@fragaria/address-formatter'
import { type PostalParts, PLAIN } from '../../streams/organisation/formats.ts'
import { countryCode } from './countries.ts'

/** How long a part can be; the rest is left out. */
const MOST_CHARACTERS = 200

/** A part on one line. */
const flat = (part: string): string => part.slice(0, MOST_CHARACTERS).replace(/\s+/g, ' ').trim()

/** The lines of a street with a floor or a house name. */
const linesOf = (street: string): readonly string[] =>
  street
    .slice(0, MOST_CHARACTERS)
    .split(/[\r\n]+/)
    .map(flat)
    .filter((line) => line !== '')

/**
 * The lines of an address; none without a street, a postal code and a city. A country that is a code is written as its English name, another one as
 * it is given. Without a known country, the order is street, postal code and city, country.
 */
export function formatAddress(parts: PostalParts): readonly string[] {
  const [street = '', ...furtherLines] = linesOf(parts.street)
  const [postalCode, city, state, country] = [parts.postalCode, parts.city, parts.state, parts.country].map(
    flat,
  ) as [string, string, string, string]
  // A country alone is no address.
  if (street + postalCode + city === '') return []
  const code = countryCode(country)
  const isCode = country.length === 2
  const further = furtherLines.join('\n')
  const lines = addressFormatter
    .format(
      {
        ...(street !== '' && { road: further === '' ? street : `${street}\n${further}` }),
        ...(postalCode !== '' && { postcode: postalCode }),
        ...(city !== '' && { city }),
        ...(state !== '' && { state }),
        ...(country !== '' && !(isCode && code !== null) && { country }),
        ...(code !== null && { countryCode: code }),
      },
      { output: 'array', appendCountry: country !== '', cleanupPostcode: false },
    )
    .map(flat)
    .filter((line) => line !== '')
  const text = lines.join(' ')
  // The templates leave out what a country does not write. Of what is given, only the state may be.
  const isWhole = [street, ...furtherLines, postalCode, city].every((part) => text.includes(part))
  return isWhole
    ? lines
    : PLAIN.address({ street: [street, ...furtherLines].join(', '), postalCode, city, state, country })
}
