/// <reference types="office-js" />
import type { Log } from '../../../effects/ports.ts'
import { LAUNCH_SETTING } from '../../../streams/launch/facts.ts'
import type {
  CallArguments,
  CallError,
  CallName,
  CallReply,
  ClientEvent,
  MailClient,
  NotificationMessage,
  MailItem,
} from './mailClient.ts'

/** Microsoft's client library, as the global `Office`. */
export type OfficeLibrary = typeof Office

/** The icon of a notice: the id of an image in the manifest's resources. Without an icon, Outlook shows no notice. */
export const NOTICE_ICON = 'icon16'

/** The versions of each requirement set, highest first. The library only says whether it supports a given version. */
const REQUIREMENT_SETS: Readonly<Record<string, readonly string[]>> = {
  Mailbox: Array.from({ length: 16 }, (_, index) => `1.${16 - index}`),
  IdentityAPI: ['1.3', '1.2', '1.1'],
  NestedAppAuth: ['1.1'],
}

type Done = (reply: CallReply<unknown>) => void
type SendCall<Name extends CallName> = (args: CallArguments<Name>, done: Done) => void

const OTHER_ITEM: CallError = {
  code: 9030,
  name: 'APICallFailedDueToItemChange',
  message: 'The selected item has been changed.',
}

/** The names of the mailbox settings that are read. */
const ROAMING_SETTINGS: readonly string[] = [LAUNCH_SETTING]

/** A notice in the form that the library takes. */
const toDetails = ({
  type,
  message,
  icon = NOTICE_ICON,
  persistent = false,
  actions = [],
}: NotificationMessage): Office.NotificationMessageDetails => {
  if (type === 'informationalMessage') return { type, message, icon, persistent }
  return type === 'insightMessage'
    ? { type, message, icon, actions: actions.map((action) => ({ ...action, contextData: {} })) }
    : { type, message }
}

export const asError = (error: unknown): CallError => {
  const { code, name, message } = (error ?? {}) as Readonly<Record<keyof CallError, unknown>>
  return {
    code: typeof code === 'number' ? code : 0,
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : '',
  }
}

/** The library's result as a reply. A result without a status is a failure. */
export const asReply = (office: OfficeLibrary, result: unknown): CallReply<unknown> => {
  const { status, value, error } = (result ?? {}) as Partial<Office.AsyncResult<unknown>>
  return status === office.AsyncResultStatus.Succeeded
    ? { ok: true, value }
    : { ok: false, error: asError(error) }
}

/** Follows the changes in Outlook and reports them to `client`; see `officeEvents.ts`. */
export type Follow = (
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
  /** Called when a listener for changes of the recipients is added. */
  followRecipients: () => void
}>

/**
 * Outlook through Microsoft's library, after `Office.onReady`. Each call reads `mailbox.item` again, because an old
 * item object would write to the item that is open by then. The item counts as another one after each ItemChanged, and
 * also when its id or conversation changes without that event. No call moves the focus. With `follow`, changes of item,
 * recipients and theme are reported; add-ins that Outlook starts for an event cannot report them.
 */
