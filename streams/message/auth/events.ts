import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { type Failure, failureField } from '../../kernel/failure.ts'
import { idField, openField, nullableField, redactedField } from '../../kernel/field.ts'
import type { Secret } from '../../kernel/secret.ts'
import { cachedSignatureField } from '../signatures/signature.ts'
import type { CachedSignature } from '../../wire/signatures.ts'

/** A session of the signature service. `expiresAt` is in milliseconds since the epoch. */
export type Session = Readonly<{ token: Secret; userId: string; email: string; expiresAt: number }>

/** The service's answer to a sign-in. `signature` is the user's default; null if the service leaves it out. */
export type VerifiedSession = Readonly<{ session: Session; signature: CachedSignature | null }>

/**
 * Why a session ended. `elsewhere`: the user signed out in another pane of this browser. `expired`: its lifetime ended.
 */
export type SignOutReason =
  | Readonly<{ kind: 'person' | 'elsewhere' | 'expired' }>
  | Readonly<{ kind: 'signInFailed'; failure: Failure }>
  | Readonly<{ kind: 'rejected'; failure: Failure }>

const session = redactedField<Session>()('session')
const reason = redactedField<SignOutReason>()('signOutReason')

export const Auth = defineEvents('auth', {
  /** An unexpired session of an earlier pane was found at start-up. */
  sessionRecovered: fact({ session }),
  /** No unexpired session of an earlier pane was found at start-up. */
  sessionMissing: fact({}),
  /** The user, or the pane at start-up (`silent`), requests a sign-in through the mail client. */
  signInRequested: gesture({ silent: openField<boolean>() }),
  /** The service accepted the mail client's token. `signature` is null if the answer has no default signature. */
  verified: fact({ session, signature: nullableField(cachedSignatureField) }),
  /** The service renewed a session that was about to expire. */
  renewed: fact({ session }),
  /** The renewal failed, so the old session stays in use until it expires. */
  renewalFailed: fact({ failure: failureField }),
  /** Signing in or verifying failed (logged with the action handle_auth_error). */
  signInFailed: fact({ failure: failureField }),
  signOutRequested: gesture({ reason }),
  /** The session has ended; `userId` is its user, if there was one. Every slice deletes the user's data. */
  signedOut: fact({ reason, userId: nullableField(idField('user')) }),
  /** `count` is the number of unsaved edits that the signed-out user has in private storage; it is never 0. */
  editsKept: fact({ count: openField<number>() }),
})
