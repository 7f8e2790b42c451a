/** A text, and its translations by locale in lower case, such as `de-at`. */
export type Texts = Readonly<{ text: string; translations: ReadonlyMap<string, string> }>

/**
 * A button of the ribbon that opens the pane. `place`: `messages`, `meetings`, Microsoft's name of another one, or several
 * with "and" between them.
 */
export type Button = Readonly<{
  id: string
  place: string
  groupId: string
  groupLabel: Texts
  label: Texts
  title: Texts
  tip: Texts
  /** The addresses of its pictures, by their size in pixels. */
  icons: ReadonlyMap<number, string>
  page: string
  isPinnable: boolean
}>

/** An event at which Outlook starts the add-in. `type` is Outlook's own name, such as `OnMessageSend`. */
export type LaunchEvent = Readonly<{
  device: Device
  type: string
  /** The function that is called. */
  handler: string
  /** What Outlook does if the answer to an event of sending is no. Null where nothing is said. */
  sendMode: string | null
}>
export type Device = 'desktop' | 'mobile'

/** What a manifest says, in either of Microsoft's formats. What a manifest lacks is an empty text or an empty list. */
export type ManifestContent = Readonly<{
  format: 'xml' | 'unified'
  id: string
  version: string
  provider: string
  locale: string
  name: Texts
  description: Texts
  icon: string
  largeIcon: string
  support: string
  /** The addresses of the privacy statement and the terms of use. Empty in XML, which has none. */
  privacy: string
  terms: string
  /** Hosts, with their port. */
  domains: readonly string[]
  /** The least version of each requirement set. */
  requirements: ReadonlyMap<string, string>
  /** By their names in the unified manifest. */
  permissions: readonly string[]
  /** The scopes that are asked for with Outlook's own sign-in. Null where the format has none. */
  scopes: readonly string[] | null
  clientId: string
  resource: string
  buttons: readonly Button[]
  events: readonly LaunchEvent[]
  launchPage: string
  launchFile: string
  /** Whether the translations were there to be read. */
  hasTranslations: boolean
  /** All of the manifest but its version, in one text of its format: it differs as soon as anything differs. */
  whole: string
}>

/** A word of the XML manifest, and the same of the unified one. Microsoft's documentation of August 2026. */
type Pairs = readonly (readonly [xml: string, unified: string])[]
export const EVENTS: Pairs = [
  ['OnNewMessageCompose', 'newMessageComposeCreated'],
  ['OnMessageFromChanged', 'messageFromChanged'],
  ['OnMessageRecipientsChanged', 'messageRecipientsChanged'],
  ['OnNewAppointmentOrganizer', 'newAppointmentOrganizerCreated'],
  ['OnAppointmentFromChanged', 'appointmentFromChanged'],
  ['OnAppointmentAttendeesChanged', 'appointmentAttendeesChanged'],
  ['OnMessageSend', 'messageSending'],
]
export const SEND_MODES: Pairs = [
  ['PromptUser', 'promptUser'],
  ['SoftBlock', 'softBlock'],
  ['Block', 'block'],
]
export const PERMISSIONS: Pairs = [
  ['Restricted', 'MailboxItem.Restricted.User'],
  ['ReadItem', 'MailboxItem.Read.User'],
  ['ReadWriteItem', 'MailboxItem.ReadWrite.User'],
  ['ReadWriteMailbox', 'Mailbox.ReadWrite.User'],
]
/** Where a button stands: in XML, in the unified manifest, and here. */
export const PLACES = [
  ['MessageComposeCommandSurface', 'mailCompose', 'messages'],
  ['AppointmentOrganizerCommandSurface', 'meetingDetailsOrganizer', 'meetings'],
] as const
export const SHARED_FOLDERS = 'Mailbox.SharedFolder'

/** The same word in the unified manifest, or in the XML one. A word that is not known stays. */
export const toUnified = (pairs: Pairs, word: string): string =>
  pairs.find(([xml]) => xml === word)?.[1] ?? word
export const toXml = (pairs: Pairs, word: string): string =>
  pairs.find(([, unified]) => unified === word)?.[0] ?? word
/** The host of an address, with its port; a host alone stays. */
export const hostOf = (address: string): string =>
  /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).host : address

/** Negative when `a` is the lower version, positive when it is the higher one. Missing numbers are 0. */
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
