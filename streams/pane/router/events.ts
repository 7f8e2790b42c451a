import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { open } from '../../kernel/field.ts'

/** A path inside the pane, such as `/app/signatures/main`; hash mode: it follows `#` in the address. */
export type Path = string

export const Router = defineEvents('router', {
  navigationRequested: gesture({ to: open<Path>() }),
  /** The address of the pane is this path now. */
  navigated: fact({ path: open<Path>() }),
})
