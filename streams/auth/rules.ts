import type { Failure } from '../kernel/failure.ts'
import type { Session, SignOutReason } from './events.ts'

/** A token counts only while it is unexpired (specification, section 3). `at` in milliseconds since the epoch. */
export const isUsable = (session: Pick<Session, 'expiresAt'>, at: number): boolean => session.expiresAt > at

/** A session is renewed when it has no more than this left, in milliseconds (specification, section 9). */
export const RENEWAL_OFFSET_MS = 300_000

/** When a session is to be renewed, in milliseconds since the epoch. */
export const renewalDue = ({ expiresAt }: Pick<Session, 'expiresAt'>): number => expiresAt - RENEWAL_OFFSET_MS

export const isSignedIn = ({ status }: Readonly<{ status: string }>): boolean => status === 'success'

/** A 401, 404 or 500 sends the user to the logout route (specification, section 4, session). */
export const rejectsSession = (failure: Failure): boolean =>
  failure.kind === 'http' && [401, 404, 500].includes(failure.status)

/** A silent sign-in that knew no user: the pane asks the user to sign in and shows no failure. */
export const asksForPerson = (reason: SignOutReason): boolean =>
  reason.kind === 'signInFailed' &&
  reason.failure.kind === 'auth' &&
  reason.failure.code === 'user_login_error'

/**
 * A failure after which no further sign-in method is tried: the user cancelled, a sign-in is under way, the mail client
 * was asked too often or has lost its own session, or there is no connection.
 */
export const endsSignIn = (failure: Failure): boolean =>
  failure.kind === 'network' ||
  (failure.kind === 'auth' &&
    [
      ...[
        'user_cancelled',
        'endpoints_resolution_error',
        'login_progress_error',
        'acquiretoken_progress_error',
      ],
      ...['host_13002', 'host_13006', 'host_13007', 'host_13008', 'host_13013'],
    ].includes(failure.code))

/**
 * Whether the user who reads this reason may be the one who was signed in last. A sign-in that the service refused was
 * tried by a user it does not know.
 */
export const mayBeSameUser = (reason: SignOutReason): boolean =>
  !(reason.kind === 'signInFailed' && reason.failure.kind === 'http' && reason.failure.status < 500)

/** Where a 404 only says that this signature is no longer there. */
export const isMissingSignature = (failure: Failure): boolean =>
  failure.kind === 'http' && failure.status === 404

/**
 * Whether signing out also forgets who used Signet last. It does not when the service could not be reached: then the
 * user's default still goes into their next message from private storage.
 */
export const forgetsUser = (reason: SignOutReason): boolean => {
  if (reason.kind !== 'signInFailed') return true
  const { failure } = reason
  const isUnasked = failure.kind === 'network' || failure.kind === 'timeout' || failure.kind === 'hostSilent'
  return !isUnasked && !(failure.kind === 'http' && failure.status >= 500)
}
