import {
  catchError,
  concatMap,
  EMPTY,
  map,
  merge,
  type Observable,
  of,
  type SchedulerLike,
  shareReplay,
  switchMap,
  tap,
  timer,
  timestamp,
} from 'rxjs'
import type { Recorded } from '../../streams/kernel/event.ts'
import type { OrganisationFact } from '../../streams/organisation/events.ts'
import { evolveOrganisation } from '../../streams/organisation/reducer.ts'
import { compileRelease, type Release, type ReleaseDocument } from '../../streams/organisation/release.ts'
import type { OrganisationState } from '../../streams/organisation/state.ts'

/** How often an instance reads the organisation's stream: what another instance published is answered after it. */
export const FOLLOW_INTERVAL_MS = 2_000

/** What an instance knows of its organisation. `readAt` is when the stream was last read, in milliseconds. */
export type Followed = Readonly<{
  state: OrganisationState | null
  release: Release | null
  readAt: number
}>

export type ReleasePort = Readonly<{
  /** The facts of the stream `organisation` from a version on. */
  facts: (from: number) => Observable<readonly Recorded<OrganisationFact>[]>
  /** A release that is kept. */
  document: (id: string) => Observable<ReleaseDocument | null>
}>

/**
 * Follows the organisation's stream by its gapless version, and holds the compiled release that is answered. Reads at
 * once for each `asked$`, which the instance's own writes send. A read that fails leaves everything as it was; the next
 * one goes on from there.
 */
export function followReleases(
  { facts, document }: ReleasePort,
  asked$: Observable<unknown>,
  scheduler: SchedulerLike,
): Observable<Followed> {
  let followed: Followed = { state: null, release: null, readAt: Number.NEGATIVE_INFINITY }

  const releaseOf = (state: OrganisationState | null): Observable<Release | null> => {
    const id = state?.history[0]?.release
    if (id === undefined) return of(null)
    if (id === followed.release?.id) return of(followed.release)
    return document(id).pipe(map((found) => (found === null ? followed.release : compileRelease(id, found))))
  }

  const read = (): Observable<Followed> => {
    const readAt = scheduler.now()
    return facts(followed.state?.revision ?? 0).pipe(
      map((next) => next.reduce(evolveOrganisation, followed.state)),
      switchMap((state) => releaseOf(state).pipe(map((release) => ({ state, release, readAt })))),
      tap((next) => (followed = next)),
      catchError(() => EMPTY),
    )
  }

  return merge(timer(0, FOLLOW_INTERVAL_MS, scheduler), asked$).pipe(
    withoutAnswered(read, scheduler),
    shareReplay(1),
  )
}

/** One read after the other. A read answers every request that came before it began, so that none pile up. */
function withoutAnswered<Read>(read: () => Observable<Read>, scheduler: SchedulerLike) {
  let begunAt = Number.NEGATIVE_INFINITY
  return (request$: Observable<unknown>): Observable<Read> =>
    request$.pipe(
      timestamp(scheduler),
      concatMap(({ timestamp: askedAt }) => {
        if (askedAt < begunAt) return EMPTY
        begunAt = scheduler.now()
        return read()
      }),
    )
}
