import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { openField } from '../../kernel/field.ts'

/** A path inside the pane, such as `/app/signatures/main`. In the address, it follows `#`. */
export type Path = string

export const Router = defineEvents('router', {
  navigationRequested: gesture({ to: openField<Path>() }),
  /** The pane is at this path now. */
  navigated: fact({ path: openField<Path>() }),
})
