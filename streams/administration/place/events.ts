import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { open } from '../../kernel/field.ts'

/** The administrator's place in the page: the path in the hash of the page's address. */
export const Place = defineEvents('place', {
  linkFollowed: gesture({ to: open<string>() }),
  /** The address of the page is this path now. */
  changed: fact({ path: open<string>() }),
  /** A signed-in administrator is in an area that their roles allow, so the data of the area is loaded. */
  entered: fact({ path: open<string>() }),
  /** The administrator asks to load what could not be loaded. */
  retryRequested: gesture({}),
})
