import type { Notifications } from './events.ts'
import type { Mailbox } from '../../message/mailbox/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'

/** `shownIn` is the key of the item that shows a notice from this pane; null when no item does. */
export type NotificationsState = Readonly<{ shownIn: string | null }>

export const notifications = defineSlice<NotificationsState, typeof Mailbox | typeof Notifications>()(
  { shownIn: null },
  {
    'notifications/shown': (state, { data: { itemKey } }) => withChanges(state, { shownIn: itemKey }),
    'notifications/dismissed': (state) => withChanges(state, { shownIn: null }),
    'mailbox/itemChanged': (state) => withChanges(state, { shownIn: null }),
  },
)
