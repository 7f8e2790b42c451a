import { shape } from '../../kernel/field.ts'
import type { SignatureImage } from '../../html/content.ts'

/** A signature that some messages get instead of the default, with what decides which. */
export type SenderSignature = Readonly<{
  name: string
  combinedIds: string
  /** The e-mail address of another user, or `OWN`. */
  owner: string
  order: number
  /** As `fitsAudience` reads them; empty: everyone. */
  audiences: readonly string[]
  html: string
  /** The version for replies and forwards; null where there is none. */
  reply: string | null
  images: readonly SignatureImage[]
}>

/** What decides, besides the default itself, which signature a message is due. Plain JSON. */
export type Senders = Readonly<{
  /** When the service was asked, in milliseconds since the epoch. */
  at: number
  /** The audiences of the defaults, for new messages and for replies, by `combinedIds`. */
  audiences: Readonly<Record<string, readonly string[]>>
  /** The user's own choice of a signature by sender: lower-case address → `combinedIds`. */
  bySender: Readonly<Record<string, string>>
  others: readonly SenderSignature[]
}>

export const noSenders: Senders = { at: 0, audiences: {}, bySender: {}, others: [] }

export const sendersField = shape<Senders>()('senders')
