import { defineEvents, fact } from '../../kernel/event.ts'
import type { BodyType, SignatureTrace } from '../../html/message.ts'
import type { ThreadPlace } from '../../html/slots.ts'
import { idField, listField, openField, nullableField, redactedField } from '../../kernel/field.ts'
import type { Secret } from '../../kernel/secret.ts'

/** A mailbox; `address` is an e-mail address as the mail client writes it. */
export type MailAddress = Readonly<{ address: string; name: string }>

/** The client's data about the user (specification, section 3). `timezone` is the client's name of the time zone. */
export type HostUser = Readonly<{ accountType: string; displayName: string; email: string; timezone: string }>

/** An open item, a message or a meeting. `key` is stable while the item is open, and never reused. */
export type MailItem = Readonly<{ key: string; mode: 'compose' | 'read'; isMeeting?: true }>

/** Whether the mail client has a light or a dark theme. */
export type Theme = 'light' | 'dark'

export type ComposeType = 'newMail' | 'reply' | 'forward' | 'meeting'

/**
 * The record of the last inserted signature, stored in the item's session data, and in its custom properties for later
 * openings. `trace` identifies the signature in the body; records of older versions have none.
 */
export type InsertedSignature = Readonly<{
  combinedIds: string
  hash: string
  name: string
  reply: boolean
  origin: 'default' | 'manual' | 'putBack'
  trace?: SignatureTrace | null
  /** As in `SignatureInMessage`. */
  blocks?: readonly string[]
  undone?: readonly string[]
  code?: string
}>

/**
 * The flag in a message that prevents inserting the default. It contains the signature that the user chose (empty: no
 * signature), and the type of message in which the flag was set.
 */
export type StopPushFlag = Readonly<{ composeType: ComposeType | null; combinedIds: string }>

/**
 * The message being written; a part that the mail client did not provide is null or empty. `stopPush`: the user chose
 * for this message, so the default is not inserted. `isExisting`: a meeting that existed before its window opened, so
 * only the user's choice goes into it. `asked`: the JSON record of the missing content that the user was asked about
 * before sending; absent after a later insertion.
 */
export type Message = Readonly<{
  composeType: ComposeType | null
  bodyType: BodyType | null
  from: MailAddress | null
  to: readonly MailAddress[]
  cc: readonly MailAddress[]
  stopPush: boolean
  inserted: InsertedSignature | null
  isExisting?: true
  /**
   * Whether a reply or forward is its sender's first message in the thread; absent until the thread was read for this
   * sender.
   */
  thread?: ThreadPlace
  /** The message's number from 0 to just below 100, by which blocks share messages; absent until it was read. */
  turn?: number
  asked?: string
  /**
   * The body before another runtime's insertion altered the author's text, in the format of `Insertion.bodyAltered`.
   */
  altered?: Secret
  /**
   * When the message, its sender or its recipients were last read, in milliseconds since the epoch. Only the store sets
   * it.
   */
  readAt?: number
}>

const itemKey = idField('item')
const address = redactedField<MailAddress>()('mailAddress')
const addresses = listField(address)

export const Mailbox = defineEvents('mailbox', {
  userRead: fact({ user: nullableField(redactedField<HostUser>()('hostUser')) }),
  /** `theme` is null when the mail client does not report its theme, so the system setting applies. */
  themeChanged: fact({ theme: openField<Theme | null>() }),
  /** MAILBOX_ITEM_CHANGED of the specification: another item is open now, or no item is open. */
  itemChanged: fact({ item: nullableField(redactedField<MailItem>()('mailItem')) }),
  messageRead: fact({ itemKey, message: redactedField<Message>()('message') }),
  /** The user changed the sender address. */
  senderChanged: fact({ itemKey, from: nullableField(address) }),
  /** The user changed the body type. */
  bodyTypeChanged: fact({ itemKey, bodyType: openField<BodyType>() }),
  recipientsChanged: fact({ itemKey, to: addresses, cc: addresses }),
  /** The quoted thread of a reply or forward was read for its sender. */
  threadRead: fact({ itemKey, thread: openField<ThreadPlace>() }),
  /** The number by which blocks share messages was read from the item, or drawn for it. */
  turnRead: fact({ itemKey, turn: openField<number>() }),
  /** Sender and recipients were read again before a write, because another runtime had reacted to their change. */
  envelopeRead: fact({ itemKey, from: nullableField(address), to: addresses, cc: addresses }),
})
