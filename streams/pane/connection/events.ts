import { defineEvents, fact } from '../../kernel/event.ts'
import { open } from '../../kernel/field.ts'

export const Connection = defineEvents('connection', {
  /** The browser lost or regained its network, or the service gave no answer, or the first answer after that. */
  changed: fact({ isLost: open<boolean>() }),
})
