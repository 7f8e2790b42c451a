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
import { restoreWellKnown } from './writeManifest.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const ICONS = join(PROJECT, 'src/build/icons')

export type Production = Readonly<{
  /** The folder of the files to serve; holds nothing else. */
  www: string
  /** Empty for pages without a config: the service gives them theirs, and the headers that follow. */
  headers: ShippedHeaders
}>

/**
 * Builds the add-in as it ships into `folder`: the files to serve in `www`, the source maps in `maps`, the headers in
 * `headers.json`, the packages in `sbom.cdx.json`. When the environment has none of the required values, the pages are
 * those for `npm run service`. Throws a `ConfigError` before the build starts.
 */
export async function buildProduction(options: {
  environment: Readonly<Record<string, string | undefined>>
  folder: string
  cacheFolder: string
}): Promise<Production> {
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

  const headersFile = join(folder, 'headers.json')
  const headers = isForService ? {} : shippedHeaders(config)
  if (isForService) await rm(headersFile, { force: true })
  else await writeFile(headersFile, `${JSON.stringify(headers, null, 2)}\n`)
  return { www, headers }
}

/** The source maps are not served, so the served file must not refer to one. */
async function removeMapReference(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(/\n?(\/\/# sourceMappingURL=\S+|\/\*# sourceMappingURL=\S+ ?\*\/)\s*$/, '\n'),
  )
}
