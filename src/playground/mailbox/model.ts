import { assertNever } from '../../../streams/kernel/event.ts'
import {
  type ItemBody,
  composeBody,
  convertBody,
  insertOwnSignature,
  type Quirk,
  setSignature,
  prependTextSignature,
} from './body.ts'
import type {
  Address,
  AttachmentDetails,
  CallArguments,
  CallError,
  CallName,
  CallResult,
  ClientEvent,
  ClientStart,
  BodyType,
  ComposeType,
  NotificationMessage,
  OfficeTheme,
  MailItem,
  Reply,
} from '../../engine/hosts/mailClient.ts'
import { clientWords } from './clientWords.ts'
import {
  closesDraftOnSwitch,
  bodyReadFailureInterval,
  type ClientProfile,
  prependsTextSignatures,
  PROFILE_QUIRKS,
  type QuoteHead,
  quoteHtml,
  type QuoteStyle,
  quoteText,
  returnsOutdatedBody,
  rewriteHtml,
  refusesMeetingSignatures,
  uploadsAttachmentsLate,
} from './profiles.ts'
import { PANE_BUTTON } from '../../engine/hosts/mailHost.ts'
import { htmlToText, textToHtml } from './text.ts'

/** One user's mailbox. `displayLanguage` is a BCP 47 tag. */
export type MailboxAccount = Readonly<{
  address: string
  name: string
  accountType: string
  timeZone: string
  displayLanguage: string
  /** Whether the client inserts its own signature into this account's new messages, replies and forwards. */
  clientSignature: boolean
  /** The settings that add-ins stored in the mailbox. */
  roamingSettings: Readonly<Record<string, unknown>>
  /** The content of the first message opened for the user; empty by default. Later messages start empty. */
  begun?: DraftInProgress
}>

/** A message that the user is writing; `author` is HTML. */
export type DraftInProgress = Readonly<{ to: readonly Address[]; subject: string; author: string }>

/** An attachment with its content. The body shows an inline attachment as `cid:` + `contentId`. */
export type Attachment = AttachmentDetails & Readonly<{ base64: string }>

/** A meeting's time, in milliseconds since the epoch. With `isWeekly` it is a weekly series. */
export type MeetingTime = Readonly<{ start: number; end: number; isWeekly?: true }>

type Common = Readonly<{
  /** Unique, and never reused. */
  id: string
  /** The address of the account that owns the item. */
  owner: string
  from: Address
  to: readonly Address[]
  cc: readonly Address[]
  subject: string
  body: ItemBody
  attachments: readonly Attachment[]
  /** Only for meetings. */
  when?: MeetingTime
  notifications: readonly (NotificationMessage & Readonly<{ key: string }>)[]
  customProperties: Readonly<Record<string, unknown>>
}>

export type ComposeItem = Common &
  Readonly<{
    mode: 'compose'
    /** A meeting is composed by its organiser; `to` and `cc` are its required and optional attendees. */
    kind: ComposeType
    /** Set on a meeting that was sent, and on a draft that the client saved. */
    isSaved?: true
    /** Only for an exception: the id of the series in which it replaces one occurrence. */
    exceptionOf?: string
    /** Whether the user has added an online meeting, and whether its block has arrived. */
    online?: 'asked' | 'there'
    /** For a reply or forward: the id of the original message. */
    answers?: string
    sessionData: Readonly<Record<string, string>>
    /** The client has yet to insert its own signature; see `insertsOwnSignatureLate`. */
    awaitsOwnSignature?: true
    /** The outdated body that the next read returns; see `returnsOutdatedBody`. */
    lateBody?: string
  }>

/** A received or sent message; `body.author` is the whole body. `date` is in milliseconds since the epoch. */
export type ReadItem = Common &
  Readonly<{
    mode: 'read'
    folder: 'inbox' | 'sent' | 'calendar'
    date: number
    /** False until the user opens it. */
    isRead: boolean
    /** True for an attendee's copy of a meeting. */
    isMeeting?: true
  }>

export type MailboxItem = ComposeItem | ReadItem

/** The question in Outlook's dialog before sending; `button` opens the pane, or is null if there is no button. */
export type SendingQuestion = Readonly<{ text: string; button: string | null }>

/**
 * The message to send once the add-in has answered. `question` is null until the dialog opens; `date` is from `send`.
 */
export type PendingSend = Readonly<{ item: string; date: number; question: SendingQuestion | null }>

/** The state of the mail client, as plain JSON data. */
export type MailboxState = Readonly<{
  accounts: readonly MailboxAccount[]
  /** The address of the signed-in user. */
  person: string
  /** The items of all accounts; the user sees only the items of their own account. */
  items: readonly MailboxItem[]
  open: string | null
  /** How many times items were opened. The count is part of an item's key, so each opening has its own key. */
  openings: number
  /** Whether the mail client is switching items. The add-in then sees no item until `endSwitch`. */
  switching: boolean
  leaving: PendingSend | null
  requirementSets: Readonly<Record<string, string>>
  /** Null if the client reports no theme. */
  theme: OfficeTheme | null
  quirks: readonly Quirk[]
  /** The edition of Outlook that the client imitates; null for a client that works as documented. */
  profile: ClientProfile | null
  /** How many times the body was read; see `bodyReadFailureInterval`. */
  reads: number
  /** True for Outlook on a phone; see `asPhoneMailbox`. */
  isPhone?: true
  /** The last number used in an id. */
  lastId: number
}>

