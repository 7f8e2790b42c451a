import { defineEvents, fact } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open } from '../../kernel/field.ts'

/**
 * Why the screen loads now. `told`: the mail client has the signature. `noneDue`: no automatic insertion is due.
 * `person`: the user must act. `late`: the time limit is over.
 */
export type ScreenReason = 'told' | 'noneDue' | 'person' | 'late'

/** What the user sees: React, the views and texts. Its code loads late, so as not to delay the first signature. */
export const Screen = defineEvents('screen', {
  due: fact({ reason: open<ScreenReason>() }),
  loaded: fact({}),
  loadFailed: fact({ failure: failureField }),
})
