import { redactedField } from '../../kernel/field.ts'
import { list, nullable, number, object, optional, type OutOf, record, text } from '../../kernel/schema.ts'
import { messageLimits, signatureImage, storedCopies, storedSlots } from '../../wire/signatures.ts'

/** A signature that some messages get instead of the default, and the data that select these messages. */
const senderSignature = object({
  name: text,
  combinedIds: text,
  /** `OWN_OWNER` for the user's own signature, otherwise the owner's e-mail address. */
  owner: text,
  order: number,
  /** The audiences, in the format of `fitsAudience`; empty for a signature for everyone. */
  audiences: list(text),
  ...messageLimits,
  html: text,
  slots: storedSlots,
  /** The version for replies and forwards; null without one. */
  reply: nullable(text),
  replySlots: storedSlots,
  /** The version for meetings; absent without one. */
  meeting: optional(object({ html: text, slots: storedSlots })),
  /** All versions for mail from other own addresses; absent if they are the same. */
  copies: storedCopies,
  images: list(signatureImage),
})
export type SenderSignature = OutOf<typeof senderSignature>

/** The data besides the default that decide which signature is due in a message, in plain JSON. */
export const storedSenders = object({
  /** When the service was asked, in milliseconds since the epoch. */
  at: number,
  /** The audiences of the defaults for new messages, replies and meetings, by `combinedIds`. */
  audiences: record(list(text)),
  /** The further limits of the same defaults, by `combinedIds`; absent if they have none. */
  limits: optional(record(object(messageLimits))),
  /** The signatures that the user chose for senders: lower-case address → `combinedIds`. */
  bySender: record(text),
  others: list(senderSignature),
})
export type Senders = OutOf<typeof storedSenders>

export const noSenders: Senders = { at: 0, audiences: {}, bySender: {}, others: [] }

export const sendersField = redactedField<Senders>()('senders')
