/// <reference types="office-js" />
import type {
  CallArguments,
  CallError,
  CallName,
  CallReply,
  MailItem,
  NotificationMessage,
} from './mailClient.ts'

/** Microsoft's client library, as the global `Office`. */
export type OfficeLibrary = typeof Office

/** The icon of a notice: the id of an image in the manifest's resources. Without an icon, Outlook shows no notice. */
export const NOTICE_ICON = 'icon16'

type Done = (reply: CallReply<unknown>) => void
/** A function for each call of a mail client. */
type OfficeCalls = {
  readonly [Name in CallName]: (args: CallArguments<Name>, done: Done) => void
}

const OTHER_ITEM: CallError = {
  code: 9030,
  name: 'APICallFailedDueToItemChange',
  message: 'The selected item has been changed.',
}

/** Converts a notice to the library's form. */
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

export const toCallError = (error: unknown): CallError => {
  const { code, name, message } = (error ?? {}) as Readonly<Record<keyof CallError, unknown>>
  return {
    code: typeof code === 'number' ? code : 0,
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : '',
  }
}

/** Converts the library's result to a reply. A result without a status is a failure. */
export const toCallReply = (office: OfficeLibrary, result: unknown): CallReply<unknown> => {
  const { status, value, error } = (result ?? {}) as Partial<Office.AsyncResult<unknown>>
  return status === office.AsyncResultStatus.Succeeded
    ? { ok: true, value }
    : { ok: false, error: toCallError(error) }
}

/** Whether the item is a meeting. An item of an unknown type is a meeting if it has attendees. */
export const isMeetingItem = (item: Readonly<{ itemType?: unknown }>) =>
  item.itemType === 'appointment' || (item.itemType !== 'message' && 'requiredAttendees' in item)

/**
 * Creates a mail client's calls, made with Microsoft's library. Each call reads `mailbox.item` again, because an old
 * item object would write to the item that is open by then.
 */
export function createOfficeCalls(office: OfficeLibrary, currentItem: () => MailItem | null): OfficeCalls {
  const { mailbox } = office.context
  const composed = () => mailbox.item as unknown as Office.MessageCompose
  /** The sender and the recipients of the item; in a meeting, the organiser and the attendees. */
  const addressed = (): Readonly<{
    from: Office.From | Office.Organizer
    to: Office.Recipients
    cc: Office.Recipients
  }> => {
    const item = composed()
    if (!isMeetingItem(item)) return item
    const { organizer, requiredAttendees, optionalAttendees } =
      mailbox.item as unknown as Office.AppointmentCompose
    return { from: organizer, to: requiredAttendees, cc: optionalAttendees }
  }
  /**
   * Passes the library's result on as a reply. `map` must accept any value, because the library does not check answers.
   */
  const answering =
    (done: Done, map: (value: unknown) => unknown = (value) => value) =>
    (result: unknown) => {
      const reply = toCallReply(office, result)
      done(reply.ok ? { ok: true, value: map(reply.value) } : reply)
    }
  const address = (given: unknown) => {
    const { emailAddress, displayName } = (given ?? {}) as Partial<Office.EmailAddressDetails>
    return { address: emailAddress, name: displayName }
  }
  const addresses = (given: unknown) => (Array.isArray(given) ? given.map(address) : given)

  const withProperties = (done: Done, use: (properties: Office.CustomProperties) => void) =>
    composed().loadCustomPropertiesAsync((result: unknown) => {
      const reply = toCallReply(office, result)
      if (!reply.ok) return done(reply)
      try {
        use(reply.value as Office.CustomProperties)
      } catch (error) {
        // An error thrown in the library's own callback would be lost.
        done({ ok: false, error: toCallError(error) })
      }
    })

  return {
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
        (error: unknown) => done({ ok: false, error: toCallError(error) }),
      )
    },
  }
}
