/** Approvals of plans by a second person: asks for them, answers, and lists them. */
import type { PlanToApprove, Account } from '../../../streams/organisation/facts/events.ts'
import type { Approval, OrganisationState } from '../../../streams/organisation/facts/state.ts'
import { changedPeopleCount } from '../../../streams/organisation/plan/peopleLimit.ts'
import { changeGroupsOf, isRoleName } from '../../../streams/organisation/plan/approval.ts'
import { conditionHolds } from '../../../streams/organisation/rules/rules.ts'
import type { ApprovalOfPlan } from '../../../streams/wire/administration/approving.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { DomainError } from '../operations/domainError.ts'
import type { Plans, StoredPlan } from './plans.ts'

/** A caller of the administration, who has roles and may have groups. */
export type Approver = Readonly<{ actor: string; roles: readonly string[]; account?: Account }>

export function createApprovals(
  { store, releases, now }: Pick<ServiceContext, 'store' | 'releases' | 'now'>,
  plans: Pick<Plans, 'read'>,
) {
  /** Finds out whether a caller has one of these roles and groups. Reads the caller's person once. */
  function namedReader({ roles, account }: Approver): (by: readonly string[]) => Promise<boolean> {
    let person: ReturnType<typeof store.personByAccount> | undefined
    return async (by) => {
      if (by.some((name) => isRoleName(name) && roles.includes(name))) return true
      const groups = by.filter((name) => !isRoleName(name))
      if (groups.length === 0 || account === undefined) return false
      const found = await (person ??= store.personByAccount(account.tenant, account.oid))
      return found?.active === true && conditionHolds({ by: 'group', values: groups }, found)
    }
  }

  async function told(
    approval: Approval,
    { actor }: Approver,
    isNamed: ReturnType<typeof namedReader>,
  ): Promise<ApprovalOfPlan> {
    return { ...approval, mayApprove: actor !== approval.author && (await isNamed(approval.by)) }
  }

  /** @throws DomainError `not_found` after the approval was dropped */
  function approvalOf({ approvals = [] }: OrganisationState, hash: string): Approval {
    const found = approvals.find((each) => each.hash === hash)
    if (!found) throw new DomainError('not_found', 'There is no such plan any more.')
    return found
  }

  return {
    /** The approvals of plans over the published release that have not expired, latest first. */
    async list(caller: Approver): Promise<readonly ApprovalOfPlan[]> {
      const isNamed = namedReader(caller)
      const { approvals = [] } = releases.state()
      const open = approvals.filter(({ until }) => until > now())
      return Promise.all(open.map((approval) => told(approval, caller, isNamed)))
    },

    /** @throws DomainError `not_found`; `approval_unneeded`; `plan_not_for_now`; `base_moved` */
    async ask(id: string, caller: Approver, note: string): Promise<ApprovalOfPlan> {
      const plan = planToApprove(await plans.read(id))
      const state = await releases.write({ type: 'askApproval', plan, note }, caller.actor)
      return told(approvalOf(state, plan.hash), caller, namedReader(caller))
    },

    /**
     * Approves or refuses a plan.
     *
     * @param hash the plan that the caller has seen
     * @throws DomainError the errors of `ask`; `not_approver`; `approval_lapsed` if the plan was made again since;
     *   `approval_own`; `approval_refused`
     */
    async answer(
      id: string,
      caller: Approver,
      { answer, hash, note }: Readonly<{ answer: 'approve' | 'refuse'; hash: string; note: string }>,
    ): Promise<ApprovalOfPlan> {
      const plan = planToApprove(await plans.read(id))
      const isNamed = namedReader(caller)
      if (!(await isNamed(plan.by)))
        throw new DomainError(
          'not_approver',
          `You may not approve plans: the published rules ask for one of ${plan.by.join(', ')}.`,
        )
      if (plan.hash !== hash)
        throw new DomainError(
          'approval_lapsed',
          'The plan was made again and does something else now: read it once more.',
        )
      const isGiven = answer === 'approve'
      const state = await releases.write(
        { type: 'answerApproval', isGiven, plan, by: caller.actor, note },
        caller.actor,
      )
      return told(approvalOf(state, hash), caller, isNamed)
    },
  }
}

/** @throws DomainError `approval_unneeded`; `plan_not_for_now` */
function planToApprove({ plan, author = '' }: StoredPlan): PlanToApprove {
  const { id, base, release, until, summary, approval } = plan
  if (!approval) throw new DomainError('approval_unneeded', 'This plan needs no approval: publish it.')
  if (approval.hash === null)
    throw new DomainError(
      'plan_not_for_now',
      'The plan is for another moment, so nobody can approve it: plan once more, for now.',
    )
  return {
    plan: id,
    base,
    release,
    hash: approval.hash,
    author,
    until,
    people: changedPeopleCount(summary),
    groups: changeGroupsOf(summary),
    by: approval.by,
  }
}