/** An action by the user or the client. Applies to the open item by default. An impossible action has no effect. */
export type MailboxAction =
  | Readonly<{ type: 'newMessage' }>
  | Readonly<{ type: 'newMeeting'; when?: MeetingTime }>
  /** Opens a meeting that the user organised earlier. */
  | Readonly<{ type: 'openMeeting' }>
  /** Opens the open series' next occurrence after `date`. The occurrence becomes an exception, a separate item. */
  | Readonly<{ type: 'openOccurrence'; date: number }>
  | Readonly<{ type: 'setWhen'; when: MeetingTime }>
  /** Adds an online meeting. The client inserts its block later. */
  | Readonly<{ type: 'addOnlineMeeting' }>
  /** The client inserts an online meeting's block into a meeting, by default the open one. */
  | Readonly<{ type: 'onlineMeetingArrives'; block: string; id?: string }>
  /** The client saves the open item as a draft. */
  | Readonly<{ type: 'save' }>
  /** Opens the current user's first message, with the content prepared in the account (`begun`), or else empty. */
  | Readonly<{ type: 'firstMessage' }>
  /** Replies to or forwards the named message, else the open one, else the first received one. */
  | Readonly<{ type: 'reply' | 'forward'; message?: string }>
  /** Opens one of the user's items; `null` closes the open item. The add-in sees no item until `endSwitch`. */
  | Readonly<{ type: 'switchTo'; id: string | null }>
  | Readonly<{ type: 'endSwitch' }>
  /**
   * Closes the open draft's window and reopens the draft from its folder; its session data is lost. With `elsewhere`,
   * another client opens the draft and does not recognise its signature.
   */
  | Readonly<{ type: 'reopen'; elsewhere?: boolean }>
  /** Opens a sent message to send it again, as from the Outbox. The client does not recognise its signature. */
  | Readonly<{ type: 'resend'; message: string }>
  | Readonly<{ type: 'close'; id?: string }>
  /**
   * Sends the open message. `date` is in milliseconds since the epoch. With the quirk `asksBeforeSending`, the message
   * is sent once the add-in has answered.
   */
  | Readonly<{ type: 'send'; date: number }>
  /** The add-in completed the send event with `answer`. Null means that the add-in is gone, so the message is sent. */
  | Readonly<{ type: 'sendAnswered'; answer: unknown }>
  /** The user's choice in the dialog. */
  | Readonly<{ type: 'sendAnyway' | 'doNotSend' }>
  | Readonly<{ type: 'setFrom'; from: Address }>
  | Readonly<{ type: 'setRecipients'; to?: readonly Address[]; cc?: readonly Address[] }>
  | Readonly<{ type: 'setSubject'; subject: string }>
  | Readonly<{ type: 'setBodyType'; bodyType: BodyType }>
  /** The user has typed; `author` is the author's whole text, in the body's type. */
  | Readonly<{ type: 'typed'; author: string }>
  | Readonly<{ type: 'signatureEdited'; signature: string }>
  | Readonly<{ type: 'discardAttachment'; id: string }>
  | Readonly<{ type: 'dismissNotice'; key: string }>
  /** Switches to another user, and opens their draft or their first message. The pane must be reloaded. */
  | Readonly<{ type: 'choosePerson'; address: string }>
  | Readonly<{ type: 'setTheme'; theme: OfficeTheme | null }>
  | Readonly<{ type: 'setQuirk'; quirk: Quirk; on: boolean }>
  | Readonly<{ type: 'setProfile'; profile: ClientProfile | null }>
  /** Changes the client's version. The pane must be reloaded. */
  | Readonly<{ type: 'setRequirementSet'; set: string; version: string }>
  /** Sets the client's display language for the user. The pane must be reloaded. */
  | Readonly<{ type: 'setDisplayLanguage'; language: string }>
  /** Sets whether the client inserts its own signature into every message opened from now on. */
  | Readonly<{ type: 'setClientSignature'; on: boolean }>
  /** The client inserts its own signature late, unless the signature was switched off meanwhile. */
  | Readonly<{ type: 'ownSignatureArrives'; id: string }>

/** A call with its arguments, as passed to `handleCall`. */
export type ClientCall = { [Name in CallName]: Readonly<{ name: Name; args: CallArguments<Name> }> }[CallName]

/** The new state, and the events in the order in which the client fires them. */
export type ActionOutcome = Readonly<{ state: MailboxState; events: readonly ClientEvent[] }>
export type CallOutcome = ActionOutcome & Readonly<{ reply: Reply }>

// ---- Queries ----

const find = ({ items }: MailboxState, id: string | null): MailboxItem | null =>
  items.find((item) => item.id === id) ?? null

const accountOf = ({ accounts, person }: MailboxState): MailboxAccount | null =>
  accounts.find(({ address }) => address === person) ?? null

/** Whether the client inserts its own signature into the signed-in user's messages. */
export const hasOwnSignature = (state: MailboxState): boolean => accountOf(state)?.clientSignature ?? false

export const openItem = (state: MailboxState): MailboxItem | null => find(state, state.open)

/** The signed-in user's items, in order of creation. */
export const ownItems = ({ items, person }: MailboxState): readonly MailboxItem[] =>
  items.filter(({ owner }) => owner === person)

/** Whether an item is in the calendar: a saved or sent meeting, or an attendee's copy. */
export const isInCalendar = (item: MailboxItem): boolean =>
  item.mode === 'read' ? item.folder === 'calendar' : item.kind === 'meeting' && item.isSaved === true

/** The drafts of the signed-in user. */
export const ownDrafts = (state: MailboxState): readonly ComposeItem[] =>
  ownItems(state).filter((item): item is ComposeItem => item.mode === 'compose' && !isInCalendar(item))

/** The open item as an add-in sees it; null during a switch. Each opening gives the item a new key. */
export const currentItem = (state: MailboxState): MailItem | null => {
  const item = state.switching ? null : openItem(state)
  if (!item) return null
  const isMeeting = item.mode === 'compose' ? item.kind === 'meeting' : item.isMeeting === true
  return { key: `${item.id}/${state.openings}`, mode: item.mode, ...(isMeeting && { isMeeting }) }
}

