/** A text, and its translations by lower-case locale, such as `de-at`. */
export type TranslatedText = Readonly<{ text: string; translations: ReadonlyMap<string, string> }>

/**
 * A ribbon button that opens the pane. `place` is `messages`, `meetings` or Microsoft's name for another place; several
 * are joined with "and".
 */
export type RibbonButton = Readonly<{
  id: string
  place: string
  groupId: string
  groupLabel: TranslatedText
  label: TranslatedText
  title: TranslatedText
  tip: TranslatedText
  /** The URLs of the button's icons, by size in pixels. */
  icons: ReadonlyMap<number, string>
  page: string
  isPinnable: boolean
}>

/** An event at which Outlook starts the add-in. `type` is Outlook's own name, such as `OnMessageSend`. */
export type ManifestLaunchEvent = Readonly<{
  device: Device
  type: string
  /** The name of the function that Outlook calls. */
  handler: string
  /** What Outlook does if the add-in disallows sending, such as `PromptUser`; null if the manifest does not set it. */
  sendMode: string | null
}>
export type Device = 'desktop' | 'mobile'

/** A manifest's content, in either of Microsoft's formats. Missing values are an empty text or list. */
export type ManifestContent = Readonly<{
  format: 'xml' | 'unified'
  id: string
  version: string
  provider: string
  locale: string
  name: TranslatedText
  description: TranslatedText
  icon: string
  largeIcon: string
  support: string
  /** The URLs of the privacy statement and the terms of use. Empty in XML, which has no such values. */
  privacy: string
  terms: string
  /** Hosts with their ports. */
  domains: readonly string[]
  /** The minimum version of each requirement set. */
  requirements: ReadonlyMap<string, string>
  /** The permissions, under their names in the unified manifest. */
  permissions: readonly string[]
  /** The scopes requested through Outlook's own sign-in; null in the unified format, which has none. */
  scopes: readonly string[] | null
  clientId: string
  resource: string
  buttons: readonly RibbonButton[]
  events: readonly ManifestLaunchEvent[]
  launchPage: string
  launchFile: string
  /** Whether `translations` are complete; false for a unified manifest without the files of its languages. */
  hasTranslations: boolean
  /** The whole manifest except its version, as text in its format, so that any difference shows. */
  whole: string
}>

/**
 * Words in the XML manifest and their equivalents in the unified one, from Microsoft's documentation of August 2026.
 */
type Pairs = readonly (readonly [xml: string, unified: string])[]
export const EVENT_WORDS: Pairs = [
  ['OnNewMessageCompose', 'newMessageComposeCreated'],
  ['OnMessageFromChanged', 'messageFromChanged'],
  ['OnMessageRecipientsChanged', 'messageRecipientsChanged'],
  ['OnNewAppointmentOrganizer', 'newAppointmentOrganizerCreated'],
  ['OnAppointmentFromChanged', 'appointmentFromChanged'],
  ['OnAppointmentAttendeesChanged', 'appointmentAttendeesChanged'],
  ['OnMessageSend', 'messageSending'],
]
export const SEND_MODE_WORDS: Pairs = [
  ['PromptUser', 'promptUser'],
  ['SoftBlock', 'softBlock'],
  ['Block', 'block'],
]
export const PERMISSION_WORDS: Pairs = [
  ['Restricted', 'MailboxItem.Restricted.User'],
  ['ReadItem', 'MailboxItem.Read.User'],
  ['ReadWriteItem', 'MailboxItem.ReadWrite.User'],
  ['ReadWriteMailbox', 'Mailbox.ReadWrite.User'],
]
/** The places of a button: in XML, in the unified manifest, and here. */
export const BUTTON_PLACES = [
  ['MessageComposeCommandSurface', 'mailCompose', 'messages'],
  ['AppointmentOrganizerCommandSurface', 'meetingDetailsOrganizer', 'meetings'],
] as const
export const SHARED_FOLDERS_PERMISSION = 'Mailbox.SharedFolder'

/** Converts a word to the unified manifest's form. An unknown word is returned unchanged. */
export const toUnifiedWord = (pairs: Pairs, word: string): string =>
  pairs.find(([xml]) => xml === word)?.[1] ?? word
export const toXmlWord = (pairs: Pairs, word: string): string =>
  pairs.find(([, unified]) => unified === word)?.[0] ?? word
/** A URL's host with its port; a bare host is returned unchanged. */
export const hostOf = (address: string): string =>
  /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).host : address

/** Negative if `a` is the lower version, positive if it is the higher one. Missing numbers are 0. */
export function compareVersions(a: string, b: string): number {
  const left = numbersOf(a)
  const right = numbersOf(b)
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
const numbersOf = (version: string): readonly number[] => version.split('.').map((part) => Number(part) || 0)
