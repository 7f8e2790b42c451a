/// <reference types="office-js" />
import type { Log } from '../../../effects/ports.ts'
import { LAUNCH_FACTS_KEY } from '../../../streams/launch/facts.ts'
import type { ClientEvent, MailClient, MailItem } from './mailClient.ts'
import { createOfficeCalls, isMeetingItem, type OfficeLibrary } from './officeCalls.ts'

/** The versions of each requirement set, highest first. The library can only check one version at a time. */
const REQUIREMENT_SETS: Readonly<Record<string, readonly string[]>> = {
  Mailbox: Array.from({ length: 16 }, (_, index) => `1.${16 - index}`),
  IdentityAPI: ['1.3', '1.2', '1.1'],
  NestedAppAuth: ['1.1'],
}

/** The names of the mailbox settings to read. */
const ROAMING_SETTINGS: readonly string[] = [LAUNCH_FACTS_KEY]

/** Follows the changes in Outlook and reports them to `client`; see `officeEvents.ts`. */
export type FollowOutlook = (
  office: OfficeLibrary,
  log: Log,
  client: Readonly<{
    currentItem: () => MailItem | null
    hasListeners: (event: ClientEvent) => boolean
    emit: (event: ClientEvent) => void
    isAnotherItem: () => void
  }>,
) => Readonly<{
  /** The theme that Outlook reported last; null before the first report. */
  theme: () => unknown
  /** Call this when a listener for changes of the recipients is added. */
  followRecipients: () => void
}>

/**
 * Creates the mail client for Outlook from Microsoft's library. Call it after `Office.onReady`. Each ItemChanged counts
 * as a new item, and so does a changed id or conversation without that event. No call moves the focus. With `follow`,
 * changes of item, recipients and theme are reported; add-ins that Outlook starts for an event cannot report them.
 */
export function createOfficeClient(
  office: OfficeLibrary,
  log: Log,
  follow: FollowOutlook | null = null,
): MailClient {
  const { mailbox } = office.context
  // Each may be missing, contrary to the types: the diagnostics before Mailbox 1.5, the settings for some accounts.
  const { requirements, displayLanguage, diagnostics, roamingSettings } =
    office.context as Partial<Office.Context>
  const profile = mailbox.userProfile as Partial<Office.UserProfile> | null | undefined
  const listeners: Record<ClientEvent, Set<() => void>> = {
    ItemChanged: new Set(),
    RecipientsChanged: new Set(),
    OfficeThemeChanged: new Set(),
  }
  const emit = (event: ClientEvent) => {
    for (const listener of listeners[event]) listener()
  }
  let generation = 0
  let identity: unknown = null

  const currentItem = (): MailItem | null => {
    const item = mailbox.item as Partial<Office.MessageRead> | undefined | null
    if (!item) return null
    // While the user writes an item, its subject is an object, and it has no id.
    const mode = typeof item.subject === 'string' || typeof item.itemId === 'string' ? 'read' : 'compose'
    // A new message gets its conversation id at its first save, but it stays the same item.
    const known: unknown = (mode === 'read' ? item.itemId : item.conversationId) || null
    if (identity !== null && known !== null && known !== identity) generation += 1
    identity = known ?? identity
    return { key: `outlook/${generation}`, mode, ...(isMeetingItem(item) && { isMeeting: true }) }
  }

  const calls = createOfficeCalls(office, currentItem)
  const following = follow?.(office, log, {
    currentItem,
    hasListeners: (event) => listeners[event].size > 0,
    emit,
    isAnotherItem: () => {
      generation += 1
      identity = null
    },
  })

  return {
    start: {
      user: {
        accountType: profile?.accountType,
        displayName: profile?.displayName,
        emailAddress: profile?.emailAddress,
        timeZone: profile?.timeZone,
      },
      displayLanguage,
      diagnostics,
      roamingSettings: Object.fromEntries(
        ROAMING_SETTINGS.map((name) => [name, roamingSettings?.get(name) as unknown]),
      ),
      requirementSets: Object.fromEntries(
        Object.entries(REQUIREMENT_SETS).flatMap(([name, versions]) => {
          const highest = versions.find((version) => requirements?.isSetSupported(name, version))
          return highest === undefined ? [] : [[name, highest]]
        }),
      ),
    },
    currentItem,
    // Contrary to the types, the theme is missing for add-ins that Outlook starts by itself.
    theme: () => following?.theme() ?? (office.context as Partial<Office.Context>).officeTheme ?? null,
    on(event, listener) {
      listeners[event].add(listener)
      if (event === 'RecipientsChanged') following?.followRecipients()
      return () => listeners[event].delete(listener)
    },
    call: (name, args, done) => calls[name](args, done),
  }
}