/** The values that the client passes to an add-in at start. */
export const clientStart = (state: MailboxState): ClientStart => {
  const account = accountOf(state)
  return {
    user: {
      accountType: account?.accountType ?? '',
      displayName: account?.name ?? '',
      emailAddress: account?.address ?? '',
      timeZone: account?.timeZone ?? '',
    },
    displayLanguage: account?.displayLanguage ?? 'en-US',
    requirementSets: state.requirementSets,
    diagnostics: state.isPhone ? { version: '4.2433.0', platform: 'iOS' } : null,
    roamingSettings: account?.roamingSettings ?? {},
  }
}

// ---- The client's errors (with the codes and names of Office.js) ----

const refuse =
  (code: number, name: string, message: string) =>
  (detail = ''): CallError => ({ code, name, message: detail === '' ? message : `${message} (${detail})` })

// Office.js throws argument errors at once, without a number. The simulated client answers them with the number of
// Office's parameter error.
const argumentOutOfRange = refuse(
  9031,
  'ArgumentOutOfRange',
  'Specified argument was out of the range of valid values.',
)
const invalidFormat = refuse(
  2006,
  'InvalidFormatError',
  'The format of the specified data object is not valid.',
)
const tooMuchData = refuse(2009, 'DataExceedsMaximumSize', 'The specified data object is too large.')
const notInThisMode = refuse(
  5002,
  'Permission Denied',
  'The requested operation is not allowed on the current document mode.',
)
const notSupported = refuse(5000, 'Host Error', 'The operation is not supported.')
const internalError = refuse(5001, 'Internal Error', 'An internal error has occurred.')
const invalidCall = refuse(5004, 'Invalid API call', 'Invalid API call in the current context.')
const attachmentTooBig = refuse(
  9000,
  'AttachmentSizeExceeded',
  'The attachment cannot be added because it is too big.',
)
const tooManyAttachments = refuse(
  9001,
  'NumberOfAttachmentsExceeded',
  'Attachments cannot be added because the message already has the maximum number of attachments.',
)
const uploadFailed = refuse(
  9007,
  'AttachmentUploadGeneralFailure',
  'The attachment cannot be added to the item.',
)
const noSuchAttachment = refuse(
  9008,
  'AttachmentToDeleteDoesNotExist',
  'The attachment cannot be deleted because attachment with the attachment index cannot be found.',
)
const noSuchNotice = refuse(
  9024,
  'NotificationKeyNotFound',
  'There are no notifications with the provided key.',
)
const tooManyNotices = refuse(
  9025,
  'NumberOfNotificationsExceeded',
  "The notification couldn't be added because the notification limit has been reached.",
)
const notSaved = refuse(9046, 'ItemNotSaved', "The id can't be retrieved until the item is saved.")
const noSuchKey = refuse(9050, 'KeyNotFound', 'The specified key was not found.')
const tooMuchRoaming = refuse(9057, 'RoamingSettingsTooLarge', 'The roaming settings are too large.')
const tooMuchSessionData = refuse(
  9051,
  'SessionObjectMaxLengthExceeded',
  "The 'sessionData' object surpassed its maximum length of '50000' characters.",
)

/** The prefix of an attachment's id until the attachment has been uploaded. */
const UPLOADING = 'addinId-'

/** The limits of Outlook on the web; characters are UTF-16 units. */
export const OUTLOOK_LIMITS = {
  bodyCharacters: 1_000_000,
  signatureCharacters: 30_000,
  customPropertiesCharacters: 2_500,
  /** The total for all names and values of one item. */
  sessionDataCharacters: 50_000,
  roamingSettingsCharacters: 32_000,
  notices: 5,
  noticeCharacters: 150,
  noticeKeyCharacters: 32,
  attachments: 499,
  attachmentNameCharacters: 255,
  attachmentBase64Characters: 27_892_122,
} as const

// ---- Calls of the add-in ----

/** The calls that the mailbox itself answers. The identity provider answers the only other call, for a token. */
export type MailboxCallName = Exclude<CallName, 'auth.getAccessToken'>
type MailboxCall = Extract<ClientCall, { name: MailboxCallName }>

type Handled<Name extends CallName> =
  | Readonly<{ value: CallResult<Name>; state?: MailboxState }>
  | Readonly<{ error: CallError; state?: MailboxState }>
type Handlers<Subject> = {
  readonly [Name in CallName]?: (
    subject: Subject,
    args: CallArguments<Name>,
    state: MailboxState,
  ) => Handled<Name>
}

const put = (state: MailboxState, item: MailboxItem): MailboxState => ({
  ...state,
  items: state.items.map((other) => (other.id === item.id ? item : other)),
})
const putAccount = (state: MailboxState, account: MailboxAccount): MailboxState => ({
  ...state,
  accounts: state.accounts.map((other) => (other.address === account.address ? account : other)),
})

/** The body as the client returns it: text, or HTML with the client's changes. */
const bodyAs = (item: MailboxItem, type: BodyType, profile: ClientProfile | null): string => {
  const whole = composeBody(item)
  const returned = item.body.type === 'html' ? rewriteHtml(whole, profile) : whole
  if (type === item.body.type) return returned
  return type === 'text' ? htmlToText(returned) : textToHtml(returned)
}

const quirksOf = ({ quirks, profile }: MailboxState): readonly Quirk[] => [
  ...quirks,
  ...(profile ? PROFILE_QUIRKS[profile] : []),
]

/** An attachment as the client reports it, without its content. */
export const attachmentDetails = ({ base64: _, ...details }: Attachment): AttachmentDetails => details

