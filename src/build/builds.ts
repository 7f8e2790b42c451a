import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import process from 'node:process'
import { list, object, text } from '../../streams/kernel/schema.ts'
import { deleteOldBuilds, useBuild } from '../programs/keptBuilds.mjs'
import { takeLock } from '../programs/lock.mjs'
import { type BundlerOptions, createBundler } from './bundler.ts'
import { type Group, type GroupName, GROUPS } from './groups.ts'
import { LICENCES_FILE, licencesText, packagesOf } from './licences.ts'
import { createSerial } from '../../streams/kernel/serial.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
/** What a build may read. In the project's folder only its own files count, such as package.json, without texts. */
const SOURCES = ['streams', 'effects', 'views', 'src'] as const

export type BuildsOptions = Omit<BundlerOptions, 'onProgress'> &
  Readonly<{
    /** Gets what is being built, and how many steps are done. */
    onProgress?: (group: Group, steps: number) => void
    /** The folder of the sources. */
    project?: string
    /** The folder of these builds; each has a folder in it. */
    folder?: string
  }>

export type Builds = ReturnType<typeof openBuilds>

/** How long a wait for another process stays silent. */
const WAIT_MS = 2_000
const STAMP = 'build.json'
/** Has the name of the group that was built last. */
const BEGUN = 'group'
/** Stored in a build: the bundled files, and the digest of package files and of the output. */
const stampSchema = object({ digest: text, bundled: list(text) })

/**
 * Builds of groups of pages, cached in `dist/pages` by the digest of their inputs. They contain no address: the server
 * writes the settings into pages (`src/server/pageConfig.ts`).
 */
export function openBuilds(options: BuildsOptions) {
  const { project = PROJECT, folder: root = join(project, 'dist/pages') } = options
  let isEnded = false
  /** One for all groups: the bundler makes the names of files by their folder, too, and equal files have equal names. */
  const building = join(root, '.building')
  const www = join(building, 'www')
  let steps = 0
  let current: Group | null = null
  const bundler = createBundler({
    ...options,
    onProgress: () => {
      steps += 1
      if (current) options.onProgress?.(current, steps)
    },
  })
  /** The inputs of all groups. A build may take longer than the next change of a source, so each reads them again. */
  let inputs: Promise<Inputs> | null = null
  const inTurn = createSerial()

  const make = async (name: GroupName): Promise<string> => {
    const group: Group = GROUPS[name]
    const builds = join(root, name)
    await mkdir(builds, { recursive: true })
    const waiting = setTimeout(() => options.tell('Waiting for another process, which builds …'), WAIT_MS)
    const { wasLeft, unlock } = await takeLock(join(root, '.lock')).finally(() => clearTimeout(waiting))
    try {
      if (wasLeft) await discardInterrupted(building)
      for (;;) {
        const before = await readInputs(project)
        const folder = join(builds, digestFor(name, before))
        // Another process may have built it meanwhile.
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
        // Changes during the build may or may not be in the output.
        if ((await readInputs(project)).digest !== before.digest) continue
        await rm(folder, { recursive: true, force: true })
        await mkdir(folder)
        await rename(www, join(folder, 'www'))
        // Written last: without it the build is incomplete.
        await writeFile(join(folder, STAMP), JSON.stringify({ digest, bundled }))
        useBuild(folder, join(folder, STAMP))
        deleteOldBuilds(builds, folder)
        return join(folder, 'www')
      }
    } finally {
      inputs = null
      // The process of the bundler has ended. When this one ends before that, the next one finds its lock.
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
     * Resolves with the folder of a group's files: the cached one if all inputs and the output are unchanged, else a new
     * build. Groups are built one after the other. Rejects as `Bundler.build` does. The folder stays as long as this
     * process.
     */
    build: (name: GroupName): Promise<string> => inTurn(() => build(name)),
    /** Aborts the running build, whose output is dropped, and builds no more. */
    end: (): void => {
      isEnded = true
      bundler.end()
    },
  }
}

/** Deletes the files and the cache of an interrupted build. The caches of other groups are complete. */
async function discardInterrupted(building: string): Promise<void> {
  const begun = await readFile(join(building, BEGUN), 'utf8').catch(() => '')
  const cache = Object.hasOwn(GROUPS, begun) ? join('cache', begun) : 'cache'
  for (const each of ['www', cache]) await rm(join(building, each), { recursive: true, force: true })
}

/** The folder of a cached build; null if it is missing or was changed. */
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
    // Parcel reads these from the environment of the process.
    Object.entries(process.env).filter(([name]) => name.startsWith('BROWSERSLIST')),
    process.version,
    await digestsIn(project, false, (name) => !name.endsWith('.md')),
    // The installed packages, which may differ from the lock file.
    await digestOf(join(project, 'node_modules/.package-lock.json')),
    ...(await Promise.all(SOURCES.map((folder) => digestsIn(join(project, folder), true)))),
  ]
  return { version, digest: sha256(read) }
}

const digestFor = (name: GroupName, { digest }: Inputs): string =>
  sha256([name, GROUPS[name], digest]).slice(0, 32)

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** The digest of bundled files that are no source, and of the output. */
async function digestOfBuild(www: string, bundled: readonly string[], project: string): Promise<string> {
  const isSource = (file: string) => SOURCES.some((folder) => file.startsWith(`${folder}/`))
  const foreign = bundled.filter((file) => !isSource(file))
  const digests = await Promise.all(foreign.map((file) => digestOf(join(project, file))))
  return sha256([foreign, digests, await digestsIn(www, true)])
}

/** The digest of a file's content; null when it cannot be read. */
async function digestOf(file: string): Promise<string | null> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('base64')
  } catch {
    return null
  }
}

/** The names and digests of the files in a folder; none when there is no such folder. */
async function digestsIn(folder: string, recursive: boolean, counts: (name: string) => boolean = () => true) {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile() && counts(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(async (file) => [relative(folder, file), await digestOf(file)] as const),
  )
}
