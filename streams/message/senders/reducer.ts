import type { AppEvent } from '../../pane/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { awaitsService, failed, idle, success } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { initialSenders, restored, type SendersState } from './stored.ts'

export type { SendersState }

/** What failed is asked again. */
const again = (state: SendersState): SendersState =>
  state.load.status === 'fail' ? { ...state, load: idle } : state

const changed = (state: SendersState): SendersState => withChanges(again(state), { isStale: true })

/** The slice of the pane. */
export const senders = defineSlice<SendersState, AppEvent>()(initialSenders, {
  'defaults/restored': restored,
  'senders/loaded': (_, { data }) => ({ known: data.senders, load: success, isStale: false }),
  'senders/loadFailed': (state, { data: { failure } }) => ({ ...state, load: failed(failure) }),
  // The service renders the signatures again, or they were read as they are now.
  'signatures/reloadDue': changed,
  'signatures/refreshed': changed,
  'app/retryRequested': again,
  'app/serviceReachable': (state) => (awaitsService(state.load) ? { ...state, load: idle } : state),
  'auth/signedOut': () => initialSenders,
})
