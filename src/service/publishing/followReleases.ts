import { evolveOrganisation } from '../../../streams/organisation/facts/reducer.ts'
import type { OrganisationState } from '../../../streams/organisation/facts/state.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { runEvery, withTimeLimit, pause, type Timers } from '../operations/timers.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Store } from '../sql/store.ts'

/** How often an instance reads the organisation's stream, to find releases published by other instances. */
export const FOLLOW_INTERVAL_MS = 2_000
/** How long a write waits to read back its facts. They are already stored, so a retry changes nothing. */
const SETTLE_LIMIT_MS = 15_000

/** An instance's state of its organisation. `readAt` is the time of the last read, in milliseconds. */
export type FollowedState = Readonly<{
  state: OrganisationState | null
  release: Release | null
  readAt: number
}>

/**
 * Reads new facts of the organisation's stream, and the published release. After a failed read, the next read continues
 * from the same version.
 *
 * @param facts returns the facts of the stream from a version on
 * @param compiled reads a stored release by id, and compiles it; null for an unknown id
 */
export function followReleases(
  facts: Store['organisationFacts'],
  compiled: (id: string) => Promise<Release | null>,
  timers: Timers,
) {
  let followed: FollowedState = { state: null, release: null, readAt: timers.now() }
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
      // Ignored, because the next read continues from the same version.
    }
  }

  /** Resolves after a read that began after this call. Calls during a running read share the next read. */
  function read(): Promise<void> {
    next ??= last = last.then(readNow)
    return next
  }

  return {
    current: (): FollowedState => followed,
    read,
    /** Reads at once and every 2 s, until the signal aborts. */
    poll(signal: AbortSignal): void {
      // Does not wait for the read, so a poll during a slow read begins another read afterwards.
      runEvery(FOLLOW_INTERVAL_MS, signal, async () => void read(), timers)
    },
    /**
     * Reads the stream until it reaches this revision.
     *
     * @throws StoreUnavailable when the stream or its release cannot be read in time
     */
    async reach(revision: number): Promise<OrganisationState> {
      const reached = () =>
        followed.state !== null && followed.state.revision >= revision ? followed.state : null
      await withTimeLimit(SETTLE_LIMIT_MS, timers, async (signal) => {
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
