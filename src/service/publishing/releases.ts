/** The releases of the organisation, as this instance knows them. */
import {
  asyncScheduler,
  defer,
  filter,
  firstValueFrom,
  map,
  type SchedulerLike,
  Subject,
  Subscription,
} from 'rxjs'
import { type Followed, followReleases } from '../../../effects/organisation/followReleases.ts'
import { timeLimit } from '../../../streams/kernel/time.ts'
import { decideOrganisation } from '../../../streams/organisation/decide.ts'
import type { Steps } from '../../../streams/kernel/steps.ts'
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import type { OrganisationFact } from '../../../streams/organisation/facts/events.ts'
import {
  compiling,
  type Release,
  type ReleaseDocument,
} from '../../../streams/organisation/release/release.ts'
import type { OrganisationState } from '../../../streams/organisation/facts/state.ts'
import { inTurns } from '../../server/timeSlices.ts'
import { linking, linksOf } from './countedLinks.ts'
import { handleCommand } from '../people/handleCommand.ts'
import type { Store } from '../sql/store.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Releases } from '../context/serviceContext.ts'

/** How long a write waits to read back its facts. The facts are already stored, so a retry changes nothing. */
const SETTLE_LIMIT_MS = 15_000
/** How long a call waits for what was published meanwhile. */
const READ_LIMIT_MS = 2_000
/** How many compiled releases are cached. */
const RELEASES_KEPT = 8

export type ReleasesOptions = Readonly<{
  store: Store
  /** The name and the tenants with which the organisation is founded when its stream is empty. */
  name: string
  tenants: readonly string[]
  /** How values are written. */
  formats: Formats
  /** Milliseconds since 1970. */
  now: () => number
  scheduler?: SchedulerLike
  /** Whether the stream is read every 2 s. Without it, `read` reads the stream. */
  isFollowed?: boolean
}>

export type FollowedReleases = Releases &
  Readonly<{
    /** Reads the stream now. A failed read changes nothing. */
    read: () => Promise<void>
    /** About how many bytes all cached releases take. */
    bytes: () => number
    end: () => void
  }>

/** What one byte of a document takes once it is compiled: 6.0 to 6.1 were measured. */
const BYTES_FOR_EACH = 8

type Kept = Readonly<{ release: Release; bytes: number }>

/** Compiles a release, and reads its links, which requests then have at once. */
function* compilingLinked(id: string, document: ReleaseDocument, formats: Formats): Steps<Release> {
  const release = yield* compiling(id, document, formats)
  yield* linking(release)
  return release
}

/** The release that a fact publishes; null when it publishes none. */
const publishedBy = ({ data }: OrganisationFact): string | null => ('release' in data ? data.release : null)

/** Founds the organisation if its stream is empty, and follows the stream until `end`. @throws StoreUnavailable */
export async function createReleases(options: ReleasesOptions): Promise<FollowedReleases> {
  const { store, name, tenants, formats, now, scheduler = asyncScheduler, isFollowed = true } = options
  const asked$ = new Subject<void>()
  const followed$ = followReleases(
    {
      facts: (from) => defer(() => store.organisationFacts(from)),
      release: (id) => defer(() => stored(id)),
    },
    asked$,
    { scheduler },
    isFollowed,
  )
  let followed: Followed = { state: null, release: null, readAt: scheduler.now() }
  const following = new Subscription()
  const kept = new Map<string, Kept>()

  async function stored(id: string): Promise<Release | null> {
    const known = kept.get(id)
    if (known !== undefined) return known.release
    const document = await store.release(id)
    if (document === null) return null
    const release = await inTurns(compilingLinked(id, document, formats))
    kept.set(id, { release, bytes: BYTES_FOR_EACH * Buffer.byteLength(JSON.stringify(document)) })
    const [oldest] = kept.keys()
    if (kept.size > RELEASES_KEPT && oldest !== undefined) kept.delete(oldest)
    return release
  }

  /** Links are stored before their release is published: then no message has a link that leads nowhere. */
  async function keepLinks(facts: readonly OrganisationFact[]): Promise<void> {
    for (const fact of facts) {
      const id = publishedBy(fact)
      const release = id === null ? null : await stored(id)
      const links = release === null ? [] : [...linksOf(release).values()]
      if (links.length > 0) await store.keepLinks(links)
    }
  }

  /**
   * Reads the stream until it reaches this revision.
   *
   * @throws StoreUnavailable when the stream or its release cannot be read in time
   */
  async function settle(revision: number): Promise<OrganisationState> {
    const late = () => new StoreUnavailable('What is published cannot be read')
    const reached = firstValueFrom(
      followed$.pipe(
        map(({ state }) => state),
        filter((state) => state !== null && state.revision >= revision),
        timeLimit(SETTLE_LIMIT_MS, { scheduler }, late),
      ),
      { defaultValue: null },
    )
    asked$.next()
    const state = await reached
    if (state === null) throw late()
    return state
  }

  const known = (): OrganisationState => {
    if (followed.state === null) throw new StoreUnavailable('The organisation is not founded')
    return followed.state
  }

  const write: Releases['write'] = async (command, actor) => {
    const { after } = await handleCommand<OrganisationState, OrganisationFact, OrganisationState>(
      {
        load: async (least) => (least === 0 ? followed.state : settle(least)),
        async append(before, facts) {
          const revision = before?.revision ?? 0
          await keepLinks(facts)
          await store.appendOrganisation(revision, facts, { actor, at: now() })
          return settle(revision + facts.length)
        },
      },
      (state) => decideOrganisation(state, command),
    )
    return after ?? known()
  }

  // This read fails when the database is unreachable. `followed$` would retry instead.
  const first = await store.organisationFacts(0)
  following.add(followed$.subscribe((next) => (followed = next)))
  try {
    if (first.length === 0) await write({ type: 'found', name, tenants }, 'system')
    await settle(Math.max(1, first.length))
  } catch (error) {
    following.unsubscribe()
    throw error
  }

  return {
    current: () => followed.release,
    state: known,
    of: async (id) => (followed.release?.id === id ? followed.release : stored(id)),
    write,
    behindMs: () => scheduler.now() - followed.readAt,
    async read() {
      const since = scheduler.now()
      const read = firstValueFrom(
        followed$.pipe(
          filter(({ readAt }) => readAt >= since),
          timeLimit(READ_LIMIT_MS, { scheduler }, () => new StoreUnavailable('The stream cannot be read')),
        ),
        { defaultValue: null },
      )
      asked$.next()
      await read.catch(() => undefined)
    },
    bytes() {
      let sum = 0
      for (const { bytes } of kept.values()) sum += bytes
      return sum
    },
    end: () => following.unsubscribe(),
  }
}
