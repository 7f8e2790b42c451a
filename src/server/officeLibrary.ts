import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'

/** The library addresses that Microsoft documents for its clouds, by the names that the setting accepts. */
const LIBRARIES: ReadonlyMap<string, string> = new Map([
  ['worldwide', WORLDWIDE_LIBRARY_URL],
  ['gcc', 'https://appsforoffice.gcc.cdn.office.net/appsforoffice/lib/1/hosted/office.js'],
  ['gcc-high', 'https://appsforoffice.gcch.cdn.office.net/appsforoffice/lib/1/hosted/office.js'],
  ['dod', 'https://appsforoffice.dod.cdn.office.net/appsforoffice/lib/1/hosted/office.js'],
  ['china', 'https://appsforoffice.cdn.partner.office365.cn/appsforoffice/lib/1/hosted/office.js'],
])

export const LIBRARY_NAMES: readonly string[] = [...LIBRARIES.keys()]

/** The library's former origin, which still works. */
const FORMER_ORIGIN = 'https://appsforoffice.microsoft.com'

/** The library address that a setting names or contains; null if the setting is invalid. */
export function libraryAddress(setting: string): string | null {
  const named = LIBRARIES.get(setting)
  if (named !== undefined) return named
  if (!URL.canParse(setting)) return null
  const { protocol, pathname, search, hash, href } = new URL(setting)
  // Pages contain the address unescaped, so only a plain address is valid.
  const isPlain = protocol === 'https:' && pathname.endsWith('.js') && search + hash === ''
  return isPlain && /^[\w:/.-]+$/.test(href) ? href : null
}

/**
 * The origins that serve the library and its scripts. The current and the former worldwide host may each load scripts
 * from the other. The remaining origins were found by observation, because Microsoft publishes no list.
 */
export const libraryOrigins = (address: string): readonly string[] => [
  new URL(address).origin,
  new URL(WORLDWIDE_LIBRARY_URL).origin,
  FORMER_ORIGIN,
  'https://ajax.aspnetcdn.com',
  'https://*.cdn.office.net',
]

/** Replaces the library's address in a page that loads it. */
export const withLibraryAddress = (html: string, address: string): string =>
  html.replaceAll(WORLDWIDE_LIBRARY_URL, address)

/** Whether a page loads the library from this address. */
export const loadsLibrary = (html: string, address: string): boolean => html.includes(address)
