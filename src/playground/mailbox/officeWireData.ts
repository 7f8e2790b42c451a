import { attachmentDetails, currentItem, type MailboxState, openItem } from './model.ts'

// The data that Outlook sends to Microsoft's library at its start and when the item changes, in the library's format.

/** The library's number for Outlook on the web. */
const OUTLOOK_WEB_APP = 64

export const ITEM_TYPE_NUMBERS = { read: 1, readMeeting: 2, compose: 4, composeMeeting: 5, none: 6 } as const
const READ_WRITE_ITEM = 3

const userOf = (state: MailboxState) => state.accounts.find(({ address }) => address === state.person)

/** The host data that the library reads at its start and when the item changes, including the user profile. */
export const hostData = (state: MailboxState, itemType: number): Record<string, unknown> => {
  const account = userOf(state)
  return {
    permissionLevel: READ_WRITE_ITEM,
    itemType,
    userDisplayName: account?.name ?? '',
    userEmailAddress: account?.address ?? '',
    userTimeZone: account?.timeZone ?? '',
    userProfileType: account?.accountType ?? '',
    hostVersion: '20261120.01',
    owaView: 'ThreeColumns',
  }
}

/** The open item in the library's format; null if no item is open. */
export const itemData = (state: MailboxState): Record<string, unknown> | null => {
  const current = currentItem(state)
  const item = current && openItem(state)
  if (!item) return null
  const { mode, isMeeting } = current
  const shared = {
    ...hostData(state, ITEM_TYPE_NUMBERS[isMeeting ? (`${mode}Meeting` as const) : mode]),
    // A meeting has no conversation; a new message has none until it is saved.
    conversationId:
      isMeeting || (item.mode === 'compose' && item.kind === 'newMail') ? null : `conversation-of-${item.id}`,
    isRestIdSupported: true,
    isFromSharedFolder: false,
    timeZoneOffsets: null,
  }
  if (item.mode === 'compose') return shared
  return {
    ...shared,
    id: item.id,
    subject: item.subject,
    normalizedSubject: item.subject,
    from: item.from,
    sender: item.from,
    to: item.to,
    cc: item.cc,
    bcc: [],
    ...(isMeeting && { organizer: item.from }),
    itemClass: isMeeting ? 'IPM.Appointment' : 'IPM.Note',
    attachments: item.attachments.map(attachmentDetails),
  }
}

/** The answer to the library's first request. */
export const appContext = (
  state: MailboxState,
  control: string,
  roamingSettings: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const account = userOf(state)
  return {
    _id: control,
    _appName: OUTLOOK_WEB_APP,
    _appVersion: '16.01',
    _appMinorVersion: 0,
    _appUILocale: account?.displayLanguage ?? 'en-US',
    _dataLocale: account?.displayLanguage ?? 'en-US',
    _docUrl: '',
    _clientMode: 0,
    _reason: 1,
    _osfControlType: 0,
    _eToken: '',
    _correlationId: 'signet-session',
    _appInstanceId: control,
    _hostFullVersion: '16.01',
    _addinName: 'Signet',
    _settings: Object.fromEntries(
      Object.entries(roamingSettings).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    _requirementMatrix: JSON.stringify(state.requirementSets),
  }
}
