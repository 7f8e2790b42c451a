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
import { billOfMaterials, packagesOf } from './licences.ts'
import { freshPages } from './freshPages.ts'
import { restoreWellKnown } from './writeManifest.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const ICONS = join(PROJECT, 'src/build/icons')

/**
 * Builds the add-in as it ships into `folder`: the files to serve in `www`, the source maps in `maps`, the headers in
 * `headers.json`, the packages in `sbom.cdx.json`. When the environment has none of the required values, the pages are
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

  await writeHeaders(folder, isForService ? null : shippedHeaders(config))
}

/** Writes `headers.json`; null removes it. */
export async function writeHeaders(folder: string, headers: ShippedHeaders | null): Promise<void> {
  const file = join(folder, 'headers.json')
  if (headers === null) await rm(file, { force: true })
  else await writeFile(file, `${JSON.stringify(headers, null, 2)}\n`)
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
