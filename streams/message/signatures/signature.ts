import { type Content, isImage, type SignatureImage } from '../../html/content.ts'
import { shape } from '../../kernel/field.ts'
import type { ComposeType, Inserted } from '../mailbox/events.ts'

/** Names a signature, for the user and for the service. */
export type Named = Readonly<{ name: string; combinedIds: string }>

/**
 * What goes into replies and forwards. `of` is the signature that it belongs to, which need not be the one for new
 * messages; null while unknown.
 */
export type ReplyVersion = Readonly<{ html: string; of: Named | null }>

/** A signature with its images' contents, ready to be inserted. `reply` is null when it has no reply version. */
export type CachedSignature = Readonly<{
  name: string
  userId: string
  combinedIds: string
  html: string
  reply: ReplyVersion | null
  images: readonly SignatureImage[]
}>

const isNamed = (value: unknown): value is Named => {
  const { name, combinedIds } = (value ?? {}) as Record<string, unknown>
  return typeof name === 'string' && typeof combinedIds === 'string'
}

const isReplyVersion = (value: unknown): value is ReplyVersion => {
  const { html, of } = (value ?? {}) as Record<string, unknown>
  return typeof html === 'string' && (of === null || isNamed(of))
}

/** A default from private storage; null for another shape. */
export function parseCachedSignature(value: unknown): CachedSignature | null {
  const { name, userId, combinedIds, html, reply, images } = (value ?? {}) as Partial<CachedSignature>
  return typeof name === 'string' &&
    typeof userId === 'string' &&
    typeof combinedIds === 'string' &&
    typeof html === 'string' &&
    (reply === null || isReplyVersion(reply)) &&
    Array.isArray(images) &&
    images.every(isImage)
    ? { name, userId, combinedIds, html, reply, images }
    : null
}

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
