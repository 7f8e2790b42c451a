import type { LoggedEvent } from '../../pane/events.ts'
import type { MailboxState } from './reducer.ts'

/** Whether an event is about an item that is no longer open, and changes nothing. */
export const isStale = (
  { mailbox }: Readonly<{ mailbox: Pick<MailboxState, 'item'> }>,
  event: LoggedEvent,
): boolean => event.type === 'mailbox/messageRead' && event.data.itemKey !== mailbox.item?.key
