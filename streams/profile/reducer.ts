import type { AppEvent } from '../app/events.ts'
import { loadOfSession } from '../app/load.ts'
import { idle, type Load, loadAgain, retryFailed } from '../kernel/load.ts'
import { defineSlice } from '../kernel/slice.ts'
import { isHome } from '../router/rules.ts'
import { Profile, type UserProfile } from './events.ts'

export const profile = defineSlice<Load<UserProfile>, AppEvent>()(idle, {
  ...loadOfSession,
  ...Profile.handlers,
  // A user who comes home signed in gets the profile, too, where it is missing (specification, section 2).
  'router/navigated': (state, event) => (isHome(event.data.path) ? retryFailed(state, event) : state),
  // What the user changed there is read again.
  'variables/saved': loadAgain,
  'defaults/changed': loadAgain,
  'defaults/changeFailed': loadAgain,
})
