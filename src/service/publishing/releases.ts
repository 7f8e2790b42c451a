/** The organisation's releases in the memory of this instance. */
import { decideOrganisation } from '../../../streams/organisation/decide.ts'
import type { OrganisationFact } from '../../../streams/organisation/facts/events.ts'
import type { OrganisationState } from '../../../streams/organisation/facts/state.ts'
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import type { Releases } from '../context/serviceContext.ts'
import { withTimeLimit, REAL_TIMERS, type Timers } from '../operations/timers.ts'
import { handleCommand } from '../people/handleCommand.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Store } from '../sql/store.ts'
import { createCompiledReleases } from './compiledReleases.ts'
import { linksOfRelease } from './countedLinks.ts'
import { followReleases } from './followReleases.ts'

/** How long a call waits for newer releases. */
const READ_LIMIT_MS = 2_000

export type ReleasesOptions = Readonly<{
  store: Store
  /** The name and tenants for founding the organisation when its stream is empty. */
  name: string
  tenants: readonly string[]
  /** Formats values in signatures. */
  formats: Formats
  /** Milliseconds since 1970. */
  now: () => number
  timers?: Timers
  /** Whether the stream is read every 2 s. Otherwise only `read` reads the stream. */
  isFollowed?: boolean
}>

export type FollowedReleases = Releases &
  Readonly<{
    /** Reads the stream now. Ignores a failed read. */
    read: () => Promise<void>
    /** The approximate size of all cached releases, in bytes. */
    bytes: () => number
    end: () => void
  }>

/** The id of the release that a fact publishes; null for other facts. */
const publishedBy = ({ type, data }: OrganisationFact): string | null =>
  type === 'organisation/releasePublished' || type === 'organisation/releaseRolledBack' ? data.release : null

/**
 * Opens the releases, and founds the organisation if its stream is empty. Follows the stream until `end`.
 *
 * @throws StoreUnavailable
 */
export async function createReleases(options: ReleasesOptions): Promise<FollowedReleases> {
  const { store, name, tenants, formats, now, timers = REAL_TIMERS, isFollowed = true } = options
  const compiled = createCompiledReleases(store, formats)
  const followed = followReleases((from) => store.organisationFacts(from), compiled.of, timers)
  const ending = new AbortController()

  /** Stores links before their release is published, so that no message contains a dead link. */
  async function keepLinks(facts: readonly OrganisationFact[]): Promise<void> {
    for (const fact of facts) {
      const id = publishedBy(fact)
      const release = id === null ? null : await compiled.of(id)
      const links = release === null ? [] : [...linksOfRelease(release).values()]
      if (links.length > 0) await store.keepLinks(links)
    }
  }

  function known(): OrganisationState {
    const { state } = followed.current()
    if (state === null) throw new StoreUnavailable('The organisation is not founded')
    return state
  }

  const write: Releases['write'] = async (command, actor) => {
    const { after } = await handleCommand<OrganisationState, OrganisationFact, OrganisationState>(
      {
        load: async (least) => (least === 0 ? followed.current().state : followed.reach(least)),
        async append(before, facts) {
          const revision = before?.revision ?? 0
          await keepLinks(facts)
          await store.appendOrganisation(revision, facts, { actor, at: now() })
          return followed.reach(revision + facts.length)
        },
      },
      (state) => decideOrganisation(state, command),
    )
    return after ?? known()
  }

  // Reads directly, so that an unreachable database is an error here. `followed` would retry instead.
  const first = await store.organisationFacts(0)
  if (isFollowed) followed.poll(ending.signal)
  try {
    if (first.length === 0) await write({ type: 'found', name, tenants }, 'system')
    await followed.reach(Math.max(1, first.length))
  } catch (error) {
    ending.abort()
    throw error
  }

  return {
    current: () => followed.current().release,
    state: known,
    async of(id) {
      const { release } = followed.current()
      return release?.id === id ? release : compiled.of(id)
    },
    write,
    behindMs: () => timers.now() - followed.current().readAt,
    async read() {
      await withTimeLimit(READ_LIMIT_MS, timers, followed.read)
    },
    bytes: compiled.bytes,
    end: () => ending.abort(),
  }
}
