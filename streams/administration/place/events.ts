import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { openField } from '../../kernel/field.ts'

/** The administrator's place in the page: the path in the hash of the page's address. */
export const Place = defineEvents('place', {
  linkFollowed: gesture({ to: openField<string>() }),
  /** The page's address changed to this path. */
  changed: fact({ path: openField<string>() }),
  /** A signed-in administrator is in an area that their roles allow, so the data of the area is loaded. */
  entered: fact({ path: openField<string>() }),
  /** The administrator retries the loads that failed. */
  retryRequested: gesture({}),
})
