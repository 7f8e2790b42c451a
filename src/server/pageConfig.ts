/** Reads the page settings, for the build and the service, and derives the headers from them. */
import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'
import { languages } from '../../streams/wire/languages.ts'
import {
  ADMINISTRATION_PAGE,
  fileHeaders,
  LAUNCH_GUARD_FILE,
  LAUNCH_FILE,
  ALL_LAUNCH_FILES,
  OUTLOOK_ORIGINS,
  pageHeaders,
  WELL_KNOWN_FILE,
} from './headers.ts'
import { LIBRARY_NAMES, libraryAddress, withLibraryAddress } from './officeLibrary.ts'
import { PlainError } from './reasons.ts'

/** The variables that configure the pages, in the order of docs/pages-elsewhere.md. */
const CONFIG = {
  SIGNET_API_URL: { kind: 'address', required: true },
  SIGNET_CLIENT_ID: { kind: 'text', required: true },
  SIGNET_AUTHORITY: { kind: 'authority', required: true },
  SIGNET_SCOPE: { kind: 'text', required: true },
  SIGNET_IMAGE_ORIGINS: { kind: 'origins', default: '' },
  SIGNET_LOCALE: { kind: 'language', default: 'en' },
  SIGNET_FALLBACK_LOCALE: { kind: 'language', default: 'en' },
  SIGNET_SUPPORT_URL: { kind: 'https', default: '' },
  SIGNET_OFFICE_LIBRARY: { kind: 'library', default: 'worldwide' },
  SIGNET_ANALYTICS_URL: { kind: 'https', default: '' },
  SIGNET_ANALYTICS_KEY: { kind: 'text', default: '' },
  SIGNET_PRODUCTION: { kind: 'flag', default: 'true' },
  SIGNET_BETA: { kind: 'flag', default: 'false' },
} as const satisfies Record<`SIGNET_${string}`, ConfigVariable>

type ConfigVariable = Readonly<{
  kind: 'address' | 'https' | 'library' | 'authority' | 'origins' | 'language' | 'text' | 'flag'
}> &
  (Readonly<{ required: true }> | Readonly<{ default: string }>)
export type PageConfig = Readonly<Record<keyof typeof CONFIG, string>>

const isHttps = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:'
/** Checks by kind of variable: whether a value is valid, and a description of valid values. */
const CHECKS: Readonly<
  Record<ConfigVariable['kind'], readonly [isValid: (value: string) => boolean, expected: string]>
> = {
  address: [
    (value) => isHttps(value) || /^http:\/\/[^/]/.test(value),
    'an address that begins with https://',
  ],
  https: [isHttps, 'an address that begins with https://'],
  library: [
    (value) => libraryAddress(value) !== null,
    `one of ${LIBRARY_NAMES.join(', ')}, or an address such as ${WORLDWIDE_LIBRARY_URL}`,
  ],
  // Specification, section 5: sign-in needs the path of a tenant, so an origin alone is invalid.
  authority: [
    (value) => isHttps(value) && new URL(value).pathname !== '/',
    'an address such as https://login.microsoftonline.com/organizations',
  ],
  origins: [
    (value) => value.split(/\s+/).every((part) => isHttps(part) && new URL(part).origin === part),
    'origins such as https://images.example.com, with a space between them',
  ],
  language: [(value) => languages.some((language) => language === value), `one of ${languages.join(', ')}`],
  text: [() => true, 'a text'],
  flag: [(value) => value === 'true' || value === 'false', 'true or false'],
}

/** Thrown when variables are missing or invalid. The message lists each on its own line. */
export class ConfigError extends PlainError {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the config of the pages. By default, images come from the service.
 *
 * @throws ConfigError for missing or invalid values
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): PageConfig {
  const problems: string[] = []
  const config = Object.fromEntries(
    Object.entries<ConfigVariable>(CONFIG).map(([name, variable]) => {
      const value = environment[name]?.trim() ?? ''
      const [isValid, expected] = CHECKS[variable.kind]
      if (value === '') {
        if ('default' in variable) return [name, variable.default]
        problems.push(`${name} is missing; it has to be ${expected}.`)
      } else if (!isValid(value)) problems.push(`${name} is not ${expected}.`)
      return [name, value]
    }),
  )
  const { SIGNET_API_URL: service = '', SIGNET_PRODUCTION: production } = config
  if (production === 'true' && service !== '' && CHECKS.address[0](service) && !isHttps(service))
    problems.push('SIGNET_API_URL is not an address that begins with https://, as production needs it.')
  if (problems.length > 0) throw new ConfigError(problems)
  const images = config['SIGNET_IMAGE_ORIGINS'] || new URL(service).origin
  const library = libraryAddress(config['SIGNET_OFFICE_LIBRARY'] ?? '') ?? WORLDWIDE_LIBRARY_URL
  return { ...(config as PageConfig), SIGNET_IMAGE_ORIGINS: images, SIGNET_OFFICE_LIBRARY: library }
}

