import type { Address, BodyType, MailItem, NotificationMessage } from '../../engine/hosts/mailClient.ts'
import { checkedNotice, checkedText, lastArguments, NOTICE_LIMITS } from './facadeArguments.ts'
import { LIBRARY_ENUMS, type FacadeCalls } from './facadeCalls.ts'

// Like the library, this passes on the client's answer unchecked.
const details = (given: unknown) => {
  if (typeof given !== 'object' || given === null) return given
  const { address, name } = given as Partial<Address>
  return {
    emailAddress: address,
    displayName: name,
    recipientType: LIBRARY_ENUMS.MailboxEnums.RecipientType.User,
  }
}
const eachOf = (map: (value: unknown) => unknown) => (given: unknown) =>
  Array.isArray(given) ? given.map(map) : given
const coercionOf = (rest: readonly unknown[]): BodyType =>
  lastArguments(rest).options['coercionType'] === LIBRARY_ENUMS.CoercionType.Html ? 'html' : 'text'

/**
 * Returns a function that creates the library's item object, `Office.context.mailbox.item`.
 *
 * @param isOpen whether the item with this key is open
 */
export function createFacadeItems(
  { invoke, follow, plain }: FacadeCalls,
  isOpen: (key: string) => boolean,
): (item: MailItem) => object {
  const customProperties = (stored: unknown) => {
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored
    const properties = new Map<string, unknown>(Object.entries(stored))
    return {
      get: (name: string) => properties.get(name),
      set: (name: string, value: unknown) => void properties.set(name, value),
      remove: (name: string) => void properties.delete(name),
      getAll: () => Object.fromEntries(properties),
      saveAsync: (...rest: readonly unknown[]) =>
        invoke('customProperties.saveAsync', { properties: Object.fromEntries(properties) }, rest),
    }
  }

  const recipientsOf = (name: 'to.getAsync' | 'cc.getAsync') => ({ getAsync: plain(name, eachOf(details)) })
  const writing =
    (name: 'body.setAsync' | 'body.setSignatureAsync') =>
    (data: string, ...rest: readonly unknown[]) =>
      invoke(name, { data: checkedText(data, 'data'), coercionType: coercionOf(rest) }, rest)

  const composed = (key: string) => ({
    // In a draft, `subject` is an object.
    subject: {},
    body: {
      getAsync: (coercionType: BodyType, ...rest: readonly unknown[]) =>
        invoke('body.getAsync', { coercionType }, rest),
      getTypeAsync: plain('body.getTypeAsync'),
      setAsync: writing('body.setAsync'),
      setSignatureAsync: writing('body.setSignatureAsync'),
    },
    getItemIdAsync: plain('getItemIdAsync'),
    addFileAttachmentFromBase64Async: (
      base64File: string,
      attachmentName: string,
      ...rest: readonly unknown[]
    ) =>
      invoke(
        'addFileAttachmentFromBase64Async',
        {
          base64File: checkedText(base64File, 'base64File'),
          attachmentName: checkedText(attachmentName, 'attachmentName'),
          isInline: lastArguments(rest).options['isInline'] === true,
        },
        rest,
      ),
    getAttachmentsAsync: plain(
      'getAttachmentsAsync',
      eachOf((given) =>
        typeof given === 'object' && given !== null ? { ...given, attachmentType: 'file' } : given,
      ),
    ),
    removeAttachmentAsync: (attachmentId: string, ...rest: readonly unknown[]) =>
      invoke('removeAttachmentAsync', { attachmentId: checkedText(attachmentId, 'attachmentId') }, rest),
    isClientSignatureEnabledAsync: plain('isClientSignatureEnabledAsync'),
    disableClientSignatureAsync: plain('disableClientSignatureAsync'),
    sessionData: {
      getAsync: (name: string, ...rest: readonly unknown[]) =>
        invoke('sessionData.getAsync', { name: checkedText(name, 'name') }, rest),
      // Without session data, Outlook answers with the text `{}`, not an object.
      getAllAsync: plain('sessionData.getAllAsync', (all) => (JSON.stringify(all) === '{}' ? '{}' : all)),
      setAsync: (name: string, value: string, ...rest: readonly unknown[]) =>
        invoke(
          'sessionData.setAsync',
          { name: checkedText(name, 'name'), value: checkedText(value, 'value') },
          rest,
        ),
    },
    // The handler is registered for this item only, so it gets no events once another item is open.
    addHandlerAsync: (type: unknown, handler: (event: object) => void, ...rest: readonly unknown[]) =>
      follow(type, handler, rest, () => isOpen(key)),
    ...ofAnyItem,
  })
  const composedMessage = (key: string) => ({
    ...composed(key),
    itemType: 'message',
    // A message has no conversation until it is saved.
    conversationId: null,
    getComposeTypeAsync: plain('getComposeTypeAsync'),
    from: { getAsync: plain('from.getAsync', details) },
    to: recipientsOf('to.getAsync'),
    cc: recipientsOf('cc.getAsync'),
  })
  /** A meeting has no conversation, sender or kind. */
  const composedMeeting = (key: string) => ({
    ...composed(key),
    itemType: 'appointment',
    organizer: { getAsync: plain('from.getAsync', details) },
    requiredAttendees: recipientsOf('to.getAsync'),
    optionalAttendees: recipientsOf('cc.getAsync'),
  })
  const ofAnyItem = {
    notificationMessages: {
      replaceAsync: (key: string, notice: NotificationMessage, ...rest: readonly unknown[]) =>
        invoke(
          'notificationMessages.replaceAsync',
          { key: checkedText(key, 'key', NOTICE_LIMITS.key), notice: checkedNotice(notice) },
          rest,
        ),
      removeAsync: (key: string, ...rest: readonly unknown[]) =>
        invoke('notificationMessages.removeAsync', { key: checkedText(key, 'key', NOTICE_LIMITS.key) }, rest),
    },
    loadCustomPropertiesAsync: plain('loadCustomPropertiesAsync', customProperties),
  }
  const received = (key: string, itemType: 'message' | 'appointment') => ({
    subject: '',
    itemId: key,
    itemType,
    ...ofAnyItem,
  })
  return ({ key, mode, isMeeting }) => {
    if (mode === 'read') return received(key, isMeeting ? 'appointment' : 'message')
    return isMeeting ? composedMeeting(key) : composedMessage(key)
  }
}
