/** Builds that are kept side by side, each in a folder with the digest of its inputs as its name. Needs no package. */
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Builds of earlier sources that are kept, for a checkout that goes to and fro. */
const KEPT = 3

/** The notes of this process. */
const notes = new Set()

/** Notes that this process runs from a build, and says whether that is there. */
export function useBuild(folder, entry) {
  if (!existsSync(entry)) return false
  const note = join(folder, `running.${String(process.pid)}`)
  try {
    writeFileSync(note, '')
    if (notes.size === 0) process.once('exit', () => notes.forEach((each) => rmSync(each, { force: true })))
    notes.add(note)
  } catch {
    // Where this process may not write, as in a container, it does not compile either: nothing is deleted.
  }
  // Another process may have deleted it just before the note.
  return existsSync(entry)
}

/** Deletes all but the latest builds, none that a process runs from, and what interrupted processes left. */
export function deleteOldBuilds(builds, current) {
  const found = readdirSync(builds).map((name) => join(builds, name))
  for (const partial of found.filter((path) => /[\\/]\.\w+\.\d+$/.test(path)))
    if (!isAlive(partial)) rmSync(partial, { recursive: true, force: true })
  const old = found
    .filter((path) => path !== current && /[\\/]\w+$/.test(path))
    .flatMap((path) => {
      // Another process may delete, too.
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat ? [{ path, at: stat.mtimeMs }] : []
    })
    .sort((one, other) => other.at - one.at)
    .slice(KEPT - 1)
  for (const { path } of old) {
    const aside = join(builds, `.old.${String(process.pid)}`)
    try {
      if (isInUse(path)) continue
      // A process that finds the build from now on compiles again.
      renameSync(path, aside)
      if (isInUse(aside)) renameSync(aside, path)
      else rmSync(aside, { recursive: true })
    } catch {
      // Another process deleted it, or Windows still has a file open. The next build tries again.
    }
  }
}

const isInUse = (folder) => readdirSync(folder).some((name) => name.startsWith('running.') && isAlive(name))

/** Whether the process at the end of a name runs; also true of another one that has its number now. */
function isAlive(name) {
  const id = Number(/\d+$/.exec(name)?.[0])
  if (id === process.pid) return name.includes('running.')
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
