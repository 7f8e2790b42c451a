import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { deleteOldBuilds, useBuild } from '../programs/keptBuilds.mjs'
import {
  addPreconnect,
  hasNoConfig,
  type PageConfig,
  readConfig,
  type ShippedHeaders,
  shippedHeaders,
  embedConfig,
} from '../server/pageConfig.ts'
import { type Builds, type BuildsOptions, openBuilds } from './builds.ts'
import { SHIPPED_GROUPS } from './groups.ts'
import {
  SBOM_FILES,
  billOfMaterials,
  LICENCES_FILE,
  licencesText,
  packagesOf,
  readPackageLock,
  servicePackages,
  mappedSources,
} from './licences.ts'
import { azureConfig, iisConfig, nginxInclude, type ServedSite } from './webServers.ts'
import { restoreWellKnown } from './writeManifest.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const ICONS = join(PROJECT, 'src/build/icons')

/**
 * Builds the shipped add-in into `output`: the files to serve (`www`), the source maps (`maps`), the bills of materials
 * (`SBOM_FILES`), and the headers as JSON and for other web servers. If the environment has none of the required values,
 * builds the pages for `npm run service`, without headers. `output` keeps its old content until everything is built.
 * Throws a `ConfigError` before the build starts.
 */
export async function buildProduction(
  options: BuildsOptions &
    Readonly<{ environment: Readonly<Record<string, string | undefined>>; output: string }>,
): Promise<void> {
  const { output } = options
  const config = hasNoConfig(options.environment) ? null : readConfig(options.environment)
  const partial = join(dirname(output), `.${basename(output)}.${String(process.pid)}`)
  try {
    await assemble(partial, await shippedFolders(options), config)
    await mkdir(output, { recursive: true })
    for (const name of await readdir(partial)) {
      await rm(join(output, name), { recursive: true, force: true })
      await rename(join(partial, name), join(output, name))
    }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  // Without the well-known file, launch events would fail in classic Outlook.
  await restoreWellKnown(output)
  await writeHeaders(output, config && shippedHeaders(config))
}

/** Builds the shipped groups. Resolves with their folders, in the order of `SHIPPED_GROUPS`. */
async function shippedFolders(options: BuildsOptions): Promise<readonly string[]> {
  const builds: Builds = openBuilds(options)
  try {
    return await Promise.all(SHIPPED_GROUPS.map((name) => builds.build(name)))
  } finally {
    builds.end()
  }
}

/**
 * Assembles the shipped files in a new folder. `config` has the settings for pages that are served without the service;
 * null if the service serves them.
 */
async function assemble(folder: string, built: readonly string[], config: PageConfig | null): Promise<void> {
  const www = join(folder, 'www')
  const maps = join(folder, 'maps')
  await rm(folder, { recursive: true, force: true })
  for (const each of [www, maps]) await mkdir(each, { recursive: true })
  // Only the service serves the administration page, so builds for other servers leave it out.
  for (const group of config === null
    ? built
    : built.filter((_, index) => SHIPPED_GROUPS[index] !== 'administration'))
    for (const name of await readdir(group)) {
      // The licences of all pages are written together below.
      if (name === LICENCES_FILE) continue
      const [from, to] = [join(group, name), join(name.endsWith('.map') ? maps : www, name)]
      // A file shared by several pages has one name, from a hash of its code. Its maps may differ, because a comment
      // changes only the map, and the bundler may keep an older map. Any other difference is an error.
      if (to.startsWith(www) && existsSync(to) && !(await readFile(from)).equals(await readFile(to)))
        throw new Error(`Two pages have different files of the name ${name}.`)
      await copyFile(from, to)
    }
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  const packages = packagesOf(await mappedSources(maps))
  await writeFile(join(www, LICENCES_FILE), licencesText(packages))
  for (const name of await readdir(www)) {
    const path = join(www, name)
    if (/\.(js|css)$/.test(name)) await removeMapReference(path)
    if (config === null) continue
    const content = await readFile(path)
    await writeFile(path, addPreconnect(name, embedConfig(name, content, config), config.SIGNET_API_URL))
  }
  for (const name of await readdir(ICONS)) await copyFile(join(ICONS, name), join(www, name))
  await writeFile(join(folder, SBOM_FILES.pages), billOfMaterials(packages, version))
  await writeFile(
    join(folder, SBOM_FILES.service),
    billOfMaterials(servicePackages(readPackageLock()), version),
  )
}

/** The header files beside `www`, each in one web server's format. */
const HEADER_FILES: Readonly<Record<string, (site: ServedSite) => string>> = {
  'headers.json': ({ headers }) => `${JSON.stringify(headers, null, 2)}\n`,
  'nginx.conf': nginxInclude,
  'web.config': iisConfig,
  'staticwebapp.config.json': azureConfig,
}

/**
 * Writes the pages' headers beside `www`: `headers.json`, and files for other web servers. If `headers` is null,
 * deletes these files.
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
 * Builds the shipped add-in for `npm run service`, or reuses an earlier build with the same inputs. Resolves with the
 * folder to serve and the source map folder.
 */
export async function freshProductionBuild(
  options: BuildsOptions,
): Promise<Readonly<{ www: string; maps: string }>> {
  const built = await shippedFolders(options)
  // The name of each group's folder is the digest of its inputs.
  const digest = createHash('sha256').update(built.join('\n')).digest('hex').slice(0, 32)
  const kept = join(PROJECT, 'dist/pages/production')
  const folder = join(kept, digest)
  const last = join(folder, SBOM_FILES.service)
  if (!useBuild(folder, last)) {
    const partial = join(kept, `.partial.${String(process.pid)}`)
    await assemble(partial, built, null)
    await rename(partial, folder).catch(async (error: unknown) => {
      // Another process has made the same folder meanwhile.
      await rm(partial, { recursive: true, force: true })
      if (!useBuild(folder, last)) throw error
    })
    useBuild(folder, last)
    deleteOldBuilds(kept, folder)
  }
  return { www: join(folder, 'www'), maps: join(folder, 'maps') }
}

/** Removes a file's reference to its source map, because the source maps are not served. */
async function removeMapReference(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(/\n?(\/\/# sourceMappingURL=\S+|\/\*# sourceMappingURL=\S+ ?\*\/)\s*$/, '\n'),
  )
}
