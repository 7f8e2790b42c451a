import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { open } from '../../kernel/field.ts'

/** Where in the administration page the administrator is: the path in the hash of its address. */
export const Place = defineEvents('place', {
  linkFollowed: gesture({ to: open<string>() }),
  /** The address of the page is this path now. */
  changed: fact({ path: open<string>() }),
  /** A signed-in administrator came to the path of an area that their roles allow: its loads begin. */
  entered: fact({ path: open<string>() }),
  /** The administrator asks to load what could not be loaded. */
  retryRequested: gesture({}),
})
