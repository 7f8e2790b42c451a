import type { Senders } from '../senders/senders.ts'
import type { CachedSignature } from '../signatures/signature.ts'

/**
 * What a message gets without a request: the default of one mailbox, and what decides whether another signature is due.
 * `email` is the address of the mailbox, `userId` its user, `at` when the service was asked, in milliseconds since the
 * epoch. Plain JSON.
 */
export type Kept = Readonly<{
  email: string
  userId: string
  at: number
  signature: CachedSignature
  senders: Senders
}>
