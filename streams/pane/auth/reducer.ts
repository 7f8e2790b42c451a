import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Session, SignOutReason, Auth } from '../../message/auth/events.ts'
import { mayBeSameUser } from '../../message/auth/rules.ts'

/**
 * `unknown`: start-up is still looking for a session. `signedOut` has the reason that the onboarding view shows; null
 * at first. `keptEdits`: the number of stored edits by the signed-out user; absent when unknown, or when another user
 * may be signing in. `asked`: the user pressed the button, so the outcome is announced.
 */
export type AuthState =
  | Readonly<{ status: 'unknown' }>
  | Readonly<{ status: 'pending'; asked: boolean; keptEdits?: number }>
  | Readonly<{ status: 'success'; session: Session; asked: boolean }>
  | Readonly<{ status: 'signedOut'; reason: SignOutReason | null; keptEdits?: number }>

const signedOutAtFirst: AuthState = { status: 'signedOut', reason: null }

const keptEditsOf = (state: AuthState): Readonly<{ keptEdits?: number }> =>
  'keptEdits' in state ? { keptEdits: state.keptEdits } : {}

export const auth = defineSlice<AuthState, typeof Auth>()(
  { status: 'unknown' },
  {
    'auth/sessionRecovered': (_, { data: { session } }) => ({ status: 'success', session, asked: false }),
    'auth/sessionMissing': () => signedOutAtFirst,
    'auth/signInRequested': (state, { data: { silent } }) =>
      state.status === 'success' || state.status === 'pending'
        ? state
        : { status: 'pending', asked: !silent, ...keptEditsOf(state) },
    'auth/verified': (state, { data: { session } }) => ({
      status: 'success',
      session,
      asked: 'asked' in state && state.asked,
    }),
    'auth/renewed': (state, { data: { session } }) =>
      state.status === 'success' ? { ...state, session } : state,
    'auth/signedOut': (state, { data: { reason, userId } }) => {
      const isSameUser = userId === null && mayBeSameUser(reason)
      return { status: 'signedOut', reason, ...(isSameUser ? keptEditsOf(state) : {}) }
    },
    'auth/editsKept': (state, { data: { count } }) =>
      state.status === 'signedOut' || state.status === 'pending'
        ? withChanges(state, { keptEdits: count })
        : state,
  },
)
