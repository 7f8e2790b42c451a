import { defineEvents, fact } from '../../kernel/event.ts'
import type { BodyType, Trace } from '../../html/message.ts'
import { id, listOf, open, orNull, shape } from '../../kernel/field.ts'
import type { Secret } from '../../kernel/secret.ts'

/** A mailbox; `address` is an e-mail address as the mail client writes it. */
export type Address = Readonly<{ address: string; name: string }>

/** The user as the client knows them (specification, section 3). `timezone` is the client's name of the time zone. */
export type HostUser = Readonly<{ accountType: string; displayName: string; email: string; timezone: string }>

/** An open item, a message or a meeting. `key` is stable while the item is open, and never reused. */
export type MailItem = Readonly<{ key: string; mode: 'compose' | 'read'; isMeeting?: true }>

/** How bright the mail client around the pane is. */
export type Theme = 'light' | 'dark'

export type ComposeType = 'newMail' | 'reply' | 'forward' | 'meeting'

/**
 * The last inserted signature, as stored in the item's session data, and in its custom properties for a later opening.
 * `trace` recognises the signature in the body; records of older versions have no trace.
 */
export type Inserted = Readonly<{
  combinedIds: string
  hash: string
  name: string
  reply: boolean
  origin: 'default' | 'manual' | 'putBack'
  trace?: Trace | null
  /** As in `InMessage`. */
  blocks?: readonly string[]
  undone?: readonly string[]
  code?: string
}>

/**
 * The flag in a message that prevents the insertion of the default. It names the signature that the user chose (empty:
 * no signature), and the type of message in which it was set.
 */
export type StopPush = Readonly<{ composeType: ComposeType | null; combinedIds: string }>

/**
 * The message being written; a part that the mail client did not provide is null or empty. `stopPush`: the user chose
 * for this message, so the default is not inserted. `isExisting`: a meeting that was there before its window was opened;
 * only the user's choice goes into it. `asked`: what the user was asked about as the message was about to leave, as JSON;
 * absent after a later insertion.
 */
export type Message = Readonly<{
  composeType: ComposeType | null
  bodyType: BodyType | null
  from: Address | null
  to: readonly Address[]
  cc: readonly Address[]
  stopPush: boolean
  inserted: Inserted | null
  isExisting?: true
  asked?: string
  /** The body before an insertion of another runtime altered the author's text; as in `Insertion.bodyAltered`. */
  altered?: Secret
  /** When it, its sender or its recipients were last read, in milliseconds since the epoch; the store knows it. */
  readAt?: number
}>

const itemKey = id('item')
const address = shape<Address>()('mailAddress')
const addresses = listOf(address)

export const Mailbox = defineEvents('mailbox', {
  userRead: fact({ user: orNull(shape<HostUser>()('hostUser')) }),
  /** `theme` is null when the mail client does not report its theme: the system setting then applies. */
  themeChanged: fact({ theme: open<Theme | null>() }),
  /** MAILBOX_ITEM_CHANGED of the specification: another item is open now, or no item is open. */
  itemChanged: fact({ item: orNull(shape<MailItem>()('mailItem')) }),
  messageRead: fact({ itemKey, message: shape<Message>()('message') }),
  /** The user changed the sender address. */
  senderChanged: fact({ itemKey, from: orNull(address) }),
  /** The user changed the body type. */
  bodyTypeChanged: fact({ itemKey, bodyType: open<BodyType>() }),
  recipientsChanged: fact({ itemKey, to: addresses, cc: addresses }),
  /** Sender and recipients were read again before a write, because another runtime had reacted to their change. */
  envelopeRead: fact({ itemKey, from: orNull(address), to: addresses, cc: addresses }),
})
