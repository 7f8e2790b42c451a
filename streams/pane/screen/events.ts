import { defineEvents, fact } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField } from '../../kernel/field.ts'

/**
 * The reason why the screen loads now. `told`: the mail client has the signature. `noneDue`: no automatic insertion is
 * due. `person`: the user must act. `late`: the time limit has passed.
 */
export type ScreenReason = 'told' | 'noneDue' | 'person' | 'late'

/**
 * The user interface: React, the views and texts. Its code loads late, so that it does not delay the first signature.
 */
export const Screen = defineEvents('screen', {
  due: fact({ reason: openField<ScreenReason>() }),
  loaded: fact({}),
  loadFailed: fact({ failure: failureField }),
})
