import { filter, map, merge, type Observable, of, switchMap } from 'rxjs'
import { Connection } from '../../streams/pane/connection/events.ts'
import { App, type AppEvent, failureIn } from '../../streams/pane/events.ts'
import { isRetryAwaited } from '../../streams/pane/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { retryWaitOf } from '../../streams/kernel/failure.ts'
import { emitAt, now } from '../../streams/kernel/time.ts'
import type { AppEffect } from '../message/app.ts'

/** The events that show that the service responded. */
const ANSWERS: readonly AppEvent['type'][] = [
  ...(['auth/verified', 'auth/renewed', 'defaults/loaded', 'maintenance/loaded', 'profile/loaded'] as const),
  ...(['signatures/pageLoaded', 'signatures/refreshed', 'variables/loaded', 'variables/saved'] as const),
]

/** Whether this event shows that the service is unreachable (true) or responds (false); null for other events. */
const lossIn = (event: AppEvent): boolean | null => {
  const failure = failureIn(event)
  if (failure?.kind === 'network') return true
  return failure?.kind === 'http' || ANSWERS.includes(event.type) ? false : null
}

/** Records when the connection is lost or restored, as reported by the browser or shown by the service's responses. */
export const followConnection: AppEffect = (event$, state$, { connection }) =>
  merge(
    event$.pipe(
      ofType(App.started),
      switchMap(() => merge(connection.lost$.pipe(map(() => true)), connection.back$.pipe(map(() => false)))),
    ),
    event$.pipe(
      map(lossIn),
      filter((isLost) => isLost !== null),
    ),
  ).pipe(
    filter((isLost) => isLost !== state$.value.connection.isLost),
    map((isLost) => Connection.changed({ isLost })),
  )

/**
 * Retries loads that failed while the service was unreachable. Waits until it responds again and its requested delay is
 * over.
 */
export const retryWhenReachable: AppEffect = (event$, state$, { connection, time }) => {
  let until = 0
  const allowed = (): Observable<unknown> =>
    emitAt(until, time).pipe(switchMap(() => (until > now(time) ? allowed() : of(null))))
  return merge(
    event$.pipe(
      ofType(App.started),
      switchMap(() => connection.back$),
    ),
    event$.pipe(
      filter((event) => {
        const failure = failureIn(event)
        if (failure) until = Math.max(until, event.meta.at + retryWaitOf(failure))
        return event.type === 'maintenance/loaded'
      }),
    ),
  ).pipe(
    switchMap(allowed),
    filter(() => isRetryAwaited(state$.value)),
    map(() => App.serviceReachable()),
  )
}
