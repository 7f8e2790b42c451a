import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open } from '../../kernel/field.ts'
import type { Progress } from '../../kernel/progress.ts'
import type { WorkKind } from './rules.ts'

/** One work: its kind, and the `seq` of the event that asked for it. */
const work = { kind: open<WorkKind>(), asked: open<number>() }

/** Work of the service that takes long: how far it is, and to stop it. */
export const Work = defineEvents('work', {
  /** The work takes so long that the page shows how far it is. */
  lasted: fact(work),
  counted: fact({ ...work, progress: open<Progress>() }),
  stopRequested: gesture(work),
  /** The service stops the work at the next place where that is safe. */
  stopTaken: fact(work),
  stopFailed: fact({ ...work, failure: failureField }),
})
