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

/** How often an instance looks whether a sync is due: another one may have run it. */
export const LOOK_INTERVAL_MS = 60_000
/** How long a lease is good; an instance that ends without giving it back delays the next sync by it. */
export const LEASE_MS = 120_000
const RENEW_INTERVAL_MS = LEASE_MS / 4

export type SyncPort<Request, Run> = Readonly<{
  /** When the last sync of any instance ended, in milliseconds since 1970; null before the first. */
  lastEnd: () => Observable<number | null>
  /** Takes or renews the lease of a request for `LEASE_MS`; false while another request has it. */
  lease: (request: Request) => Observable<boolean>
  /** Begins to give the lease of a request back; its sync may be at its last page, or have given it back. */
  giveBack: (request: Request) => void
  /** A sync as it goes on; completes at its end. Unsubscribing stops it. */
  run: (request: Request) => Observable<Run>
}>

/** What becomes of a request: another one runs, or it runs, or it ended with an error. */
export type Synced<Request, Run> = Readonly<{ request: Request }> &
  (
    | Readonly<{ outcome: 'busy' }>
    | Readonly<{ outcome: 'running'; run: Run }>
    | Readonly<{ outcome: 'failed'; error: unknown }>
  )

/**
 * Syncs when the last sync ended an interval ago (`null`: never by itself), and for each request; one at a time among
 * all instances, by lease. The lease is renewed while a sync runs, and given back at its end and when this is
 * unsubscribed. A sync whose lease is lost stops.
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
