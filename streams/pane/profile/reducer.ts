import type { Variables } from '../variables/events.ts'
import type { Signatures } from '../../message/signatures/events.ts'
import type { SendersRead } from '../../message/senders/events.ts'
import type { Router } from '../router/events.ts'
import type { Defaults } from '../../message/defaults/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { sessionLoadHandlers } from '../loadOfSession.ts'
import { isNotDelegated } from '../../message/auth/rules.ts'
import {
  type FailureEvent,
  idleStatus,
  type Load,
  loadAgain,
  pendingStatus,
  retryFailed,
  loadedValue,
} from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { withChanges } from '../../kernel/changes.ts'
import { isHomePath } from '../router/rules.ts'
import { Profile } from '../../message/profile/events.ts'
import type { UserProfile } from '../../wire/user.ts'

const afterRefusal = (state: Load<UserProfile>, event: FailureEvent): Load<UserProfile> =>
  isNotDelegated(event.data.failure) ? loadAgain(state, event) : state

export const profile = defineSlice<
  Load<UserProfile>,
  | typeof App
  | typeof Auth
  | typeof Defaults
  | typeof Profile
  | typeof Router
  | typeof SendersRead
  | typeof Signatures
  | typeof Variables
>()(idleStatus, {
  ...sessionLoadHandlers,
  ...Profile.handlers,
  // Navigating home while signed in also loads a missing profile (specification, section 2).
  'router/navigated': (state, event) => (isHomePath(event.data.path) ? retryFailed(state, event) : state),
  // The user changed values of the profile, so the profile is loaded again.
  'variables/saved': loadAgain,
  // The change is stored at once, even if the reload fails, because the next change builds on it.
  'defaults/changed': (state, event) => {
    const profile = loadedValue(state)
    if (!profile) return loadAgain(state, event)
    const metadata = withChanges(profile.metadata, { defaultSignature: event.data.defaults })
    return { ...pendingStatus(event), value: withChanges(profile, { metadata }) }
  },
  'defaults/changeFailed': loadAgain,
  // Reloads the profile if another user no longer shares signatures with this user.
  'signatures/pageFailed': afterRefusal,
  'signatures/refreshFailed': afterRefusal,
  'senders/loadFailed': afterRefusal,
})
