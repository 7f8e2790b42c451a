import { dayOf } from '../../../streams/organisation/release/names.ts'
import type { Releases } from '../context/serviceContext.ts'
import type { ConfiguredDirectory, ConnectedDirectory } from '../directory/directory.ts'
import { sweepDirectory } from '../directory/sweepDirectory.ts'
import type { Timers } from '../operations/timers.ts'
import { SCIM } from '../scim/resources.ts'
import type { Store } from '../sql/store.ts'
import { keepUp, keepUpOnce, type UpkeepPort } from './upkeep.ts'

export type BackgroundOptions = Readonly<{
  store: Store
  releases: Pick<Releases, 'current' | 'state'>
  configured: ConfiguredDirectory | null
  /** Null without a configured directory. */
  connected: ConnectedDirectory | null
  /** Milliseconds since 1970. */
  now: () => number
  timers: Timers
}>

/** The actor of sweeps and of scheduled syncs. */
const SYSTEM = 'directory'

/** The background work of one organisation: begun by timers while it is in memory, or by visits. */
export function createBackgroundWork(options: BackgroundOptions) {
  const { store, releases, configured, connected, now, timers } = options
  const upkeep: UpkeepPort = {
    now,
    dropReported: (before) => store.dropOldReported(before),
    dropClicks: (before) => store.dropOldClicks(dayOf(before)),
    dropPlans: (at) => store.dropOldPlans(at),
    index: (after) => store.words.index(after),
  }
  const isWaiting = () => store.directory.isWaiting(SCIM)
  const sync = (directory: ConnectedDirectory) =>
    directory.sync({ isTrial: false, mayDeactivate: false }, SYSTEM)

  /** Whether a sync is due: its interval has passed, or changes of SCIM wait, or may mean other groups since a publish. */
  async function isSyncDue(directory: ConnectedDirectory): Promise<boolean> {
    const last = await directory.lastEnd()
    if (last === null) return true
    if (configured?.kind === 'graph') return now() - last >= (configured.intervalMs ?? 0)
    const published = releases.state().history[0]?.at ?? 0
    return last < published || isWaiting()
  }

  let underway = 0
  return {
    /** Does the work that timers begin, until the signal aborts. Syncs at an interval are of the directory. */
    begin(signal: AbortSignal): void {
      keepUp(upkeep, signal, timers)
      if (connected !== null && configured?.kind === 'scim')
        sweepDirectory(
          { release: () => releases.current()?.id ?? null, isWaiting, sweep: () => sync(connected) },
          signal,
          timers,
        )
    },
    /** Does once what is due, a sync among it, and waits for the end of the sync. Rejects when a part cannot be done. */
    async doWhatIsDue(): Promise<void> {
      underway += 1
      try {
        await keepUpOnce(upkeep)
        if (connected === null || !(await isSyncDue(connected))) return
        await sync(connected)
        await connected.idle()
      } finally {
        underway -= 1
      }
    },
    isIdle: () => underway === 0,
  }
}
