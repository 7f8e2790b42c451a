import { defineEvents, fact } from '../../kernel/event.ts'
import { open } from '../../kernel/field.ts'
import type { PageName } from '../router/routes.ts'

const page = open<PageName>()

/** The code of a page is a chunk of its own. It is loaded when a route needs it. */
export const Chunks = defineEvents('chunks', {
  loaded: fact({ page }),
  /** Loading the chunk takes long, so the loading page is shown. */
  slow: fact({ page }),
  /** Loading the chunk failed or timed out. The next visit to the page retries it. */
  timedOut: fact({ page }),
})
