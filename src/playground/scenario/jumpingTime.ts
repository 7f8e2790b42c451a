import { type SchedulerAction, Subscription } from 'rxjs'
import { type Time, now } from '../../../streams/kernel/time.ts'

export type JumpingTime = Time &
  Readonly<{
    /**
     * Moves the clock ahead by `ms` milliseconds, as when a machine wakes from sleep. Each due timer fires once, in
     * order of due time; a repeating timer then repeats from the new time.
     */
    jump(ms: number): void
  }>

/** Creates a clock that starts `ahead` milliseconds ahead of `base`. */
export function createJumpingTime(base: Time, ahead = 0): JumpingTime {
  let offset = ahead
  const timers = new Map<object, Readonly<{ due: number; start: () => void }>>()
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
            timers.delete(key)
            timer?.unsubscribe()
          }),
          {
            schedule(state?: State, later = 0): Subscription {
              if (action.closed) return action
              const due = read() + later
              const start = () => {
                timer?.unsubscribe()
                timer = base.scheduler.schedule(
                  () => {
                    timers.delete(key)
                    work.call(action, state)
                  },
                  Math.max(0, due - read()),
                )
              }
              timers.set(key, { due, start })
              start()
              return action
            },
          },
        )
        return action.schedule(first, delay)
      },
    },
    jump(ms) {
      offset += ms
      for (const { start } of [...timers.values()].sort((one, other) => one.due - other.due)) start()
    },
  }
}
