import { VirtualTimeScheduler } from 'rxjs'
import type { Time } from '../../streams/kernel/time.ts'

/** A clock that stands still until a test moves it. */
export type Clock = Time &
  Readonly<{
    /** Lets everything happen that is due within the next `ms` milliseconds, in order; 0 is what is due now. */
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
