import { defineEvents, fact } from '../../kernel/event.ts'
import { id, shape } from '../../kernel/field.ts'

/**
 * A notice inside the mail item, for a user who does not look at the pane. `signature` is the name of the default,
 * empty while unknown; `reply`: the reply version was due.
 */
export type Notice = Readonly<{ kind: 'defaultNotInserted'; signature: string; reply: boolean }>

export const Notifications = defineEvents('notifications', {
  shown: fact({ itemKey: id('item'), notice: shape<Notice>()('notice') }),
  dismissed: fact({ itemKey: id('item') }),
})
