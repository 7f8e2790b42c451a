import { defineEvents, fact } from '../../kernel/event.ts'
import { openField } from '../../kernel/field.ts'

export const Connection = defineEvents('connection', {
  /** The connection changed: the browser lost or regained its network, or the service stopped or resumed answering. */
  changed: fact({ isLost: openField<boolean>() }),
})
