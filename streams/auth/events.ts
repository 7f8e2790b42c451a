import { defineEvents, type EventOf, fact, gesture } from '../kernel/event.ts'
import { type Failure, failureField } from '../kernel/failure.ts'
import { id, open, orNull, shape } from '../kernel/field.ts'
import type { Secret } from '../kernel/secret.ts'

/** A session of the signature service. `expiresAt` in milliseconds since the epoch. */
export type Session = Readonly<{ token: Secret; userId: string; email: string; expiresAt: number }>

/** Why a session ended: `elsewhere` is another pane of the same browser, `expired` the session's own end. */
export type SignOutReason =
  | Readonly<{ kind: 'person' | 'elsewhere' | 'expired' }>
  | Readonly<{ kind: 'signInFailed'; failure: Failure }>
  | Readonly<{ kind: 'rejected'; failure: Failure }>

const session = shape<Session>()('session')
const reason = shape<SignOutReason>()('signOutReason')

export const Auth = defineEvents('auth', {
  /** An unexpired session of an earlier pane was found at start-up. */
  sessionRecovered: fact({ session }),
  /** There was none. */
  sessionMissing: fact({}),
  /** The user, or the start-up for them (`silent`), wants to sign in through the mail client. */
  signInRequested: gesture({ silent: open<boolean>() }),
  /** The service accepted the mail client's token. */
  verified: fact({ session }),
  /** The service gave a fresh session for the one that is about to expire. */
  renewed: fact({ session }),
  /** It did not: the old session stays in use until it expires. */
  renewalFailed: fact({ failure: failureField }),
  /** Signing in or verifying failed (logged with the action handle_auth_error). */
  signInFailed: fact({ failure: failureField }),
  signOutRequested: gesture({ reason }),
  /** The session has ended; `userId` is whose it was, if there was one. Every slice forgets what is the user's. */
  signedOut: fact({ reason, userId: orNull(id('user')) }),
  /** So many edits of the user who signed out were read back from private storage. Never 0. */
  editsKept: fact({ count: open<number>() }),
})
export type AuthEvent = EventOf<typeof Auth>
