import { evolveOrganisation } from '../../../streams/organisation/facts/reducer.ts'
import type { OrganisationState } from '../../../streams/organisation/facts/state.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { every, inTime, pause, type Timers } from '../operations/timers.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Store } from '../sql/store.ts'

/** How often an instance reads the organisation's stream, to find what another instance published. */
export const FOLLOW_INTERVAL_MS = 2_000
/** How long a write waits to read back its facts. The facts are already stored, so a retry changes nothing. */
const SETTLE_LIMIT_MS = 15_000

/** What an instance knows of its organisation. `readAt` is the time of the last read, in milliseconds. */
export type Followed = Readonly<{
  state: OrganisationState | null
  release: Release | null
  readAt: number
}>

/**
 * Reads the organisation's stream by its version, and the published release. A failed read changes nothing; the next
 * read continues from the same version.
 *
 * @param facts the facts of the stream from a version on
 * @param compiled a stored release by its id, compiled; null for an unknown id
 */
export function followReleases(
  facts: Store['organisationFacts'],
  compiled: (id: string) => Promise<Release | null>,
  timers: Timers,
) {
  let followed: Followed = { state: null, release: null, readAt: timers.now() }
  let last = Promise.resolve()
  let next: Promise<void> | null = null

  async function releaseOf(state: OrganisationState | null): Promise<Release | null> {
    const id = state?.history[0]?.release
    if (id === undefined) return null
    return id === followed.release?.id ? followed.release : ((await compiled(id)) ?? followed.release)
  }

  async function readNow(): Promise<void> {
    next = null
    const readAt = timers.now()
    try {
      const state = (await facts(followed.state?.revision ?? 0)).reduce(evolveOrganisation, followed.state)
      followed = { state, release: await releaseOf(state), readAt }
    } catch {
      // The next read continues from the same version.
    }
  }

  /** Ends after a read that began after the call. Calls that come during a read share the next one. */
  function read(): Promise<void> {
    next ??= last = last.then(readNow)
    return next
  }

  return {
    current: (): Followed => followed,
    read,
    /** Reads at once and every 2 s, until the signal aborts. */
    poll(signal: AbortSignal): void {
      // The poll does not wait for its read: one that comes during a slow read begins another one after it.
      every(FOLLOW_INTERVAL_MS, signal, async () => void read(), timers)
    },
    /**
     * Reads the stream until it reaches this revision.
     *
     * @throws StoreUnavailable when the stream or its release cannot be read in time
     */
    async reach(revision: number): Promise<OrganisationState> {
      const reached = () =>
        followed.state !== null && followed.state.revision >= revision ? followed.state : null
      await inTime(SETTLE_LIMIT_MS, timers, async (signal) => {
        while (reached() === null && !signal.aborted) {
          await read()
          if (reached() === null) await pause(FOLLOW_INTERVAL_MS, timers)
        }
      })
      const state = reached()
      if (state === null) throw new StoreUnavailable('What is published cannot be read')
      return state
    },
  }
}