const sessionDataLength = (data: Readonly<Record<string, string>>): number =>
  Object.entries(data).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

/** The value as JSON text; null if it is not plain JSON. */
const toJson = (value: Readonly<Record<string, unknown>>): string | null => {
  try {
    return JSON.stringify(value)
  } catch {
    return null
  }
}

const sizeOfBase64 = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)

const inAnyItem = {
  'body.getAsync': (item, { coercionType }, before) => {
    const { profile } = before
    const state = { ...before, reads: before.reads + 1 }
    const every = bodyReadFailureInterval(profile)
    if (every !== null && state.reads % every === 0) return { error: internalError(), state }
    if (item.mode === 'read' || item.lateBody === undefined)
      return { value: bodyAs(item, coercionType, profile), state }
    const { lateBody, ...current } = item
    return { value: lateBody, state: put(state, current) }
  },
  'body.getTypeAsync': ({ body }) => ({ value: body.type }),
  'notificationMessages.replaceAsync': (item, { key, notice }, state) => {
    if (notice.message.length > OUTLOOK_LIMITS.noticeCharacters)
      return { error: argumentOutOfRange('message') }
    if (key.length === 0 || key.length > OUTLOOK_LIMITS.noticeKeyCharacters)
      return { error: argumentOutOfRange('key') }
    const known = item.notifications.some((other) => other.key === key)
    if (!known && item.notifications.length >= OUTLOOK_LIMITS.notices) return { error: tooManyNotices() }
    const shown = { ...notice, key }
    const notifications = known
      ? item.notifications.map((other) => (other.key === key ? shown : other))
      : [...item.notifications, shown]
    return { value: null, state: put(state, { ...item, notifications }) }
  },
  'notificationMessages.removeAsync': (item, { key }, state) => {
    const notifications = item.notifications.filter((notice) => notice.key !== key)
    if (notifications.length === item.notifications.length) return { error: noSuchNotice() }
    return { value: null, state: put(state, { ...item, notifications }) }
  },
  loadCustomPropertiesAsync: ({ customProperties }) => ({ value: customProperties }),
  'customProperties.saveAsync': (item, { properties }, state) => {
    const json = toJson(properties)
    if (json === null || json.length > OUTLOOK_LIMITS.customPropertiesCharacters) {
      return { error: argumentOutOfRange('customProperties') }
    }
    const customProperties = JSON.parse(json) as Readonly<Record<string, unknown>>
    return { value: null, state: put(state, { ...item, customProperties }) }
  },
} satisfies Handlers<MailboxItem>

const inComposeItem = {
  // The whole body becomes the author's part, because the client no longer recognises the signature or the quote.
  'body.setAsync': (item, { data, coercionType }, state) => {
    if (data.length > OUTLOOK_LIMITS.bodyCharacters) return { error: tooMuchData() }
    if (coercionType === 'html' && item.body.type === 'text') return { error: invalidFormat() }
    const { second: _, online: __, ...body } = item.body
    const author = coercionType === body.type ? data : textToHtml(data)
    return {
      value: null,
      state: put(state, { ...item, body: { ...body, author, signature: '', quoted: '' } }),
    }
  },
  'body.setSignatureAsync': (item, { data, coercionType }, state) => {
    if (data.length > OUTLOOK_LIMITS.signatureCharacters) return { error: tooMuchData() }
    if (coercionType === 'html' && item.body.type === 'text') return { error: invalidFormat() }
    const { profile } = state
    if (item.kind === 'meeting' && (state.isPhone || refusesMeetingSignatures(profile)))
      return { error: notSupported() }
    const signature = coercionType === item.body.type ? data : textToHtml(data)
    const isAbove = item.body.type === 'text' && prependsTextSignatures(profile)
    const body = isAbove
      ? prependTextSignature(item.body, signature)
      : setSignature(item.body, signature, quirksOf(state))
    const isLate = returnsOutdatedBody(profile) && item.body.author === '' && item.body.type === 'html'
    const late = isLate ? { lateBody: bodyAs(item, 'html', profile) } : {}
    return { value: null, state: put(state, { ...item, ...late, body }) }
  },
  isClientSignatureEnabledAsync: ({ owner }, _, { accounts }) => ({
    value: accounts.some(({ address, clientSignature }) => address === owner && clientSignature),
  }),
  // Changes the sending account's setting. An already inserted client signature stays until `setSignatureAsync`
  // replaces it.
  disableClientSignatureAsync: ({ owner }, _, state) => {
    const account = state.accounts.find(({ address }) => address === owner)
    if (!account) return { error: invalidCall() }
    return { value: null, state: putAccount(state, { ...account, clientSignature: false }) }
  },
  getComposeTypeAsync: ({ kind, body }) =>
    kind === 'meeting'
      ? { error: notSupported() }
      : { value: { composeType: kind, coercionType: body.type } },
  getItemIdAsync: ({ id, isSaved }) => (isSaved ? { value: id } : { error: notSaved() }),
  'from.getAsync': ({ from }) => ({ value: from }),
  'to.getAsync': ({ to }) => ({ value: to }),
  'cc.getAsync': ({ cc }) => ({ value: cc }),
  addFileAttachmentFromBase64Async: (item, { base64File, attachmentName, isInline }, state) => {
    if (attachmentName.length === 0 || attachmentName.length > OUTLOOK_LIMITS.attachmentNameCharacters) {
      return { error: argumentOutOfRange('attachmentName') }
    }
    if (base64File.length > OUTLOOK_LIMITS.attachmentBase64Characters) return { error: attachmentTooBig() }
    if (item.attachments.length >= OUTLOOK_LIMITS.attachments) return { error: tooManyAttachments() }
    if (base64File.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64File))
      return { error: uploadFailed() }
    const lastId = state.lastId + 1
    const attachment: Attachment = {
      id: `${uploadsAttachmentsLate(state.profile) ? UPLOADING : ''}attachment-${lastId}`,
      name: attachmentName,
      size: sizeOfBase64(base64File),
      isInline,
      contentId: isInline ? attachmentName : null,
      base64: base64File,
    }
    const attachments = [...item.attachments, attachment]
    return { value: attachment.id, state: put({ ...state, lastId }, { ...item, attachments }) }
  },
  getAttachmentsAsync: (item, _, state) => {
    const attachments = item.attachments.map((each) => ({ ...each, id: each.id.replace(UPLOADING, '') }))
    return { value: item.attachments.map(attachmentDetails), state: put(state, { ...item, attachments }) }
  },
  removeAttachmentAsync: (item, { attachmentId }, state) => {
    const attachments = item.attachments.filter(({ id }) => id !== attachmentId)
    if (attachments.length === item.attachments.length) return { error: noSuchAttachment() }
    return { value: null, state: put(state, { ...item, attachments }) }
  },
  'sessionData.getAsync': ({ sessionData }, { name }) => {
    const value = Object.hasOwn(sessionData, name) ? sessionData[name] : undefined
    return value === undefined ? { error: noSuchKey() } : { value }
  },
  'sessionData.getAllAsync': ({ sessionData }) => ({ value: sessionData }),
  'sessionData.setAsync': (item, { name, value }, state) => {
    const sessionData = { ...item.sessionData, [name]: value }
    if (sessionDataLength(sessionData) > OUTLOOK_LIMITS.sessionDataCharacters)
      return { error: tooMuchSessionData() }
    return { value: null, state: put(state, { ...item, sessionData }) }
  },
} satisfies Handlers<ComposeItem>

