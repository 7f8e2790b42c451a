import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { AuthEvent, Session, SignOutReason } from './events.ts'
import { mayBeWhoLeft } from './rules.ts'

/**
 * `unknown`: start-up is still looking for a session. `signedOut` keeps why, for the onboarding view; null at first.
 * `keptEdits`: so many edits of who left wait for them; absent when none are known of, or when it may be another
 * person by now. `asked`: the person pressed a button for it, and waits to hear how it ends.
 */
export type AuthState =
  | Readonly<{ status: 'unknown' }>
  | Readonly<{ status: 'pending'; asked: boolean; keptEdits?: number }>
  | Readonly<{ status: 'success'; session: Session; asked: boolean }>
  | Readonly<{ status: 'signedOut'; reason: SignOutReason | null; keptEdits?: number }>

export const initialAuth: AuthState = { status: 'unknown' }
const signedOutAtFirst: AuthState = { status: 'signedOut', reason: null }

const keptEditsOf = (state: AuthState): Readonly<{ keptEdits?: number }> =>
  'keptEdits' in state ? { keptEdits: state.keptEdits } : {}

export function evolveAuth(state: AuthState, event: Recorded<AuthEvent>): AuthState {
  switch (event.type) {
    case 'auth/sessionRecovered':
      return { status: 'success', session: event.data.session, asked: false }
    case 'auth/verified':
      return {
        status: 'success',
        session: event.data.session,
        asked: state.status === 'pending' && state.asked,
      }
    case 'auth/renewed':
      return state.status === 'success' ? { ...state, session: event.data.session } : state
    case 'auth/sessionMissing':
      return signedOutAtFirst
    case 'auth/signInRequested':
      if (state.status === 'success' || state.status === 'pending') return state
      return { status: 'pending', asked: !event.data.silent, ...keptEditsOf(state) }
    case 'auth/signedOut': {
      const { reason, userId } = event.data
      const isWhoLeft = userId === null && mayBeWhoLeft(reason)
      return { status: 'signedOut', reason, ...(isWhoLeft ? keptEditsOf(state) : {}) }
    }
    case 'auth/editsKept':
      return state.status === 'signedOut' || state.status === 'pending'
        ? withChanges(state, { keptEdits: event.data.count })
        : state
    case 'auth/renewalFailed':
    case 'auth/signInFailed':
    case 'auth/signOutRequested':
      return state
    default:
      return assertNever(event)
  }
}
