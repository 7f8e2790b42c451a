import { withChanges } from '../../kernel/changes.ts'
import {
  type Attempt,
  type BeginEvent,
  dropPending,
  forgetOutcome,
  idleStatus,
  type Load,
  loadAgain,
  loadFailed,
  pendingStatus,
  retryFailed,
  settlePending,
} from '../../kernel/load.ts'
import { failureCodeOf, isConflict } from '../../kernel/failure.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { ApprovalOfPlan } from '../../wire/administration/approving.ts'
import type { RollBack } from '../overview/events.ts'
import { isInArea } from '../place/areas.ts'
import type { Place } from '../place/events.ts'
import type { Planning, Publishing } from '../plan/events.ts'
import type { Session } from '../session/events.ts'
import {
  ApprovalAnswering,
  ApprovalAsking,
  Approvals,
  type PlanWithDocument,
  type StoredPlan,
} from './events.ts'
import { planAt, withApproval } from './rules.ts'

export type ApprovalsState = Load<readonly ApprovalOfPlan[]>

/** Shows what was said at once. A list that is being loaded may not have it, so it is loaded again. */
const saying =
  (isQuestion: boolean) =>
  (
    state: ApprovalsState,
    event: BeginEvent & Readonly<{ data: Readonly<{ approval: ApprovalOfPlan }> }>,
  ): ApprovalsState => {
    const said =
      'value' in state
        ? { ...state, value: withApproval(state.value, event.data.approval, isQuestion) }
        : state
    return said.status === 'success' ? said : loadAgain(said, event)
  }

/** Publishing forgets all approvals, because they are of plans over the former release. */
const forgotten = (state: ApprovalsState): ApprovalsState =>
  'value' in state ? { ...state, value: [] } : state

export const approvals = defineSlice<
  ApprovalsState,
  | typeof ApprovalAnswering
  | typeof ApprovalAsking
  | typeof Approvals
  | typeof Place
  | typeof Planning
  | typeof Publishing
  | typeof RollBack
>()(idleStatus as ApprovalsState, {
  ...Approvals.handlers,
  'place/entered': (state, event) =>
    isInArea('now', event.data.path) || isInArea('plan', event.data.path) ? loadAgain(state, event) : state,
  'place/retryRequested': retryFailed,
  'approvals/lookedAgain': loadAgain,
  'plan/planned': (state, event) => (event.data.plan.approval ? loadAgain(state, event) : state),
  'approvalAsking/done': saying(true),
  'approvalAnswering/done': saying(false),
  // Somebody said something else meanwhile.
  'approvalAsking/failed': (state, event) =>
    isConflict(event.data.failure) ? loadAgain(state, event) : state,
  'approvalAnswering/failed': (state, event) =>
    isConflict(event.data.failure) ? loadAgain(state, event) : state,
  'publishing/failed': (state, event) =>
    failureCodeOf(event.data.failure)?.startsWith('approval_') === true ? loadAgain(state, event) : state,
  'publishing/done': forgotten,
  'rollBack/done': forgotten,
})

/** The plan whose page is open. `id` is null on other pages. */
export type StoredPlanState = Readonly<{ id: string | null; load: Load<PlanWithDocument> }>

const noStoredPlan: StoredPlanState = { id: null, load: idleStatus }

export const storedPlan = defineSlice<
  StoredPlanState,
  typeof ApprovalAnswering | typeof Place | typeof StoredPlan
>()(noStoredPlan, {
  'place/entered': (state, event) => {
    const id = planAt(event.data.path)
    if (id === null) return noStoredPlan
    return { id, load: id === state.id ? loadAgain(state.load, event) : pendingStatus(event) }
  },
  'place/retryRequested': (state, event) => withChanges(state, { load: retryFailed(state.load, event) }),
  // An answer that arrives after the page was left changes nothing.
  'storedPlan/loaded': (state, { data: { value } }) =>
    withChanges(state, { load: settlePending(state.load, { status: 'success', value }) }),
  'storedPlan/loadFailed': (state, { data: { failure } }) =>
    withChanges(state, { load: settlePending(state.load, loadFailed(state.load, failure)) }),
  // The plan may have been made again.
  'approvalAnswering/failed': (state, event) =>
    state.id !== null && isConflict(event.data.failure)
      ? { ...state, load: loadAgain(state.load, event) }
      : state,
})

export const approvalAsking = defineSlice<
  Attempt,
  typeof ApprovalAsking | typeof Place | typeof Planning | typeof Session
>()(idleStatus as Attempt, {
  ...ApprovalAsking.handlers,
  'place/entered': forgetOutcome,
  'plan/planRequested': forgetOutcome,
  'session/expired': dropPending,
})

export const approvalAnswering = defineSlice<
  Attempt,
  typeof ApprovalAnswering | typeof Place | typeof Session
>()(idleStatus as Attempt, {
  ...ApprovalAnswering.handlers,
  'place/entered': forgetOutcome,
  'session/expired': dropPending,
})

export const approvingSlices = { approvals, storedPlan, approvalAsking, approvalAnswering }
