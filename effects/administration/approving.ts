import { catchError, EMPTY, forkJoin, map, of, throwError } from 'rxjs'
import {
  ApprovalAnswering,
  ApprovalAsking,
  Approvals,
  StoredPlan,
} from '../../streams/administration/approving/events.ts'
import { Failed, toFailure } from '../../streams/kernel/failure.ts'
import { createAttemptEffect, createLoadEffect } from './program.ts'

/** Loads the approvals. An earlier service knows none. */
const loadApprovals = createLoadEffect(
  (state) => state.approvals,
  Approvals,
  ({ api }) =>
    api.approvals().pipe(
      catchError((error: unknown) => {
        const failure = toFailure(error)
        return failure.kind === 'http' && failure.status === 404
          ? of([])
          : throwError(() => new Failed(failure, { cause: error }))
      }),
    ),
)

const loadStoredPlan = createLoadEffect(
  ({ storedPlan }) => storedPlan.load,
  StoredPlan,
  ({ api }, { storedPlan: { id } }) =>
    id === null ? EMPTY : forkJoin({ plan: api.storedPlan(id), document: api.release(id) }),
)

const askApproval = createAttemptEffect(
  (state) => state.approvalAsking,
  ApprovalAsking,
  ({ api }, { plan, note }) => api.askApproval(plan, note).pipe(map((approval) => ({ approval }))),
)

const answerApproval = createAttemptEffect(
  (state) => state.approvalAnswering,
  ApprovalAnswering,
  ({ api }, { plan, ...said }) => api.answerApproval(plan, said).pipe(map((approval) => ({ approval }))),
)

export const approvingEffects = { loadApprovals, loadStoredPlan, askApproval, answerApproval }
