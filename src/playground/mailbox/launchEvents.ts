import type { LaunchKind } from '../../../streams/launch/events.ts'
import type { Address } from '../../engine/hosts/mailClient.ts'
import type { HandlerName } from '../../launch/launchGlobal.ts'
import { type MailboxAction, isInCalendar, type MailboxState, openItem } from './model.ts'
import { raisesMeetingEvents, raisesForwardedMeetingEvents, raisesOrganizerChanged } from './profiles.ts'

// Maps user actions to launch events. Outlook starts an add-in for an event even without a pane.

/**
 * An event for which Outlook starts the add-in. `item` is the id of its item. `data` has the fields that the handler
 * gets besides `completed`; its `type` is the name of the handler.
 */
export type LaunchEvent = Readonly<{
  kind: LaunchKind
  item: string
  data: Readonly<Record<string, unknown>> & Readonly<{ type: HandlerName }>
}>

/** Repeats the event as often as this client raises it: never, once or twice. */
const raise = ({ quirks }: MailboxState, event: LaunchEvent): readonly LaunchEvent[] => {
  if (quirks.includes('raisesNothing')) return []
  return quirks.includes('raisesTwice') ? [event, event] : [event]
}

/** The event for the open message, as if the user had just begun it; no event for a received message. */
export const newMessageEvents = (state: MailboxState): readonly LaunchEvent[] => {
  const item = openItem(state)
  if (item?.mode !== 'compose') return []
  const original = state.items.find(({ id }) => id === item.answers)
  if (
    item.kind === 'forward' &&
    original &&
    isInCalendar(original) &&
    !raisesForwardedMeetingEvents(state.profile)
  )
    return []
  if (item.kind !== 'meeting')
    return raise(state, { kind: 'newMessage', item: item.id, data: { type: 'onNewMessageCompose' } })
  return item.isSaved || !raisesMeetingEvents(state.profile) || state.isPhone
    ? []
    : raise(state, { kind: 'newMessage', item: item.id, data: { type: 'onNewAppointmentOrganizer' } })
}

const isSame = (some: readonly Address[], others: readonly Address[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)

/**
 * The events that an action raises. Reopening a draft raises no event. Choosing a sender raises an event, even if the
 * sender stays the same. Each changed recipient list raises its own event.
 */
export function launchEventsOf(
  before: MailboxState,
  action: MailboxAction,
  after: MailboxState,
): readonly LaunchEvent[] {
  const item = openItem(after)
  if (item?.mode !== 'compose') return []
  const former = before.items.find(({ id }) => id === item.id)
  if (!former) return newMessageEvents(after)
  const isMeeting = item.kind === 'meeting'
  if (isMeeting && (!raisesMeetingEvents(after.profile) || after.isPhone)) return []
  switch (action.type) {
    case 'setFrom':
      if (isMeeting && !raisesOrganizerChanged(after.profile)) return []
      return raise(after, {
        kind: 'fromChanged',
        item: item.id,
        data: { type: isMeeting ? 'onAppointmentFromChanged' : 'onMessageFromChanged' },
      })
    case 'setRecipients':
      return (['to', 'cc'] as const)
        .filter((field) => !isSame(former[field], item[field]))
        .flatMap((field) =>
          raise(after, {
            kind: 'recipientsChanged',
            item: item.id,
            data: isMeeting
              ? {
                  type: 'onAppointmentAttendeesChanged',
                  changedRecipientFields: {
                    requiredAttendees: field === 'to',
                    optionalAttendees: field === 'cc',
                    resources: false,
                  },
                }
              : {
                  type: 'onMessageRecipientsChanged',
                  changedRecipientFields: { to: field === 'to', cc: field === 'cc', bcc: false },
                },
          }),
        )
    case 'send':
      return before.leaving === null && after.leaving !== null
        ? [{ kind: 'send', item: item.id, data: { type: 'onMessageSend' } }]
        : []
    default:
      return []
  }
}
