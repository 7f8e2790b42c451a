import { defer, type Observable, of } from 'rxjs'
import { expect, test } from 'vitest'
import {
  ApprovalAnswering,
  ApprovalAsking,
  Approvals,
} from '../../streams/administration/approving/events.ts'
import {
  approvalsToGive,
  isApproved,
  ownApprovals,
  planApproval,
  planPath,
} from '../../streams/administration/approving/rules.ts'
import { editsBetween } from '../../streams/administration/plan/draft.ts'
import { Place } from '../../streams/administration/place/events.ts'
import { Planning, Publishing } from '../../streams/administration/plan/events.ts'
import { nextStep } from '../../streams/administration/plan/selectors.ts'
import { callerName } from '../../streams/administration/session/rules.ts'
import { failureOf, loadedValue } from '../../streams/kernel/load.ts'
import {
  decideOrganisation,
  isRefusedCommand,
  type OrganisationCommand,
} from '../../streams/organisation/decide.ts'
import { Organisation } from '../../streams/organisation/facts/events.ts'
import { evolveOrganisation } from '../../streams/organisation/facts/reducer.ts'
import type { OrganisationState } from '../../streams/organisation/facts/state.ts'
import { me, NOON, releaseId, releases } from '../support/administration/answers.ts'
import { ALEX, MARIA, planToApprove } from '../support/administration/approvals.ts'
import { draftOf, planOf, releaseDocument } from '../support/administration/plans.ts'
import { fakeAdministrationPorts, startAdministrationAt } from '../support/administration/ports.ts'
import { createClock } from '../support/clock.ts'
import { failing } from '../support/ports.ts'

// Two people approve and publish a plan, each in a page of their own, with the service's rules between them.

const { id } = planOf()
const { pictures } = draftOf()

/** The decisions and facts of a service with one published release. `hash` stands for what the plan does now. */
function createService() {
  let state: OrganisationState | null = null
  const service = { hash: '1'.repeat(32) }
  const fold = (facts: Extract<ReturnType<typeof decideOrganisation>, readonly unknown[]>, by: string) => {
    for (const fact of facts)
      state = evolveOrganisation(state, {
        ...fact,
        meta: { seq: state?.revision ?? 0, at: NOON, source: by },
      })
  }
  fold([Organisation.founded({ name: 'Northwind', tenants: ['t'] })], 'system')
  fold([Organisation.releasePublished({ release: releaseId('c'), base: null, note: '' })], ALEX)
  const known = () => state as unknown as OrganisationState
  const write = <Value>(command: OrganisationCommand, by: string, answer: () => Value): Observable<Value> =>
    defer(() => {
      const decided = decideOrganisation(known(), command)
      if (isRefusedCommand(decided))
        return failing({ kind: 'http', status: 409, code: decided.refused, data: null })
      fold(decided, by)
      return of(answer())
    })
  const plan = () => planToApprove({ approval: { hash: service.hash, by: ['Directors'] } })
  const toApprove = () => ({
    ...{ plan: id, base: releaseId('c'), release: planOf().release, hash: service.hash },
    ...{ author: ALEX, until: NOON + 1, people: 88, groups: 6, by: ['Directors'] },
  })
  const listed = (by: string) =>
    (known().approvals ?? []).map((each) => ({ ...each, mayApprove: by !== each.author }))
  const latest = (by: string) => {
    const [found] = listed(by)
    if (!found) throw new Error('There is no approval.')
    return found
  }
  return {
    service,
    /** Opens the page of somebody. */
    open: (name: string, path: string) => {
      const ports = fakeAdministrationPorts(createClock(NOON))
      ports.api.me.answers(() => of(me({ name })))
      ports.api.exported.answers(() => of({ release: releaseId('c'), document: releaseDocument, pictures }))
      ports.api.releases.answers(() =>
        of(releases({ current: known().history[0]?.release ?? null, history: known().history })),
      )
      ports.api.plan.answers(() => of(plan()))
      ports.api.storedPlan.answers(() => of(plan()))
      ports.api.release.answers(() => of(releaseDocument))
      ports.api.approvals.answers(() => defer(() => of(listed(name))))
      ports.api.askApproval.answers((_, note) =>
        write({ type: 'askApproval', plan: toApprove(), note }, name, () => latest(name)),
      )
      ports.api.answerApproval.answers((_, { answer, hash, note }) =>
        hash === service.hash
          ? write(
              { type: 'answerApproval', isGiven: answer === 'approve', plan: toApprove(), by: name, note },
              name,
              () => latest(name),
            )
          : failing({ kind: 'http', status: 409, code: 'approval_lapsed', data: null }),
      )
      ports.api.publish.answers((_, { note }) =>
        write(
          {
            ...{ type: 'publish', release: planOf().release, base: releaseId('c'), note },
            approval: { plan: toApprove(), publisher: name },
          },
          name,
          () => ({ release: planOf().release, history: known().history }),
        ),
      )
      const page = startAdministrationAt(path, ports)
      const state = () => page.state$.value
      return {
        page,
        state,
        waiting: () => approvalsToGive(loadedValue(state().approvals) ?? []),
        own: () => ownApprovals(loadedValue(state().approvals) ?? [], callerName(state().session)),
        approval: () => {
          const made = loadedValue(state().plan.made)?.plan
          return made && planApproval(made, state().approvals, name)
        },
      }
    },
  }
}

