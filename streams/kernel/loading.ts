import { filter, mergeMap, type MonoTypeOperatorFunction, type Observable, switchMap } from 'rxjs'
import type { Effect } from './effect.ts'
import { type Event, ofType, type Recorded } from './event.ts'
import type { Failure } from './failure.ts'
import { type Attempt, wasBegunBy, type Load } from './load.ts'
import type { Pages } from './pages.ts'
import { settle } from './settle.ts'

/** Creators of the events with the result of a request. */
export type Outcomes<Value, E> = Readonly<{
  loaded: (data: Readonly<{ value: Value }>) => E
  loadFailed: (data: Readonly<{ failure: Failure }>) => E
}>

/** Creators of the events with the result of a request for a page. */
type PageOutcomes<Query, Cursor, Page, E> = Readonly<{
  pageLoaded: (data: Readonly<{ query: Query; after: Cursor | null; page: Page }>) => E
  pageFailed: (data: Readonly<{ failure: Failure }>) => E
}>

/**
 * Makes an effect that sends a request whenever an event starts the load. A later request cancels an earlier one.
 * `bounded` cancels a session's requests when the session ends.
 */
export const loadEffect =
  <E extends Event, State, Deps>(
    bounded: <T>(event$: Observable<Recorded<E>>) => MonoTypeOperatorFunction<T>,
  ) =>
  <Value>(
    select: (state: State) => Load<Value> | Attempt,
    { loaded, loadFailed }: Outcomes<Value, E>,
    request: (deps: Deps, state: State, by: Recorded<E>) => Observable<Value>,
  ): Effect<E, State, Deps> =>
  (event$, state$, deps) =>
    event$.pipe(
      filter((event) => wasBegunBy(select(state$.value), event)),
      switchMap((event) =>
        request(deps, state$.value, event).pipe(
          settle((value) => loaded({ value }), loadFailed),
          bounded(event$),
        ),
      ),
    )

/**
 * Makes an effect that requests a page of a list (`definePages`) whenever an event begins to load a page. A later
 * request cancels an earlier one. `bounded` cancels a session's requests when the session ends.
 */
export const pageEffect =
  <E extends Event, State, Deps>(
    bounded: <T>(event$: Observable<Recorded<E>>) => MonoTypeOperatorFunction<T>,
  ) =>
  <Query, Cursor, Page>(
    select: (state: State) => Pages<Query, unknown, Cursor>,
    { pageLoaded, pageFailed }: PageOutcomes<Query, Cursor, Page, E>,
    request: (
      deps: Deps,
      asked: Readonly<{ query: Query; after: Cursor | null }>,
      state: State,
      by: E,
    ) => Observable<Page>,
  ): Effect<E, State, Deps> =>
  (event$, state$, deps) =>
    event$.pipe(
      filter((event) => wasBegunBy(select(state$.value).load, event)),
      switchMap((event) => {
        const state = state$.value
        const { query, next: after } = select(state)
        return request(deps, { query, after }, state, event).pipe(
          settle((page) => pageLoaded({ query, after, page }), pageFailed),
          bounded(event$),
        )
      }),
    )

/** The events of an attempt (`defineAttempt`). */
type AttemptEvents<Asked, Done, E> = Readonly<{
  requested: Readonly<{ type: string }> & ((data: Asked) => E)
  done: (data: Done) => E
  failed: (data: Readonly<{ failure: Failure }>) => E
}>

/**
 * Makes an effect that sends a request whenever an event starts the attempt (`defineAttempt`). The request continues
 * after the session ends. The attempt allows only one request at a time.
 */
export const attemptEffect =
  <E extends Event, State, Deps>() =>
  <Asked, Done>(
    select: (state: State) => Attempt,
    { requested, done, failed }: AttemptEvents<Asked, Done, E>,
    request: (deps: Deps, asked: Asked, state: State, by: Recorded<E>) => Observable<Done>,
  ): Effect<E, State, Deps> =>
  (event$, state$, deps) =>
    event$.pipe(
      ofType(requested),
      filter((event) => wasBegunBy(select(state$.value), event)),
      mergeMap((event) => request(deps, event.data as Asked, state$.value, event).pipe(settle(done, failed))),
    )
