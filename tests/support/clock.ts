import { VirtualTimeScheduler } from 'rxjs'
import type { Time } from '../../streams/kernel/time.ts'

/** A clock that stands still until a test moves it. */
export type Clock = Time &
  Readonly<{
    /** Runs everything that is due within the next `ms` milliseconds, in order; 0 runs what is due now. */
    advance(ms: number): void
  }>

/** `startAt` in milliseconds since the epoch. */
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
