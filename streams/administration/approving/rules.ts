/** What is known about the approval of a plan, and who can say something about it. */
import { type Load, loadedValue } from '../../kernel/load.ts'
import { type ApprovalProgress, approvalProgress } from '../../organisation/plan/approval.ts'
import type { ApprovalWord } from '../../organisation/facts/state.ts'
import type { ApprovalOfPlan } from '../../wire/administration/approving.ts'
import type { Plan } from '../../wire/administration/publishing.ts'
import type { ApprovalAnswer } from './events.ts'

export const planPath = (plan: string): string => `/plan/${plan}`

/** The id of the stored plan whose page is at a path; null for other pages. */
export const planAt = (path: string): string | null => /^\/plan\/([0-9a-f]{32})$/.exec(path)?.[1] ?? null

/**
 * How far the approval of a plan is. `unneeded`: publishing needs none; `otherMoment`: the plan is not for now, so nobody
 * can approve it; `unknown`: the approvals are not loaded.
 */
export type PlanApproval = Readonly<{ status: 'unneeded' | 'otherMoment' | 'unknown' }> | ApprovalProgress

/** @param publisher null for the author of the plan */
export function planApproval(
  { id, approval }: Pick<Plan, 'id' | 'approval'>,
  approvals: Load<readonly ApprovalOfPlan[]>,
  publisher: string | null,
): PlanApproval {
  if (!approval) return { status: 'unneeded' }
  const { hash } = approval
  if (hash === null) return { status: 'otherMoment' }
  const known = loadedValue(approvals)
  if (!known) return { status: 'unknown' }
  const author = known.find((each) => each.hash === hash)?.author ?? ''
  return approvalProgress(known, { plan: { plan: id, hash, author }, publisher: publisher ?? author })
}

/** Whether a plan has its approval, or needs none. */
export const isApproved = ({ status }: PlanApproval): boolean => status === 'unneeded' || status === 'given'

/** Whether asking for the approval is the next step. */
export const canAskForApproval = ({ status }: PlanApproval): boolean =>
  status === 'missing' || status === 'refused' || status === 'lapsed'

/**
 * The answers that the caller can give to a plan. After the plan was made again, nobody has answered it, but the same
 * people may.
 */
export function possibleAnswers(
  { id, approval }: Pick<Plan, 'id' | 'approval'>,
  approvals: readonly ApprovalOfPlan[],
  caller: string,
): readonly ApprovalAnswer[] {
  const known = approvals.find(({ hash }) => hash === approval?.hash)
  const { mayApprove, refused, given } = known ?? {
    ...approvals.find(({ plan }) => plan === id),
    refused: null,
    given: [],
  }
  if (mayApprove !== true) return []
  if (refused) return refused.by === caller ? ['approve'] : []
  return given.some(({ by }) => by === caller) ? ['refuse'] : ['approve', 'refuse']
}

/** The latest approval of each plan. */
const latestOfPlans = (approvals: readonly ApprovalOfPlan[]): readonly ApprovalOfPlan[] =>
  approvals.filter((each, index) => approvals.findIndex(({ plan }) => plan === each.plan) === index)

/** An approval that was asked for. */
export type AskedApproval = ApprovalOfPlan & Readonly<{ asked: NonNullable<ApprovalOfPlan['asked']> }>

/** The approvals that wait for an answer of the caller. */
export const approvalsToGive = (approvals: readonly ApprovalOfPlan[]): readonly AskedApproval[] =>
  latestOfPlans(approvals).flatMap((each) => {
    const { asked, given, refused, mayApprove } = each
    return asked && mayApprove && given.length === 0 && !refused ? [{ ...each, asked }] : []
  })

/** The last word about a plan that the caller made or asked about. */
export type OwnApproval = Readonly<{
  approval: ApprovalOfPlan
  status: 'asked' | 'given' | 'refused'
  word: ApprovalWord
}>

export const ownApprovals = (approvals: readonly ApprovalOfPlan[], caller: string): readonly OwnApproval[] =>
  latestOfPlans(approvals)
    .filter(({ author, asked }) => author === caller || asked?.by === caller)
    .flatMap((approval): readonly OwnApproval[] => {
      const { asked, given, refused } = approval
      if (refused) return [{ approval, status: 'refused', word: refused }]
      const [yes] = given
      if (yes) return [{ approval, status: 'given', word: yes }]
      return asked ? [{ approval, status: 'asked', word: asked }] : []
    })

/**
 * The approvals after a word about one of them, which becomes the latest. A new question replaces the questions about
 * earlier versions of the plan.
 */
export const withApproval = (
  approvals: readonly ApprovalOfPlan[],
  said: ApprovalOfPlan,
  isQuestion: boolean,
): readonly ApprovalOfPlan[] => [
  said,
  ...approvals.filter(({ hash, plan }) => hash !== said.hash && !(isQuestion && plan === said.plan)),
]
