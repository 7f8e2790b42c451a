import { catchError, EMPTY, exhaustMap, ignoreElements, merge, type Observable } from 'rxjs'
import { growingIntervals, type Time } from '../../streams/kernel/time.ts'
import { CLICKS_KEPT_MS } from '../../streams/organisation/figures/clicks.ts'
import { REPORTED_KEPT_MS } from '../../streams/organisation/figures/reported.ts'

/** How often old data is dropped. */
export const DROP_INTERVAL_MS = 60 * 60 * 1000

export type OldPort = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number
  /** Drops reports of add-ins from before a time. */
  dropReported: (before: number) => Observable<unknown>
  /** Drops clicks of days before a time. */
  dropClicks: (before: number) => Observable<unknown>
  /** Drops plans that have expired. */
  dropPlans: (now: number) => Observable<unknown>
}>

/** Drops expired data once. A part that fails does not stop the others. Never emits. */
export const dropOldOnce = ({ now, dropReported, dropClicks, dropPlans }: OldPort): Observable<never> =>
  merge(
    dropReported(now() - REPORTED_KEPT_MS).pipe(catchError(() => EMPTY)),
    dropClicks(now() - CLICKS_KEPT_MS).pipe(catchError(() => EMPTY)),
    dropPlans(now()).pipe(catchError(() => EMPTY)),
  ).pipe(ignoreElements())

/** Drops expired data at once and every hour, even after a failure. Several instances may do this. Never emits. */
export const dropOld = (port: OldPort, time: Time): Observable<never> =>
  growingIntervals(DROP_INTERVAL_MS, 0, time).pipe(exhaustMap(() => dropOldOnce(port)))
