// What a mail client answers: the calls of the Outlook JavaScript API that Signet uses, by their own names, with
// plain arguments and results. The mailbox model implements them; the simulated host and Microsoft's own client
// library speak to the model through them.

export type Address = Readonly<{ address: string; name: string }>
export type CoercionType = 'html' | 'text'
export type ItemKind = 'newMail' | 'reply' | 'forward'

export type AttachmentDetails = Readonly<{
  id: string
  name: string
  /** Bytes. */
  size: number
  isInline: boolean
  contentId: string | null
}>

export type Notice = Readonly<{
  type: 'informationalMessage' | 'progressIndicator' | 'errorMessage' | 'insightMessage'
  message: string
  icon?: string
  persistent?: boolean
}>

/** Name → [arguments, result]. */
export type Calls = {
  'body.getAsync': [{ coercionType: CoercionType }, string]
  'body.getTypeAsync': [Record<never, never>, CoercionType]
  'body.setAsync': [{ data: string; coercionType: CoercionType }, null]
  'body.setSignatureAsync': [{ data: string; coercionType: CoercionType }, null]
  getComposeTypeAsync: [Record<never, never>, { composeType: ItemKind; coercionType: CoercionType }]
  'from.getAsync': [Record<never, never>, Address]
  'to.getAsync': [Record<never, never>, readonly Address[]]
  'cc.getAsync': [Record<never, never>, readonly Address[]]
  addFileAttachmentFromBase64Async: [
    { base64File: string; attachmentName: string; isInline: boolean },
    string,
  ]
  getAttachmentsAsync: [Record<never, never>, readonly AttachmentDetails[]]
  removeAttachmentAsync: [{ attachmentId: string }, null]
  'notificationMessages.replaceAsync': [{ key: string; notice: Notice }, null]
  'notificationMessages.removeAsync': [{ key: string }, null]
  loadCustomPropertiesAsync: [Record<never, never>, Readonly<Record<string, unknown>>]
  'customProperties.saveAsync': [{ properties: Readonly<Record<string, unknown>> }, null]
  'sessionData.getAsync': [{ name: string }, string]
  'sessionData.setAsync': [{ name: string; value: string }, null]
  isClientSignatureEnabledAsync: [Record<never, never>, boolean]
  disableClientSignatureAsync: [Record<never, never>, null]
  'auth.getAccessToken': [{ allowConsentPrompt?: boolean; allowSignInPrompt?: boolean }, string]
}
export type CallName = keyof Calls
export type CallArguments<Name extends CallName> = Readonly<Calls[Name][0]>
export type CallResult<Name extends CallName> = Calls[Name][1]

/** Outlook's own error codes and names, such as 9008 or `DataExceedsMaximumSize`. */
export type CallError = Readonly<{ code: number; name: string; message: string }>

export type Reply<Name extends CallName = CallName> =
  Readonly<{ ok: true; value: CallResult<Name> }> | Readonly<{ ok: false; error: CallError }>

/** What the mail client tells by itself. */
export type ClientEvent = 'ItemChanged' | 'RecipientsChanged' | 'OfficeThemeChanged'

/** The colours of the mail client, such as `#1f1f1f`, by Office's own names. */
export type OfficeTheme = Readonly<{
  bodyBackgroundColor: string
  bodyForegroundColor: string
  controlBackgroundColor: string
  controlForegroundColor: string
}>

/** What the mail client hands over at the start, before any call. */
export type ClientStart = Readonly<{
  user: Readonly<{ accountType: string; displayName: string; emailAddress: string; timeZone: string }>
  displayLanguage: string
  /** Requirement set → highest version, such as `{ Mailbox: '1.15' }`. */
  requirementSets: Readonly<Record<string, string>>
  /** The client's own version and platform, where it tells them. */
  diagnostics: Readonly<{ version: string; platform: string }> | null
}>

/** The open item as the client's library shows it: a new object, so a new `key`, whenever another item opens. */
export type OpenItem = Readonly<{ key: string; mode: 'compose' | 'read' }>

/**
 * One add-in's line to a mail client, in the manner of Office.js: callbacks that may come late, twice or never, a
 * call that may throw at once, and calls that always act on the item that is open when they arrive.
 */
export interface MailClient {
  readonly start: ClientStart
  /** The item that is open right now; null while there is none or while it is being switched. */
  currentItem(): OpenItem | null
  /** The colours right now; null where the client does not tell. */
  theme(): OfficeTheme | null
  /** Returns what ends the listening. */
  on(event: ClientEvent, listener: () => void): () => void
  call<Name extends CallName>(name: Name, args: CallArguments<Name>, done: (reply: Reply<Name>) => void): void
}
