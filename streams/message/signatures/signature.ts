import type { SignatureContent } from '../../html/content.ts'
import { list, nullable, object, optional, type Schema, text } from '../../kernel/schema.ts'
import {
  type CachedSignature,
  signatureImage,
  type SignatureNames,
  storedCopies,
  storedGuard,
  storedSlots,
} from '../../wire/signatures.ts'
import type { WithUndoneBlocks, WithBlocks } from './blocks.ts'
import { redactedField } from '../../kernel/field.ts'
import type { ComposeType, InsertedSignature } from '../mailbox/events.ts'

/** The shape of a default signature in private storage. */
export const storedSignature = object({
  name: text,
  userId: text,
  combinedIds: text,
  html: text,
  slots: storedSlots,
  reply: nullable(
    object({ html: text, slots: storedSlots, of: nullable(object({ name: text, combinedIds: text })) }),
  ),
  meeting: optional(object({ name: text, combinedIds: text, html: text, slots: storedSlots })),
  guard: storedGuard,
  copies: storedCopies,
  images: list(signatureImage),
}) satisfies Schema<CachedSignature>

/**
 * The reason why this signature is in the message; the views show it as a sentence. `origin`: Signet inserted the
 * signature automatically (`default`), the user chose it (`manual`), or the user restored it by Undo or Redo
 * (`putBack`). Both `manual` and `putBack` count as choices of the user.
 */
export type InsertionReason = Readonly<{
  origin: InsertedSignature['origin']
  composeType: ComposeType | null
  reply: boolean
}>

/**
 * A signature in a message. `hash` is its content hash; `combinedIds` is empty for "no signature". `code` is the code
 * of its version, unless that is the version for new messages or for replies.
 */
export type SignatureInMessage = SignatureNames &
  WithBlocks &
  WithUndoneBlocks &
  Readonly<{ hash: string; reason: InsertionReason; code?: string }>

export const contentField = redactedField<SignatureContent>()('content')
export const signatureNamesField = redactedField<SignatureNames>()('named')
export const cachedSignatureField = redactedField<CachedSignature>()('cachedSignature')
export const inMessageField = redactedField<SignatureInMessage>()('inMessage')
