import { shape } from '../../kernel/field.ts'
import type { ComposeType, Inserted } from '../mailbox/events.ts'

/** An image that a signature shows. `content` is base64 without a prefix, empty unless `status` is 200. */
export type SignatureImage = Readonly<{ url: string; name: string; content: string; status: number }>

/** The html from the service, and the known contents of its images. */
export type Content = Readonly<{ html: string; images: readonly SignatureImage[] }>

export const isSameContent = (one: Content, other: Content): boolean =>
  one.html === other.html &&
  one.images.length === other.images.length &&
  one.images.every((image, index) => {
    const { url, name, content, status } = other.images[index] ?? {}
    return image.url === url && image.name === name && image.content === content && image.status === status
  })

/** Whether html shows images, whose contents a list need not have. */
export const showsImages = (html: string): boolean => /<img\b|url\(|background=/i.test(html)

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

export const isImage = (value: unknown): value is SignatureImage => {
  const { url, name, content, status } = (value ?? {}) as Record<string, unknown>
  return [url, name, content].every((part) => typeof part === 'string') && typeof status === 'number'
}

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
