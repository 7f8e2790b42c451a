import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { shape } from '../../kernel/field.ts'

export const Preview = defineEvents('preview', {
  /** The user wants what is hard to read in a signature in the clipboard, as it is shown. */
  copyRequested: gesture({ text: shape<string>()('text') }),
  copied: fact({}),
  copyFailed: fact({ failure: failureField }),
})
