import type { Timers } from '../../src/service/operations/timers.ts'

/** Service timers that advance only when a test moves them. */
export type VirtualTimers = Timers &
  Readonly<{
    /** Calls everything due within the next `ms` milliseconds, in order. */
    advance: (ms: number) => void
    /**
     * Like `advance`, and also lets promises that wait for no I/O continue before and after each call; 0 does only
     * that.
     */
    pass: (ms: number) => Promise<void>
  }>

/** `startAt` is in milliseconds since 1970. */
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
