import { filter, type MonoTypeOperatorFunction, type Observable, switchMap } from 'rxjs'
import type { Effect } from './effect.ts'
import type { Event, Recorded } from './event.ts'
import type { Failure } from './failure.ts'
import { type Attempt, began, type Load } from './load.ts'
import { settle } from './settle.ts'

/** Makes the events in which a request ends. */
export type Outcomes<Value, E> = Readonly<{
  loaded: (data: Readonly<{ value: Value }>) => E
  loadFailed: (data: Readonly<{ failure: Failure }>) => E
}>

/**
 * Makes the request of a load for each event that began it; a later request cancels an earlier one. `bounded` ends the
 * requests of a session with it.
 */
export const loading =
  <E extends Event, State, Deps>(
    bounded: <T>(event$: Observable<Recorded<E>>) => MonoTypeOperatorFunction<T>,
  ) =>
  <Value>(
    select: (state: State) => Load<Value> | Attempt,
    { loaded, loadFailed }: Outcomes<Value, E>,
    request: (deps: Deps, state: State) => Observable<Value>,
  ): Effect<E, State, Deps> =>
  (event$, state$, deps) =>
    event$.pipe(
      filter((event) => began(select(state$.value), event)),
      switchMap(() =>
        request(deps, state$.value).pipe(
          settle(
            (value) => loaded({ value }),
            (failure) => loadFailed({ failure }),
          ),
          bounded(event$),
        ),
      ),
    )
