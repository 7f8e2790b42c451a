import {
  catchError,
  concatMap,
  EMPTY,
  exhaustMap,
  filter,
  finalize,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  skip,
  switchMap,
  takeUntil,
} from 'rxjs'
import { growingIntervals, now, type Time } from '../../streams/kernel/time.ts'

/** How often an instance checks whether a sync is due. */
export const LOOK_INTERVAL_MS = 60_000
/** How long a lease lasts. A killed instance delays the next sync by this time. */
export const LEASE_MS = 120_000
const RENEW_INTERVAL_MS = LEASE_MS / 4

export type SyncPort<Request, Run> = Readonly<{
  /** When the last sync of any instance ended, in milliseconds since 1970; null before the first. */
  lastEnd: () => Observable<number | null>
  /** Takes or renews the lease for `LEASE_MS`; false while another request holds it. */
  lease: (request: Request) => Observable<boolean>
  /** Begins to release the lease. The sync may still be at its last page, or may have released the lease already. */
  giveBack: (request: Request) => void
  /** Emits the progress of a sync, and completes when the sync ends. Unsubscribing stops the sync. */
  run: (request: Request) => Observable<Run>
}>

/** The outcome of a request; `busy` while another request holds the lease. */
export type Synced<Request, Run> = Readonly<{ request: Request }> &
  (
    | Readonly<{ outcome: 'busy' }>
    | Readonly<{ outcome: 'running'; run: Run }>
    | Readonly<{ outcome: 'failed'; error: unknown }>
  )

/**
 * Syncs for each request, and whenever the last sync ended `intervalMs` ago (null: only for requests). A lease limits
 * all instances to one sync at a time. The lease is renewed during the sync, and released at the end and on
 * unsubscribing. A sync that loses the lease stops.
 */
export function syncDirectory<Request, Run>(
  port: SyncPort<Request, Run>,
  asked$: Observable<Request>,
  due: () => Request,
  intervalMs: number | null,
  time: Time,
): Observable<Synced<Request, Run>> {
  const leased = (request: Request): Observable<Synced<Request, Run>> => {
    const lost$ = growingIntervals(RENEW_INTERVAL_MS, 0, time).pipe(
      skip(1),
      concatMap(() => port.lease(request).pipe(catchError(() => EMPTY))),
      filter((has) => !has),
    )
    return port.run(request).pipe(
      map((run) => ({ request, outcome: 'running', run }) as const),
      takeUntil(lost$),
      finalize(() => port.giveBack(request)),
    )
  }

  const sync = (request: Request): Observable<Synced<Request, Run>> =>
    port.lease(request).pipe(
      switchMap((has) => (has ? leased(request) : of({ request, outcome: 'busy' } as const))),
      catchError((error: unknown) => of({ request, outcome: 'failed', error } as const)),
    )

  const isDue = (ended: number | null) => ended === null || now(time) - ended >= (intervalMs ?? 0)
  const looks$ = intervalMs === null ? EMPTY : growingIntervals(LOOK_INTERVAL_MS, 0, time)
  const scheduled$ = looks$.pipe(
    exhaustMap(() =>
      port.lastEnd().pipe(
        filter(isDue),
        switchMap(() => sync(due())),
        catchError(() => EMPTY),
      ),
    ),
  )
  return merge(scheduled$, asked$.pipe(mergeMap(sync)))
}
