import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, inject } from 'vitest'

/** Addresses of a running playground, without a slash at the end, and the file that tells which process has it. */
export type Servers = Readonly<{ pages: string; service: string; identityProvider: string; claim: string }>

declare module 'vitest' {
  /** One playground for each worker: what a test does to its servers disturbs no other. */
  interface ProvidedContext {
    servers: readonly Servers[]
  }
}

let mine: Servers | null = null

/**
 * The playground that this file's tests have for themselves. It is claimed, for the numbers that Vitest gives its
 * workers are not always two different ones (a group of tests that ends may free the number that the next one took).
 */
export const servers = (): Servers => (mine ??= claim())

afterAll(() => {
  if (mine) rmSync(mine.claim)
  mine = null
})

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
