import { of, Subject } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { expect, test } from 'vitest'
import { ApprovalAnswering, ApprovalAsking } from '../../../streams/administration/approving/events.ts'
import { planPath } from '../../../streams/administration/approving/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { approvalOf, HASH, planToApprove } from '../../support/administration/approvals.ts'
import { planOf, releaseDocument } from '../../support/administration/plans.ts'
import { fakeAdministrationPorts, startAdministrationAt } from '../../support/administration/ports.ts'
import { failing } from '../../support/ports.ts'

const { id } = planOf()

function open(path: string, prepare: (ports: ReturnType<typeof fakeAdministrationPorts>) => void = () => {}) {
  const ports = fakeAdministrationPorts({ scheduler: new TestScheduler(() => {}) })
  ports.api.storedPlan.answers(() => of(planToApprove()))
  ports.api.release.answers(() => of(releaseDocument))
  prepare(ports)
  const page = startAdministrationAt(path, ports)
  return { ports, page, state: () => page.state$.value }
}

test('an earlier service without approvals has none, and another failure is one', () => {
  const notFound = failing({ kind: 'http', status: 404, code: 'not_found', data: null })
  const { state } = open('/now', ({ api }) => api.approvals.answers(notFound))
  expect(state().approvals).toEqual({ status: 'success', value: [] })
  const down = { kind: 'http', status: 503, code: null, data: null } as const
  const { state: later } = open('/now', ({ api }) => api.approvals.answers(failing(down)))
  expect(later().approvals).toEqual({ status: 'fail', failure: down })
})

test('a stored plan is read with its document, and no draft begins for it', () => {
  const { ports, state, page } = open(planPath(id))
  expect(state().storedPlan.load).toEqual({
    status: 'success',
    value: { plan: planToApprove(), document: releaseDocument },
  })
  expect([ports.api.storedPlan.calls, ports.api.release.calls]).toEqual([[[id]], [[id]]])
  expect(ports.api.exported.calls).toEqual([])
  ports.api.exported.answers(failing({ kind: 'network' }))
  page.record(Place.linkFollowed({ to: '/plan' }))
  expect(ports.api.exported.calls).toEqual([[null]])
  expect(state().storedPlan.id).toBeNull()
})

test('the plan of the page that is open is shown, in whatever order the answers come', () => {
  const first$ = new Subject<Plan>()
  const { page, ports, state } = open(planPath(id), ({ api }) => api.storedPlan.answers(first$))
  const other = '0'.repeat(32)
  ports.api.storedPlan.answers(() => of(planToApprove({ id: other })))
  page.record(Place.linkFollowed({ to: planPath(other) }))
  first$.next(planToApprove())
  first$.complete()
  expect(state().storedPlan).toMatchObject({ id: other, load: { value: { plan: { id: other } } } })
})

test('a question and an answer name the plan, the note, and what was seen', () => {
  const { page, ports, state } = open(planPath(id))
  ports.api.askApproval.answers(() => of(approvalOf()))
  ports.api.answerApproval.answers(() => of(approvalOf({ refused: approvalOf().asked })))
  page.record(ApprovalAsking.requested({ plan: id, note: 'For Portugal' }))
  expect(state().approvals).toEqual({ status: 'success', value: [approvalOf()] })
  page.record(ApprovalAnswering.requested({ plan: id, answer: 'refuse', hash: HASH, note: 'Too early' }))
  expect([ports.api.askApproval.calls, ports.api.answerApproval.calls]).toEqual([
    [[id, 'For Portugal']],
    [[id, { answer: 'refuse', hash: HASH, note: 'Too early' }]],
  ])
  expect([state().approvalAsking.status, state().approvalAnswering.status]).toEqual(['success', 'success'])
})
