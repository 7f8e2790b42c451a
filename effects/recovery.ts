import { filter, ignoreElements, map, merge, type Observable, of, switchMap, tap } from 'rxjs'
import { App, failureIn } from '../streams/app/events.ts'
import { isAnythingAwaited } from '../streams/app/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { at, now } from '../streams/kernel/time.ts'
import { Maintenance } from '../streams/maintenance/events.ts'
import type { AppEffect } from './app.ts'

/**
 * Retries the loads that failed without the service when the network or the service is back, and not before the time
 * that the service asked for.
 */
export const retryWhenReachable: AppEffect = (event$, state$, { connection, time }) => {
  let until = 0
  const asked$ = event$.pipe(
    tap((event) => {
      const failure = failureIn(event)
      if (failure?.kind === 'http') until = Math.max(until, event.meta.at + (failure.retryAfter ?? 0))
    }),
    ignoreElements(),
  )
  const allowed = (): Observable<unknown> =>
    at(until, time).pipe(switchMap(() => (until > now(time) ? allowed() : of(null))))
  const back$ = merge(
    event$.pipe(
      ofType(App.started),
      switchMap(() => connection.back$),
    ),
    event$.pipe(ofType(Maintenance.loaded)),
  )
  return merge(asked$, back$.pipe(switchMap(allowed))).pipe(
    filter(() => isAnythingAwaited(state$.value)),
    map(() => App.serviceReachable()),
  )
}
