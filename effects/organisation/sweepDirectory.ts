import { catchError, defer, EMPTY, exhaustMap, filter, type Observable, of, switchMap, tap } from 'rxjs'
import { growingIntervals, now, type Time } from '../../streams/kernel/time.ts'

/** How often an instance looks. */
export const SWEEP_LOOK_MS = 60_000
/** What waits is tried again so long after the last sweep. */
export const SWEEP_AGAIN_MS = 60 * 60_000

export type SweepPort = Readonly<{
  /** The id of the release that is answered. */
  release: () => string | null
  /** Whether something that the directory told is not applied. */
  isWaiting: () => Observable<boolean>
  sweep: () => Observable<unknown>
}>

/**
 * Of a directory that tells by itself and is applied with each request: sweeps up what a killed process left, at the
 * start; what waits, every hour; and after another release, which may name other groups. A sweep that fails is tried
 * again at the next look.
 */
export function sweepDirectory({ release, isWaiting, sweep }: SweepPort, time: Time): Observable<unknown> {
  let swept: Readonly<{ release: string | null; at: number }> | null = null

  const isDue = (): Observable<boolean> => {
    if (swept === null) return of(true)
    if (swept.release !== release()) return of(true)
    return now(time) - swept.at >= SWEEP_AGAIN_MS ? isWaiting() : of(false)
  }
  return growingIntervals(SWEEP_LOOK_MS, 0, time).pipe(
    exhaustMap(() =>
      defer(isDue).pipe(
        filter(Boolean),
        switchMap(() => {
          const begun = { release: release(), at: now(time) }
          return sweep().pipe(tap(() => (swept = begun)))
        }),
        catchError(() => EMPTY),
      ),
    ),
  )
}
