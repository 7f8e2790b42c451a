import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { redactedField } from '../../kernel/field.ts'

export const Preview = defineEvents('preview', {
  /** The user copies the shown readability issues of a signature. */
  copyRequested: gesture({ text: redactedField<string>()('text') }),
  copied: fact({}),
  copyFailed: fact({ failure: failureField }),
})
