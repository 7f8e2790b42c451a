/** Reads phone numbers by the numbering plans of all countries, and writes them for people and for telephones. */
import {
  type CountryCode,
  findPhoneNumbersInText,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import type { Dialled } from '../../streams/organisation/template/formats.ts'
import { countryCode } from './countries.ts'

/** How long a number can be, with an extension and words around it. */
const MAX_CHARACTERS = 100
/** How many texts are remembered. A plan asks for each number several times. */
const MAX_REMEMBERED = 2_000

/** Separates the numbers of one text. A slash may be inside a number, unless it has blanks around it. */
const BETWEEN = /[,|\r\n]|;(?!ext=)|\s\/\s|(?!^)(?=\+)/
const DIGIT = /\p{Nd}/u
/** What may be before a number: blanks, a parenthesis before the plus, and the apostrophe with which Excel marks text. */
const BEFORE = /^[\s('’‘`]*(?=\+)|^[\s'’‘`]+/

type PhoneRead = Readonly<{
  /** As people read it; null for a text that is no valid number. */
  shown: string | null
  dialled: Dialled | null
}>

/** The whole text as a valid number; with a plus, as a number of a possible length. */
function wholeNumber(text: string, defaultCountry: CountryCode | undefined): PhoneNumber | null {
  const parse = (written: string) =>
    parsePhoneNumberFromString(written, { ...(defaultCountry && { defaultCountry }), extract: false })
  const number = parse(text)
  if (number?.isValid() === true) return number
  // 00 is the plus of most countries, also where the country of the number is unknown.
  const international = /^00[1-9]/.test(text) ? parse(text.replace('00', '+')) : undefined
  if (international?.isValid() === true) return international
  return number !== undefined && text.startsWith('+') && number.isPossible() ? number : null
}

/** The number at the first digit of a text that has words or another number behind it. */
function firstNumber(text: string, defaultCountry: CountryCode | undefined): PhoneNumber | null {
  const [found] = findPhoneNumbersInText(text, { ...(defaultCountry && { defaultCountry }) })
  return found !== undefined && found.startsAt === text.search(/[+(\p{Nd}]/u) ? found.number : null
}

function read(text: string, country: string): PhoneRead {
  if (text.length > MAX_CHARACTERS) return { shown: null, dialled: null }
  const code = (countryCode(country) ?? undefined) as CountryCode | undefined
  // Signs of full width, as keyboards of East Asia write them, are the usual ones.
  const parts = text.normalize('NFKC').split(BETWEEN)
  const [first = '', ...others] = parts.filter((part) => DIGIT.test(part))
  const hasWords = parts.some((part) => !DIGIT.test(part) && /\p{L}/u.test(part))
  const written = first.replace(BEFORE, '').trim()
  const whole = wholeNumber(written, code)
  const isAlone = whole !== null && others.length === 0 && !hasWords
  const number = whole ?? firstNumber(written, code)
  return {
    shown: isAlone && whole.isValid() ? whole.formatInternational() : null,
    dialled: number && { number: number.format('RFC3966').replace('tel:', ''), isAlone },
  }
}

const known = new Map<string, PhoneRead>()

function remembered(text: string, country: string): PhoneRead {
  const key = JSON.stringify([country, text])
  const found = known.get(key) ?? read(text, country)
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(key, found)
  return found
}

/**
 * Writes a number in international format, such as `+49 30 901820`: readers anywhere can dial it. Null for a text that
 * is no valid number of its country, such as an extension alone, and for several numbers.
 *
 * @param country of a number without a leading plus: an ISO code, or a name of the country
 */
export const formatPhone = (text: string, country: string): string | null => remembered(text, country).shown

/**
 * Writes the first number of a text as a telephone takes it (RFC 3966): `+16045550123;ext=212`. Null for a text without
 * a number.
 *
 * @param country as of `formatPhone`
 */
export const dialledPhone = (text: string, country: string): Dialled | null =>
  remembered(text, country).dialled
