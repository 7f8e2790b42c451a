import type { Senders } from './senders.ts'

/** How long an answer about senders and recipients stays valid: one day. */
export const DAY_MS = 24 * 60 * 60 * 1000

/**
 * `defaults` are the `combinedIds` of the default and of its reply and meeting versions; `delegations` are user ids.
 */
export type SendersQuery = Readonly<{
  delegations: readonly string[]
  defaults: readonly string[]
  bySender: Senders['bySender']
}>
