import { data, defineEvents, type EventOf } from '../kernel/event.ts'

/** What is told in the mail item itself, for a person who does not look at the pane. */
export type Notice = Readonly<{ kind: 'defaultNotInserted'; signature: string }>

export const Notifications = defineEvents('notifications', {
  shown: data<{ itemKey: string; notice: Notice }>(),
  dismissed: data<{ itemKey: string }>(),
})
export type NotificationsEvent = EventOf<typeof Notifications>
