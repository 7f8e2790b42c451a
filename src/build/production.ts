import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languages } from '../../streams/locale/events.ts'
import { type PageEnvironment, buildPages } from './bundle.ts'
import { fileHeaders, OUTLOOK_ORIGINS, pageHeaders } from './headers.ts'
import { buildLaunchFile, LAUNCH_FILE } from './launchFile.ts'
import { billOfMaterials, packagesOf } from './licences.ts'
import { WELL_KNOWN_FILE } from './manifest.ts'
import { restoreWellKnown } from './writeManifest.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const ICONS = join(PROJECT, 'src/build/icons')

/** The variables that configure a build, in the order in which docs/administrator.md explains them. */
const CONFIG = {
  SIGNET_API_URL: { kind: 'address', required: true },
  SIGNET_CLIENT_ID: { kind: 'text', required: true },
  SIGNET_AUTHORITY: { kind: 'authority', required: true },
  SIGNET_SCOPE: { kind: 'text', required: true },
  SIGNET_IMAGE_ORIGINS: { kind: 'origins', default: '' },
  SIGNET_LOCALE: { kind: 'language', default: 'en' },
  SIGNET_FALLBACK_LOCALE: { kind: 'language', default: 'en' },
  SIGNET_ANALYTICS_URL: { kind: 'https', default: '' },
  SIGNET_ANALYTICS_KEY: { kind: 'text', default: '' },
  SIGNET_PRODUCTION: { kind: 'flag', default: 'true' },
  SIGNET_BETA: { kind: 'flag', default: 'false' },
} as const satisfies Record<`SIGNET_${string}`, ConfigVariable>

type ConfigVariable = Readonly<{
  kind: 'address' | 'https' | 'authority' | 'origins' | 'language' | 'text' | 'flag'
}> &
  (Readonly<{ required: true }> | Readonly<{ default: string }>)
type BuildConfig = Readonly<Record<keyof typeof CONFIG, string>>

const isHttps = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:'
/** Whether a value is valid, and what a valid one is in words. */
const CHECKS: Readonly<
  Record<ConfigVariable['kind'], readonly [isValid: (value: string) => boolean, expected: string]>
> = {
  address: [
    (value) => isHttps(value) || /^http:\/\/[^/]/.test(value),
    'an address that begins with https://',
  ],
  https: [isHttps, 'an address that begins with https://'],
  // Specification, section 5: sign-in needs the path of a tenant.
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

/** A variable is missing or invalid. The message names all of them, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads a build's config from `environment` and fills in the defaults; images come from the service by default.
 * Throws a `ConfigError`.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): BuildConfig {
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
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  const images = config['SIGNET_IMAGE_ORIGINS'] || new URL(service).origin
  return { ...(config as BuildConfig), SIGNET_IMAGE_ORIGINS: images }
}

/** The headers that the web server has to send, by page, and by file that a mail client loads by itself. */
export type ShippedHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>

export type Production = Readonly<{
  /** The folder of the files to serve; holds nothing else. */
  www: string
  headers: ShippedHeaders
}>

/**
 * Builds the add-in as it ships into `folder`: the files to serve in `www`, the source maps in `maps`, the headers in
 * `headers.json`, the packages in `sbom.cdx.json`. Throws a `ConfigError` before the build starts.
 */
export async function buildProduction(options: {
  environment: Readonly<Record<string, string | undefined>>
  folder: string
  cacheFolder: string
}): Promise<Production> {
  const { folder, cacheFolder } = options
  const config = readConfig(options.environment)
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  const www = join(folder, 'www')
  const maps = join(folder, 'maps')
  const environment: PageEnvironment = { ...config, SIGNET_VERSION: version }

  await buildPages({
    pages: ['src/pane/taskpane.html', 'src/pane/index.html', 'src/launch/launch.html'].map((page) => [
      join(PROJECT, page),
    ]),
    environment,
    folder: www,
    cacheFolder,
  })
  await buildLaunchFile({ environment, folder: www, cacheFolder })
  await writeFile(join(folder, 'sbom.cdx.json'), billOfMaterials(await packagesOf(www), version))
  await rm(maps, { recursive: true, force: true })
  await mkdir(maps, { recursive: true })
  for (const name of await readdir(www)) {
    if (name.endsWith('.map')) await rename(join(www, name), join(maps, name))
    else if (/\.(js|css)$/.test(name)) await removeMapReference(join(www, name))
  }
  for (const name of await readdir(ICONS)) await copyFile(join(ICONS, name), join(www, name))
  // A deployment without the file would make launch events fail in classic Outlook.
  await restoreWellKnown(folder)

  const headers: ShippedHeaders = shippedHeaders(config)
  await writeFile(join(folder, 'headers.json'), `${JSON.stringify(headers, null, 2)}\n`)
  return { www, headers }
}

/** The headers of an add-in that is built with `config`. */
export function shippedHeaders(config: BuildConfig): ShippedHeaders {
  const authority = new URL(config.SIGNET_AUTHORITY).origin
  const analytics = config.SIGNET_ANALYTICS_URL
  const images = config.SIGNET_IMAGE_ORIGINS.split(/\s+/)
  const shared = {
    isSecure: true,
    apiOrigin: new URL(config.SIGNET_API_URL).origin,
    connectOrigins: [authority, ...(analytics === '' ? [] : [new URL(analytics).origin])],
    imageOrigins: images,
    // The identity provider redirects the hidden sign-in frame back to index.html.
    frameOrigins: ["'self'", authority],
  }
  return {
    'taskpane.html': pageHeaders({
      ...shared,
      page: 'pane',
      frameAncestors: OUTLOOK_ORIGINS,
      loadsOffice: true,
    }),
    // Outlook starts this page for launch events, with the same rights.
    'launch.html': pageHeaders({
      ...shared,
      page: 'pane',
      frameAncestors: OUTLOOK_ORIGINS,
      loadsOffice: true,
    }),
    // In a mail client's dialog this page reports the sign-in to the pane through Microsoft's library.
    'index.html': pageHeaders({
      ...shared,
      page: 'standalone',
      frameAncestors: ["'self'"],
      loadsOffice: true,
    }),
    [LAUNCH_FILE]: fileHeaders(LAUNCH_FILE),
    [WELL_KNOWN_FILE]: fileHeaders(WELL_KNOWN_FILE),
  }
}

/** The source maps are not served, so the served file must not refer to one. */
async function removeMapReference(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(/\n?(\/\/# sourceMappingURL=\S+|\/\*# sourceMappingURL=\S+ ?\*\/)\s*$/, '\n'),
  )
}
