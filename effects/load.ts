import { filter, type Observable, switchMap } from 'rxjs'
import type { AppEvent } from '../streams/app/events.ts'
import type { AppState } from '../streams/app/state.ts'
import type { Failure } from '../streams/kernel/failure.ts'
import { type Attempt, began, type Load } from '../streams/kernel/load.ts'
import { settle } from '../streams/kernel/settle.ts'
import { type AppEffect, whileSignedIn } from './app.ts'
import type { Ports } from './ports.ts'

type LoadEvents<Value> = Readonly<{
  loaded: (data: Readonly<{ value: Value }>) => AppEvent
  loadFailed: (data: Readonly<{ failure: Failure }>) => AppEvent
}>

/** Makes the request of a load (`defineLoad`) for each event that began it; a later request cancels an earlier one. */
export const createLoad =
  <Value>(
    select: (state: AppState) => Load<Value> | Attempt,
    { loaded, loadFailed }: LoadEvents<Value>,
    request: (ports: Ports) => Observable<Value>,
  ): AppEffect =>
  (event$, state$, ports) =>
    event$.pipe(
      filter((event) => began(select(state$.value), event)),
      switchMap(() =>
        request(ports).pipe(
          settle(
            (value) => loaded({ value }),
            (failure) => loadFailed({ failure }),
          ),
          whileSignedIn(event$),
        ),
      ),
    )
