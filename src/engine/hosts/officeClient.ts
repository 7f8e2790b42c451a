/// <reference types="office-js" />
import type { Log } from '../../../effects/ports.ts'
import { LAUNCH_SETTING } from '../../../streams/launch/facts.ts'
import type {
  AttachmentDetails,
  CallArguments,
  CallError,
  CallName,
  CallResult,
  ClientEvent,
  MailClient,
  NotificationMessage,
  OfficeTheme,
  MailItem,
  Reply,
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

type Done<Name extends CallName> = (reply: Reply<Name>) => void
type SendCall<Name extends CallName> = (args: CallArguments<Name>, done: Done<Name>) => void

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
  const { code, name, message } = (error ?? {}) as Partial<CallError>
  return { code: typeof code === 'number' ? code : 0, name: name ?? 'Error', message: message ?? '' }
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
  theme: () => OfficeTheme | null
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
  const { mailbox, requirements, displayLanguage } = office.context
  // Before Mailbox 1.5 the diagnostics are missing, contrary to the types.
  const diagnostics = office.context.diagnostics as Office.ContextInformation | undefined
  // For some accounts the settings are missing, contrary to the types.
  const roamingSettings = office.context.roamingSettings as Office.RoamingSettings | undefined
  const listeners: Record<ClientEvent, Set<() => void>> = {
    ItemChanged: new Set(),
    RecipientsChanged: new Set(),
    OfficeThemeChanged: new Set(),
  }
  const emit = (event: ClientEvent) => {
    for (const listener of listeners[event]) listener()
  }
  let generation = 0
  let identity: string | null = null

  const composed = () => mailbox.item as unknown as Office.MessageCompose
  const isMeeting = ({ itemType }: Readonly<{ itemType: string }>) => itemType === 'appointment'
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
    const item = mailbox.item as Office.MessageRead | undefined | null
    if (!item) return null
    const mode = typeof item.subject === 'string' ? 'read' : 'compose'
    // A new message gets its conversation id at its first save, but it stays the same item.
    const known = (mode === 'read' ? item.itemId : item.conversationId) || null
    if (identity !== null && known !== null && known !== identity) generation += 1
    identity = known ?? identity
    return { key: `outlook/${generation}`, mode, ...(isMeeting(item) && { isMeeting: true }) }
  }

  /** Converts the library's result to a reply. */
  const answering =
    <Name extends CallName, Value>(done: Done<Name>, map: (value: Value) => CallResult<Name>) =>
    (result: Office.AsyncResult<Value>) => {
      if (result.status === office.AsyncResultStatus.Succeeded) done({ ok: true, value: map(result.value) })
      else done({ ok: false, error: asError(result.error) })
    }
  const same = <Value>(value: Value): Value => value
  const nothing = () => null
  const address = ({ emailAddress, displayName }: Office.EmailAddressDetails) => ({
    address: emailAddress,
    name: displayName,
  })
  const addresses = (list: readonly Office.EmailAddressDetails[]) => list.map(address)

  const withProperties = <Name extends 'loadCustomPropertiesAsync' | 'customProperties.saveAsync'>(
    done: Done<Name>,
    use: (properties: Office.CustomProperties) => void,
  ) =>
    composed().loadCustomPropertiesAsync((result) => {
      if (result.status !== office.AsyncResultStatus.Succeeded) {
        return done({ ok: false, error: asError(result.error) })
      }
      try {
        use(result.value)
      } catch (error) {
        // An error thrown in the library's own callback would be lost.
        done({ ok: false, error: asError(error) })
      }
    })

  const calls: { readonly [Name in CallName]: SendCall<Name> } = {
    'body.getAsync': ({ coercionType }, done) =>
      composed().body.getAsync(
        coercionType,
        answering(done, (body: string) => body),
      ),
    'body.getTypeAsync': (_, done) =>
      composed().body.getTypeAsync(
        answering(done, (type) => (type === office.CoercionType.Html ? 'html' : 'text')),
      ),
    'body.setAsync': ({ data, coercionType }, done) =>
      composed().body.setAsync(data, { coercionType }, answering(done, nothing)),
    'body.setSignatureAsync': ({ data, coercionType }, done) =>
      composed().body.setSignatureAsync(data, { coercionType }, answering(done, nothing)),
    getComposeTypeAsync: (_, done) =>
      composed().getComposeTypeAsync(
        answering(done, ({ composeType, coercionType }: CallResult<'getComposeTypeAsync'>) => ({
          composeType,
          coercionType,
        })),
      ),
    getItemIdAsync: (_, done) => composed().getItemIdAsync(answering(done, same)),
    'from.getAsync': (_, done) => addressed().from.getAsync(answering(done, address)),
    'to.getAsync': (_, done) => addressed().to.getAsync(answering(done, addresses)),
    'cc.getAsync': (_, done) => addressed().cc.getAsync(answering(done, addresses)),
    addFileAttachmentFromBase64Async: ({ base64File, attachmentName, isInline }, done) =>
      composed().addFileAttachmentFromBase64Async(
        base64File,
        attachmentName,
        { isInline },
        answering(done, same),
      ),
    getAttachmentsAsync: (_, done) =>
      composed().getAttachmentsAsync(
        answering(
          done,
          // Older versions of Outlook do not give the content id.
          (list: readonly (Omit<Office.AttachmentDetailsCompose, 'contentId'> & { contentId?: string })[]) =>
            list.map(({ id, name, size, isInline, contentId }): AttachmentDetails => ({
              id,
              name,
              size,
              isInline,
              contentId: contentId ?? null,
            })),
        ),
      ),
    removeAttachmentAsync: ({ attachmentId }, done) =>
      composed().removeAttachmentAsync(attachmentId, answering(done, nothing)),
    'notificationMessages.replaceAsync': ({ key, notice }, done) =>
      composed().notificationMessages.replaceAsync(key, toDetails(notice), answering(done, nothing)),
    'notificationMessages.removeAsync': ({ key }, done) =>
      composed().notificationMessages.removeAsync(key, answering(done, nothing)),
    loadCustomPropertiesAsync: (_, done) =>
      withProperties(done, (properties) =>
        done({ ok: true, value: properties.getAll() as Readonly<Record<string, unknown>> }),
      ),
    'customProperties.saveAsync': ({ properties }, done) => {
      const key = currentItem()?.key
      withProperties(done, (kept) => {
        if (currentItem()?.key !== key) return done({ ok: false, error: OTHER_ITEM })
        for (const name of Object.keys(kept.getAll() as object)) {
          if (!Object.hasOwn(properties, name)) kept.remove(name)
        }
        // Outlook stores any plain value, but the types allow only strings.
        for (const [name, value] of Object.entries(properties)) kept.set(name, value as string)
        kept.saveAsync(answering(done, nothing))
      })
    },
    'sessionData.getAsync': ({ name }, done) => composed().sessionData.getAsync(name, answering(done, same)),
    'sessionData.getAllAsync': (_, done) =>
      composed().sessionData.getAllAsync(
        answering(
          done,
          // Without session data Outlook answers with the text `{}`, not with an object.
          (all: object | string) =>
            (typeof all === 'string' ? JSON.parse(all) : all) as Readonly<Record<string, string>>,
        ),
      ),
    'sessionData.setAsync': ({ name, value }, done) =>
      composed().sessionData.setAsync(name, value, answering(done, nothing)),
    isClientSignatureEnabledAsync: (_, done) =>
      composed().isClientSignatureEnabledAsync(answering(done, same)),
    disableClientSignatureAsync: (_, done) =>
      composed().disableClientSignatureAsync(answering(done, nothing)),
    'roamingSettings.saveAsync': ({ name, value }, done) => {
      const { roamingSettings: settings } = office.context
      settings.set(name, value)
      settings.saveAsync(answering(done, nothing))
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
        accountType: mailbox.userProfile.accountType,
        displayName: mailbox.userProfile.displayName,
        emailAddress: mailbox.userProfile.emailAddress,
        timeZone: mailbox.userProfile.timeZone,
      },
      displayLanguage,
      diagnostics: diagnostics
        ? { version: diagnostics.version, platform: String(diagnostics.platform) }
        : null,
      roamingSettings: Object.fromEntries(
        ROAMING_SETTINGS.map((name) => [name, roamingSettings?.get(name) as unknown]),
      ),
      requirementSets: Object.fromEntries(
        Object.entries(REQUIREMENT_SETS).flatMap(([name, versions]) => {
          const highest = versions.find((version) => requirements.isSetSupported(name, version))
          return highest === undefined ? [] : [[name, highest]]
        }),
      ),
    },
    currentItem,
    // The theme is missing for add-ins that Outlook starts by itself, contrary to the types.
    theme: () => following?.theme() ?? (office.context as { officeTheme?: OfficeTheme }).officeTheme ?? null,
    on(event, listener) {
      listeners[event].add(listener)
      if (event === 'RecipientsChanged') following?.followRecipients()
      return () => listeners[event].delete(listener)
    },
    call: (name, args, done) => calls[name](args, done),
  }
}
