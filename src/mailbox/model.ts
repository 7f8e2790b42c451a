import type {
  Address,
  AttachmentDetails,
  CallArguments,
  CallName,
  ClientEvent,
  CoercionType,
  ItemKind,
  Notice,
  Reply,
} from './calls.ts'

/** A mailbox of somebody. `displayLanguage` is a BCP 47 tag; `roamingSettings` are those of this add-in. */
export type Account = Readonly<{
  address: string
  name: string
  accountType: string
  timeZone: string
  displayLanguage: string
  roamingSettings: Readonly<Record<string, unknown>>
  /** Whether Outlook's own signature is switched on for new messages and replies. */
  clientSignature: boolean
}>

/** The three parts of a message, all in `type`. Only the person changes `author`. */
export type Body = Readonly<{ type: CoercionType; author: string; signature: string; quoted: string }>

/** An attachment with its content; an inline one is shown in the body as `cid:` + `contentId`. */
export type Attachment = AttachmentDetails & Readonly<{ base64: string }>

type Common = Readonly<{
  /** Never used for another item. */
  id: string
  /** The address of the account whose mailbox holds the item. */
  owner: string
  from: Address
  to: readonly Address[]
  cc: readonly Address[]
  subject: string
  body: Body
  attachments: readonly Attachment[]
  notifications: readonly (Notice & Readonly<{ key: string }>)[]
  customProperties: Readonly<Record<string, unknown>>
}>

/** A message being written. */
export type ComposeItem = Common &
  Readonly<{ mode: 'compose'; kind: ItemKind; sessionData: Readonly<Record<string, string>> }>

/** A message received or sent; `body.author` is all of it. `date` is what its head shows. */
export type ReadItem = Common & Readonly<{ mode: 'read'; date: string }>

export type Item = ComposeItem | ReadItem

/** What some Outlook clients do differently. */
export type Quirk = 'copiesCustomPropertiesOnForward'

/** Plain JSON data. */
export type MailboxState = Readonly<{
  accounts: readonly Account[]
  /** The address of the account of the person at the screen. */
  person: string
  /** Those of every account; the person sees those of their own. */
  items: readonly Item[]
  /** The id of the item that the person looks at. */
  open: string | null
  /** Counts the openings, so that an item opened again is another object to the add-in. */
  openings: number
  /** While an item makes way for another, the add-in sees none. Ended by `endSwitch`. */
  switching: boolean
  requirementSets: Readonly<Record<string, string>>
  quirks: readonly Quirk[]
  /** The last number used in an id. */
  lastId: number
}>

/** What the person or the client does. What names no item is done to the open one; what makes no sense does nothing. */
export type Action =
  | Readonly<{ type: 'newMessage' }>
  /** Answers the message named, else the open one, else the first received. */
  | Readonly<{ type: 'reply' | 'forward'; message?: string }>
  /** Opens an item of the person, or none. From one item to another the add-in first sees none, until `endSwitch`. */
  | Readonly<{ type: 'switchTo'; id: string | null }>
  | Readonly<{ type: 'endSwitch' }>
  /** Throws a message being written away. The open one when none is named. */
  | Readonly<{ type: 'close'; id?: string }>
  /** The open message becomes a sent one. `date` is what its head will show. */
  | Readonly<{ type: 'send'; date: string }>
  | Readonly<{ type: 'setFrom'; from: Address }>
  | Readonly<{ type: 'setRecipients'; to?: readonly Address[]; cc?: readonly Address[] }>
  | Readonly<{ type: 'setSubject'; subject: string }>
  | Readonly<{ type: 'setBodyType'; bodyType: CoercionType }>
  /** The author's part, in the body's type. */
  | Readonly<{ type: 'typed'; author: string }>
  /** The person changed the signature by hand. */
  | Readonly<{ type: 'signatureEdited'; signature: string }>
  | Readonly<{ type: 'discardAttachment'; id: string }>
  | Readonly<{ type: 'dismissNotice'; key: string }>
  /** Another person sits down: their mailbox, with their open message or a new one. The pane has to be loaded again. */
  | Readonly<{ type: 'choosePerson'; address: string }>
  | Readonly<{ type: 'setQuirk'; quirk: Quirk; on: boolean }>

/** A call with its arguments, as `handleCall` takes it. */
export type Call = { [Name in CallName]: Readonly<{ name: Name; args: CallArguments<Name> }> }[CallName]

/** `events` in the order in which the client tells them. */
export type Outcome = Readonly<{ state: MailboxState; events: readonly ClientEvent[] }>
export type Answer = Outcome & Readonly<{ reply: Reply }>
