/** The mail clients that `readers:` may name, each with its names in the data of Can I email. */
export const READERS = {
  'outlook-windows': ['outlook.windows'],
  'outlook-new': ['outlook.windows-mail'],
  'outlook-mac': ['outlook.macos'],
  'outlook-mobile': ['outlook.ios', 'outlook.android'],
  gmail: ['gmail.desktop-webmail', 'gmail.ios', 'gmail.android', 'gmail.mobile-webmail'],
  'apple-mail': ['apple-mail.macos', 'apple-mail.ios'],
  thunderbird: ['thunderbird.macos'],
  yahoo: ['yahoo.desktop-webmail', 'yahoo.ios', 'yahoo.android'],
  samsung: ['samsung-email.android'],
  proton: ['protonmail.desktop-webmail', 'protonmail.ios', 'protonmail.android'],
} as const

/** The names of mail clients in the text of findings. */
export const READER_TITLES: Readonly<Record<ReaderName, string>> = {
  'outlook-windows': 'classic Outlook',
  'outlook-new': 'new Outlook',
  'outlook-mac': 'Outlook for Mac',
  'outlook-mobile': 'Outlook mobile',
  gmail: 'Gmail',
  'apple-mail': 'Apple Mail',
  thunderbird: 'Thunderbird',
  yahoo: 'Yahoo Mail',
  samsung: 'Samsung Email',
  proton: 'Proton Mail',
}

export type ReaderName = keyof typeof READERS

/**
 * How a mail client gets a linked picture, unless its user changes that: after asking the reader, through a server of
 * its own, through a relay while the mail arrives, or by a setting whose default differs between versions.
 */
export type LinkedPictureUse = 'asks' | 'server' | 'relay' | 'setting'

export const LINKED_PICTURES: Readonly<Record<ReaderName, LinkedPictureUse>> = {
  'outlook-windows': 'asks',
  'outlook-new': 'server',
  'outlook-mac': 'asks',
  'outlook-mobile': 'setting',
  gmail: 'server',
  'apple-mail': 'relay',
  thunderbird: 'asks',
  yahoo: 'server',
  samsung: 'setting',
  proton: 'server',
}

export const DEFAULT_READERS: readonly ReaderName[] = [
  'outlook-windows',
  'outlook-new',
  'gmail',
  'apple-mail',
]
