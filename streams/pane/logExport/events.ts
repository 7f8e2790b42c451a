import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'

export const LogExport = defineEvents('logExport', {
  /** The user wants the log of this pane as a file. */
  requested: gesture({}),
  saved: fact({}),
  failed: fact({ failure: failureField }),
})
