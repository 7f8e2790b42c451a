import type { AppEvent } from '../app/events.ts'
import { withChanges } from '../kernel/changes.ts'
import { type Attempt, awaitsService, failed, idle, success } from '../kernel/load.ts'
import { defineSlice } from '../kernel/slice.ts'
import type { Senders } from './senders.ts'

/** `known` may be from an earlier pane. `isStale`: it may have changed at the service since. */
export type SendersState = Readonly<{ known: Senders | null; load: Attempt; isStale: boolean }>

const initial: SendersState = { known: null, load: idle, isStale: false }

const changed = (state: SendersState): SendersState => withChanges(state, { isStale: true })

export const senders = defineSlice<SendersState, AppEvent>()(initial, {
  'senders/loaded': (_, { data }) => ({ known: data.senders, load: success, isStale: false }),
  'defaults/restored': (state, { data }) => withChanges(state, { known: state.known ?? data.senders }),
  'launch/refreshed': (state, { data }) => withChanges(state, { known: data.kept.senders }),
  'senders/loadFailed': (state, { data: { failure } }) => ({ ...state, load: failed(failure) }),
  // The service renders the signatures again, or the user wants them as they are now.
  'signatures/reloadDue': changed,
  'signatures/refreshed': changed,
  'app/retryRequested': (state) => (state.load.status === 'fail' ? { ...state, load: idle } : state),
  'app/serviceReachable': (state) => (awaitsService(state.load) ? { ...state, load: idle } : state),
  'auth/signedOut': () => initial,
})
