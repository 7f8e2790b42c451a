/** Parses phone numbers by each country's numbering plan, and formats them for people and for dialling. */
import {
  type CountryCode,
  findPhoneNumbersInText,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import type { DialledNumber } from '../../streams/organisation/template/formats.ts'
import { countryCode } from './countries.ts'

/** The length limit of a text with a number, including an extension and surrounding words. */
const MAX_CHARACTERS = 100
/** The number of cached texts. A plan needs each number several times. */
const MAX_REMEMBERED = 2_000

/** The separators between numbers in one text. A slash without blanks around it may be part of a number. */
const BETWEEN = /[,|\r\n]|;(?!ext=)|\s\/\s|(?!^)(?=\+)/
const DIGIT = /\p{Nd}/u
/** Characters allowed before a number: blanks, a parenthesis before the plus, and Excel's text apostrophe. */
const BEFORE = /^[\s('’‘`]*(?=\+)|^[\s'’‘`]+/

type PhoneRead = Readonly<{
  /** The number in readable form; null if the text is not a valid number. */
  shown: string | null
  dialled: DialledNumber | null
}>

/** Parses the entire text as a valid number. A number with a plus only needs a possible length. */
function wholeNumber(text: string, defaultCountry: CountryCode | undefined): PhoneNumber | null {
  const parse = (written: string) =>
    parsePhoneNumberFromString(written, { ...(defaultCountry && { defaultCountry }), extract: false })
  const number = parse(text)
  if (number?.isValid() === true) return number
  // In most countries 00 replaces the plus, so this works even if the number's country is unknown.
  const international = /^00[1-9]/.test(text) ? parse(text.replace('00', '+')) : undefined
  if (international?.isValid() === true) return international
  return number !== undefined && text.startsWith('+') && number.isPossible() ? number : null
}

/** Finds the number at the start of a text that continues with words or another number. */
function firstNumber(text: string, defaultCountry: CountryCode | undefined): PhoneNumber | null {
  const [found] = findPhoneNumbersInText(text, { ...(defaultCountry && { defaultCountry }) })
  return found !== undefined && found.startsAt === text.search(/[+(\p{Nd}]/u) ? found.number : null
}

function read(text: string, country: string): PhoneRead {
  if (text.length > MAX_CHARACTERS) return { shown: null, dialled: null }
  const code = (countryCode(country) ?? undefined) as CountryCode | undefined
  // East Asian keyboards write full-width characters, which are normalised here.
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
 * Formats a number internationally, such as `+49 30 901820`, so that readers anywhere can dial it. Null for a text that
 * is not a valid number in its country, such as an extension alone, or that has several numbers.
 *
 * @param country the country of a number without a leading plus: an ISO code, or the country's name
 */
export const formatPhone = (text: string, country: string): string | null => remembered(text, country).shown

/**
 * Formats the first number in a text for dialling (RFC 3966): `+16045550123;ext=212`. Null for a text without a number.
 *
 * @param country as in `formatPhone`
 */
export const dialledPhone = (text: string, country: string): DialledNumber | null =>
  remembered(text, country).dialled
