import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Profile, ProfileEvent } from './events.ts'

/** A profile that was loaded stays while it is loaded anew. */
export type ProfileState = Readonly<{
  status: 'idle' | 'pending' | 'success' | 'fail'
  profile: Profile | null
  failure: Failure | null
}>

export const initialProfile: ProfileState = { status: 'idle', profile: null, failure: null }

export function evolveProfile(
  state: ProfileState,
  event: Recorded<ProfileEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): ProfileState {
  switch (event.type) {
    case 'profile/loadRequested':
      return withChanges(state, { status: 'pending', failure: null })
    case 'profile/loaded':
      return withChanges(state, { status: 'success', profile: event.data.profile, failure: null })
    case 'profile/loadFailed':
      return withChanges(state, { status: 'fail', failure: event.data.failure })
    case 'auth/signedOut':
      return withChanges(state, initialProfile)
    default:
      return assertNever(event)
  }
}
