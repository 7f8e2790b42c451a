import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languages } from '../../streams/locale/events.ts'
import { type PageEnvironment, buildPages } from './bundle.ts'
import { OUTLOOK_ORIGINS, pageHeaders } from './headers.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const ICONS = join(PROJECT, 'src/build/icons')

/** The settings of a build, in the order in which the administrator's page explains them. */
export const SETTINGS = {
  SIGNET_API_URL: { kind: 'address', needed: true },
  SIGNET_CLIENT_ID: { kind: 'text', needed: true },
  SIGNET_AUTHORITY: { kind: 'authority', needed: true },
  SIGNET_SCOPE: { kind: 'text', needed: true },
  SIGNET_IMAGE_ORIGINS: { kind: 'origins', usual: '' },
  SIGNET_LOCALE: { kind: 'language', usual: 'en' },
  SIGNET_FALLBACK_LOCALE: { kind: 'language', usual: 'en' },
  SIGNET_ANALYTICS_URL: { kind: 'https', usual: '' },
  SIGNET_ANALYTICS_KEY: { kind: 'text', usual: '' },
  SIGNET_PRODUCTION: { kind: 'flag', usual: 'true' },
  SIGNET_BETA: { kind: 'flag', usual: 'false' },
} as const satisfies Record<`SIGNET_${string}`, Setting>

type Setting = Readonly<{
  kind: 'address' | 'https' | 'authority' | 'origins' | 'language' | 'text' | 'flag'
}> &
  (Readonly<{ needed: true }> | Readonly<{ usual: string }>)
type Settings = Readonly<Record<keyof typeof SETTINGS, string>>

const isHttps = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:'
const CHECKS: Readonly<Record<Setting['kind'], readonly [(value: string) => boolean, string]>> = {
  address: [
    (value) => isHttps(value) || /^http:\/\/[^/]/.test(value),
    'an address that begins with https://',
  ],
  https: [isHttps, 'an address that begins with https://'],
  // Specification, section 5: without a path nobody can sign in there.
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

/** A setting that is missing or makes no sense; the message names every one of them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * The settings of `environment`, with what is usual where nothing is said: pictures come from the service itself.
 * Throws a `SettingsError`.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = []
  const settings = Object.fromEntries(
    Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
      const value = environment[name]?.trim() ?? ''
      const [isRight, wanted] = CHECKS[setting.kind]
      if (value === '') {
        if ('usual' in setting) return [name, setting.usual]
        problems.push(`${name} is missing; it has to be ${wanted}.`)
      } else if (!isRight(value)) problems.push(`${name} is not ${wanted}.`)
      return [name, value]
    }),
  )
  const { SIGNET_API_URL: service = '', SIGNET_PRODUCTION: production } = settings
  if (production === 'true' && service !== '' && CHECKS.address[0](service) && !isHttps(service))
    problems.push('SIGNET_API_URL is not an address that begins with https://, as production needs it.')
  if (problems.length > 0) throw new SettingsError(problems.join('\n'))
  const images = settings['SIGNET_IMAGE_ORIGINS'] || new URL(service).origin
  return { ...(settings as Settings), SIGNET_IMAGE_ORIGINS: images }
}

/** Page → headers, as whoever serves the pages has to send them. */
export type ShippedHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>

export type Production = Readonly<{
  /** What is served, and nothing else. */
  www: string
  headers: ShippedHeaders
}>

/**
 * Builds the add-in as it ships: `www` holds what is served, `maps` the source maps, `headers.json` the headers of
 * the pages. Throws a `SettingsError` before anything is built.
 */
export async function buildProduction(options: {
  environment: Readonly<Record<string, string | undefined>>
  folder: string
  cacheFolder: string
}): Promise<Production> {
  const { folder, cacheFolder } = options
  const settings = readSettings(options.environment)
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  const www = join(folder, 'www')
  const maps = join(folder, 'maps')
  const environment: PageEnvironment = { ...settings, SIGNET_VERSION: version }

  await buildPages({
    pages: ['taskpane.html', 'index.html'].map((page) => join(PROJECT, 'src/pane', page)),
    environment,
    folder: www,
    cacheFolder,
  })
  await rm(maps, { recursive: true, force: true })
  await mkdir(maps, { recursive: true })
  for (const name of await readdir(www)) {
    if (name.endsWith('.map')) await rename(join(www, name), join(maps, name))
    else if (/\.(js|css)$/.test(name)) await forgetMap(join(www, name))
  }
  for (const name of await readdir(ICONS)) await copyFile(join(ICONS, name), join(www, name))

  const headers: ShippedHeaders = shippedHeaders(settings)
  await writeFile(join(folder, 'headers.json'), `${JSON.stringify(headers, null, 2)}\n`)
  return { www, headers }
}

function shippedHeaders(settings: Settings): ShippedHeaders {
  const authority = new URL(settings.SIGNET_AUTHORITY).origin
  const analytics = settings.SIGNET_ANALYTICS_URL
  const images = settings.SIGNET_IMAGE_ORIGINS.split(/\s+/)
  const shared = {
    isSecure: true,
    apiOrigin: new URL(settings.SIGNET_API_URL).origin,
    connectOrigins: [authority, ...(analytics === '' ? [] : [new URL(analytics).origin])],
    imageOrigins: images,
    // The sign-in's hidden frame comes back to our own index.html.
    frameOrigins: ["'self'", authority],
  }
  return {
    'taskpane.html': pageHeaders({
      ...shared,
      page: 'pane',
      frameAncestors: OUTLOOK_ORIGINS,
      loadsOffice: true,
    }),
    // In a mail client's dialog it tells the pane by Microsoft's library who signed in.
    'index.html': pageHeaders({
      ...shared,
      page: 'standalone',
      frameAncestors: ["'self'"],
      loadsOffice: true,
    }),
  }
}

/** A map is for those who have the sources: the file that is served does not ask for it. */
async function forgetMap(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(/\n?(\/\/# sourceMappingURL=\S+|\/\*# sourceMappingURL=\S+ ?\*\/)\s*$/, '\n'),
  )
}
