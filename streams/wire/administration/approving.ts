/** Requests and responses for the calls about approvals of plans. */
import { textUpTo } from '../../kernel/limits.ts'
import { flag, list, nullable, object, oneOf, optional, type OutOf } from '../../kernel/schema.ts'
import { planToApprove } from '../../organisation/facts/events.ts'
import { approvalWord } from '../../organisation/facts/state.ts'
import { MAX_NOTE_CHARACTERS } from './publishing.ts'
import { hash } from './shapes.ts'

/** A plan that needs approval, with what was said about it. */
export const approval = object({
  ...planToApprove,
  asked: nullable(approvalWord),
  given: list(approvalWord),
  refused: nullable(approvalWord),
  /** Whether the caller has one of the roles and groups, and is not the author. */
  mayApprove: flag,
})
export type ApprovalOfPlan = OutOf<typeof approval>

/** The approvals of plans over the published release that have not expired, latest first. */
export const approvals = object({ approvals: list(approval) })

const note = optional(textUpTo(MAX_NOTE_CHARACTERS), '')
export const askApprovalRequest = object({ note })
export const answerApprovalRequest = object({
  answer: oneOf('approve', 'refuse'),
  /** The hash of the plan that the caller has seen. */
  hash,
  note,
})
