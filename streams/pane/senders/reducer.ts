import type { Signatures } from '../../message/signatures/events.ts'
import type { SendersRead } from '../../message/senders/events.ts'
import type { Defaults } from '../../message/defaults/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { withChanges } from '../../kernel/changes.ts'
import { awaitsService, failed, idle, success } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { initialSenders, restored, type SendersState } from '../../message/senders/state.ts'

/** Allows a failed request to be repeated. */
const again = (state: SendersState): SendersState =>
  state.load.status === 'fail' ? { ...state, load: idle } : state

const changed = (state: SendersState): SendersState => withChanges(again(state), { isStale: true })

/** The pane's slice of the signatures for certain senders and recipients. */
export const senders = defineSlice<
  SendersState,
  typeof App | typeof Auth | typeof Defaults | typeof SendersRead | typeof Signatures
>()(initialSenders, {
  'defaults/restored': restored,
  'senders/loaded': (_, { data }) => ({ known: data.senders, load: success, isStale: false }),
  'senders/loadFailed': (state, { data: { failure } }) => ({ ...state, load: failed(failure) }),
  // The known data may be outdated: the service has rendered the signatures again, or the lists were just reloaded.
  'signatures/reloadDue': changed,
  'signatures/refreshed': changed,
  'app/retryRequested': again,
  'app/serviceReachable': (state) => (awaitsService(state.load) ? { ...state, load: idle } : state),
  'auth/signedOut': () => initialSenders,
})
