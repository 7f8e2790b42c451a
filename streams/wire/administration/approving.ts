/** Requests and responses for the calls about approvals of plans. */
import { count, textUpTo, time } from '../../kernel/limits.ts'
import { flag, list, nullable, object, oneOf, optional, type OutOf, text } from '../../kernel/schema.ts'
import { approvalWord } from '../../organisation/facts/state.ts'
import { MAX_NOTE_CHARACTERS } from './publishing.ts'
import { hash } from './shapes.ts'

/** A plan that needs approval, with what was said about it. */
export const approval = object({
  plan: text,
  base: nullable(text),
  release: text,
  hash: text,
  /** The person who made the plan. */
  author: text,
  /** When the plan expires. */
  until: time,
  /** The people whom publishing changes, and the groups of people with the same change. */
  people: count,
  groups: count,
  /** The roles and groups of those who may approve it. */
  by: list(text),
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
