import { defineEvents, gesture } from '../../kernel/event.ts'
import { openField, redactedField } from '../../kernel/field.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import type { ReleaseDocument } from '../../organisation/release/release.ts'
import type { ApprovalOfPlan } from '../../wire/administration/approving.ts'
import type { Plan } from '../../wire/administration/publishing.ts'

export type PlanWithDocument = Readonly<{ plan: Plan; document: ReleaseDocument }>
export type ApprovalAnswer = 'approve' | 'refuse'

/** The approvals of plans over the published release, latest first. */
export const Approvals = {
  ...defineLoad('approvals', redactedField<readonly ApprovalOfPlan[]>()('approvals')),
  ...defineEvents('approvals', {
    /** The administrator waits for an answer, and looks whether it is there. */
    lookedAgain: gesture({}),
  }),
}

/** A plan that the service stores, with its document, on a page of its own for those who approve it. */
export const StoredPlan = defineLoad('storedPlan', redactedField<PlanWithDocument>()('plan'))

const approval = redactedField<ApprovalOfPlan>()('approval')
const note = redactedField<string>()('text')
const plan = openField<string>()

/** Asks a second person for the approval of a plan. `plan` is its id. */
export const ApprovalAsking = defineAttempt('approvalAsking', { plan, note }, { approval })

/** Approves or refuses a plan. `hash` stands for what the administrator has seen of it. */
export const ApprovalAnswering = defineAttempt(
  'approvalAnswering',
  { plan, answer: openField<ApprovalAnswer>(), hash: openField<string>(), note },
  { approval },
)

export const approvingDomains = [Approvals, StoredPlan, ApprovalAsking, ApprovalAnswering] as const
