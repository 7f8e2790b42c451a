import { catchError, defer, EMPTY, exhaustMap, filter, type Observable, of, switchMap, tap } from 'rxjs'
import { growingIntervals, now, type Time } from '../../streams/kernel/time.ts'

/** How often an instance checks whether a sweep is due. */
export const SWEEP_LOOK_MS = 60_000
/** How long after a sweep the changes that are still pending are retried. */
export const SWEEP_AGAIN_MS = 60 * 60_000

export type SweepPort = Readonly<{
  /** The id of the published release. */
  release: () => string | null
  /** Whether changes of the directory are pending. */
  isWaiting: () => Observable<boolean>
  sweep: () => Observable<unknown>
}>

/**
 * Applies the pending changes of a directory that sends its changes; most changes are applied as soon as they arrive. A
 * sweep is due at the start, because a process may have been killed; every hour while changes are pending; and after a
 * new release, which may name other groups. A failed sweep is retried at the next check.
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