/**
 * For each call, the minor version of the requirement set `Mailbox` that introduced it, and whether Microsoft lists it
 * for Outlook on a phone. A phone supports only Mailbox 1.5 and the listed calls; every other call is answered as not
 * supported.
 */
const CALLS: Readonly<Record<CallName, Readonly<{ since: number; onPhone?: true }>>> = {
  'body.getAsync': { since: 3, onPhone: true },
  'body.getTypeAsync': { since: 1 },
  'notificationMessages.replaceAsync': { since: 3, onPhone: true },
  'notificationMessages.removeAsync': { since: 3, onPhone: true },
  loadCustomPropertiesAsync: { since: 1, onPhone: true },
  'customProperties.saveAsync': { since: 1, onPhone: true },
  'body.setAsync': { since: 3 },
  'body.setSignatureAsync': { since: 10, onPhone: true },
  isClientSignatureEnabledAsync: { since: 10 },
  disableClientSignatureAsync: { since: 10, onPhone: true },
  getComposeTypeAsync: { since: 10, onPhone: true },
  getItemIdAsync: { since: 8 },
  'from.getAsync': { since: 7, onPhone: true },
  'to.getAsync': { since: 1, onPhone: true },
  'cc.getAsync': { since: 1, onPhone: true },
  addFileAttachmentFromBase64Async: { since: 8, onPhone: true },
  getAttachmentsAsync: { since: 8 },
  removeAttachmentAsync: { since: 1, onPhone: true },
  'sessionData.getAsync': { since: 11, onPhone: true },
  'sessionData.getAllAsync': { since: 11, onPhone: true },
  'sessionData.setAsync': { since: 11, onPhone: true },
  'roamingSettings.saveAsync': { since: 1, onPhone: true },
  'auth.getAccessToken': { since: 1 },
}

export const CALL_NAMES = Object.keys(CALLS) as readonly CallName[]

/** Returns the same mailbox in Outlook on a phone. */
export const asPhoneMailbox = (state: MailboxState): MailboxState => ({
  ...state,
  isPhone: true,
  requirementSets: { ...state.requirementSets, Mailbox: '1.5' },
})

/** Whether this version of the client supports the call. */
const isKnown = ({ requirementSets }: MailboxState, name: CallName): boolean =>
  CALLS[name].since <= Number(requirementSets['Mailbox']?.split('.')[1] ?? 0)

/** Whether a call acts on the open item. */
export const isItemCall = (name: CallName): boolean => name in inAnyItem || name in inComposeItem

/** A handler for a call whose name is known only at run time. */
type AnyHandler<Subject> = (subject: Subject, args: unknown, state: MailboxState) => Handled<CallName>

const saveRoamingSetting = (
  state: MailboxState,
  { name, value }: CallArguments<'roamingSettings.saveAsync'>,
): Handled<'roamingSettings.saveAsync'> => {
  const account = accountOf(state)
  if (!account) return { error: invalidCall() }
  const json = toJson({ ...account.roamingSettings, [name]: value })
  if (json === null || json.length > OUTLOOK_LIMITS.roamingSettingsCharacters)
    return { error: tooMuchRoaming() }
  const roamingSettings = JSON.parse(json) as Readonly<Record<string, unknown>>
  return { value: null, state: putAccount(state, { ...account, roamingSettings }) }
}

const handle = (state: MailboxState, { name, args }: MailboxCall): Handled<CallName> => {
  if (state.isPhone && !CALLS[name].onPhone) return { error: notSupported(name) }
  if (!state.isPhone && !isKnown(state, name)) return { error: invalidCall(name) }
  if (name === 'roamingSettings.saveAsync') return saveRoamingSetting(state, args)
  const item = state.switching ? null : openItem(state)
  if (!item) return { error: invalidCall() }
  if (name in inAnyItem) {
    return (inAnyItem[name as keyof typeof inAnyItem] as AnyHandler<MailboxItem>)(item, args, state)
  }
  if (item.mode === 'read') return { error: notInThisMode() }
  return (inComposeItem[name as keyof typeof inComposeItem] as AnyHandler<ComposeItem>)(item, args, state)
}

