import { withChanges } from './changes.ts'
import type { Failure } from './failure.ts'

/**
 * How something that is loaded stands. `asked` is the `seq` of the event that began the latest load, so that an
 * effect knows whether an event asked for something or came while all was there; -1 before the first.
 */
export type Load = Readonly<{
  status: 'idle' | 'pending' | 'success' | 'fail'
  asked: number
  failure: Failure | null
}>

export const neverLoaded: Load = { status: 'idle', asked: -1, failure: null }

/** What is there, or on its way, is not asked for again (memoised). `seq` is that of the event. */
export const ask = <State extends Load>(state: State, seq: number): State =>
  state.status === 'success' || state.status === 'pending' ? state : askAgain(state, seq)

/** A forced load goes to the service in any case; what was loaded before stays meanwhile. */
export const askAgain = <State extends Load>(state: State, seq: number): State =>
  withChanges<Load>(state, { status: 'pending', asked: seq, failure: null }) as State

export const failed = <State extends Load>(state: State, failure: Failure): State =>
  withChanges<Load>(state, { status: 'fail', failure }) as State

/** Whether this event is the one that began the load. */
export const began = (load: Load, event: Readonly<{ meta: Readonly<{ seq: number }> }>): boolean =>
  load.status === 'pending' && load.asked === event.meta.seq
