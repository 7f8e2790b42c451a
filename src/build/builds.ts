import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import process from 'node:process'
import { list, object, text } from '../../streams/kernel/schema.ts'
import { deleteOldBuilds, useBuild } from '../programs/keptBuilds.mjs'
import { takeLock } from '../programs/lock.mjs'
import { type BundlerOptions, createBundler } from './bundler.ts'
import { type BuildGroup, type GroupName, BUILD_GROUPS } from './groups.ts'
import { LICENCES_FILE, licencesText, packagesOf } from './licences.ts'
import { createSerial } from '../../streams/kernel/serial.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
/** The folders that a build can read, besides the files directly in the project folder (all except `.md` files). */
const SOURCES = ['streams', 'effects', 'views', 'src'] as const

export type BuildsOptions = Omit<BundlerOptions, 'onProgress'> &
  Readonly<{
    /** Called with the group being built and the number of finished steps. */
    onProgress?: (group: BuildGroup, steps: number) => void
    /** The project folder, which contains the sources. */
    project?: string
    /** The folder for these builds; each build has its own subfolder. */
    folder?: string
  }>

export type Builds = ReturnType<typeof openBuilds>

/** How long to wait, in milliseconds, before the terminal shows that another process is building. */
const WAIT_MS = 2_000
const STAMP = 'build.json'
/** The file that names the group whose build started last. */
const BEGUN = 'group'
/** The content of `build.json`: the bundled files, and the digest of the bundled package files and the output. */
const stampSchema = object({ digest: text, bundled: list(text) })

/**
 * Builds groups of pages, cached in `dist/pages` by the digest of their inputs. The built pages contain no URLs,
 * because the server writes the settings into pages (`src/server/pageConfig.ts`).
 */
export function openBuilds(options: BuildsOptions) {
  const { project = PROJECT, folder: root = join(project, 'dist/pages') } = options
  let isEnded = false
  /** All groups are built here: the bundler's file names depend on the folder, and equal files need equal names. */
  const building = join(root, '.building')
  const www = join(building, 'www')
  let steps = 0
  let current: BuildGroup | null = null
  const bundler = createBundler({
    ...options,
    onProgress: () => {
      steps += 1
      if (current) options.onProgress?.(current, steps)
    },
  })
  /** The inputs of all groups. They are read again after each build, because a source may have changed meanwhile. */
  let inputs: Promise<Inputs> | null = null
  const inTurn = createSerial()

  const make = async (name: GroupName): Promise<string> => {
    const group: BuildGroup = BUILD_GROUPS[name]
    const builds = join(root, name)
    await mkdir(builds, { recursive: true })
    const waiting = setTimeout(() => options.tell('Waiting for another process, which builds …'), WAIT_MS)
    const { wasLeft, unlock } = await takeLock(join(root, '.lock')).finally(() => clearTimeout(waiting))
    try {
      if (wasLeft) await discardInterrupted(building)
      for (;;) {
        const before = await readInputs(project)
        const folder = join(builds, digestFor(name, before))
        // Another process may have built the group meanwhile.
        const kept = await keptBuild(folder, project)
        if (kept !== null) return kept
        steps = 0
        current = group
        options.onProgress?.(group, 0)
        await mkdir(building, { recursive: true })
        await writeFile(join(building, BEGUN), name)
        const bundled = await bundler.build(group.title, {
          kind: group.pages.length === 0 ? 'launchFile' : 'pages',
          options: {
            pages: group.pages.map((page) => join(project, page)),
            environment: { SIGNET_VERSION: before.version },
            folder: www,
            cacheFolder: join(building, 'cache', name),
            hasMaps: group.hasMaps,
          },
        })
        if (group.pages.length > 0)
          await writeFile(join(www, LICENCES_FILE), licencesText(packagesOf(bundled, project)))
        const digest = await digestOfBuild(www, bundled, project)
        // If an input changed during the build, the output may lack the change, so the group is built again.
        if ((await readInputs(project)).digest !== before.digest) continue
        await rm(folder, { recursive: true, force: true })
        await mkdir(folder)
        await rename(www, join(folder, 'www'))
        // This file is written last, so a build without it is incomplete.
        await writeFile(join(folder, STAMP), JSON.stringify({ digest, bundled }))
        useBuild(folder, join(folder, STAMP))
        deleteOldBuilds(builds, folder)
        return join(folder, 'www')
      }
    } finally {
      inputs = null
      // The bundler has ended, so its files can be deleted. If this process ends first, the next one deletes them.
      if (isEnded) await discardInterrupted(building)
      unlock()
    }
  }

  const build = async (name: GroupName): Promise<string> => {
    if (isEnded) throw new Error('The build was stopped.')
    inputs ??= readInputs(project)
    return (await keptBuild(join(root, name, digestFor(name, await inputs)), project)) ?? make(name)
  }
  return {
    /**
     * Resolves with the folder of a group's files: the cached folder if all inputs and the output are unchanged, else a
     * new build's folder. Builds one group at a time. Rejects as `Bundler.build` does. The folder exists at least until
     * this process ends.
     */
    build: (name: GroupName): Promise<string> => inTurn(() => build(name)),
    /** Aborts the running build, drops its output and refuses further builds. */
    end: (): void => {
      isEnded = true
      bundler.end()
    },
  }
}

