/**
 * Finds the ISO code of a country that a directory names by code, or by name in the country's own language or one of
 * Signet's.
 */
import { getCountries } from 'libphonenumber-js/max'
import { languages } from '../../streams/wire/languages.ts'

/** Common names that `Intl` does not provide. */
const ALSO: Readonly<Record<string, string>> = {
  america: 'US',
  'czech republic': 'CZ',
  england: 'GB',
  'great britain': 'GB',
  holland: 'NL',
  'northern ireland': 'GB',
  scotland: 'GB',
  turkey: 'TR',
  'united states of america': 'US',
  usa: 'US',
  wales: 'GB',
}

/** Normalises case, accents and punctuation, and removes a leading "the", so that spellings of a name compare equal. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')

const english = new Intl.DisplayNames('en', { type: 'region' })

/** The English name of a country, by ISO code. */
export const countryName = (code: string): string => english.of(code) ?? code

let names: ReadonlyMap<string, string> | null = null

/** Maps normalised country names to ISO codes. */
function readNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const displayed = new Map<string, Intl.DisplayNames>()
  const add = (language: string, code: string, style: 'long' | 'short' = 'long') => {
    const key = `${language} ${style}`
    const known = displayed.get(key) ?? new Intl.DisplayNames(language, { type: 'region', style })
    displayed.set(key, known)
    const name = plain(known.of(code) ?? '')
    if (name !== '' && !found.has(name)) found.set(name, code)
  }
  // English names come first, because the same name may mean another country in another language.
  const codes: readonly string[] = getCountries()
  for (const code of codes) add('en', code)
  for (const [name, code] of Object.entries(ALSO)) found.set(name, code)
  for (const code of codes) {
    add('en', code, 'short')
    add(new Intl.Locale('und', { region: code }).maximize().language, code)
  }
  for (const language of languages) for (const code of codes) add(language, code)
  return found
}

/** The length limit of a country name. */
const MAX_CHARACTERS = 100

/** The ISO code of a country, in upper case; null if the text names no country. */
export function countryCode(text: string): string | null {
  const given = text.trim().toUpperCase()
  if (given.length > MAX_CHARACTERS) return null
  if (given === 'UK') return 'GB'
  if (/^[A-Z]{2}$/.test(given)) return (getCountries() as readonly string[]).includes(given) ? given : null
  return (names ??= readNames()).get(plain(text)) ?? null
}
