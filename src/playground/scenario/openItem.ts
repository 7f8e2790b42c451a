import type { Mailbox } from '../mailbox/mailbox.ts'
import { isInCalendar, type MailboxState, openItem } from '../mailbox/model.ts'
import { nextHalfHour } from '../mailClient/when.ts'

const NEW_MEETING = 'meeting'

/** The open item's name in a scenario; null for a new message, or for an item that a fresh mailbox lacks. */
export function openItemName(state: MailboxState, initial: MailboxState): string | null {
  const item = openItem(state)
  if (!item) return 'none'
  if (item.mode === 'compose' && !isInCalendar(item)) {
    if (item.kind === 'meeting') return NEW_MEETING
    return item.answers === undefined ? null : `${item.kind}:${item.answers}`
  }
  return initial.items.some(({ id }) => id === item.id) ? item.id : null
}

/** Opens the item with this name from `openItemName`. */
export function openItemNamed(mailbox: Mailbox, open: string): void {
  const [kind, message] = open.split(':', 2)
  if (open === 'none') mailbox.act({ type: 'switchTo', id: null })
  else if (open === NEW_MEETING) mailbox.act({ type: 'newMeeting', when: nextHalfHour(Date.now()) })
  else if (message === undefined) mailbox.act({ type: 'switchTo', id: open })
  else if (kind === 'reply' || kind === 'forward') mailbox.act({ type: kind, message })
}
