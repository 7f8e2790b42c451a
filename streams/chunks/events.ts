import { defineEvents, fact } from '../kernel/event.ts'
import { open } from '../kernel/field.ts'
import type { PageName } from '../router/routes.ts'

const page = open<PageName>()

/** The code of a page is a chunk of its own. It is loaded when a route needs it. */
export const Chunks = defineEvents('chunks', {
  loaded: fact({ page }),
  /** It takes longer than a user waits without wondering. */
  slow: fact({ page }),
  /** It could not be loaded, or not in time; the next visit tries again. */
  timedOut: fact({ page }),
})
