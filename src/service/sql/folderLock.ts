/** One process per data folder: two on one folder of the embedded database lose data without a word. */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

type Holder = Readonly<{ process: number; host: string; id: string }>

/** The locks that this process holds: a former process may have had the same number. */
const held = new Set<string>()

/**
 * Locks a folder. The lock of a process of this host that no longer runs is taken over. Resolves with the function that
 * unlocks.
 *
 * @throws Error with a sentence that names the folder and the process that has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(resolve(folder), 'lock')
  const own: Holder = { process: process.pid, host: hostname(), id: randomUUID() }
  const candidate = `${file}.${own.id}`
  await writeFile(candidate, JSON.stringify(own))
  try {
    // A link appears with its whole content, or not at all.
    while (!(await succeeds(link(candidate, file)))) {
      const holder = await readHolder(file)
      if (holder === null) continue
      if (isRunning(holder)) throw new Error(explain(folder, file, holder))
      await removeLockOf(holder, file, `${candidate}.former`)
    }
  } finally {
    await rm(candidate, { force: true })
  }
  held.add(own.id)
  return async () => {
    await removeLockOf(own, file, `${candidate}.former`)
    held.delete(own.id)
  }
}

const explain = (folder: string, file: string, holder: Holder) =>
  `Process ${String(holder.process)} on ${holder.host} uses the data in ${folder}; two processes would lose data. ` +
  `End that process first. If it no longer runs, delete ${file}.`

function isRunning({ process: number, host, id }: Holder): boolean {
  if (host !== hostname()) return true
  if (number === process.pid) return held.has(id)
  try {
    process.kill(number, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Removes this holder's lock, never that of a process which took over meanwhile. */
async function removeLockOf(holder: Holder, file: string, aside: string): Promise<void> {
  if (!(await succeeds(rename(file, aside), 'ENOENT'))) return
  const removed = await readHolder(aside)
  if (removed !== null && removed.id !== holder.id) await succeeds(link(aside, file))
  await rm(aside, { force: true })
}

/** Null when there is none. */
async function readHolder(file: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    if (error instanceof SyntaxError)
      throw new Error(`${file} is not a lock of Signet. Delete it if nothing uses the folder.`, {
        cause: error,
      })
    throw error
  }
}

/** False when the file exists already (or, for another code, when it does not exist). */
const succeeds = (change: Promise<void>, code = 'EEXIST'): Promise<boolean> =>
  change.then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === code) return false
      throw error
    },
  )
