/** The clock and timers of background work. Tests control them manually. */

export type Timers = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number
  /** Calls `run` once after `ms` milliseconds. Returns a function that cancels the call. */
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
 * Calls `run` every `ms` milliseconds until the signal aborts. Skips a call while the previous call runs. Ignores
 * failed calls.
 *
 * @param first whether the first call is made at once, or after `ms`
 */
export function runEvery(
  ms: number,
  signal: AbortSignal,
  run: () => Promise<unknown>,
  timers: Timers,
  first: 'at once' | 'later' = 'at once',
): void {
  if (signal.aborted) return
  let isRunning = false
  async function begin(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      await run()
    } catch {
      // Ignores the error, because the next call may succeed.
    } finally {
      isRunning = false
    }
  }
  // Runs one timer at a time, so that calls do not pile up while the machine sleeps.
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
 * Runs `work` for up to `ms` milliseconds. When the time is over, aborts the signal of `work` and stops waiting.
 *
 * @returns whether the work ended in time
 */
export async function withTimeLimit(
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
