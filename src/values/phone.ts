/** Writes phone numbers in international format, by the numbering plans of all countries. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { countryCode } from './countries.ts'

/** How long a number can be, with an extension and words around it. */
const MOST_CHARACTERS = 100

/**
 * A number in international format, such as `+49 30 901820`: readers anywhere can dial it. Null for a text that is no
 * valid number of its country, such as an extension alone.
 *
 * @param country of a number without a leading plus: an ISO code, or a name of the country
 */
export function formatPhone(text: string, country: string): string | null {
  if (text.length > MOST_CHARACTERS) return null
  const code = countryCode(country) as CountryCode | null
  const number = parsePhoneNumberFromString(text, {
    ...(code !== null && { defaultCountry: code }),
    extract: false,
  })
  return number?.isValid() === true ? number.formatInternational() : null
}
