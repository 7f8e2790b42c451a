import { defineEvents, fact, type Recorded } from './event.ts'
import { type Failure, failureField, passes } from './failure.ts'
import type { Field, ValueOf } from './field.ts'

/**
 * The status of an action without a value. `asked` is the `seq` of the event that began it, so that an effect can
 * recognise that event.
 */
export type Attempt =
  | Readonly<{ status: 'idle' }>
  | Readonly<{ status: 'pending'; asked: number }>
  | Readonly<{ status: 'success' }>
  | Readonly<{ status: 'fail'; failure: Failure }>

/** The status of a value that is loaded. The last value stays during a reload, and when the reload fails. */
export type Load<Value> =
  | Readonly<{ status: 'idle' }>
  | Readonly<{ status: 'pending'; asked: number; value?: Value }>
  | Readonly<{ status: 'success'; value: Value }>
  | Readonly<{ status: 'fail'; failure: Failure; value?: Value }>

/** An event that reports a failure, whatever failed. */
export type FailureEvent = Recorded<Readonly<{ data: Readonly<{ failure: Failure }> }>>

type Asking = Readonly<{ meta: Readonly<{ seq: number }> }>

export const idle = { status: 'idle' } as const
export const success = { status: 'success' } as const
export const failed = (failure: Failure) => ({ status: 'fail', failure }) as const
/** The event begins an action. */
export const pending = ({ meta }: Asking) => ({ status: 'pending', asked: meta.seq }) as const

/** Whether this event began the load or the action. */
export const began = (load: Attempt | Load<unknown>, { meta }: Asking): boolean =>
  load.status === 'pending' && load.asked === meta.seq

/** Why it failed; null while it has not. */
export const failureOf = (load: Attempt | Load<unknown>): Failure | null =>
  load.status === 'fail' ? load.failure : null

/** Whether it failed with a temporary failure. */
export const awaitsService = (load: Attempt | Load<unknown>): boolean =>
  load.status === 'fail' && passes(load.failure)

/** The value that was loaded last; undefined before the first. */
export const valueOf = <Value>(load: Load<Value>): Value | undefined =>
  'value' in load ? load.value : undefined

/** A successful load; the same reference when it had this value already. */
export const loaded = <Value>(state: Load<Value>, value: Value): Load<Value> =>
  state.status === 'success' && Object.is(state.value, value) ? state : { status: 'success', value }

// Handlers of a slice that is a load.

/** Loads in any case. */
export const loadAgain = <Value>(state: Load<Value>, event: Asking): Load<Value> =>
  'value' in state ? { ...pending(event), value: state.value } : pending(event)

/** Loads unless the value is loaded or pending (memoised). */
export const loadOnce = <Value>(state: Load<Value>, event: Asking): Load<Value> =>
  state.status === 'success' || state.status === 'pending' ? state : loadAgain(state, event)

/** Retries a failed load. */
export const retryFailed = <Value>(state: Load<Value>, event: Asking): Load<Value> =>
  state.status === 'fail' ? loadAgain(state, event) : state

/** Retries a load with a temporary failure. */
export const retryAwaited = <Value>(state: Load<Value>, event: Asking): Load<Value> =>
  awaitsService(state) ? loadAgain(state, event) : state

/** Drops the value. */
export const forget = (): typeof idle => idle

type Loaded<Value> = Readonly<{ data: Readonly<{ value: Value }> }>
type NotLoaded = Readonly<{ data: Readonly<{ failure: Failure }> }>

/**
 * A value that is loaded: its events `loaded` and `loadFailed`, and the handlers of both. The slice adds which events
 * begin the load; its effect is made by `createLoad` (effects/message/load.ts).
 */
export function defineLoad<const Domain extends string, F extends Field<unknown>>(domain: Domain, value: F) {
  type Value = ValueOf<F>
  const handlers = {
    [`${domain}/loaded`]: (state: Load<Value>, { data }: Loaded<Value>): Load<Value> =>
      loaded(state, data.value),
    [`${domain}/loadFailed`]: (state: Load<Value>, { data }: NotLoaded): Load<Value> =>
      'value' in state ? { ...failed(data.failure), value: state.value } : failed(data.failure),
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
