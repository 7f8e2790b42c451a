import { CLICKS_KEPT_MS } from '../../../streams/organisation/figures/clicks.ts'
import { TELEMETRY_KEPT_MS } from '../../../streams/organisation/figures/reported.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import type { People, Releases } from '../context/serviceContext.ts'
import { type ConnectedDirectory, type PolledDirectory, SYNC_ACTOR } from '../directory/directory.ts'
import { sweepDirectory } from '../directory/sweepDirectory.ts'
import { runEvery, type Timers } from '../operations/timers.ts'
import { endCorrections } from '../people/endCorrections.ts'
import { SCIM_SOURCE } from '../scim/entries.ts'
import type { Store } from '../sql/store.ts'

/** How often old data is deleted. */
export const DELETION_INTERVAL_MS = 60 * 60 * 1000
/** How often to look for people whose order or search words are missing, because another version of Signet wrote them. */
export const PEOPLE_INDEX_INTERVAL_MS = 10 * 60 * 1000
/** How often to end corrections of people whose last day is over. */
export const CORRECTIONS_INTERVAL_MS = 10 * 60 * 1000

type IndexStore = Readonly<{
  words: Pick<Store['words'], 'index'>
  order: Pick<Store['order'], 'fill'>
}>

export type BackgroundOptions = Readonly<{
  store: Pick<Store, 'dropOldReported' | 'dropOldClicks' | 'dropExpired' | 'peopleCorrectedUntil'> &
    IndexStore &
    Readonly<{ directory: Pick<Store['directory'], 'isWaiting'> }>
  people: Pick<People, 'write'>
  releases: Pick<Releases, 'current' | 'state'>
  /** Null for an organisation without a directory; then `source` is null too. */
  directory: ConnectedDirectory | null
  source: Pick<PolledDirectory, 'kind' | 'intervalMs'> | null
  /** Milliseconds since 1970. */
  now: () => number
  timers: Timers
}>

/** Stores the missing order and search words of people, batch by batch. */
export async function indexPeople({ order, words }: IndexStore): Promise<void> {
  for (let last = await order.fill(null); last !== null;) last = await order.fill(last)
  for (let last = await words.index(null); last !== null;) last = await words.index(last)
}

/** The background work of one organisation. Timers start it for a resident organisation, visits for all others. */
export function createBackgroundWork(options: BackgroundOptions) {
  const { store, people, releases, directory, source, now, timers } = options
  /** Deletes old data. A failed part does not stop the others. */
  const dropOld = () =>
    Promise.allSettled([
      store.dropOldReported(now() - TELEMETRY_KEPT_MS),
      store.dropOldClicks(dayOf(now() - CLICKS_KEPT_MS)),
      store.dropExpired(now()),
    ])
  const endOver = () => endCorrections(store, people, now())
  const isWaiting = () => store.directory.isWaiting(SCIM_SOURCE)
  const sync = async () => directory?.sync({ isTrial: false, mayDeactivate: false }, SYNC_ACTOR)

  /**
   * Whether a sync is due. A polled directory is due after its interval. SCIM is due when changes are pending, or after
   * a publish, because a release may name other groups.
   */
  async function isSyncDue(): Promise<boolean> {
    if (directory === null) return false
    const last = await directory.lastEnd()
    if (last === null) return true
    if (source?.kind !== 'scim') return now() - last >= (source?.intervalMs ?? 0)
    const published = releases.state().history[0]?.at ?? 0
    return last < published || isWaiting()
  }

  let underway = 0
  return {
    /** Starts timers for the work until the signal aborts. The directory schedules its own syncs. */
    begin(signal: AbortSignal): void {
      runEvery(DELETION_INTERVAL_MS, signal, dropOld, timers)
      runEvery(PEOPLE_INDEX_INTERVAL_MS, signal, () => indexPeople(store), timers)
      runEvery(CORRECTIONS_INTERVAL_MS, signal, endOver, timers)
      const release = () => releases.current()?.id ?? null
      if (source?.kind === 'scim') sweepDirectory({ release, isWaiting, sweep: sync }, signal, timers)
    },
    /** Does all due work once, and waits for the end of a sync. Rejects when a sync cannot begin. */
    doWhatIsDue: async (): Promise<void> => {
      underway += 1
      try {
        await Promise.allSettled([dropOld(), indexPeople(store), endOver()])
        if (!(await isSyncDue())) return
        await sync()
        await directory?.idle()
      } finally {
        underway -= 1
      }
    },
    isIdle: () => underway === 0,
  }
}
