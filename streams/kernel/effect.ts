import type { Observable } from 'rxjs'
import { EMPTY, catchError, concat, defer, ignoreElements, of, tap } from 'rxjs'
import { defineEvents, type Event, type EventOf, fact, type Recorded } from './event.ts'
import type { Failure } from './failure.ts'
import { openField, redactedField } from './field.ts'

/** A stream that emits the current value on subscription, then each change. `value` reads the current value. */
export type StateStream<State> = Observable<State> & { readonly value: State }

/**
 * I/O as a stream: listens to events, calls ports, emits events. The state has already evolved when an event arrives.
 * The store records every event that an effect emits. An effect never completes by itself.
 */
export type Effect<E, State, Deps> = (
  event$: Observable<Recorded<E>>,
  state$: StateStream<State>,
  deps: Deps,
) => Observable<E>

export const Kernel = defineEvents('kernel', {
  effectCrashed: fact({
    effect: openField<string>(),
    message: redactedField<string>()('errorMessage'),
    restarts: openField<number>(),
    givenUp: openField<boolean>(),
  }),
})
export type KernelEvent = EventOf<typeof Kernel>

type Defect = Readonly<{ event: string; error: string }>

/** The name of unexpected errors in the log. */
export const DEFECT_ACTION = 'unexpected_error'

/** The unexpected error in an event, with its message; null if the event has none. */
function defectIn({ type, data }: Event): Defect | null {
  const { failure, message } = data as Readonly<{ failure?: Failure | null; message?: string }>
  if (type === Kernel.effectCrashed.type) return { event: type, error: message ?? '' }
  return failure?.kind === 'defect' ? { event: type, error: failure.message } : null
}

/** Logs unexpected errors with their messages. No view shows these messages. */
export const logDefects = <E extends Event>(
  event$: Observable<Recorded<E>>,
  _state$: unknown,
  { log }: Readonly<{ log: Readonly<{ error: (action: string, detail: Defect) => void }> }>,
): Observable<never> =>
  event$.pipe(
    tap((event) => {
      const defect = defectIn(event)
      if (defect) log.error(DEFECT_ACTION, defect)
    }),
    ignoreElements(),
  )

/** How many times a crashing effect is restarted. */
export const MAX_RESTARTS = 10

/**
 * Starts an effect so that a crash does not reach the other effects. Records an escaped error as
 * `kernel/effectCrashed`, and restarts the effect up to `MAX_RESTARTS` times.
 */
export function superviseEffect<E extends Event>(
  effect: string,
  start: () => Observable<E>,
): Observable<E | KernelEvent> {
  const attempt = (restarts: number): Observable<E | KernelEvent> =>
    defer(start).pipe(
      catchError((error: unknown) => {
        const givenUp = restarts >= MAX_RESTARTS
        const crash = Kernel.effectCrashed({
          effect,
          message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
          restarts,
          givenUp,
        })
        return concat(of(crash), givenUp ? EMPTY : attempt(restarts + 1))
      }),
    )
  return attempt(0)
}