/**
 * Answers an add-in's call on the open item, within Outlook's limits. A refused call leaves the state unchanged. On a
 * received message, only reads and calls on notices and custom properties are accepted.
 */
export function handleCall(state: MailboxState, call: MailboxCall): CallOutcome {
  const handled = handle(state, call)
  const reply: Reply =
    'error' in handled ? { ok: false, error: handled.error } : { ok: true, value: handled.value }
  return { state: handled.state ?? state, reply, events: [] }
}

// ---- Actions of the user and the client ----

/** A change without an event for the add-in. */
const silently = (state: MailboxState): ActionOutcome => ({ state, events: [] })

/** A body without a signature. */
const plainBody = (type: BodyType, author: string, quoted = ''): ItemBody => ({
  type,
  author,
  signature: '',
  quoted,
})

/** Drops the outdated body of a draft that is no longer open, because `returnsOutdatedBody` lasts only a moment. */
const leftDraft = ({ lateBody: _, ...item }: ComposeItem): ComposeItem => item
const closedWindow = (item: ComposeItem): ComposeItem => ({ ...leftDraft(item), sessionData: {} })

/** A draft in a client that does not recognise its signature, so the whole body is the author's text. */
const unrecognised = (item: ComposeItem, profile: ClientProfile | null): ComposeItem => {
  const { type } = item.body
  return { ...item, body: plainBody(type, bodyAs(item, type, profile)) }
}

const opening = (before: MailboxState, id: string | null): ActionOutcome => {
  if (id === before.open) return silently(before)
  const left = openItem(before)
  const state =
    left?.mode === 'compose'
      ? put(before, closesDraftOnSwitch(before.profile) ? closedWindow(left) : leftDraft(left))
      : before
  const item = find(state, id)
  const read = item?.mode === 'read' && !item.isRead ? put(state, { ...item, isRead: true }) : state
  return {
    state: {
      ...read,
      open: id,
      openings: state.openings + 1,
      leaving: null,
      switching: state.open !== null && id !== null,
    },
    events: ['ItemChanged'],
  }
}

export const ownSignature = ({ name, displayLanguage }: MailboxAccount): string =>
  `<p>${textToHtml(name)}<br>${clientWords(displayLanguage).ownSignature}</p>`

/** A message as the client opens it. If the account has a client signature, it is below the author's part. */
const withOwnSignature = (draft: NewItem, account: MailboxAccount, quirks: readonly Quirk[]): NewItem => {
  if (!account.clientSignature) return draft
  if (quirks.includes('insertsOwnSignatureLate')) return { ...draft, awaitsOwnSignature: true }
  return { ...draft, body: insertOwnSignature(draft.body, ownSignature(account)) }
}

type NewItem = Omit<ComposeItem, 'id' | 'mode' | 'owner' | 'from'>

/** Adds a draft to the account and opens it, without the client's own signature. */
const withNewItem = (
  state: MailboxState,
  { address, name }: MailboxAccount,
  draft: NewItem,
): ActionOutcome => {
  const lastId = state.lastId + 1
  const id = `item-${lastId}`
  const item: ComposeItem = { ...draft, owner: address, from: { address, name }, id, mode: 'compose' }
  return opening({ ...state, lastId, items: [...state.items, item] }, id)
}

const ownSignatureArrives = (state: MailboxState, id: string): MailboxState => {
  const item = find(state, id)
  if (item?.mode !== 'compose' || !item.awaitsOwnSignature) return state
  const { awaitsOwnSignature: _, ...draft } = item
  const account = state.accounts.find(({ address }) => address === item.owner)
  if (!account?.clientSignature) return put(state, draft)
  return put(state, { ...draft, body: insertOwnSignature(draft.body, ownSignature(account)) })
}

/** A new message has no data stored by add-ins. */
const NOTHING_STORED = { notifications: [], customProperties: {}, sessionData: {} } as const

const NOTHING_BEGUN: DraftInProgress = { to: [], subject: '', author: '' }

const newMessage = (state: MailboxState, begun = NOTHING_BEGUN): ActionOutcome => {
  const account = accountOf(state)
  if (!account) return silently(state)
  const draft: NewItem = {
    kind: 'newMail',
    to: begun.to,
    cc: [],
    subject: begun.subject,
    body: plainBody('html', begun.author),
    attachments: [],
    ...NOTHING_STORED,
  }
  return withNewItem(state, account, withOwnSignature(draft, account, state.quirks))
}

/** A meeting without an online meeting block. The client adds no signature of its own. */
const meeting = (state: MailboxState, isSaved: boolean, when?: MeetingTime): ActionOutcome => {
  const account = accountOf(state)
  if (!account) return silently(state)
  return withNewItem(state, account, {
    kind: 'meeting',
    to: [],
    cc: [],
    subject: '',
    body: plainBody('html', ''),
    attachments: [],
    ...(when && { when }),
    ...(isSaved && { isSaved }),
    ...NOTHING_STORED,
  })
}

const WEEK_MS = 7 * 24 * 3_600_000

/** The first occurrence of a series after `date`. */
export function occurrenceAfter({ start, end }: MeetingTime, date: number): MeetingTime {
  const later = Math.max(0, Math.floor((date - start) / WEEK_MS) + 1) * WEEK_MS
  return { start: start + later, end: end + later }
}

/**
 * Opens an occurrence of a series as a separate item. The client does not recognise the signature in it. It drops all
 * data that add-ins stored in the series, because no report mentions that a client keeps them.
 */
