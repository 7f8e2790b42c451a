import { data, defineEvents, type EventOf } from '../kernel/event.ts'

/** A mailbox of somebody; `address` is an e-mail address as the mail client spells it. */
export type Address = Readonly<{ address: string; name: string }>

/** The person as the mail client knows them (specification, section 3). `timezone` is the client's own name for it. */
export type HostUser = Readonly<{ accountType: string; displayName: string; email: string; timezone: string }>

/** An open item. `key` is stable while the item stays open and never used for another. */
export type MailItem = Readonly<{ key: string; mode: 'compose' | 'read' }>

/** How bright the mail client around the pane is. */
export type Theme = 'light' | 'dark'

export type ComposeType = 'newMail' | 'reply' | 'forward'
export type BodyType = 'html' | 'text'

/** What the item's session data remembers of the last signature that was put into it. */
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
 * What is known of the message being written; a part that the mail client could not tell is null or empty.
 * `stopPush`: a choice was made for this message, so the default stays out.
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

export const Mailbox = defineEvents('mailbox', {
  userRead: data<{ user: HostUser | null }>(),
  /** Null where the mail client does not tell: the system decides. */
  themeChanged: data<{ theme: Theme | null }>(),
  /** MAILBOX_ITEM_CHANGED of the specification: another item is open now, or none. */
  itemChanged: data<{ item: MailItem | null }>(),
  messageRead: data<{ itemKey: string; message: Message }>(),
  /** The person writes as somebody else now. */
  senderChanged: data<{ itemKey: string; from: Address | null }>(),
  /** The person made the message plain text, or HTML again. */
  bodyTypeChanged: data<{ itemKey: string; bodyType: BodyType }>(),
  recipientsChanged: data<{ itemKey: string; to: readonly Address[]; cc: readonly Address[] }>(),
})
export type MailboxEvent = EventOf<typeof Mailbox>
