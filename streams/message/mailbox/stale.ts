import { type Event, isEventOf } from '../../kernel/event.ts'
import { Mailbox } from './events.ts'
import type { MailboxState } from './reducer.ts'

/** Whether an event concerns an item that is no longer open. Such an event must not change the state. */
export const isStaleEvent = (
  { mailbox }: Readonly<{ mailbox: Pick<MailboxState, 'item'> }>,
  event: Event,
): boolean => isEventOf(Mailbox.messageRead, event) && event.data.itemKey !== mailbox.item?.key