type Page = ReturnType<ReturnType<typeof createService>['open']>

function planChange({ page, state }: Page) {
  const before = state().plan.draft?.document.templates['templates/a.html'] ?? ''
  page.record(
    Planning.edited({ path: 'templates/a.html', edits: editsBetween(before, `${before}<p>New</p>`) }),
  )
  page.record(Planning.planRequested())
}
const answerOf = ({ page, state }: Page, answer: 'approve' | 'refuse', note = '') => {
  const hash = loadedValue(state().storedPlan.load)?.plan.approval?.hash ?? ''
  page.record(ApprovalAnswering.requested({ plan: id, answer, hash, note }))
}
const publish = ({ page }: Page) => page.record(Publishing.requested({ note: '', all: false }))

test('[PERSON-10] a plan is asked for, refused, asked for again, approved, and then published', () => {
  const { open } = createService()
  const alex = open(ALEX, '/plan')
  const maria = open(MARIA, '/now')
  expect(maria.waiting()).toEqual([])
  planChange(alex)
  expect(alex.approval()).toEqual({ status: 'missing' })
  publish(alex)
  expect(failureOf(alex.state().plan.publishing)).toMatchObject({ code: 'approval_missing' })
  alex.page.record(ApprovalAsking.requested({ plan: id, note: 'For Portugal' }))
  expect(alex.approval()).toMatchObject({ status: 'asked', asked: { by: ALEX } })

  for (const to of ['/history', '/now']) maria.page.record(Place.linkFollowed({ to }))
  expect(maria.waiting()).toMatchObject([{ plan: id, asked: { note: 'For Portugal' }, people: 88 }])
  maria.page.record(Place.linkFollowed({ to: planPath(id) }))
  expect(loadedValue(maria.state().storedPlan.load)?.document).toBe(releaseDocument)
  answerOf(maria, 'refuse', 'Not before the fair')
  expect(maria.state().approvalAnswering.status).toBe('success')

  alex.page.record(Approvals.lookedAgain())
  expect(alex.approval()).toMatchObject({
    status: 'refused',
    refused: { by: MARIA, note: 'Not before the fair' },
  })
  alex.page.record(ApprovalAsking.requested({ plan: id, note: 'After the fair' }))
  answerOf(maria, 'approve')
  alex.page.record(Place.linkFollowed({ to: '/now' }))
  expect(alex.own()).toMatchObject([{ status: 'given', word: { by: MARIA } }])
  alex.page.record(Place.linkFollowed({ to: '/plan' }))
  const given = alex.approval()
  expect(given && isApproved(given)).toBe(true)
  publish(alex)
  expect(alex.state().plan.published).toBe(planOf().release)
  expect(alex.state().approvals).toMatchObject({ value: [] })
})

test('an approval lapses when the plan becomes another one, which is then asked for and approved', () => {
  const { service, open } = createService()
  const alex = open(ALEX, '/plan')
  planChange(alex)
  alex.page.record(ApprovalAsking.requested({ plan: id, note: '' }))
  const maria = open(MARIA, planPath(id))
  answerOf(maria, 'approve')
  // Somebody leaves whom the plan changes.
  service.hash = '2'.repeat(32)
  alex.page.record(Approvals.lookedAgain())
  expect(alex.approval()).toMatchObject({ status: 'given' })
  publish(alex)
  expect(failureOf(alex.state().plan.publishing)).toMatchObject({ code: 'approval_lapsed' })
  expect(nextStep(alex.state().plan)).toBe('plan')
  alex.page.record(Planning.planRequested())
  expect(alex.approval()).toMatchObject({ status: 'lapsed', then: { people: 88, groups: 6 } })
  alex.page.record(ApprovalAsking.requested({ plan: id, note: '' }))
  // Maria still sees the plan of before. After its refusal, the page has read the new one.
  answerOf(maria, 'approve')
  expect(failureOf(maria.state().approvalAnswering)).toMatchObject({ code: 'approval_lapsed' })
  answerOf(maria, 'approve')
  expect(maria.state().approvalAnswering.status).toBe('success')
  publish(alex)
  expect(alex.state().plan.published).toBe(planOf().release)
})
