import { defineEvents, fact } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open } from '../../kernel/field.ts'

/**
 * Why the screen loads now. `told`: the mail client has the signature. `noneDue`: no automatic insertion is due.
 * `person`: the user must act. `late`: the time limit is over.
 */
export type ScreenReason = 'told' | 'noneDue' | 'person' | 'late'

/**
 * The screen is what the user sees: React, the views and their texts. Its code is loaded late, so that it does not
 * delay the first signature.
 */
export const Screen = defineEvents('screen', {
  due: fact({ reason: open<ScreenReason>() }),
  loaded: fact({}),
  loadFailed: fact({ failure: failureField }),
})
