import { failureCodeOf, type Failure } from '../../kernel/failure.ts'
import type { Session, SignOutReason } from './events.ts'

/** Whether the session's token is unexpired (specification, section 3). `at` is in milliseconds since the epoch. */
export const isUnexpired = (session: Pick<Session, 'expiresAt'>, at: number): boolean =>
  session.expiresAt > at

/** How long before its end a session is renewed, in milliseconds (specification, section 9). */
export const RENEWAL_OFFSET_MS = 300_000

/** When to renew a session, in milliseconds since the epoch. */
export const renewalTime = ({ expiresAt }: Pick<Session, 'expiresAt'>): number =>
  expiresAt - RENEWAL_OFFSET_MS

export const isSignedIn = ({ status }: Readonly<{ status: string }>): boolean => status === 'success'

/**
 * Whether the silent sign-in at start-up has yet to begin. Until it is answered, the pane requests no other sign-in.
 */
export const awaitsSilentSignIn = ({
  auth,
  settings,
}: Readonly<{
  auth: Readonly<{ status: string; reason?: SignOutReason | null }>
  settings: Readonly<{ status: string; enableSilentSSO: boolean }>
}>): boolean =>
  auth.status === 'signedOut' &&
  auth.reason === null &&
  (settings.status === 'pending' || settings.enableSilentSSO)

/** Whether a failure rejects the session: 401, 404 and 500 lead to the logout route (specification, section 4). */
export const rejectsSession = (failure: Failure): boolean =>
  failure.kind === 'http' && [401, 404, 500].includes(failure.status)

/**
 * Whether a silent sign-in failed because no user is known. The pane then shows the sign-in page instead of a failure.
 */
export const isUserUnknown = (reason: SignOutReason): boolean =>
  reason.kind === 'signInFailed' &&
  reason.failure.kind === 'auth' &&
  reason.failure.code === 'user_login_error'

/**
 * Whether this failure rules out further sign-in methods: the user cancelled, a sign-in is in progress, the mail client
 * got too many requests or lost its own session, or there is no connection.
 */
export const endsSignIn = (failure: Failure): boolean =>
  failure.kind === 'network' ||
  (failure.kind === 'auth' &&
    [
      'user_cancelled',
      'endpoints_resolution_error',
      'login_progress_error',
      'acquiretoken_progress_error',
      'host_13002',
      'host_13006',
      'host_13007',
      'host_13008',
      'host_13013',
    ].includes(failure.code))

/**
 * Whether the service refused the account of a sign-in. Another method is tried, because the user may have another
 * account.
 */
export const refusesAccount = (failure: Failure): boolean =>
  failure.kind === 'http' && (failure.status === 401 || failure.status === 403)

/**
 * Whether the pane shows the refused account instead of the later failure `next`: no other method was left, or a silent
 * sign-in found no other account.
 */
export const showsRefusedAccount = (next: Failure, silent: boolean): boolean =>
  (next.kind === 'auth' && next.code === 'host_13000') ||
  (silent && ((next.kind === 'auth' && !endsSignIn(next)) || next.kind === 'hostSilent'))

/** Adds the account that signed in to a refusal, unless it is the mailbox's own. */
export const refusalWithAccount = (
  refusal: Failure,
  account: string | null,
  mailbox: string | undefined,
): Failure =>
  refusal.kind === 'http' && account && mailbox && account.toLowerCase() !== mailbox.toLowerCase()
    ? { ...refusal, refused: { account, mailbox } }
    : refusal

/** Whether the service refused an account other than the mailbox's. The mailbox's own user may still be accepted. */
const isOtherAccount = (failure: Failure): boolean =>
  failure.kind === 'http' && failure.status === 401 && failure.refused !== undefined

/**
 * Whether the user at the sign-in page may be the last signed-in user. False after the service refused a sign-in,
 * because it does not know that user.
 */
export const mayBeSameUser = (reason: SignOutReason): boolean =>
  !(
    reason.kind === 'signInFailed' &&
    reason.failure.kind === 'http' &&
    reason.failure.status < 500 &&
    !isOtherAccount(reason.failure)
  )

/** Whether a call about one signature failed because the signature no longer exists. */
export const isSignatureGone = (failure: Failure): boolean =>
  failure.kind === 'http' && failure.status === 404

/** Whether a call about other users' signatures failed because an owner no longer shares signatures with the user. */
export const isNotDelegated = (failure: Failure): boolean => failureCodeOf(failure) === 'not_delegated'

/** Whether the service refused the mailbox's own user at a sign-in. */
const refusesUser = (failure: Failure): boolean =>
  failure.kind === 'http' && [401, 403, 404].includes(failure.status) && !isOtherAccount(failure)

/**
 * Whether signing out also deletes the record of the last user. The record stays if the service was unreachable, or
 * answered without refusing the user (docs/decisions/0005).
 */
export const forgetsLastUser = (reason: SignOutReason): boolean => {
  if (reason.kind !== 'signInFailed') return true
  const { failure } = reason
  const isUnasked = ['network', 'timeout', 'notLoaded', 'hostSilent'].includes(failure.kind)
  return failure.kind === 'http' ? refusesUser(failure) : !isUnasked
}

/**
 * Whether signing out also deletes the stored copies of default signatures: yes if the user chose to leave, or if the
 * service refused the user at a sign-in. The copies stay if a sign-in needs the user, or if a session ended, so the
 * next message still gets its signature (docs/decisions/0005).
 */
export const forgetsCachedDefaults = (reason: SignOutReason): boolean =>
  reason.kind === 'person' ||
  reason.kind === 'elsewhere' ||
  (reason.kind === 'signInFailed' && refusesUser(reason.failure))