export function createOfficeClient(
  office: OfficeLibrary,
  log: Log,
  follow: Follow | null = null,
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

  const composed = () => mailbox.item as unknown as Office.MessageCompose
  /** An item of an unknown type is a meeting if it has attendees. */
  const isMeeting = (item: Readonly<{ itemType?: unknown }>) =>
    item.itemType === 'appointment' || (item.itemType !== 'message' && 'requiredAttendees' in item)
  /** The sender and the recipients of the item: of a meeting, those who take part in it. */
  const addressed = (): Readonly<{
    from: Office.From | Office.Organizer
    to: Office.Recipients
    cc: Office.Recipients
  }> => {
    const item = composed()
    if (!isMeeting(item)) return item
    const { organizer, requiredAttendees, optionalAttendees } =
      mailbox.item as unknown as Office.AppointmentCompose
    return { from: organizer, to: requiredAttendees, cc: optionalAttendees }
  }
  const currentItem = (): MailItem | null => {
    const item = mailbox.item as Partial<Office.MessageRead> | undefined | null
    if (!item) return null
    // While an item is written, its subject is an object, and it has no id.
    const mode = typeof item.subject === 'string' || typeof item.itemId === 'string' ? 'read' : 'compose'
    // A new message gets its conversation id at its first save, but it stays the same item.
    const known: unknown = (mode === 'read' ? item.itemId : item.conversationId) || null
    if (identity !== null && known !== null && known !== identity) generation += 1
    identity = known ?? identity
    return { key: `outlook/${generation}`, mode, ...(isMeeting(item) && { isMeeting: true }) }
  }

  /** Passes the library's result on as a reply. `map` takes any value, because the library passes on any answer. */
  const answering =
    (done: Done, map: (value: unknown) => unknown = (value) => value) =>
    (result: unknown) => {
      const reply = asReply(office, result)
      done(reply.ok ? { ok: true, value: map(reply.value) } : reply)
    }
  const address = (given: unknown) => {
    const { emailAddress, displayName } = (given ?? {}) as Partial<Office.EmailAddressDetails>
    return { address: emailAddress, name: displayName }
  }
  const addresses = (given: unknown) => (Array.isArray(given) ? given.map(address) : given)

  const withProperties = (done: Done, use: (properties: Office.CustomProperties) => void) =>
    composed().loadCustomPropertiesAsync((result: unknown) => {
      const reply = asReply(office, result)
      if (!reply.ok) return done(reply)
      try {
        use(reply.value as Office.CustomProperties)
      } catch (error) {
        // An error thrown in the library's own callback would be lost.
        done({ ok: false, error: asError(error) })
      }
    })

  const calls: { readonly [Name in CallName]: SendCall<Name> } = {
    'body.getAsync': ({ coercionType }, done) => composed().body.getAsync(coercionType, answering(done)),
    'body.getTypeAsync': (_, done) => composed().body.getTypeAsync(answering(done)),
    'body.setAsync': ({ data, coercionType }, done) =>
      composed().body.setAsync(data, { coercionType }, answering(done)),
    'body.setSignatureAsync': ({ data, coercionType }, done) =>
      composed().body.setSignatureAsync(data, { coercionType }, answering(done)),
    getComposeTypeAsync: (_, done) => composed().getComposeTypeAsync(answering(done)),
    getItemIdAsync: (_, done) => composed().getItemIdAsync(answering(done)),
    'from.getAsync': (_, done) => addressed().from.getAsync(answering(done, address)),
    'to.getAsync': (_, done) => addressed().to.getAsync(answering(done, addresses)),
    'cc.getAsync': (_, done) => addressed().cc.getAsync(answering(done, addresses)),
    addFileAttachmentFromBase64Async: ({ base64File, attachmentName, isInline }, done) =>
      composed().addFileAttachmentFromBase64Async(base64File, attachmentName, { isInline }, answering(done)),
    getAttachmentsAsync: (_, done) => composed().getAttachmentsAsync(answering(done)),
    removeAttachmentAsync: ({ attachmentId }, done) =>
      composed().removeAttachmentAsync(attachmentId, answering(done)),
    'notificationMessages.replaceAsync': ({ key, notice }, done) =>
      composed().notificationMessages.replaceAsync(key, toDetails(notice), answering(done)),
    'notificationMessages.removeAsync': ({ key }, done) =>
      composed().notificationMessages.removeAsync(key, answering(done)),
    loadCustomPropertiesAsync: (_, done) =>
      withProperties(done, (properties) => done({ ok: true, value: properties.getAll() as unknown })),
    'customProperties.saveAsync': ({ properties }, done) => {
      const key = currentItem()?.key
      withProperties(done, (kept) => {
        if (currentItem()?.key !== key) return done({ ok: false, error: OTHER_ITEM })
        for (const name of Object.keys(kept.getAll() as object)) {
          if (!Object.hasOwn(properties, name)) kept.remove(name)
        }
        // Outlook stores any plain value, but the types allow only strings.
        for (const [name, value] of Object.entries(properties)) kept.set(name, value as string)
        kept.saveAsync(answering(done))
      })
    },
    'sessionData.getAsync': ({ name }, done) => composed().sessionData.getAsync(name, answering(done)),
    'sessionData.getAllAsync': (_, done) => composed().sessionData.getAllAsync(answering(done)),
    'sessionData.setAsync': ({ name, value }, done) =>
      composed().sessionData.setAsync(name, value, answering(done)),
    isClientSignatureEnabledAsync: (_, done) => composed().isClientSignatureEnabledAsync(answering(done)),
    disableClientSignatureAsync: (_, done) => composed().disableClientSignatureAsync(answering(done)),
    'roamingSettings.saveAsync': ({ name, value }, done) => {
      const { roamingSettings: settings } = office.context
      settings.set(name, value)
      settings.saveAsync(answering(done))
    },
    'auth.getAccessToken': (options, done) => {
      office.auth.getAccessToken(options).then(
        (value) => done({ ok: true, value }),
        (error: unknown) => done({ ok: false, error: asError(error) }),
      )
    },
  }

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
    // The theme is missing for add-ins that Outlook starts by itself, contrary to the types.
    theme: () => following?.theme() ?? (office.context as Partial<Office.Context>).officeTheme ?? null,
    on(event, listener) {
      listeners[event].add(listener)
      if (event === 'RecipientsChanged') following?.followRecipients()
      return () => listeners[event].delete(listener)
    },
    call: (name, args, done) => calls[name](args, done),
  }
}
