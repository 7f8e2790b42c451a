/** The clock and the timers of background work, which tests move by hand. */

export type Timers = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number
  /** Calls `run` once after `ms` milliseconds. The result cancels the call. */
  after: (ms: number, run: () => void) => () => void
}>

export const REAL_TIMERS: Timers = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms` milliseconds. */
export const pause = (ms: number, timers: Timers): Promise<void> =>
  new Promise((resolve) => void timers.after(ms, resolve))

/**
 * Calls `run` every `ms` milliseconds until the signal aborts. A call is left out while the one before runs. A failed
 * call changes nothing.
 *
 * @param first whether the first call is made at once, or after `ms`
 */
export function every(
  ms: number,
  signal: AbortSignal,
  run: () => Promise<unknown>,
  timers: Timers,
  first: 'at once' | 'later' = 'at once',
): void {
  let isRunning = false
  async function begin(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      await run()
    } catch {
      // The next call may succeed.
    } finally {
      isRunning = false
    }
  }
  // Only one timer runs at a time, so that a machine that slept does not catch up in a burst.
  const wait = () =>
    timers.after(ms, () => {
      cancel = wait()
      void begin()
    })
  let cancel = wait()
  signal.addEventListener('abort', () => cancel(), { once: true })
  if (first === 'at once') void begin()
}

/**
 * Waits until `work` ends, for at most `ms` milliseconds; then the signal of the work aborts.
 *
 * @returns whether the work ended in time
 */
export async function inTime(
  ms: number,
  timers: Timers,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<boolean> {
  const limit = new AbortController()
  let cancel = () => {}
  const late = new Promise<boolean>((resolve) => {
    cancel = timers.after(ms, () => {
      limit.abort()
      resolve(false)
    })
  })
  try {
    return await Promise.race([work(limit.signal).then(() => true), late])
  } finally {
    cancel()
  }
}
