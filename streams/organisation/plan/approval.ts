/**
 * The approval of a publish by a second person: `approval` in `signet.yaml`. What is approved is the computed plan, by
 * its hash. If people, the directory or the rules make it another plan, it has another hash and needs a new approval.
 */
import { list, nullable, object, type OutOf, text } from '../../kernel/schema.ts'
import type { PlanToApprove } from '../facts/events.ts'
import type { Approval, ApprovalWord } from '../facts/state.ts'
import type { ReleaseDocument } from '../release/release.ts'
import type { PlanSummary } from './plan.ts'

/** The approval that publishing a plan needs. */
export const neededApproval = object({
  /** Stands for the plan of each person whom publishing changes; null if the plan is not for now, so that nobody can approve it. */
  hash: nullable(text),
  /** The roles and directory groups, one of which the second person has. */
  by: list(text),
})
export type NeededApproval = OutOf<typeof neededApproval>

const ROLE_PREFIX = 'Signet.'

/** Whether a name in `approval` is an app role, such as `Signet.Publish`. Other names are directory groups. */
export const isRoleName = (name: string): boolean => name.startsWith(ROLE_PREFIX)

/**
 * The names of those who approve a publish; null if it needs no approval. The published document decides, so that no
 * draft can lift its own approval; before the first release, the draft decides.
 */
export const approversOf = (
  published: ReleaseDocument | null,
  draft: ReleaseDocument,
): readonly string[] | null => (published ?? draft).approval?.by ?? null

/** The number of groups of people in a plan with the same change. */
export const changeGroupsOf = (summary: PlanSummary): number =>
  [
    summary.signatures,
    summary.defaults,
    summary.losing,
    summary.reordered,
    summary.choosing,
    summary.asked ?? [],
    summary.mailboxes,
    summary.blocks ?? [],
  ].reduce((sum, { length }) => sum + length, 0)

/** A publish that needs approval: what it does now, and who publishes it. */
export type PublishToApprove = Readonly<{
  plan: Pick<PlanToApprove, 'plan' | 'hash' | 'author' | 'people' | 'groups' | 'by'>
  publisher: string
}>

export type RefusedApproval = Readonly<{
  refused: 'approval_missing' | 'approval_lapsed' | 'approval_refused' | 'approval_own'
  message: string
}>

/**
 * How far the approval of a publish is. `given`: a second person, who is neither the publisher nor the plan's author,
 * approved exactly this plan; `own`: only the publisher or the author did. `lapsed`: the plan was approved when it did
 * something else.
 */
export type ApprovalProgress =
  | Readonly<{ status: 'missing' }>
  | Readonly<{ status: 'asked'; asked: ApprovalWord }>
  | Readonly<{ status: 'given' | 'own'; given: ApprovalWord }>
  | Readonly<{ status: 'refused'; refused: ApprovalWord }>
  | Readonly<{ status: 'lapsed'; then: Counts }>

export function approvalProgress(
  approvals: readonly Approval[],
  { plan, publisher }: Readonly<{ plan: Pick<PlanToApprove, 'plan' | 'hash' | 'author'>; publisher: string }>,
): ApprovalProgress {
  const { asked = null, given = [], refused = null } = approvals.find(({ hash }) => hash === plan.hash) ?? {}
  if (refused) return { status: 'refused', refused }
  const second = given.find(({ by }) => by !== publisher && by !== plan.author)
  if (second) return { status: 'given', given: second }
  const [own] = given
  if (own) return { status: 'own', given: own }
  if (asked) return { status: 'asked', asked }
  const then = approvals.find((each) => each.plan === plan.plan && each.given.length > 0)
  return then ? { status: 'lapsed', then } : { status: 'missing' }
}

/** Why a publish lacks its approval; null if it has it. */
export function missingApproval(
  approvals: readonly Approval[],
  publish: PublishToApprove,
): RefusedApproval | null {
  const { plan } = publish
  const progress = approvalProgress(approvals, publish)
  switch (progress.status) {
    case 'given':
      return null
    case 'refused':
      return refusedBy(progress.refused)
    case 'own':
      return {
        refused: 'approval_own',
        message:
          'Only the publisher or the author of the plan has approved it: a second person must approve it, too.',
      }
    case 'lapsed':
      return {
        refused: 'approval_lapsed',
        message: `The approval has lapsed: ${lapseOf(progress.then, plan)}`,
      }
    case 'asked':
    case 'missing':
      return {
        refused: 'approval_missing',
        message: `Publishing needs the approval of a second person with one of: ${plan.by.join(', ')}.`,
      }
  }
}

export const refusedBy = ({
  by,
  note,
}: Pick<NonNullable<Approval['refused']>, 'by' | 'note'>): RefusedApproval => ({
  refused: 'approval_refused',
  message: `${by} refused this plan${note === '' ? '' : ` ("${note}")`}: change it, or ask for approval again.`,
})

type Counts = Pick<PlanToApprove, 'people' | 'groups'>

const countsText = ({ people, groups }: Counts) =>
  `${people} ${people === 1 ? 'person' : 'people'} in ${groups} ${groups === 1 ? 'group' : 'groups'}`

/** Says how a plan changed since its approval. */
const lapseOf = (then: Counts, now: Counts): string =>
  then.people === now.people && then.groups === now.groups
    ? `people or the directory changed, so the plan for ${countsText(now)} is another one. Plan and ask once more.`
    : `it was for ${countsText(then)}; publishing now changes ${countsText(now)}. Plan and ask once more.`
