import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { AuthEvent, Session, SignOutReason } from './events.ts'

/**
 * `unknown`: start-up is still looking for a session. `signedOut` keeps why, for the onboarding view; null at first.
 */
export type AuthState =
  | Readonly<{ status: 'unknown' }>
  | Readonly<{ status: 'pending' }>
  | Readonly<{ status: 'success'; session: Session }>
  | Readonly<{ status: 'signedOut'; reason: SignOutReason | null }>

export const initialAuth: AuthState = { status: 'unknown' }
const pending: AuthState = { status: 'pending' }
const signedOutAtFirst: AuthState = { status: 'signedOut', reason: null }

export function evolveAuth(state: AuthState, event: Recorded<AuthEvent>): AuthState {
  switch (event.type) {
    case 'auth/sessionRecovered':
    case 'auth/verified':
      return { status: 'success', session: event.data.session }
    case 'auth/renewed':
      return state.status === 'success' ? { status: 'success', session: event.data.session } : state
    case 'auth/sessionMissing':
      return signedOutAtFirst
    case 'auth/signInRequested':
      return state.status === 'success' ? state : pending
    case 'auth/signedOut':
      return { status: 'signedOut', reason: event.data.reason }
    case 'auth/renewalFailed':
    case 'auth/signInFailed':
    case 'auth/signOutRequested':
      return state
    default:
      return assertNever(event)
  }
}
