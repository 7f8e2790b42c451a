import { defer, of, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import {
  SWEEP_AGAIN_MS,
  SWEEP_LOOK_MS,
  sweepDirectory,
} from '../../../effects/organisation/sweepDirectory.ts'
import { createClock } from '../../support/clock.ts'

function sweeping(start: Readonly<{ isWaiting?: boolean; fails?: number }> = {}) {
  const clock = createClock()
  const world = {
    release: 'r-1' as string | null,
    isWaiting: start.isWaiting ?? false,
    fails: start.fails ?? 0,
  }
  const sweeps: number[] = []
  const subscription = sweepDirectory(
    {
      release: () => world.release,
      isWaiting: () => of(world.isWaiting),
      sweep: () =>
        defer(() => {
          sweeps.push(clock.scheduler.now())
          return (world.fails -= 1) >= 0 ? throwError(() => new Error('busy')) : of(null)
        }),
    },
    clock,
  ).subscribe()
  const since = () => sweeps.splice(0).length
  return { clock, world, since, subscription }
}

it('sweeps at the start, also when nothing waits', () => {
  const { clock, since } = sweeping()
  expect(since()).toBe(1)
  clock.advance(3 * SWEEP_AGAIN_MS)
  expect(since()).toBe(0)
})

it('sweeps what waits every hour', () => {
  const { clock, world, since, subscription } = sweeping({ isWaiting: true })
  expect(since()).toBe(1)
  clock.advance(SWEEP_AGAIN_MS - 1)
  expect(since()).toBe(0)
  clock.advance(1)
  expect(since()).toBe(1)
  world.isWaiting = false
  clock.advance(2 * SWEEP_AGAIN_MS)
  expect(since()).toBe(0)
  world.isWaiting = true
  clock.advance(SWEEP_LOOK_MS)
  expect(since()).toBe(1)
  subscription.unsubscribe()
  clock.advance(3 * SWEEP_AGAIN_MS)
  expect(since()).toBe(0)
})

it('sweeps what goes on waiting once an hour', () => {
  const { clock, since } = sweeping({ isWaiting: true })
  expect(since()).toBe(1)
  for (let hour = 0; hour < 3; hour += 1) {
    clock.advance(SWEEP_AGAIN_MS)
    expect(since()).toBe(1)
  }
})

it('sweeps after another release, which may name other groups', () => {
  const { clock, world, since } = sweeping()
  expect(since()).toBe(1)
  world.release = 'r-2'
  clock.advance(SWEEP_LOOK_MS)
  expect(since()).toBe(1)
  clock.advance(SWEEP_LOOK_MS)
  expect(since()).toBe(0)
})

it('tries again at the next look after a sweep that failed', () => {
  const { clock, since } = sweeping({ fails: 2 })
  clock.advance(SWEEP_LOOK_MS)
  expect(since()).toBe(2)
  clock.advance(SWEEP_LOOK_MS)
  expect(since()).toBe(1)
  clock.advance(SWEEP_AGAIN_MS / 2)
  expect(since()).toBe(0)
})