/** Whether no required variable is set. The service then writes the config into the pages later. */
export const hasNoConfig = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  Object.entries<ConfigVariable>(CONFIG).every(
    ([name, variable]) => 'default' in variable || (environment[name]?.trim() ?? '') === '',
  )

/** A config without values, for pages that the service configures later. */
export const emptyConfig = (): PageConfig =>
  Object.fromEntries(Object.keys(CONFIG).map((name) => [name, ''])) as PageConfig

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * Writes `config` into a served file, where `src/engine/config.ts` reads it. An HTML page gets a `<meta>`, and the
 * configured address of Microsoft's library if it loads the library. The launch event program gets a global variable,
 * because classic Outlook runs it without a page. Other files stay unchanged.
 *
 * @throws PlainError for a page without a title, because the config is written after the title
 */
export function embedConfig(name: string, content: Buffer, config: PageConfig): Buffer {
  const json = JSON.stringify(config)
  if (ALL_LAUNCH_FILES.includes(name)) {
    // Old JavaScript engines end a string literal at these two characters.
    const literal = json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    return Buffer.from(`var signetConfig=${literal};\n${content.toString()}`)
  }
  if (!name.endsWith('.html')) return content
  const html = withLibraryAddress(content.toString(), config.SIGNET_OFFICE_LIBRARY || WORLDWIDE_LIBRARY_URL)
  const [head, ...rest] = html.split('</title>')
  if (head === undefined || rest.length !== 1) throw new PlainError(`${name} has no place for its settings.`)
  const text = json.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
  return Buffer.from(`${head}</title><meta name="signet-config" content="${text}">${rest.join('')}`)
}

/**
 * Adds a preconnect to the service's origin to pages that prefetch a screen. Other files stay unchanged. Use it for
 * pages that are not served by the service itself.
 */
export function addPreconnect(name: string, content: Buffer, apiUrl: string): Buffer {
  if (!name.endsWith('.html')) return content
  const html = content.toString()
  if (!html.includes('<link rel=prefetch')) return content
  const hint = `<link rel=preconnect href="${new URL(apiUrl).origin}" crossorigin>`
  return Buffer.from(html.replace('</title>', `</title>${hint}`))
}

/** The headers that the web server must send, by page, or by file that mail clients load directly. */
export type ShippedHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Returns the headers of an add-in with `config`. Without `isSecure`, leaves out the headers that need https. */
export function shippedHeaders(config: PageConfig, isSecure = true): ShippedHeaders {
  const authority = new URL(config.SIGNET_AUTHORITY).origin
  const analytics = config.SIGNET_ANALYTICS_URL
  const shared = {
    isSecure,
    apiOrigin: new URL(config.SIGNET_API_URL).origin,
    connectOrigins: [authority, ...(analytics === '' ? [] : [new URL(analytics).origin])],
    imageOrigins: config.SIGNET_IMAGE_ORIGINS.split(/\s+/),
    // The identity provider redirects the hidden sign-in frame back to index.html.
    frameOrigins: ["'self'", authority],
  }
  const officeLibrary = config.SIGNET_OFFICE_LIBRARY
  const pane = pageHeaders({ ...shared, page: 'pane', frameAncestors: OUTLOOK_ORIGINS, officeLibrary })
  return {
    'taskpane.html': pane,
    // Outlook opens this page for launch events, with the same rights as the pane.
    'launch.html': pane,
    // In a mail client's dialog, this page returns the sign-in to the pane through Microsoft's library.
    'index.html': pageHeaders({ ...shared, page: 'standalone', frameAncestors: ["'self'"], officeLibrary }),
    // The administration page is never framed, and loads no mail client code.
    [ADMINISTRATION_PAGE]: pageHeaders({ ...shared, page: 'administration', frameAncestors: [] }),
    [LAUNCH_FILE]: fileHeaders(LAUNCH_FILE),
    [LAUNCH_GUARD_FILE]: fileHeaders(LAUNCH_GUARD_FILE),
    [WELL_KNOWN_FILE]: fileHeaders(WELL_KNOWN_FILE),
  }
}
