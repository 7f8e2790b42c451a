import { every, type Timers } from '../operations/timers.ts'

/** How often an instance checks whether a sync is due. */
export const LOOK_INTERVAL_MS = 60_000
/** How long a lease lasts. A killed instance delays the next sync by this time. */
export const LEASE_MS = 120_000
const RENEW_INTERVAL_MS = LEASE_MS / 4

export type SyncPort<Request, Run> = Readonly<{
  /** Takes or renews the lease for `LEASE_MS`; false while another request holds it. */
  lease: (request: Request) => Promise<boolean>
  /** Releases the lease; it may be released already. Never rejects. */
  giveBack: (request: Request) => Promise<unknown>
  /** Syncs until the end, or until soon after the signal aborts. `told` gets the progress. */
  run: (request: Request, told: (run: Run) => void, signal: AbortSignal) => Promise<unknown>
}>

/**
 * Syncs for a request. A lease limits all instances to one sync at a time. It is renewed during the sync, and released
 * at the end. A sync that loses the lease stops, and so does each sync when `closing` aborts; then nothing more is told.
 *
 * @param told gets the progress
 * @returns `busy` when another request holds the lease, else `ended` after the sync
 */
export async function syncDirectory<Request, Run>(
  { lease, giveBack, run }: SyncPort<Request, Run>,
  request: Request,
  told: (run: Run) => void,
  closing: AbortSignal,
  timers: Timers,
): Promise<'busy' | 'ended'> {
  if (closing.aborted) return 'ended'
  if (!(await lease(request))) return 'busy'
  const [lost, ended] = [new AbortController(), new AbortController()]
  const stop = AbortSignal.any([closing, lost.signal])
  const renew = async () => {
    if (!(await lease(request))) lost.abort()
  }
  every(RENEW_INTERVAL_MS, ended.signal, renew, timers, 'later')
  const tell = (progress: Run) => {
    if (!stop.aborted) told(progress)
  }
  try {
    if (!stop.aborted) await run(request, tell, stop)
  } catch (error) {
    if (!stop.aborted) throw error
  } finally {
    ended.abort()
    // Not before the sync has stopped, because another instance may then begin one.
    await giveBack(request)
  }
  return 'ended'
}

/**
 * Calls `sync` whenever the last sync ended `intervalMs` ago, until the signal aborts; never for null.
 *
 * @param lastEnd when the last sync of any instance ended, in milliseconds since 1970; null before the first
 */
export function syncWhenDue(
  intervalMs: number | null,
  lastEnd: () => Promise<number | null>,
  sync: () => Promise<unknown>,
  signal: AbortSignal,
  timers: Timers,
): void {
  if (intervalMs === null) return
  async function look(): Promise<void> {
    const ended = await lastEnd()
    if (ended === null || timers.now() - ended >= (intervalMs ?? 0)) await sync()
  }
  every(LOOK_INTERVAL_MS, signal, look, timers)
}