const openOccurrence = (state: MailboxState, series: ComposeItem, date: number): ActionOutcome => {
  const account = accountOf(state)
  if (!account || !series.when?.isWeekly || !series.isSaved) return silently(state)
  const when = occurrenceAfter(series.when, date)
  const known = ownItems(state).find(
    (item) => item.mode === 'compose' && item.exceptionOf === series.id && item.when?.start === when.start,
  )
  if (known) return opening(state, known.id)
  const { id: exceptionOf, to, cc, subject } = series
  const { body } = unrecognised(series, state.profile)
  const attachments = series.attachments.map((attachment, index) => ({
    ...attachment,
    id: `attachment-${state.lastId + index + 1}`,
  }))
  return withNewItem({ ...state, lastId: state.lastId + attachments.length }, account, {
    kind: 'meeting',
    exceptionOf,
    to,
    cc,
    subject,
    body,
    attachments,
    when,
    isSaved: true,
    ...NOTHING_STORED,
  })
}

/** After sending, a meeting stays in the organiser's calendar. */
const sendMeeting = (state: MailboxState, item: ComposeItem): ActionOutcome =>
  opening(put(state, { ...closedWindow(item), isSaved: true }), null)

const spell = ({ name, address }: Address): string => (name === '' ? address : `${name} <${address}>`)

const firstMessage = (state: MailboxState): ActionOutcome => newMessage(state, accountOf(state)?.begun)

/** The original message as quoted below a reply: its header and body. */
const quote = (message: ReadItem, language: string, style: QuoteStyle): string => {
  const words = clientWords(language)
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' })
  const head: QuoteHead = [
    [words.from, spell(message.from)],
    [words.sent, date.format(message.date)],
    [words.to, message.to.map(spell).join('; ')],
    ...(message.cc.length > 0 ? [[words.cc, message.cc.map(spell).join('; ')] as const] : []),
    [words.subject, message.subject],
  ]
  return message.body.type === 'text'
    ? quoteText(style, head, message.body.author)
    : quoteHtml(style, head, message.body.author)
}

const answer = (state: MailboxState, kind: 'reply' | 'forward', named: string | undefined): ActionOutcome => {
  const account = accountOf(state)
  const messages = ownItems(state).filter((item): item is ReadItem => item.mode === 'read')
  const message =
    named === undefined
      ? (messages.find(({ id }) => id === state.open) ?? messages[0])
      : messages.find(({ id }) => id === named)
  if (!account || !message) return silently(state)
  const recipients = message.from.address === account.address ? message.to : [message.from]
  const prefix = clientWords(account.displayLanguage)[kind]
  const carried = message.attachments.filter(({ isInline }) => isInline || kind === 'forward')
  const copiesProperties = kind === 'forward' && state.quirks.includes('copiesCustomPropertiesOnForward')
  const draft: NewItem = {
    kind,
    answers: message.id,
    to: kind === 'reply' ? recipients : [],
    cc: [],
    subject: message.subject.startsWith(prefix) ? message.subject : prefix + message.subject,
    body: plainBody(message.body.type, '', quote(message, account.displayLanguage, state.profile ?? 'web')),
    attachments: carried.map((attachment, index) => ({
      ...attachment,
      id: `attachment-${state.lastId + index + 1}`,
    })),
    ...NOTHING_STORED,
    ...(copiesProperties && { customProperties: message.customProperties }),
  }
  const numbered = { ...state, lastId: state.lastId + carried.length }
  return withNewItem(numbered, account, withOwnSignature(draft, account, state.quirks))
}

/** The maximum text lengths in Outlook's dialog, in characters. */
const QUESTION_CHARACTERS = 500
const QUESTION_BUTTON_CHARACTERS = 20

/** The question in an add-in's answer; null if the answer lets the message go, or if the text is too long. */
function questionIn(answer: unknown): SendingQuestion | null {
  const { allowEvent, errorMessage, cancelLabel, commandId, sendModeOverride } = (answer ?? {}) as Readonly<
    Record<string, unknown>
  >
  if (allowEvent !== false || sendModeOverride !== 'promptUser') return null
  if (typeof errorMessage !== 'string' || errorMessage.length > QUESTION_CHARACTERS) return null
  const hasButton =
    typeof cancelLabel === 'string' &&
    cancelLabel.length <= QUESTION_BUTTON_CHARACTERS &&
    commandId === PANE_BUTTON
  return { text: errorMessage, button: hasButton ? cancelLabel : null }
}

const send = (state: MailboxState, item: ComposeItem, date: number): ActionOutcome => {
  if (item.kind === 'meeting') return sendMeeting(state, item)
  const { type } = item.body
  const sent: ReadItem = {
    id: item.id,
    mode: 'read',
    owner: item.owner,
    from: item.from,
    to: item.to,
    cc: item.cc,
    subject: item.subject,
    body: plainBody(type, bodyAs(item, type, state.profile)),
    attachments: item.attachments,
    notifications: [],
    customProperties: item.customProperties,
    folder: 'sent',
    date,
    isRead: true,
  }
  return opening(put(state, sent), null)
}

/** Opens a sent message as a new draft, with its attachments but without the data that add-ins stored in it. */
const resend = (state: MailboxState, named: string): ActionOutcome => {
  const account = accountOf(state)
  const message = ownItems(state).find((item): item is ReadItem => item.mode === 'read' && item.id === named)
  if (!account || !message) return silently(state)
  const { to, cc, subject, body, attachments } = message
  return withNewItem(state, account, {
    kind: 'newMail',
    to,
    cc,
    subject,
    body,
    attachments,
    ...NOTHING_STORED,
  })
}

