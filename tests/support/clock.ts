import { VirtualTimeScheduler } from 'rxjs'
import type { Time } from '../../streams/kernel/time.ts'

/** A clock that moves only when a test moves it. */
export type Clock = Time &
  Readonly<{
    /** Runs everything due within the next `ms` milliseconds, in order; 0 runs everything due now. */
    advance(ms: number): void
  }>

/** `startAt` is in milliseconds since the epoch. */
export function createClock(startAt = 0): Clock {
  const scheduler = new VirtualTimeScheduler()
  scheduler.frame = startAt
  return {
    scheduler,
    advance(ms) {
      const until = scheduler.frame + ms
      scheduler.maxFrames = until
      scheduler.flush()
      scheduler.frame = until
    },
  }
}
