/** Limits the embedded database's folder to one process, because two processes would lose data. */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { integer, textMatching } from '../../../streams/kernel/limits.ts'
import { object, type OutOf, text } from '../../../streams/kernel/schema.ts'
import { PlainError } from '../../server/reasons.ts'

const holderSchema = object({
  process: integer(0),
  host: text,
  id: textMatching(/^[\w-]+$/, 'an id'),
})
type Holder = OutOf<typeof holderSchema>

/**
 * The ids of this process's locks. The process number is not enough, because an earlier process may have had the same
 * number.
 */
const held = new Set<string>()

/**
 * Locks a folder. Takes over the lock of a process on this host that ended without unlocking. Resolves with a function
 * that unlocks the folder.
 *
 * @throws PlainError that names the folder and the process that uses it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(resolve(folder), 'lock')
  const own: Holder = { process: process.pid, host: hostname(), id: randomUUID() }
  const candidate = `${file}.${own.id}`
  await writeFile(candidate, JSON.stringify(own))
  held.add(own.id)
  try {
    // Uses a link as the lock, because a link appears atomically with its whole content.
    while (!(await isLinked(candidate, file))) {
      const holder = await readHolder(file)
      if (holder === null) continue
      if (isRunning(holder)) throw new PlainError(explain(folder, file, holder))
      if (await isTakenOver(file, holder, candidate)) break
    }
  } catch (error) {
    held.delete(own.id)
    throw error
  } finally {
    await rm(candidate, { force: true })
  }
  return async () => {
    if ((await readHolder(file))?.id === own.id) await rm(file, { force: true })
    held.delete(own.id)
  }
}

/** Takes over an ended process's lock. Only one process at a time can create the link with the former holder's id. */
async function isTakenOver(file: string, former: Holder, candidate: string): Promise<boolean> {
  const claim = `${file}.of.${former.id}`
  if (!(await isLinked(candidate, claim))) {
    const claimant = await readHolder(claim)
    if (claimant !== null && !isRunning(claimant)) await rm(claim, { force: true })
    return false
  }
  const isStill = (await readHolder(file))?.id === former.id
  await (isStill ? rename(claim, file) : rm(claim, { force: true }))
  return isStill
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

/** The holder of a lock; null if the lock does not exist. */
async function readHolder(file: string): Promise<Holder | null> {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  })
  if (content === null) return null
  try {
    return holderSchema.read(JSON.parse(content), file)
  } catch (error) {
    throw new PlainError(`${file} is not a lock of Signet. Delete it if nothing uses the folder.`, {
      cause: error,
    })
  }
}

/** Links a file to another name. Resolves with false if that name already exists. */
async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
