import { defineEvents, fact } from '../kernel/event.ts'
import { id, listOf, open, orNull, shape } from '../kernel/field.ts'

/** A mailbox; `address` is an e-mail address as the mail client spells it. */
export type Address = Readonly<{ address: string; name: string }>

/** The user as the mail client knows them (specification, section 3). `timezone` is the client's own name for it. */
export type HostUser = Readonly<{ accountType: string; displayName: string; email: string; timezone: string }>

/** An open item. `key` is stable while the item stays open and never used for another. */
export type MailItem = Readonly<{ key: string; mode: 'compose' | 'read' }>

/** How bright the mail client around the pane is. */
export type Theme = 'light' | 'dark'

export type ComposeType = 'newMail' | 'reply' | 'forward'
export type BodyType = 'html' | 'text'

/** The last signature that was inserted, as the item's session data keeps it. */
export type Inserted = Readonly<{
  combinedIds: string
  hash: string
  name: string
  reply: boolean
  manual: boolean
}>

/**
 * The flag in a message that keeps the default out of it: for which choice (empty: no signature), and for which kind
 * of message it was set.
 */
export type StopPush = Readonly<{ composeType: ComposeType | null; combinedIds: string }>

/**
 * The message being written; a part that the mail client could not tell is null or empty. `stopPush`: the user chose
 * for this message, so the default stays out.
 */
export type Message = Readonly<{
  composeType: ComposeType | null
  bodyType: BodyType | null
  from: Address | null
  to: readonly Address[]
  cc: readonly Address[]
  stopPush: boolean
  inserted: Inserted | null
}>

const itemKey = id('item')
const address = shape<Address>()('mailAddress')
const addresses = listOf(address)

export const Mailbox = defineEvents('mailbox', {
  userRead: fact({ user: orNull(shape<HostUser>()('hostUser')) }),
  /** Null where the mail client does not tell: the system decides. */
  themeChanged: fact({ theme: open<Theme | null>() }),
  /** MAILBOX_ITEM_CHANGED of the specification: another item is open now, or none. */
  itemChanged: fact({ item: orNull(shape<MailItem>()('mailItem')) }),
  messageRead: fact({ itemKey, message: shape<Message>()('message') }),
  /** The user writes from another address now. */
  senderChanged: fact({ itemKey, from: orNull(address) }),
  /** The user made the message plain text, or HTML again. */
  bodyTypeChanged: fact({ itemKey, bodyType: open<BodyType>() }),
  recipientsChanged: fact({ itemKey, to: addresses, cc: addresses }),
})
