import { type SchedulerAction, Subscription } from 'rxjs'
import { type Time, now } from '../../streams/kernel/time.ts'

/** A clock that can be moved ahead. */
export type JumpingTime = Time &
  Readonly<{
    /**
     * Moves the clock ahead by `ms` milliseconds, as when a machine wakes that slept so long: each timer that came due
     * meanwhile fires once, in the order in which they were due, and counts from then on.
     */
    jump(ms: number): void
  }>

/** A clock over `base` that is `ahead` milliseconds ahead of it from the start. */
export function createJumpingTime(base: Time, ahead = 0): JumpingTime {
  let offset = ahead
  const waiting = new Map<object, Readonly<{ due: number; wait: () => void }>>()
  const read = () => now(base) + offset

  return {
    scheduler: {
      now: read,
      schedule<State>(
        work: (this: SchedulerAction<State>, state?: State) => void,
        delay = 0,
        first?: State,
      ): Subscription {
        const key = {}
        let timer: Subscription | null = null
        const action: SchedulerAction<State> = Object.assign(
          new Subscription(() => {
            waiting.delete(key)
            timer?.unsubscribe()
          }),
          {
            schedule(state?: State, later = 0): Subscription {
              if (action.closed) return action
              const due = read() + later
              const wait = () => {
                timer?.unsubscribe()
                timer = base.scheduler.schedule(
                  () => {
                    waiting.delete(key)
                    work.call(action, state)
                  },
                  Math.max(0, due - read()),
                )
              }
              waiting.set(key, { due, wait })
              wait()
              return action
            },
          },
        )
        return action.schedule(first, delay)
      },
    },
    jump(ms) {
      offset += ms
      for (const { wait } of [...waiting.values()].sort((one, other) => one.due - other.due)) wait()
    },
  }
}
