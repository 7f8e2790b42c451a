import { defineEvents, fact } from '../../kernel/event.ts'
import { id, shape } from '../../kernel/field.ts'

/** A notice in the mail item itself, for a user who does not look at the pane. */
export type Notice = Readonly<{ kind: 'defaultNotInserted'; signature: string }>

export const Notifications = defineEvents('notifications', {
  shown: fact({ itemKey: id('item'), notice: shape<Notice>()('notice') }),
  dismissed: fact({ itemKey: id('item') }),
})
