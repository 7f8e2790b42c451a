import {
  catchError,
  concatMap,
  EMPTY,
  map,
  merge,
  type Observable,
  of,
  shareReplay,
  switchMap,
  take,
  tap,
} from 'rxjs'
import { growingIntervals, now, type Time } from '../../streams/kernel/time.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import type { OrganisationFact } from '../../streams/organisation/facts/events.ts'
import { evolveOrganisation } from '../../streams/organisation/facts/reducer.ts'
import type { Release } from '../../streams/organisation/release/release.ts'
import type { OrganisationState } from '../../streams/organisation/facts/state.ts'

/** How often an instance reads the organisation's stream, to find what another instance published. */
export const FOLLOW_INTERVAL_MS = 2_000

/** What an instance knows of its organisation. `readAt` is the time of the last read, in milliseconds. */
export type Followed = Readonly<{
  state: OrganisationState | null
  release: Release | null
  readAt: number
}>

export type ReleasePort = Readonly<{
  /** The facts of the stream `organisation` from a version on. */
  facts: (from: number) => Observable<readonly Recorded<OrganisationFact>[]>
  /** A stored release by its id, compiled; null for an unknown id. */
  release: (id: string) => Observable<Release | null>
}>

/**
 * Follows the organisation's stream by its version, and reads the published release. `asked$` emits after the
 * instance's own writes, and begins a read at once. A failed read changes nothing; the next read continues from the
 * same version. Without polling, the stream is read at the start, and then only for `asked$`.
 */
export function followReleases(
  { facts, release }: ReleasePort,
  asked$: Observable<unknown>,
  time: Time,
  isPolling = true,
): Observable<Followed> {
  let followed: Followed = { state: null, release: null, readAt: Number.NEGATIVE_INFINITY }

  const releaseOf = (state: OrganisationState | null): Observable<Release | null> => {
    const id = state?.history[0]?.release
    if (id === undefined) return of(null)
    if (id === followed.release?.id) return of(followed.release)
    return release(id).pipe(map((found) => found ?? followed.release))
  }

  const read = (): Observable<Followed> => {
    const readAt = now(time)
    return facts(followed.state?.revision ?? 0).pipe(
      map((next) => next.reduce(evolveOrganisation, followed.state)),
      switchMap((state) => releaseOf(state).pipe(map((found) => ({ state, release: found, readAt })))),
      tap((next) => (followed = next)),
      catchError(() => EMPTY),
    )
  }

  const polls$ = growingIntervals(FOLLOW_INTERVAL_MS, 0, time)
  return merge(isPolling ? polls$ : polls$.pipe(take(1)), asked$).pipe(
    withoutAnswered(read),
    shareReplay({ bufferSize: 1, refCount: true }),
  )
}

/** Makes one read at a time, for all earlier requests. Requests are counted and not timed: a clock may be set back. */
function withoutAnswered<Read>(read: () => Observable<Read>) {
  let asked = 0
  let answered = 0
  return (request$: Observable<unknown>): Observable<Read> =>
    request$.pipe(
      map(() => (asked += 1)),
      concatMap((request) => {
        if (request <= answered) return EMPTY
        answered = asked
        return read()
      }),
    )
}
