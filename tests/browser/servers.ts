import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { inject } from 'vitest'

/** Addresses of a running playground, without a slash at the end, and the file by which a process claims it. */
export type Servers = Readonly<{ pages: string; service: string; identityProvider: string; claim: string }>

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser that the tests run in. */
    browserName: string
    /** One playground per worker, so that tests do not interfere. */
    servers: readonly Servers[]
  }
}

let mine: Servers | null = null

/**
 * The playground of this worker. It is claimed by the worker's process, because Vitest's worker numbers are not unique
 * while one group of tests ends and the next begins.
 */
export const servers = (): Servers => (mine ??= claim())

/** Releases the playground for another process. */
export function releaseServers(): void {
  if (mine) rmSync(mine.claim)
  mine = null
}

function claim(): Servers {
  const free = inject('servers').find(({ claim: file }) => take(file))
  if (!free) throw new Error('There are more workers than playgrounds')
  return free
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isAlive(Number(readFileSync(file, 'utf8')))) return false
    rmSync(file)
    return take(file)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
