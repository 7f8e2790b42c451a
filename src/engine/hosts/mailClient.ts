import type { BodyType } from '../../../streams/html/message.ts'
import type { MailAddress, ComposeType, MailItem } from '../../../streams/message/mailbox/events.ts'

// The contract of a mail client: the calls of the Outlook JavaScript API that Signet uses. The calls have the names of
// that API, but plain arguments and results. Outlook's adapter and the playground's mailbox implement the contract.
// Real answers may break the contract, so `answers.ts` reads each value by a schema.

export type { MailAddress as Address, BodyType, ComposeType, MailItem }

export type AttachmentDetails = Readonly<{
  id: string
  name: string
  /** The size in bytes. */
  size: number
  isInline: boolean
  contentId: string | null
}>

/** The button of an insight message. It opens the pane, like the manifest's button with the id `commandId`. */
export type NotificationAction = Readonly<{
  actionType: 'showTaskPane'
  actionText: string
  commandId: string
}>

export type NotificationMessage = Readonly<{
  type: 'informationalMessage' | 'progressIndicator' | 'errorMessage' | 'insightMessage'
  message: string
  icon?: string
  persistent?: boolean
  /** Only an insight message has actions, and it must have exactly one. */
  actions?: readonly NotificationAction[]
}>

/** The arguments and the result of each call, by the name of the call. */
type Calls = {
  'body.getAsync': [{ coercionType: BodyType }, string]
  'body.getTypeAsync': [Record<never, never>, BodyType]
  'body.setAsync': [{ data: string; coercionType: BodyType }, null]
  'body.setSignatureAsync': [{ data: string; coercionType: BodyType }, null]
  /** Only for a message. A part that the client does not report is null. */
  getComposeTypeAsync: [
    Record<never, never>,
    { composeType: Exclude<ComposeType, 'meeting'> | null; coercionType: BodyType | null },
  ]
  /** Fails with `ItemNotSaved` until the item is saved. */
  getItemIdAsync: [Record<never, never>, string]
  /** In a meeting, `from` is the organiser, `to` has the required attendees and `cc` the optional attendees. */
  'from.getAsync': [Record<never, never>, MailAddress]
  'to.getAsync': [Record<never, never>, readonly MailAddress[]]
  'cc.getAsync': [Record<never, never>, readonly MailAddress[]]
  addFileAttachmentFromBase64Async: [
    { base64File: string; attachmentName: string; isInline: boolean },
    string,
  ]
  getAttachmentsAsync: [Record<never, never>, readonly AttachmentDetails[]]
  removeAttachmentAsync: [{ attachmentId: string }, null]
  'notificationMessages.replaceAsync': [{ key: string; notice: NotificationMessage }, null]
  'notificationMessages.removeAsync': [{ key: string }, null]
  loadCustomPropertiesAsync: [Record<never, never>, Readonly<Record<string, unknown>>]
  'customProperties.saveAsync': [{ properties: Readonly<Record<string, unknown>> }, null]
  'sessionData.getAsync': [{ name: string }, string]
  'sessionData.getAllAsync': [Record<never, never>, Readonly<Record<string, string>>]
  'sessionData.setAsync': [{ name: string; value: string }, null]
  isClientSignatureEnabledAsync: [Record<never, never>, boolean]
  disableClientSignatureAsync: [Record<never, never>, null]
  'roamingSettings.saveAsync': [{ name: string; value: unknown }, null]
  'auth.getAccessToken': [{ allowConsentPrompt?: boolean; allowSignInPrompt?: boolean }, string]
}
export type CallName = keyof Calls
export type CallArguments<Name extends CallName> = Readonly<Calls[Name][0]>
export type CallResult<Name extends CallName> = Calls[Name][1]

/** An error with Office's code and name, such as 9008 and `DataExceedsMaximumSize`. */
export type CallError = Readonly<{ code: number; name: string; message: string }>

export type CallReply<Value> =
  Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; error: CallError }>
export type Reply<Name extends CallName = CallName> = CallReply<CallResult<Name>>

/** The events that the mail client itself reports. */
export type ClientEvent = 'ItemChanged' | 'RecipientsChanged' | 'OfficeThemeChanged'

/** The colours of the mail client, such as `#1f1f1f`, by Office's own names. */
export type OfficeTheme = Readonly<{
  bodyBackgroundColor: string
  bodyForegroundColor: string
  controlBackgroundColor: string
  controlForegroundColor: string
}>

/** Facts that the mail client provides at the start, without a call. */
export type ClientStart = Readonly<{
  user: Readonly<{ accountType: string; displayName: string; emailAddress: string; timeZone: string }>
  displayLanguage: string
  /** The highest supported version of each requirement set, such as `{ Mailbox: '1.15' }`. */
  requirementSets: Readonly<Record<string, string>>
  /** The client's own version and platform; null where it provides none. */
  diagnostics: Readonly<{ version: string | null; platform: string | null }> | null
  /** Signet's data in the mailbox, which the client read when it started the add-in. The values are plain JSON. */
  roamingSettings: Readonly<Record<string, unknown>>
}>

/**
 * The connection of one add-in to a mail client. It behaves like Office.js: a reply may come late, twice or never, a
 * call may throw at once, and a call acts on the item that is open when the call arrives.
 */
export type MailClient = Readonly<{
  /** The start data, with the fields of `ClientStart` that the client provides. */
  start: unknown
  /** The open item, with a new `key` at each opening. Null while no item is open or one item replaces another. */
  currentItem(): MailItem | null
  /** The current colours, an `OfficeTheme`; null where the client provides none. */
  theme(): unknown
  /** Adds a listener, and returns the function that removes the listener. */
  on(event: ClientEvent, listener: () => void): () => void
  /** The value of a reply is a `CallResult<Name>` if the client answers as documented. */
  call<Name extends CallName>(
    name: Name,
    args: CallArguments<Name>,
    done: (reply: CallReply<unknown>) => void,
  ): void
}>
