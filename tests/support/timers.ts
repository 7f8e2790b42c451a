import type { Timers } from '../../src/service/operations/timers.ts'

/** Timers of the service that stand still until a test moves them. */
export type VirtualTimers = Timers &
  Readonly<{
    /** Calls everything that is due within the next `ms` milliseconds, in order. */
    advance: (ms: number) => void
    /** The same, and before and after each call lets promises go on that wait for no I/O; 0 only lets them go on. */
    pass: (ms: number) => Promise<void>
  }>

/** `startAt` in milliseconds since 1970. */
export function createTimers(startAt = 0): VirtualTimers {
  let at = startAt
  const waiting = new Set<Readonly<{ due: number; run: () => void }>>()

  function* callsUntil(until: number) {
    for (;;) {
      const [next] = [...waiting].toSorted((one, other) => one.due - other.due)
      if (next === undefined || next.due > until) break
      waiting.delete(next)
      at = next.due
      next.run()
      yield
    }
    at = until
  }

  return {
    now: () => at,
    after(ms, run) {
      const timer = { due: at + ms, run }
      waiting.add(timer)
      return () => waiting.delete(timer)
    },
    advance: (ms) => void [...callsUntil(at + ms)],
    async pass(ms) {
      const until = at + ms
      await new Promise(setImmediate)
      for (const _ of callsUntil(until)) await new Promise(setImmediate)
    },
  }
}
