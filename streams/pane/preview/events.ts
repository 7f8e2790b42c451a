import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { shape } from '../../kernel/field.ts'

export const Preview = defineEvents('preview', {
  /** The user copies the shown readability issues of a signature. */
  copyRequested: gesture({ text: shape<string>()('text') }),
  copied: fact({}),
  copyFailed: fact({ failure: failureField }),
})