// Long because it is one exhaustive switch; any case longer than a few lines has its own function.
/** Performs an action. Never throws: an impossible action leaves the state unchanged. */
export function applyAction(state: MailboxState, action: MailboxAction): ActionOutcome {
  const item = openItem(state)
  const draft = item?.mode === 'compose' ? item : null
  const nothing = silently(state)
  const changed = (change: Partial<ComposeItem>, events: readonly ClientEvent[] = []): ActionOutcome =>
    draft ? { state: put(state, { ...draft, ...change }), events } : nothing
  const changedAccount = (change: Partial<MailboxAccount>): ActionOutcome => {
    const account = accountOf(state)
    return account ? silently(putAccount(state, { ...account, ...change })) : nothing
  }

  switch (action.type) {
    case 'newMessage':
      return newMessage(state)
    case 'newMeeting':
      return meeting(state, false, action.when)
    case 'openMeeting':
      return meeting(state, true)
    case 'openOccurrence':
      return draft ? openOccurrence(state, draft, action.date) : nothing
    case 'setWhen':
      return draft?.kind === 'meeting' ? changed({ when: action.when }) : nothing
    case 'addOnlineMeeting':
      return draft?.kind === 'meeting' && !draft.online ? changed({ online: 'asked' }) : nothing
    case 'onlineMeetingArrives': {
      const meeting = find(state, action.id ?? state.open)
      if (meeting?.mode !== 'compose' || meeting.kind !== 'meeting') return nothing
      const body = { ...meeting.body, online: action.block }
      return silently(put(state, { ...meeting, body, online: 'there' }))
    }
    case 'save':
      return changed({ isSaved: true })
    case 'firstMessage':
      return firstMessage(state)
    case 'reply':
    case 'forward':
      return answer(state, action.type, action.message)
    case 'switchTo':
      return action.id === null || ownItems(state).some(({ id }) => id === action.id)
        ? opening(state, action.id)
        : nothing
    case 'reopen': {
      if (!draft) return nothing
      const closed = closedWindow(draft)
      const again = action.elsewhere ? unrecognised(closed, state.profile) : closed
      return opening({ ...put(state, again), open: null }, draft.id)
    }
    case 'resend':
      return resend(state, action.message)
    case 'endSwitch':
      return state.switching ? { state: { ...state, switching: false }, events: ['ItemChanged'] } : nothing
    case 'close': {
      const closed = find(state, action.id ?? state.open)
      if (closed?.mode !== 'compose') return nothing
      const left = { ...state, items: state.items.filter(({ id }) => id !== closed.id) }
      return closed.id === state.open ? opening(left, null) : silently(left)
    }
    case 'send': {
      if (!draft || draft.to.length + draft.cc.length === 0) return nothing
      const isAsked = state.quirks.includes('asksBeforeSending') && draft.kind !== 'meeting' && !state.isPhone
      if (!isAsked) return send(state, draft, action.date)
      const leaving = { item: draft.id, date: action.date, question: null }
      return state.leaving ? nothing : silently({ ...state, leaving })
    }
    case 'sendAnswered': {
      const { leaving } = state
      if (!draft || !leaving || leaving.question) return nothing
      const question = questionIn(action.answer)
      return question
        ? silently({ ...state, leaving: { ...leaving, question } })
        : send(state, draft, leaving.date)
    }
    case 'sendAnyway':
      return draft && state.leaving?.question ? send(state, draft, state.leaving.date) : nothing
    case 'doNotSend':
      return state.leaving?.question ? silently({ ...state, leaving: null }) : nothing
    case 'setFrom':
      return changed({ from: action.from })
    case 'setRecipients':
      return changed(
        { ...(action.to && { to: action.to }), ...(action.cc && { cc: action.cc }) },
        state.switching ? [] : ['RecipientsChanged'],
      )
    case 'setSubject':
      return changed({ subject: action.subject })
    case 'setBodyType':
      return draft ? changed({ body: convertBody(draft.body, action.bodyType) }) : nothing
    case 'typed':
      return draft ? changed({ body: { ...draft.body, author: action.author } }) : nothing
    case 'signatureEdited':
      return draft ? changed({ body: { ...draft.body, signature: action.signature } }) : nothing
    case 'discardAttachment':
      return draft
        ? changed({ attachments: draft.attachments.filter(({ id }) => id !== action.id) })
        : nothing
    case 'dismissNotice': {
      if (!item) return nothing
      const notifications = item.notifications.filter(({ key }) => key !== action.key)
      return silently(put(state, { ...item, notifications }))
    }
    case 'choosePerson': {
      if (action.address === state.person) return nothing
      if (!state.accounts.some(({ address }) => address === action.address)) return nothing
      const switched = { ...state, person: action.address }
      const [ownDraft] = ownDrafts(switched)
      return ownDraft ? opening(switched, ownDraft.id) : firstMessage(switched)
    }
    case 'setTheme':
      return { state: { ...state, theme: action.theme }, events: ['OfficeThemeChanged'] }
    case 'setQuirk': {
      const quirks = new Set(state.quirks)
      if (action.on) quirks.add(action.quirk)
      else quirks.delete(action.quirk)
      return silently({ ...state, quirks: [...quirks] })
    }
    case 'setProfile':
      return silently({ ...state, profile: action.profile })
    case 'setRequirementSet': {
      const requirementSets = { ...state.requirementSets, [action.set]: action.version }
      return silently({ ...state, requirementSets })
    }
    case 'setClientSignature':
      return changedAccount({ clientSignature: action.on })
    case 'ownSignatureArrives':
      return silently(ownSignatureArrives(state, action.id))
    case 'setDisplayLanguage':
      return changedAccount({ displayLanguage: action.language })
    default:
      return assertNever(action)
  }
}
