/// <reference types="office-js" />
import { toCallError, toCallReply } from './officeCalls.ts'
import type { FollowOutlook } from './officeClient.ts'

/** Follows the open item, its recipients and the theme through Microsoft's library. */
export const followOffice: FollowOutlook = (
  office,
  log,
  { currentItem, hasListeners, emit, isAnotherItem },
) => {
  const { mailbox } = office.context
  // The requirements may be missing, contrary to the types.
  const { requirements } = office.context as Partial<Office.Context>
  /** The key of the item whose recipients are followed. */
  let followed: string | null = null

  /** Outlook's event for recipients belongs to one item, so each item needs its own handler. */
  const followRecipients = () => {
    const item = currentItem()
    if (!hasListeners('RecipientsChanged') || item?.mode !== 'compose' || item.key === followed) return
    followed = item.key
    const failed = (error: unknown) => {
      if (followed === item.key) followed = null
      log.warn('recipients_not_followed', { code: toCallError(error).code })
    }
    try {
      ;(mailbox.item as unknown as Office.MessageCompose).addHandlerAsync(
        office.EventType.RecipientsChanged,
        () => emit('RecipientsChanged'),
        (result: unknown) => {
          const reply = toCallReply(office, result)
          if (!reply.ok) failed(reply.error)
        },
      )
    } catch (error) {
      // An older Outlook throws, because it lacks this event. The next item must still be reported.
      failed(error)
    }
  }

  /** Logs that an event could not be followed. */
  const unlessFollowed = (action: string) => (result: unknown) => {
    const reply = toCallReply(office, result)
    if (!reply.ok) log.warn(action, { code: reply.error.code })
  }

  let changedTheme: unknown = null
  // Without this check, the library would throw in an older Outlook, which lacks the event.
  if (requirements?.isSetSupported('Mailbox', '1.14'))
    mailbox.addHandlerAsync(
      office.EventType.OfficeThemeChanged,
      (event: Office.OfficeThemeChangedEventArgs | null | undefined) => {
        changedTheme = event?.officeTheme
        emit('OfficeThemeChanged')
      },
      unlessFollowed('theme_not_followed'),
    )
  mailbox.addHandlerAsync(
    office.EventType.ItemChanged,
    () => {
      isAnotherItem()
      followRecipients()
      emit('ItemChanged')
    },
    unlessFollowed('item_not_followed'),
  )
  return { theme: () => changedTheme, followRecipients }
}
