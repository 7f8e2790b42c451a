import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { takeLock } from '../../src/programs/lock.mjs'

let folder: string
const file = () => join(folder, 'of', 'lock')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-lock-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

test('one holder at a time, in the order of unlocking', async () => {
  const order: string[] = []
  const first = await takeLock(file())
  const waiting = takeLock(file()).then((second) => {
    order.push('second')
    return second
  })
  order.push('first')
  first.unlock()
  const second = await waiting
  expect(order).toEqual(['first', 'second'])
  expect([first.wasLeft, second.wasLeft]).toEqual([false, false])
  second.unlock()
  expect(existsSync(file())).toBe(false)
})

describe('a lock that was left', () => {
  test('by a process that has ended is taken over, and said', async () => {
    const { unlock } = await takeLock(file())
    unlock()
    // No process has this number.
    writeFileSync(file(), '4194305')
    const taken = await takeLock(file())
    expect(taken.wasLeft).toBe(true)
    taken.unlock()
  })

  test('is taken over when another process has the number of the holder now', async () => {
    vi.useFakeTimers()
    const { unlock } = await takeLock(file())
    unlock()
    // This process runs, and does not touch it.
    writeFileSync(file(), String(process.pid))
    const taking = takeLock(file())
    let isTaken = false
    void taking.then(() => (isTaken = true))
    await vi.advanceTimersByTimeAsync(9_000)
    expect(isTaken).toBe(false)
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await taking).wasLeft).toBe(true)
    ;(await taking).unlock()
  })
})
