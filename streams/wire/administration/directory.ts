/** The request of the call about the directory. */
import { flag, object } from '../../kernel/schema.ts'

export const syncWanted = object({
  /** A dry run: only reports what would change. */
  try: flag,
  /** Approves any number of deactivations. */
  retire: flag,
})
