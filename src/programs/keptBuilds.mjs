/** Keeps several builds, each in a folder named by the digest of its inputs. Needs no package. */
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** How many builds are kept. An earlier build is useful when a checkout returns to earlier sources. */
const KEPT = 3

/** The files in which this process records the builds that it uses. */
const notes = new Set()

/** Records that this process uses a build. Returns whether the build exists. */
export function useBuild(folder, entry) {
  if (!existsSync(entry)) return false
  const note = join(folder, `running.${String(process.pid)}`)
  try {
    writeFileSync(note, '')
    if (notes.size === 0) process.once('exit', () => notes.forEach((each) => rmSync(each, { force: true })))
    notes.add(note)
  } catch {
    // In a read-only folder, as in a container, no process deletes a build, so no record is needed.
  }
  // Another process may have deleted the build just before the record was written.
  return existsSync(entry)
}

/** Deletes leftovers of interrupted processes, and all builds except the latest `KEPT` and the ones in use. */
export function deleteOldBuilds(builds, current) {
  const found = readdirSync(builds).map((name) => join(builds, name))
  for (const partial of found.filter((path) => /[\\/]\.\w+\.\d+$/.test(path)))
    if (!isAlive(partial)) rmSync(partial, { recursive: true, force: true })
  const old = found
    .filter((path) => path !== current && /[\\/]\w+$/.test(path))
    .flatMap((path) => {
      // Another process may delete the same build.
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat ? [{ path, at: stat.mtimeMs }] : []
    })
    .sort((one, other) => other.at - one.at)
    .slice(KEPT - 1)
  for (const { path } of old) {
    const aside = join(builds, `.old.${String(process.pid)}`)
    try {
      if (isInUse(path)) continue
      // From here on, a process cannot find this build and compiles again.
      renameSync(path, aside)
      if (isInUse(aside)) renameSync(aside, path)
      else rmSync(aside, { recursive: true })
    } catch {
      // Another process deleted the build, or Windows still has one of its files open. The next build tries again.
    }
  }
}

const isInUse = (folder) => readdirSync(folder).some((name) => name.startsWith('running.') && isAlive(name))

/** Whether the process with the id at the end of `name` is running. Also true if another process now has this id. */
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