/** Deletes an interrupted build's files and cache. Other groups' caches are complete and stay. */
async function discardInterrupted(building: string): Promise<void> {
  const begun = await readFile(join(building, BEGUN), 'utf8').catch(() => '')
  const cache = Object.hasOwn(BUILD_GROUPS, begun) ? join('cache', begun) : 'cache'
  for (const each of ['www', cache]) await rm(join(building, each), { recursive: true, force: true })
}

/** A cached build's folder; null if it is missing or was changed. */
async function keptBuild(folder: string, project: string): Promise<string | null> {
  const file = join(folder, STAMP)
  if (!useBuild(folder, file)) return null
  try {
    const { digest, bundled } = stampSchema.read(JSON.parse(await readFile(file, 'utf8')), '')
    const www = join(folder, 'www')
    return digest === (await digestOfBuild(www, bundled, project)) ? www : null
  } catch {
    return null
  }
}

type Inputs = Readonly<{ version: string; digest: string }>

async function readInputs(project: string): Promise<Inputs> {
  const { version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as { version: string }
  const read = [
    // Parcel reads these environment variables.
    Object.entries(process.env).filter(([name]) => name.startsWith('BROWSERSLIST')),
    process.version,
    await digestsIn(project, false, (name) => !name.endsWith('.md')),
    // The list of installed packages, which may differ from the lock file.
    await digestOf(join(project, 'node_modules/.package-lock.json')),
    ...(await Promise.all(SOURCES.map((folder) => digestsIn(join(project, folder), true)))),
  ]
  return { version, digest: sha256(read) }
}

const digestFor = (name: GroupName, { digest }: Inputs): string =>
  sha256([name, BUILD_GROUPS[name], digest]).slice(0, 32)

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** The digest of a build's output and of the bundled files outside the project's sources. */
async function digestOfBuild(www: string, bundled: readonly string[], project: string): Promise<string> {
  const isSource = (file: string) => SOURCES.some((folder) => file.startsWith(`${folder}/`))
  const foreign = bundled.filter((file) => !isSource(file))
  const digests = await Promise.all(foreign.map((file) => digestOf(join(project, file))))
  return sha256([foreign, digests, await digestsIn(www, true)])
}

/** The digest of a file's content; null if the file cannot be read. */
async function digestOf(file: string): Promise<string | null> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('base64')
  } catch {
    return null
  }
}

/** The names and digests of the files in a folder; empty if the folder does not exist. */
async function digestsIn(folder: string, recursive: boolean, counts: (name: string) => boolean = () => true) {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile() && counts(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(async (file) => [relative(folder, file), await digestOf(file)] as const),
  )
}
