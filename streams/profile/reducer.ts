import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import { ask, askAgain, failed, type Load, neverLoaded } from '../kernel/load.ts'
import type { Profile, ProfileEvent } from './events.ts'

/** A profile that was loaded stays while it is loaded anew. */
export type ProfileState = Load & Readonly<{ profile: Profile | null }>

export const initialProfile: ProfileState = { ...neverLoaded, profile: null }

export function evolveProfile(
  state: ProfileState,
  event: Recorded<ProfileEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): ProfileState {
  switch (event.type) {
    case 'profile/loadRequested':
      return ask(state, event.meta.seq)
    case 'profile/reloadRequested':
      return askAgain(state, event.meta.seq)
    case 'profile/loaded':
      return withChanges(state, { status: 'success', profile: event.data.profile, failure: null })
    case 'profile/loadFailed':
      return failed(state, event.data.failure)
    case 'auth/signedOut':
      return withChanges(state, initialProfile)
    default:
      return assertNever(event)
  }
}
