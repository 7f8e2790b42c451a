import type { LaunchKind } from '../../../streams/launch/events.ts'
import type { Address } from '../../engine/hosts/mailClient.ts'
import { type Action, type MailboxState, openItem } from './model.ts'

// Which act of the user raises which launch event: what Outlook starts an add-in for, also without its pane.

/** `item` is the id of the message that the event is about, `data` what the handler's event has besides. */
export type LaunchEvent = Readonly<{
  kind: LaunchKind
  item: string
  data: Readonly<Record<string, unknown>>
}>

/** The event as often as this client raises it: not at all, once or twice. */
const raise = ({ quirks }: MailboxState, event: LaunchEvent): readonly LaunchEvent[] => {
  if (quirks.includes('raisesNothing')) return []
  return quirks.includes('raisesTwice') ? [event, event] : [event]
}

/** The event of the open message, as if the user had just begun it; none for a received one. */
export const beginningOf = (state: MailboxState): readonly LaunchEvent[] => {
  const item = openItem(state)
  if (item?.mode !== 'compose') return []
  return raise(state, { kind: 'newMessage', item: item.id, data: { type: 'onNewMessageCompose' } })
}

const isSame = (some: readonly Address[], others: readonly Address[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)

/**
 * What an action raises, by the mailbox before and after it. A draft that is opened again raises nothing, the same
 * sender again raises an event, and each list of recipients that changed one of its own.
 */
export function launchEventsOf(
  before: MailboxState,
  action: Action,
  after: MailboxState,
): readonly LaunchEvent[] {
  const item = openItem(after)
  if (item?.mode !== 'compose') return []
  const former = before.items.find(({ id }) => id === item.id)
  if (!former) return beginningOf(after)
  switch (action.type) {
    case 'setFrom':
      return raise(after, { kind: 'fromChanged', item: item.id, data: { type: 'onMessageFromChanged' } })
    case 'setRecipients':
      return (['to', 'cc'] as const)
        .filter((field) => !isSame(former[field], item[field]))
        .flatMap((field) =>
          raise(after, {
            kind: 'recipientsChanged',
            item: item.id,
            data: {
              type: 'onMessageRecipientsChanged',
              changedRecipientFields: { to: field === 'to', cc: field === 'cc', bcc: false },
            },
          }),
        )
    default:
      return []
  }
}
