import type { Content } from '../../html/content.ts'
import { list, nullable, object, optional, type Schema, text } from '../../kernel/schema.ts'
import {
  type CachedSignature,
  image,
  type SignatureNames,
  storedGuard,
  storedSlots,
} from '../../wire/signatures.ts'
import type { WithUndone, WithBlocks } from './blocks.ts'
import { shape } from '../../kernel/field.ts'
import type { ComposeType, Inserted } from '../mailbox/events.ts'

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
  images: list(image),
}) satisfies Schema<CachedSignature>

/**
 * The reason why this signature is in the message; the views show it as a sentence. `origin`: Signet inserted the
 * signature automatically (`default`), the user chose it (`manual`), or the user restored it by Undo or Redo
 * (`putBack`). Both `manual` and `putBack` count as choices of the user.
 */
export type Reason = Readonly<{
  origin: Inserted['origin']
  composeType: ComposeType | null
  reply: boolean
}>

/**
 * A signature in a message. `hash` is its content hash; `combinedIds` is empty for "no signature". `code` is the code
 * of its version, unless that is the version for new messages or for replies.
 */
export type InMessage = SignatureNames &
  WithBlocks &
  WithUndone &
  Readonly<{ hash: string; reason: Reason; code?: string }>

export const contentField = shape<Content>()('content')
export const namedField = shape<SignatureNames>()('named')
export const cachedSignatureField = shape<CachedSignature>()('cachedSignature')
export const inMessageField = shape<InMessage>()('inMessage')
