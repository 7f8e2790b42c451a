import type { Content } from '../../html/content.ts'
import { list, nullable, object, type Schema, text } from '../../kernel/schema.ts'
import { type CachedSignature, image, type Named } from '../../wire/signatures.ts'
import { shape } from '../../kernel/field.ts'
import type { ComposeType, Inserted } from '../mailbox/events.ts'

/** A default in private storage. */
export const storedSignature = object({
  name: text,
  userId: text,
  combinedIds: text,
  html: text,
  reply: nullable(object({ html: text, of: nullable(object({ name: text, combinedIds: text })) })),
  images: list(image),
}) satisfies Schema<CachedSignature>

/**
 * Why this signature is in the message; the views show it as a sentence. `origin`: it went in automatically, the user
 * chose it, or the user put it back by Undo or Redo. The last two are choices of the user.
 */
export type Reason = Readonly<{
  origin: Inserted['origin']
  composeType: ComposeType | null
  reply: boolean
}>

/** A signature in a message. `hash` is its content hash; `combinedIds` is empty for "no signature". */
export type InMessage = Named & Readonly<{ hash: string; reason: Reason }>

export const contentField = shape<Content>()('content')
export const namedField = shape<Named>()('named')
export const cachedSignatureField = shape<CachedSignature>()('cachedSignature')
export const inMessageField = shape<InMessage>()('inMessage')
