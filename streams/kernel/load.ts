import { defineEvents, fact, type EventFields, gesture, type Recorded } from './event.ts'
import { type Failure, failureField, isTemporary } from './failure.ts'
import type { Field, ValueOf } from './field.ts'

/**
 * The status of an action that returns no value. `asked` is the `seq` of the event that began the action; effects
 * recognise the event by it.
 */
export type Attempt =
  | Readonly<{ status: 'idle' }>
  | Readonly<{ status: 'pending'; asked: number }>
  | Readonly<{ status: 'success' }>
  | Readonly<{ status: 'fail'; failure: Failure }>

/** The status of a value that is loaded. During a reload, and after a failed one, the last value stays. */
export type Load<Value> =
  | Readonly<{ status: 'idle' }>
  | Readonly<{ status: 'pending'; asked: number; value?: Value }>
  | Readonly<{ status: 'success'; value: Value }>
  | Readonly<{ status: 'fail'; failure: Failure; value?: Value }>

/** An event that reports a failure of any kind. */
export type FailureEvent = Recorded<Readonly<{ data: Readonly<{ failure: Failure }> }>>

/** An event that may begin a load or an action. */
export type BeginEvent = Readonly<{ meta: Readonly<{ seq: number }> }>

export const idleStatus = { status: 'idle' } as const
export const successStatus = { status: 'success' } as const
export const failedStatus = (failure: Failure) => ({ status: 'fail', failure }) as const
/** The status after the event that begins an action. */
export const pendingStatus = ({ meta }: BeginEvent) => ({ status: 'pending', asked: meta.seq }) as const

/** Whether this event began the load or the action. */
export const wasBegunBy = (load: Attempt | Load<unknown>, { meta }: BeginEvent): boolean =>
  load.status === 'pending' && load.asked === meta.seq

/** The failure of a load or an action; null if it did not fail. */
export const failureOf = (load: Attempt | Load<unknown>): Failure | null =>
  load.status === 'fail' ? load.failure : null

/** Whether a load or an action failed with a temporary failure. */
export const hasFailedTemporarily = (load: Attempt | Load<unknown>): boolean =>
  load.status === 'fail' && isTemporary(load.failure)

/** The last loaded value; undefined before the first one. */
export const loadedValue = <Value>(load: Load<Value>): Value | undefined =>
  'value' in load ? load.value : undefined

/** The state after an answer: `outcome` if a request is pending. Answers to dropped requests change nothing. */
export const settlePending = <State extends Attempt | Load<unknown>>(state: State, outcome: State): State =>
  state.status === 'pending' ? outcome : state

/** Drops a pending request: the state becomes `idle`. Any other state stays the same. */
export const dropPending = <State extends Attempt | Load<unknown>>(
  state: State,
): State | typeof idleStatus => (state.status === 'pending' ? idleStatus : state)

/** The state after a successful load; the same reference if the value did not change. */
export const loadSucceeded = <Value>(state: Load<Value>, value: Value): Load<Value> =>
  state.status === 'success' && Object.is(state.value, value) ? state : { status: 'success', value }

// Handlers for a slice whose state is a `Load`.

/** Begins a load, even if one is pending. */
export const loadAgain = <Value>(state: Load<Value>, event: BeginEvent): Load<Value> =>
  'value' in state ? { ...pendingStatus(event), value: state.value } : pendingStatus(event)

/** Loads the value, unless it is already loaded or a request for it is pending. */
export const loadOnce = <Value>(state: Load<Value>, event: BeginEvent): Load<Value> =>
  state.status === 'success' || state.status === 'pending' ? state : loadAgain(state, event)

/** Retries a failed load. */
export const retryFailed = <Value>(state: Load<Value>, event: BeginEvent): Load<Value> =>
  state.status === 'fail' ? loadAgain(state, event) : state

/** Retries a load whose failure is temporary. */
export const retryTemporary = <Value>(state: Load<Value>, event: BeginEvent): Load<Value> =>
  hasFailedTemporarily(state) ? loadAgain(state, event) : state

/** Drops the value. */
export const forgetValue = (): typeof idleStatus => idleStatus

/** The state after a failed load; the last value stays. */
export const loadFailed = <Value>(state: Load<Value>, failure: Failure): Load<Value> =>
  'value' in state ? { ...failedStatus(failure), value: state.value } : failedStatus(failure)

// Handlers for a slice whose state is an `Attempt`.

/** Begins the action unless it is pending. */
export const attemptOnce = (state: Attempt, event: BeginEvent): Attempt =>
  state.status === 'pending' ? state : pendingStatus(event)

/** Forgets the outcome of the action; a pending action continues. */
export const forgetOutcome = (state: Attempt): Attempt => (state.status === 'pending' ? state : idleStatus)

type Loaded<Value> = Readonly<{ data: Readonly<{ value: Value }> }>
type NotLoaded = Readonly<{ data: Readonly<{ failure: Failure }> }>

/**
 * Defines the events `loaded` and `loadFailed` of a value, and their handlers. The slice adds the events that begin the
 * load; `createLoadEffect` (effects/message/load.ts) makes the effect.
 */
export function defineLoad<const Domain extends string, F extends Field<unknown>>(domain: Domain, value: F) {
  type Value = ValueOf<F>
  const handlers = {
    [`${domain}/loaded`]: (state: Load<Value>, { data }: Loaded<Value>): Load<Value> =>
      loadSucceeded(state, data.value),
    [`${domain}/loadFailed`]: (state: Load<Value>, { data }: NotLoaded): Load<Value> =>
      loadFailed(state, data.failure),
  } as Readonly<
    Record<`${Domain}/loaded`, (state: Load<Value>, event: Loaded<Value>) => Load<Value>> &
      Record<`${Domain}/loadFailed`, (state: Load<Value>, event: NotLoaded) => Load<Value>>
  >
  const events = defineEvents(domain, {
    loaded: fact({ value }),
    loadFailed: fact({ failure: failureField }),
  })
  return { ...events, handlers }
}

/**
 * Defines the events `requested`, `done` and `failed` of an action that returns no value, and their handlers. Only one
 * request is pending at a time, and an outcome counts only while a request is pending. The slice drops the request when
 * the session ends (`dropPending`); `attemptEffect` (loading.ts) makes the effect.
 * @param subject fields that `done` and `failed` share, such as the person whom the action is about
 */
export function defineAttempt<
  const Domain extends string,
  const Requested extends EventFields,
  const Done extends EventFields,
  const Subject extends EventFields = Readonly<Record<never, never>>,
>(domain: Domain, requested: Requested, done: Done, subject = {} as Subject) {
  const handlers = {
    [`${domain}/requested`]: attemptOnce,
    [`${domain}/done`]: (state: Attempt): Attempt => settlePending(state, successStatus),
    [`${domain}/failed`]: (state: Attempt, { data }: NotLoaded): Attempt =>
      settlePending(state, failedStatus(data.failure)),
  } as Readonly<
    Record<`${Domain}/requested`, typeof attemptOnce> &
      Record<`${Domain}/done`, (state: Attempt) => Attempt> &
      Record<`${Domain}/failed`, (state: Attempt, event: NotLoaded) => Attempt>
  >
  const events = defineEvents(domain, {
    requested: gesture(requested),
    done: fact({ ...subject, ...done }),
    failed: fact({ ...subject, failure: failureField }),
  })
  return { ...events, handlers }
}
