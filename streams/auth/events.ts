import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Secret } from '../kernel/secret.ts'

/** A session of the signature service. `expiresAt` in milliseconds since the epoch. */
export type Session = Readonly<{ token: Secret; userId: string; email: string; expiresAt: number }>

/** Why nobody is signed in any more: `elsewhere` is another pane of the same browser, `expired` the session's own end. */
export type SignOutReason =
  | Readonly<{ kind: 'person' | 'elsewhere' | 'expired' }>
  | Readonly<{ kind: 'signInFailed'; failure: Failure }>
  | Readonly<{ kind: 'rejected'; failure: Failure }>

export const Auth = defineEvents('auth', {
  /** An unexpired session of an earlier pane was found at start-up. */
  sessionRecovered: data<{ session: Session }>(),
  /** There was none. */
  sessionMissing: data(),
  /** The person, or the start-up for them, wants to sign in through the mail client. */
  signInRequested: data<{ silent: boolean }>(),
  /** The service took the mail client's token. */
  verified: data<{ session: Session }>(),
  /** The service gave a fresh session for the one that is about to expire. */
  renewed: data<{ session: Session }>(),
  /** It did not: the old session stays in use until it expires. */
  renewalFailed: data<{ failure: Failure }>(),
  /** Signing in or verifying failed (logged with the action handle_auth_error). */
  signInFailed: data<{ failure: Failure }>(),
  signOutRequested: data<{ reason: SignOutReason }>(),
  /** Nobody is signed in any more; `userId` is who left, if anybody was. Every store of the person is reset by this. */
  signedOut: data<{ reason: SignOutReason; userId: string | null }>(),
  /** So many edits of who left wait for them in private storage: they were read back from there. Never none. */
  editsKept: data<{ count: number }>(),
})
export type AuthEvent = EventOf<typeof Auth>
