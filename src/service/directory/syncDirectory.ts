import { runEvery, type Timers } from '../operations/timers.ts'

/** How often an instance checks whether a sync is due. */
export const SYNC_CHECK_INTERVAL_MS = 60_000
/** The duration of a lease. A killed instance delays the next sync by up to this time. */
export const SYNC_LEASE_MS = 120_000
const RENEW_INTERVAL_MS = SYNC_LEASE_MS / 4

export type SyncPort<Request, Run> = Readonly<{
  /** Takes or renews the lease for `SYNC_LEASE_MS`. Resolves with false while another request holds it. */
  lease: (request: Request) => Promise<boolean>
  /** Releases the lease if it is still held. Never rejects. */
  giveBack: (request: Request) => Promise<unknown>
  /** Syncs until the end, or until shortly after the signal aborts. `told` gets the progress. */
  run: (request: Request, told: (run: Run) => void, signal: AbortSignal) => Promise<unknown>
}>

/**
 * Runs a requested sync under a lease, which limits all instances to one sync at a time. The lease is renewed during
 * the sync, and released at the end. The sync stops when it loses the lease or when `closing` aborts; it then reports
 * no more progress.
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
  runEvery(RENEW_INTERVAL_MS, ended.signal, renew, timers, 'later')
  const tell = (progress: Run) => {
    if (!stop.aborted) told(progress)
  }
  try {
    if (!stop.aborted) await run(request, tell, stop)
  } catch (error) {
    if (!stop.aborted) throw error
  } finally {
    ended.abort()
    // Releases the lease only after the sync has stopped, because another instance may then begin a sync.
    await giveBack(request)
  }
  return 'ended'
}

/**
 * Calls `sync` when `intervalMs` has passed since the last sync ended, until the signal aborts. With null, never calls
 * it.
 *
 * @param lastEnd the end of the last sync of any instance, in milliseconds since 1970; null before the first sync
 */
export function scheduleSyncs(
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
  runEvery(SYNC_CHECK_INTERVAL_MS, signal, look, timers)
}
