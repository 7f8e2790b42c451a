import { defineEvents, fact } from '../../kernel/event.ts'
import { idField, redactedField } from '../../kernel/field.ts'

/**
 * A notice inside the mail item, for a user who does not look at the pane. `signature` is the name of the default,
 * empty while unknown; `reply`: the reply version was due.
 */
export type Notice = Readonly<{ kind: 'defaultNotInserted'; signature: string; reply: boolean }>

export const Notifications = defineEvents('notifications', {
  shown: fact({ itemKey: idField('item'), notice: redactedField<Notice>()('notice') }),
  dismissed: fact({ itemKey: idField('item') }),
})
