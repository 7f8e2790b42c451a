import { filter, map, merge, type Observable, of, switchMap } from 'rxjs'
import { App, failureIn } from '../../streams/pane/events.ts'
import { isAnythingAwaited } from '../../streams/pane/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { waitOf } from '../../streams/kernel/failure.ts'
import { at, now } from '../../streams/kernel/time.ts'
import type { AppEffect } from '../message/app.ts'

/** Retries loads that failed while the service was unreachable, once it is back and the wait it asked for is over. */
export const retryWhenReachable: AppEffect = (event$, state$, { connection, time }) => {
  let until = 0
  const allowed = (): Observable<unknown> =>
    at(until, time).pipe(switchMap(() => (until > now(time) ? allowed() : of(null))))
  return merge(
    event$.pipe(
      ofType(App.started),
      switchMap(() => connection.back$),
    ),
    event$.pipe(
      filter((event) => {
        const failure = failureIn(event)
        if (failure) until = Math.max(until, event.meta.at + waitOf(failure))
        return event.type === 'maintenance/loaded'
      }),
    ),
  ).pipe(
    switchMap(allowed),
    filter(() => isAnythingAwaited(state$.value)),
    map(() => App.serviceReachable()),
  )
}
