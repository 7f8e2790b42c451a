import { defineEvents, fact } from '../../kernel/event.ts'
import { openField } from '../../kernel/field.ts'
import type { PageName } from '../router/routes.ts'

const page = openField<PageName>()

/** Each page's code is a separate chunk, which is loaded when a route needs it. */
export const Chunks = defineEvents('chunks', {
  loaded: fact({ page }),
  /** The chunk loads slowly, so the loading page is shown. */
  slow: fact({ page }),
  /** Loading the chunk failed or timed out. The next visit to the page retries it. */
  timedOut: fact({ page }),
})
