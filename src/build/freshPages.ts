import { createHash } from 'node:crypto'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import * as v from 'valibot'
import type { BuildOptions } from './bundle.ts'

/** What a build reads. Paths are absolute. */
export type Sources = Readonly<{
  /** The folder of the configuration: its own files count, its subfolders only if they are in `folders`. */
  project: string
  folders: readonly string[]
}>

/** What a build of this project reads, or of another commit of it in the folder `project`. */
export const sourcesOf = (project: string): Sources => ({
  project,
  folders: ['streams', 'effects', 'views', 'src'].map((folder) => join(project, folder)),
})

/** Kept beside the output: the digest of all that went into the build and came out, and the files that were bundled. */
const stampSchema = v.object({ digest: v.string(), bundled: v.array(v.string()) })
type Stamp = v.InferOutput<typeof stampSchema>

const stampOf = (folder: string): string => `${folder}.build.json`

/**
 * Like `buildPages`, but keeps the output of the previous build when a new one would give the same: the content of the
 * sources, of the bundled packages and of the output is what it was, and so are the pages, the environment and Node's
 * version. Takes a fraction of a second then, and does not load the bundler.
 */
export async function freshPages(
  options: BuildOptions,
  { project, folders }: Sources = sourcesOf(join(import.meta.dirname, '..', '..')),
  build: (options: BuildOptions) => Promise<void> = buildWithLaunchFile,
): Promise<void> {
  const stampFile = stampOf(options.folder)
  const readInputs = async () =>
    JSON.stringify([
      options.pages,
      options.environment,
      // Parcel also reads these from the environment of the process.
      Object.entries(process.env).filter(([name]) => /^(?:SIGNET_|BROWSERSLIST)/.test(name)),
      process.version,
      await digestsIn(project, false),
      // What npm has installed, which the lock file only promises.
      await digestOf(join(project, 'node_modules/.package-lock.json')),
      ...(await Promise.all(folders.map((folder) => digestsIn(folder, true)))),
    ])
  const digest = async (inputs: string, bundled: readonly string[]) =>
    createHash('sha256')
      .update(inputs)
      .update(JSON.stringify(await Promise.all(bundled.map((file) => digestOf(join(project, file))))))
      .update(JSON.stringify(await digestsIn(options.folder, true)))
      .digest('hex')

  // Before the build, so that a file that changes meanwhile leads to another build.
  const inputs = await readInputs()
  const stamp = await readStamp(stampFile)
  if (stamp !== null && stamp.digest === (await digest(inputs, stamp.bundled))) return
  await build(options)
  const bundled = await bundledFilesOf(options.folder)
  const built: Stamp = { digest: await digest(inputs, bundled), bundled }
  await writeFile(stampFile, JSON.stringify(built))
}

/** The pages, and the launch program if one of them loads it. */
async function buildWithLaunchFile(options: BuildOptions): Promise<void> {
  const [{ buildPages }, { buildLaunchFile }] = await Promise.all([
    import('./bundle.ts'),
    import('./launchFile.ts'),
  ])
  await buildPages(options)
  if (options.pages.flat().some((page) => basename(page).startsWith('launch'))) await buildLaunchFile(options)
}

async function readStamp(file: string): Promise<Stamp | null> {
  try {
    return v.parse(stampSchema, JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
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
async function digestsIn(folder: string, recursive: boolean) {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(async (file) => [relative(folder, file), await digestOf(file)] as const),
  )
}

/** The files that the source maps of a built folder name, those of packages included. */
async function bundledFilesOf(folder: string): Promise<string[]> {
  const files = new Set<string>()
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.map')) continue
    const { sources } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { sources: string[] }
    for (const source of sources) files.add(source)
  }
  return [...files].sort()
}
