import { expect, it } from 'vitest'
import {
  SWEEP_RETRY_MS,
  SWEEP_CHECK_INTERVAL_MS,
  sweepDirectory,
} from '../../../src/service/directory/sweepDirectory.ts'
import { createTimers } from '../../support/timers.ts'

async function sweeping(start: Readonly<{ isWaiting?: boolean; fails?: number }> = {}) {
  const timers = createTimers()
  const ending = new AbortController()
  const world = {
    release: 'r-1' as string | null,
    isWaiting: start.isWaiting ?? false,
    fails: start.fails ?? 0,
  }
  const sweeps: number[] = []
  sweepDirectory(
    {
      release: () => world.release,
      isWaiting: async () => world.isWaiting,
      async sweep() {
        sweeps.push(timers.now())
        if ((world.fails -= 1) >= 0) throw new Error('busy')
      },
    },
    ending.signal,
    timers,
  )
  await timers.pass(0)
  const since = () => sweeps.splice(0).length
  return { timers, world, since, ending }
}

it('sweeps at the start, also when nothing waits', async () => {
  const { timers, since } = await sweeping()
  expect(since()).toBe(1)
  await timers.pass(3 * SWEEP_RETRY_MS)
  expect(since()).toBe(0)
})

it('sweeps what waits every hour', async () => {
  const { timers, world, since, ending } = await sweeping({ isWaiting: true })
  expect(since()).toBe(1)
  await timers.pass(SWEEP_RETRY_MS - 1)
  expect(since()).toBe(0)
  await timers.pass(1)
  expect(since()).toBe(1)
  world.isWaiting = false
  await timers.pass(2 * SWEEP_RETRY_MS)
  expect(since()).toBe(0)
  world.isWaiting = true
  await timers.pass(SWEEP_CHECK_INTERVAL_MS)
  expect(since()).toBe(1)
  ending.abort()
  await timers.pass(3 * SWEEP_RETRY_MS)
  expect(since()).toBe(0)
})

it('sweeps what goes on waiting once an hour', async () => {
  const { timers, since } = await sweeping({ isWaiting: true })
  expect(since()).toBe(1)
  for (let hour = 0; hour < 3; hour += 1) {
    await timers.pass(SWEEP_RETRY_MS)
    expect(since()).toBe(1)
  }
})

it('sweeps after another release, which may name other groups', async () => {
  const { timers, world, since } = await sweeping()
  expect(since()).toBe(1)
  world.release = 'r-2'
  await timers.pass(SWEEP_CHECK_INTERVAL_MS)
  expect(since()).toBe(1)
  await timers.pass(SWEEP_CHECK_INTERVAL_MS)
  expect(since()).toBe(0)
})

it('tries again at the next look after a sweep that failed', async () => {
  const { timers, since } = await sweeping({ fails: 2 })
  await timers.pass(SWEEP_CHECK_INTERVAL_MS)
  expect(since()).toBe(2)
  await timers.pass(SWEEP_CHECK_INTERVAL_MS)
  expect(since()).toBe(1)
  await timers.pass(SWEEP_RETRY_MS / 2)
  expect(since()).toBe(0)
})
