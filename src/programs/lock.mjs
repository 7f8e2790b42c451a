/** One process at a time. Nothing here needs a package. */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { clearInterval, setInterval } from 'node:timers'

const LOOK_AGAIN_MS = 200
const BEAT_MS = 1_000
/** How often a lock is looked at without a beat of its holder, until it counts as left behind. */
const MOST_SILENT_LOOKS = 50

/**
 * Waits until no other process has the lock, and takes it. A lock whose holder has ended is taken over; so is one that
 * its holder does not touch any more, because the number of that process may be another one's by now.
 *
 * @param {string} file has the id of the process that holds the lock; its folder is made
 * @returns {Promise<{ wasLeft: boolean, unlock: () => void }>} `wasLeft`: a holder ended without unlocking, so what the
 *   lock protects may be half done
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
    // The global timer, which tests replace.
    if (isAlive && silentLooks < MOST_SILENT_LOOKS)
      await new Promise((resolve) => void globalThis.setTimeout(resolve, LOOK_AGAIN_MS))
    else {
      rmSync(file, { force: true })
      wasLeft = true
    }
  }
}

/** Shows that the holder lives. @returns what ends that, and the lock */
function hold(file) {
  const beating = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date())
    } catch {
      // The lock was deleted by hand.
    }
  }, BEAT_MS)
  beating.unref()
  const unlock = () => {
    clearInterval(beating)
    rmSync(file, { force: true })
  }
  return unlock
}

/** `touched` is null when the lock is gone. */
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
