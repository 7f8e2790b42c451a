import { failureCodeOf, type Failure } from '../../kernel/failure.ts'
import { finishedFraction, type Progress } from '../../kernel/progress.ts'
import type { ImportState } from '../people/reducer.ts'
import type { PlanState } from '../plan/reducer.ts'

/** The service's jobs that can take long. `try` is the dry run of an import. */
export const workKinds = ['check', 'plan', 'publish', 'try', 'import'] as const
export type WorkKind = (typeof workKinds)[number]

/** The parts of the state that contain requests for jobs. */
export type WorkRequests = Readonly<{ plan: PlanState; importing: ImportState }>

/** The `seq` of the event that requested the running job of this kind; null if none is running. */
export function workRequestSeq({ plan, importing }: WorkRequests, kind: WorkKind): number | null {
  switch (kind) {
    case 'check':
      return plan.beginning.status === 'pending' && plan.beginning.from === 'folder'
        ? plan.beginning.asked
        : null
    case 'plan':
      return plan.made.status === 'pending' ? plan.made.asked : null
    case 'publish':
      return plan.publishing.status === 'pending' ? plan.publishing.asked : null
    case 'try':
      return importing?.tried.status === 'pending' ? importing.tried.asked : null
    case 'import':
      return importing?.done.status === 'pending' ? importing.done.asked : null
  }
}

const SEQ_DIGITS = 8

/**
 * A job's name: 32 hex digits.
 *
 * @param visit 24 random hex digits of this visit, so that no other client can guess the name
 * @param asked the `seq` of the event that requested the job
 */
export const workName = (visit: string, asked: number): string =>
  visit + asked.toString(16).padStart(SEQ_DIGITS, '0')

/** The progress for screen readers, in quarters, so that they announce it rarely. */
export function spokenProgress(progress: Progress): number {
  const part = finishedFraction(progress) ?? 0
  return Math.floor(part * 4) / 4
}

/** Whether the service ended the job at this page's request. */
export const wasWorkStopped = (failure: Failure | null): boolean =>
  failure !== null && failureCodeOf(failure) === 'stopped'
