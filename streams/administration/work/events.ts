import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField } from '../../kernel/field.ts'
import type { Progress } from '../../kernel/progress.ts'
import type { WorkKind } from './rules.ts'

/** A job: its kind, and the `seq` of the event that requested it. */
const work = { kind: openField<WorkKind>(), asked: openField<number>() }

/** Long jobs of the service: their progress, and requests to stop them. */
export const Work = defineEvents('work', {
  /** The job takes so long that the page shows its progress. */
  lasted: fact(work),
  counted: fact({ ...work, progress: openField<Progress>() }),
  stopRequested: gesture(work),
  /** The service accepted the request and stops the job at the next safe point. */
  stopTaken: fact(work),
  stopFailed: fact({ ...work, failure: failureField }),
})
