/// <reference types="office-js" />
import type { OfficeTheme } from './mailClient.ts'
import { asError, type Follow } from './officeClient.ts'

/** Follows the open item, its recipients and the theme through Microsoft's library. */
export const followOffice: Follow = (office, log, { currentItem, hasListeners, emit, isAnotherItem }) => {
  const { mailbox, requirements } = office.context
  /** The key of the item whose recipients are followed. */
  let followed: string | null = null

  /** Outlook's event for recipients belongs to one item, so each item needs its own handler. */
  const followRecipients = () => {
    const item = currentItem()
    if (!hasListeners('RecipientsChanged') || item?.mode !== 'compose' || item.key === followed) return
    followed = item.key
    const failed = (error: unknown) => {
      if (followed === item.key) followed = null
      log.warn('recipients_not_followed', { code: asError(error).code })
    }
    try {
      ;(mailbox.item as unknown as Office.MessageCompose).addHandlerAsync(
        office.EventType.RecipientsChanged,
        () => emit('RecipientsChanged'),
        (result) => {
          if (result.status !== office.AsyncResultStatus.Succeeded) failed(result.error)
        },
      )
    } catch (error) {
      // An older Outlook throws, because it lacks this event. It must still report the next item.
      failed(error)
    }
  }

  let changedTheme: OfficeTheme | null = null
  // Without this check, the library would throw in an older Outlook, which does not know the event.
  if (requirements.isSetSupported('Mailbox', '1.14'))
    mailbox.addHandlerAsync(
      office.EventType.OfficeThemeChanged,
      ({ officeTheme }: Office.OfficeThemeChangedEventArgs) => {
        changedTheme = officeTheme
        emit('OfficeThemeChanged')
      },
      (result) => {
        if (result.status !== office.AsyncResultStatus.Succeeded)
          log.warn('theme_not_followed', { code: asError(result.error).code })
      },
    )
  mailbox.addHandlerAsync(
    office.EventType.ItemChanged,
    () => {
      isAnotherItem()
      followRecipients()
      emit('ItemChanged')
    },
    (result) => {
      if (result.status !== office.AsyncResultStatus.Succeeded)
        log.warn('item_not_followed', { code: asError(result.error).code })
    },
  )
  return { theme: () => changedTheme, followRecipients }
}
