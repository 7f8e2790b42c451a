import { every, type Timers } from '../operations/timers.ts'

/** How often an instance checks whether a sweep is due. */
export const SWEEP_LOOK_MS = 60_000
/** How long after a sweep the changes that are still pending are retried. */
export const SWEEP_AGAIN_MS = 60 * 60_000

export type SweepPort = Readonly<{
  /** The id of the published release. */
  release: () => string | null
  /** Whether changes of the directory are pending. */
  isWaiting: () => Promise<boolean>
  sweep: () => Promise<unknown>
}>

/**
 * Applies the pending changes of a directory that sends its changes; most changes are applied as soon as they arrive. A
 * sweep is due at the start, because a process may have been killed; every hour while changes are pending; and after a
 * new release, which may name other groups. A failed sweep is retried at the next check.
 */
export function sweepDirectory(
  { release, isWaiting, sweep }: SweepPort,
  signal: AbortSignal,
  timers: Timers,
): void {
  let swept: Readonly<{ release: string | null; at: number }> | null = null

  async function isDue(): Promise<boolean> {
    if (swept === null || swept.release !== release()) return true
    return timers.now() - swept.at >= SWEEP_AGAIN_MS && isWaiting()
  }
  async function look(): Promise<void> {
    if (!(await isDue())) return
    const begun = { release: release(), at: timers.now() }
    await sweep()
    swept = begun
  }
  every(SWEEP_LOOK_MS, signal, look, timers)
}
