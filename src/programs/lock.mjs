/** A lock that only one process at a time can hold. This file needs no package. */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { clearInterval, setInterval } from 'node:timers'

const LOOK_AGAIN_MS = 200
const BEAT_MS = 1_000
/** A lock counts as abandoned after this many checks without a touch from its holder. */
const MAX_SILENT_LOOKS = 50

/**
 * Waits until no other process has the lock, and takes it. Takes over the lock of a process that has ended. Also takes
 * over a lock that is no longer touched, because another process may now have the holder's id.
 *
 * @param {string} file contains the holder's process id; its folder is created
 * @returns {Promise<{ wasLeft: boolean, unlock: () => void }>} `wasLeft`: an earlier holder ended without unlocking, so
 * its work may be incomplete
 */
export async function takeLock(file) {
  mkdirSync(dirname(file), { recursive: true })
  let wasLeft = false
  let silentLooks = 0
  let beat = null
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return { wasLeft, unlock: hold(file) }
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const { isAlive, touched } = holderOf(file)
    silentLooks = touched === beat ? silentLooks + 1 : 0
    beat = touched
    if (touched === null) continue
    // The global timer is used because tests replace it.
    if (isAlive && silentLooks < MAX_SILENT_LOOKS)
      await new Promise((resolve) => void globalThis.setTimeout(resolve, LOOK_AGAIN_MS))
    else {
      rmSync(file, { force: true })
      wasLeft = true
    }
  }
}

/** Touches the lock file regularly. @returns a function that stops the touching and releases the lock */
function hold(file) {
  const beating = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date())
    } catch {
      // The lock file was deleted by hand, so it cannot be touched.
    }
  }, BEAT_MS)
  beating.unref()
  const unlock = () => {
    clearInterval(beating)
    rmSync(file, { force: true })
  }
  return unlock
}

/** A lock's holder. `touched` is null if the lock is gone. */
function holderOf(file) {
  try {
    const touched = statSync(file).mtimeMs
    try {
      process.kill(Number(readFileSync(file, 'utf8')), 0)
      return { isAlive: true, touched }
    } catch (error) {
      return { isAlive: error.code === 'EPERM', touched }
    }
  } catch {
    return { isAlive: false, touched: null }
  }
}
