import type { Signatures } from '../../message/signatures/events.ts'
import type { SendersRead } from '../../message/senders/events.ts'
import type { Defaults } from '../../message/defaults/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { withChanges } from '../../kernel/changes.ts'
import { hasFailedTemporarily, failedStatus, idleStatus, successStatus } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { initialSenders, withRestoredSenders, type SendersState } from '../../message/senders/state.ts'

/** Allows a failed request to be repeated. */
const again = (state: SendersState): SendersState =>
  state.load.status === 'fail' ? { ...state, load: idleStatus } : state

const changed = (state: SendersState): SendersState => withChanges(again(state), { isStale: true })

/** The pane's slice of the signatures for certain senders and recipients. */
export const senders = defineSlice<
  SendersState,
  typeof App | typeof Auth | typeof Defaults | typeof SendersRead | typeof Signatures
>()(initialSenders, {
  'defaults/restored': withRestoredSenders,
  'senders/loaded': (_, { data }) => ({ known: data.senders, load: successStatus, isStale: false }),
  'senders/loadFailed': (state, { data: { failure } }) => ({ ...state, load: failedStatus(failure) }),
  // The known data may be outdated: the service has rendered the signatures again, or the lists were just reloaded.
  'signatures/reloadDue': changed,
  'signatures/refreshed': changed,
  'app/retryRequested': again,
  'app/serviceReachable': (state) =>
    hasFailedTemporarily(state.load) ? { ...state, load: idleStatus } : state,
  'auth/signedOut': () => initialSenders,
})
