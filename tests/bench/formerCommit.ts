import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const PROJECT = join(import.meta.dirname, '..', '..')

/** The build options of a former commit. */
export type FormerBuild = Readonly<{ environment: Readonly<Record<string, string>>; folder: string }>

/** Ports that occur in no other URL of a page. */
const FIRST_PLACEHOLDER_PORT = 10_001

/** The hosts of this machine in the values, such as `localhost:4401`, each once. */
const hostsIn = (environment: FormerBuild['environment']): readonly string[] => [
  ...new Set(Object.values(environment).flatMap((value) => value.match(/\blocalhost:\d+/g) ?? [])),
]

/**
 * Builds the pages of a former commit once, with placeholders for the addresses of its servers. Each caller gets a copy
 * with its own addresses. The build stays in `folder` for later runs, because the sources of a commit do not change.
 */
export function createSharedBuild(
  folder: string,
  build: (options: FormerBuild) => Promise<unknown>,
): (options: FormerBuild) => Promise<void> {
  let building: Promise<unknown> | null = null
  const make = async (options: FormerBuild) => {
    if (existsSync(folder)) return
    const partial = `${folder}.partial`
    await build({ ...options, folder: partial })
    await rename(partial, folder)
  }
  return async (options) => {
    const hosts = hostsIn(options.environment)
    const placeholders = hosts.map((_, index) => `localhost:${String(FIRST_PLACEHOLDER_PORT + index)}`)
    const replaceAll = (text: string, from: readonly string[], to: readonly string[]) =>
      from.reduce((replaced, each, index) => replaced.replaceAll(each, to[index] ?? each), text)
    const environment = Object.fromEntries(
      Object.entries(options.environment).map(([name, value]) => [
        name,
        replaceAll(value, hosts, placeholders),
      ]),
    )
    building ??= make({ ...options, environment })
    await building
    await rm(options.folder, { recursive: true, force: true })
    await cp(folder, options.folder, { recursive: true })
    for (const name of await readdir(folder)) {
      if (!/\.(?:js|html)$/.test(name)) continue
      const text = await readFile(join(folder, name), 'utf8')
      await writeFile(join(options.folder, name), replaceAll(text, placeholders, hosts))
    }
  }
}

/** The last commit whose build rewrote packages. The goals compare Signet with it. */
const REWRITING = 'b251e1da19faeb06712073590d6c7fdfa3d88aa2'
export const REWRITING_BUILD = `build of ${REWRITING.slice(0, 8)}`

/** Checks out `REWRITING_BUILD` with the packages of its own lock file. Resolves with the folder of its sources. */
export async function checkOutRewriting(): Promise<string> {
  const folder = join(PROJECT, '.signet/bench', REWRITING.slice(0, 8))
  await checkOut(REWRITING, folder, 'installed')
  return folder
}

/** Loads a module of the sources in `root`. */
export const loadFrom = (root: string, file: string): Promise<unknown> =>
  import(pathToFileURL(join(root, file)).href)

/**
 * Checks out a former commit into `folder`, unless the folder exists. `linked` uses this project's packages, `installed`
 * the packages of the commit's own lock file.
 */
export async function checkOut(
  commit: string,
  folder: string,
  packages: 'linked' | 'installed' = 'linked',
): Promise<void> {
  if (existsSync(folder)) return
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: PROJECT, stdio: 'ignore' })
  } catch {
    throw new Error(
      `The former build needs the commit ${commit}, which this clone does not have. Run: git fetch --unshallow`,
    )
  }
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  const files = execFileSync('git', ['archive', '--format=tar', commit], { cwd: PROJECT, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', partial], { input: files })
  if (packages === 'linked')
    await symlink(join(PROJECT, 'node_modules'), join(partial, 'node_modules'), 'junction')
  else
    execFileSync(process.execPath, ['src/programs/install.mjs'], {
      cwd: partial,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  await rename(partial, folder)
}
