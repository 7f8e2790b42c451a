import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  emptyConfig,
  hasNoConfig,
  readConfig,
  type ShippedHeaders,
  shippedHeaders,
} from '../server/pageConfig.ts'
import { type PageEnvironment, buildPages } from './bundle.ts'
import { buildLaunchFile } from './launchFile.ts'
import { BILLS, billOfMaterials, packagesOf, readLock, servicePackages } from './licences.ts'
import { freshPages } from './freshPages.ts'
import { azureConfig, iisConfig, nginxInclude, type Site } from './webServers.ts'
import { restoreWellKnown } from './writeManifest.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const ICONS = join(PROJECT, 'src/build/icons')

/**
 * Builds the add-in as it ships into `folder`: the files to serve in `www`, the source maps in `maps`, the headers in
 * `headers.json` and in the forms of other web servers, the packages in `BILLS`. When the environment has none of the required values, the pages are
 * those for `npm run service`. Throws a `ConfigError` before the build starts.
 */
export async function buildProduction(options: {
  environment: Readonly<Record<string, string | undefined>>
  folder: string
  cacheFolder: string
}): Promise<void> {
  const { folder, cacheFolder } = options
  const isForService = hasNoConfig(options.environment)
  const config = isForService ? emptyConfig() : readConfig(options.environment)
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  const www = join(folder, 'www')
  const maps = join(folder, 'maps')
  const environment: PageEnvironment = { ...config, SIGNET_VERSION: version }

  await buildPages({
    pages: [
      ...['src/pane/taskpane.html', 'src/pane/index.html', 'src/launch/launch.html'],
      // The service alone serves it.
      ...(isForService ? ['src/administration/administration.html'] : []),
    ].map((page) => [join(PROJECT, page)]),
    environment,
    folder: www,
    cacheFolder,
  })
  await buildLaunchFile({ environment, folder: www, cacheFolder })
  await writeFile(join(folder, BILLS.pages), billOfMaterials(await packagesOf(www), version))
  await writeFile(join(folder, BILLS.service), billOfMaterials(servicePackages(readLock()), version))
  await rm(maps, { recursive: true, force: true })
  await mkdir(maps, { recursive: true })
  for (const name of await readdir(www)) {
    if (name.endsWith('.map')) await rename(join(www, name), join(maps, name))
    else if (/\.(js|css)$/.test(name)) await removeMapReference(join(www, name))
  }
  for (const name of await readdir(ICONS)) await copyFile(join(ICONS, name), join(www, name))
  // A deployment without the file would make launch events fail in classic Outlook.
  await restoreWellKnown(folder)

  await writeHeaders(folder, isForService ? null : shippedHeaders(config))
}

/** By file beside `www`, its text for the web server that reads it. */
const HEADER_FILES: Readonly<Record<string, (site: Site) => string>> = {
  'headers.json': ({ headers }) => `${JSON.stringify(headers, null, 2)}\n`,
  'nginx.conf': nginxInclude,
  'web.config': iisConfig,
  'staticwebapp.config.json': azureConfig,
}

/**
 * Writes `headers.json` and the same for other web servers beside `www`, of the pages that are in it; null removes
 * them.
 */
export async function writeHeaders(folder: string, headers: ShippedHeaders | null): Promise<void> {
  const entries = await readdir(join(folder, 'www'), { withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
  const there = Object.entries(headers ?? {}).filter(
    ([name]) => !name.endsWith('.html') || files.includes(name),
  )
  for (const [name, write] of Object.entries(HEADER_FILES)) {
    const file = join(folder, name)
    if (headers === null) await rm(file, { force: true })
    else await writeFile(file, write({ headers: Object.fromEntries(there), files }))
  }
}

/**
 * The add-in as it ships, for `npm run service`, in a folder of this project: built again only when it would become
 * another one. Resolves with the folder of the files to serve and that of the source maps.
 */
export async function freshProduction(): Promise<Readonly<{ www: string; maps: string }>> {
  const cache = join(PROJECT, 'node_modules/.cache')
  const folder = join(cache, 'production')
  await freshPages(
    { pages: [], environment: {}, folder, cacheFolder: join(cache, 'parcel/production') },
    undefined,
    ({ cacheFolder }) => buildProduction({ environment: {}, folder, cacheFolder }),
  )
  return { www: join(folder, 'www'), maps: join(folder, 'maps') }
}

/** The source maps are not served, so the served file must not refer to one. */
async function removeMapReference(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(/\n?(\/\/# sourceMappingURL=\S+|\/\*# sourceMappingURL=\S+ ?\*\/)\s*$/, '\n'),
  )
}
