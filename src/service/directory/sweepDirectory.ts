import { runEvery, type Timers } from '../operations/timers.ts'

/** How often an instance checks whether a sweep is due. */
export const SWEEP_CHECK_INTERVAL_MS = 60_000
/** The time from a sweep to the retry of changes that are still pending. */
export const SWEEP_RETRY_MS = 60 * 60_000

export type SweepPort = Readonly<{
  /** The id of the published release. */
  release: () => string | null
  /** Whether directory changes are pending. */
  isWaiting: () => Promise<boolean>
  sweep: () => Promise<unknown>
}>

/**
 * Applies the pending changes of a directory that pushes its changes; most changes are applied on arrival. A sweep is
 * due at the start, because a process may have been killed, and every hour while changes are pending. It is also due
 * after a new release, which may name other groups. A failed sweep is retried at the next check.
 */
export function sweepDirectory(
  { release, isWaiting, sweep }: SweepPort,
  signal: AbortSignal,
  timers: Timers,
): void {
  let swept: Readonly<{ release: string | null; at: number }> | null = null

  async function isDue(): Promise<boolean> {
    if (swept === null || swept.release !== release()) return true
    return timers.now() - swept.at >= SWEEP_RETRY_MS && isWaiting()
  }
  async function look(): Promise<void> {
    if (!(await isDue())) return
    const begun = { release: release(), at: timers.now() }
    await sweep()
    swept = begun
  }
  runEvery(SWEEP_CHECK_INTERVAL_MS, signal, look, timers)
}
