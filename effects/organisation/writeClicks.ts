import { catchError, EMPTY, exhaustMap, ignoreElements, type Observable } from 'rxjs'
import { growingIntervals, type Time } from '../../streams/kernel/time.ts'

/** How often the clicks that were counted are written. */
export const WRITE_INTERVAL_MS = 5_000

/** Writes clicks every 5 s, one batch after the other. A failed batch is written with the next one. Never emits. */
export const writeClicks = (write: () => Observable<unknown>, time: Time): Observable<never> =>
  growingIntervals(WRITE_INTERVAL_MS, 0, time).pipe(
    exhaustMap(() => write().pipe(catchError(() => EMPTY))),
    ignoreElements(),
  )
