import { number, object, orNull, type OutOf, text } from '../kernel/schema.ts'
import { storedSenders } from '../message/senders/senders.ts'
import { storedSignature } from '../message/signatures/signature.ts'
import type { SenderCopy } from '../wire/signatures.ts'
import type { LaunchFacts } from './facts.ts'

/**
 * The cached default of one mailbox, which a launch event inserts without a request. `senders` decides whether another
 * signature is due instead. `email` is the mailbox's address in lower case. `at` is when the service sent the default,
 * in milliseconds since the epoch. Plain JSON.
 */
const cachedDefault = object({ email: text, at: number, signature: storedSignature, senders: storedSenders })
export type CachedDefault = OutOf<typeof cachedDefault>

/** Reads a copy from storage; null for a malformed copy. */
export const parseCachedDefault = (value: unknown): CachedDefault | null =>
  orNull(cachedDefault).read(value, '')

/** From this age on, a copy is too old to use. */
export const USABLE_COPY_MS = 30 * 24 * 60 * 60_000
/** The maximum length of a copy, in UTF-16 units of its JSON. */
export const MAX_CACHED_CHARACTERS = 2_000_000

/** Whether a copy can be used: it belongs to this mailbox, is recent, and is newer than the user's last sign-out. */
export const isCopyUsable = (
  kept: CachedDefault,
  { mailbox, facts, now }: Readonly<{ mailbox: string; facts: LaunchFacts; now: number }>,
): boolean =>
  kept.email === mailbox.toLowerCase() &&
  (facts.signedOutAt === null || kept.at > facts.signedOutAt) &&
  // The age is negative if the clock was set back, so its absolute value counts.
  Math.abs(now - kept.at) < USABLE_COPY_MS

const isSmall = (kept: CachedDefault): boolean => JSON.stringify(kept).length <= MAX_CACHED_CHARACTERS

const withoutBlocks = ({ sender, html, variants }: SenderCopy): SenderCopy => ({
  sender,
  html,
  variants: variants.map(({ code, html }) => ({ code, html })),
})

/**
 * The copy to store; null if it is too large. A large copy first drops the other signatures' images, then their blocks.
 */
export function fitCopyToLimit(kept: CachedDefault): CachedDefault | null {
  const withOthers = (others: CachedDefault['senders']['others']): CachedDefault => ({
    ...kept,
    senders: { ...kept.senders, others },
  })
  const pictureless = kept.senders.others.map((other) => ({ ...other, images: [] }))
  const blockless = pictureless.map(({ slots: _, replySlots: __, copies, ...other }) => ({
    ...other,
    ...(copies && { copies: copies.map(withoutBlocks) }),
  }))
  return [kept, withOthers(pictureless), withOthers(blockless)].find(isSmall) ?? null
}
