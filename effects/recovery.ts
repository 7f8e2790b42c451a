import { filter, map, merge, switchMap } from 'rxjs'
import { App } from '../streams/app/events.ts'
import { isAnythingAwaited } from '../streams/app/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { Maintenance } from '../streams/maintenance/events.ts'
import type { AppEffect } from './app.ts'

/** Retries the loads that failed without the service when the network or the service is back. */
export const retryWhenReachable: AppEffect = (event$, state$, { connection }) =>
  merge(
    event$.pipe(
      ofType(App.started),
      switchMap(() => connection.back$),
    ),
    event$.pipe(ofType(Maintenance.loaded)),
  ).pipe(
    filter(() => isAnythingAwaited(state$.value)),
    map(() => App.serviceReachable()),
  )
