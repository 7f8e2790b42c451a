/** Approvals of plans, in the form of the service's answers. */
import { Approvals, StoredPlan } from '../../../streams/administration/approving/events.ts'
import { ReleasesLoad } from '../../../streams/administration/overview/events.ts'
import type { ApprovalWord } from '../../../streams/organisation/facts/state.ts'
import type { ApprovalOfPlan } from '../../../streams/wire/administration/approving.ts'
import type { CallerInfo } from '../../../streams/wire/administration/insight.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { me, NOON, releases } from './answers.ts'
import { firstSummary, planOf, releaseDocument } from './plans.ts'
import { at } from './story.ts'

const HOUR_MS = 3_600_000
export const ALEX = me().name
export const MARIA = 'maria.silva@northwind.example'

/** The hash of `planToApprove`, and of the same plan before the directory changed. */
export const HASH = 'e'.repeat(32)
export const FORMER_HASH = 'f'.repeat(32)

/** A plan that needs the approval of a director. */
export const planToApprove = (over: Partial<Plan> = {}): Plan =>
  planOf({ summary: firstSummary, approval: { hash: HASH, by: ['Directors'] }, ...over })

export const wordOf = (by: string, note = '', hoursAgo = 1): ApprovalWord => ({
  by,
  at: NOON - hoursAgo * HOUR_MS,
  note,
})

/** The approval of `planToApprove`, which Alex asked for. */
export const approvalOf = (over: Partial<ApprovalOfPlan> = {}): ApprovalOfPlan => {
  const { id, base, release } = planToApprove()
  return {
    plan: id,
    base,
    release,
    hash: HASH,
    author: ALEX,
    until: NOON + 7 * 24 * HOUR_MS,
    people: 88,
    groups: 6,
    by: ['Directors'],
    asked: wordOf(ALEX, 'For the autumn fair', 2),
    given: [],
    refused: null,
    mayApprove: false,
    ...over,
  }
}

export const approvalsLoaded = (...approvals: readonly ApprovalOfPlan[]) =>
  Approvals.loaded({ value: approvals })

const mariaInfo: Partial<CallerInfo> = { name: MARIA, roles: ['Signet.Read'] }

/** Maria opens the page of a stored plan. */
export const atStoredPlan = (who: Partial<CallerInfo> = mariaInfo) => [
  ...at(`/plan/${planOf().id}`, who),
  ReleasesLoad.loaded({ value: releases() }),
]
/** Maria sees a stored plan, with these approvals. */
export const storedPlanShown = (approvals: readonly ApprovalOfPlan[], plan: Plan = planToApprove()) => [
  ...atStoredPlan(),
  StoredPlan.loaded({ value: { plan, document: releaseDocument } }),
  approvalsLoaded(...approvals),
]
/** What Maria is asked for. */
export const askedOfMaria = approvalOf({ mayApprove: true })
