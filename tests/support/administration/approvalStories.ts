import {
  ApprovalAnswering,
  ApprovalAsking,
  Approvals,
  StoredPlan,
} from '../../../streams/administration/approving/events.ts'
import { InsightLoad, OverviewLoad, ReleasesLoad } from '../../../streams/administration/overview/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import type { ApprovalOfPlan } from '../../../streams/wire/administration/approving.ts'
import type { CallerInfo } from '../../../streams/wire/administration/insight.ts'
import { insight, overview, published, releases } from './answers.ts'
import {
  ALEX,
  approvalOf,
  approvalsLoaded,
  askedOfMaria,
  atStoredPlan,
  FORMER_HASH,
  HASH,
  MARIA,
  planToApprove,
  storedPlanShown,
  wordOf,
} from './approvals.ts'
import { alex, draftOf, planOf, releaseDocument } from './plans.ts'
import { type AdministrationStory, at, down, state, view } from './story.ts'

/** Alex has planned, and the plan needs an approval. */
const planned = [
  ...at('/plan'),
  ReleasesLoad.loaded({ value: releases() }),
  Planning.draftRestored({ draft: null }),
  Planning.draftBegun({ draft: draftOf({ edited: ['templates/a.html'] }), findings: [] }),
  Planning.personRead({ person: alex }),
  Planning.planRequested(),
  Planning.planned({ plan: planToApprove(), document: releaseDocument }),
]
const plannedWith = (...approvals: readonly ApprovalOfPlan[]) => [...planned, approvalsLoaded(...approvals)]
const asking = ApprovalAsking.requested({ plan: planOf().id, note: '' })
const refusedBy = (status: number, code: string): Failure => ({
  kind: 'http',
  status,
  code,
  data: { code, message: 'Not published.' },
})
const approved = approvalOf({ given: [wordOf(MARIA, 'Good for Portugal')] })
const notPublished = (status: number, code: string) => [
  ...plannedWith(approved),
  Publishing.requested({ note: '', all: false }),
  Publishing.failed({ failure: refusedBy(status, code) }),
]
const toAnswer = storedPlanShown([askedOfMaria])
const approving = ApprovalAnswering.requested({ plan: planOf().id, answer: 'approve', hash: HASH, note: '' })
const [last, first] = [
  { clicks: ['[data-sticky] button:last-of-type'] },
  { clicks: ['[data-sticky] button:first-of-type'] },
]

const nowOf = (who: Partial<CallerInfo>, ...approvals: readonly ApprovalOfPlan[]) => [
  ...at('/now', who),
  OverviewLoad.loaded({ value: overview({ problems: [] }) }),
  InsightLoad.loaded({ value: insight() }),
  approvalsLoaded(...approvals),
]
const maria = { name: MARIA, roles: ['Signet.Read'] } as const

/** The approval of a plan by a second person: on Plan, on the page of a stored plan, and on Now. */
export const approvalStories = (): readonly AdministrationStory[] => [
  view('approval, nobody asked', plannedWith()),
  view('approval, asking first', plannedWith(), last),
  state('approval, asking', [...plannedWith(), asking]),
  state('approval, asked', [...plannedWith(), asking, ApprovalAsking.done({ approval: approvalOf() })]),
  state('approval, not asked', [
    ...planned,
    Planning.planRequested(),
    Planning.planned({
      plan: planToApprove({ summary: planOf().summary }),
      document: releaseDocument,
    }),
    approvalsLoaded(),
    asking,
    ApprovalAsking.failed({ failure: refusedBy(409, 'approval_unneeded') }),
  ]),
  state('approval, loading', planned),
  state('approval, not loaded', [...planned, Approvals.loadFailed({ failure: down })]),
  view('approval, waiting', plannedWith(approvalOf())),
  view('approval, given', plannedWith(approved)),
  state('approval, given by the publisher', plannedWith(approvalOf({ given: [wordOf(ALEX)] }))),
  view('approval, refused', plannedWith(approvalOf({ refused: wordOf(MARIA, 'Not before the fair') }))),
  view(
    'approval, lapsed',
    plannedWith(approvalOf({ hash: FORMER_HASH, people: 1, groups: 1, given: [wordOf(MARIA)] })),
  ),
  state(
    'approval, lapsed for as many people',
    plannedWith(approvalOf({ hash: FORMER_HASH, given: [wordOf(MARIA)] })),
  ),
  state('not published, the approval lapsed', notPublished(409, 'approval_lapsed')),
  state('not published, nobody approved', notPublished(409, 'approval_missing')),
  state('not published, approved by oneself', notPublished(409, 'approval_own')),
  state('not published, the plan is refused', notPublished(409, 'approval_refused')),
  state('not published, not an editor', notPublished(403, 'not_editor')),

  view('stored plan', toAnswer),
  state('stored plan, loading', atStoredPlan()),
  state('stored plan, not loaded', [...atStoredPlan(), StoredPlan.loadFailed({ failure: down })]),
  state('stored plan, gone', [
    ...atStoredPlan(),
    StoredPlan.loadFailed({ failure: { kind: 'http', status: 404, code: 'not_found', data: null } }),
  ]),
  state('stored plan, not allowed', atStoredPlan({ name: MARIA, roles: ['Signet.People'] })),
  view('stored plan, approving', toAnswer, last),
  state('stored plan, refusing', toAnswer, first),
  state('stored plan, the answer is sent', [...toAnswer, approving]),
  state('stored plan, approved', [
    ...toAnswer,
    approving,
    ApprovalAnswering.done({ approval: { ...askedOfMaria, given: [wordOf(MARIA)] } }),
  ]),
  state('stored plan, refused', [
    ...toAnswer,
    ApprovalAnswering.requested({ plan: planOf().id, answer: 'refuse', hash: HASH, note: 'Too early' }),
    ApprovalAnswering.done({ approval: { ...askedOfMaria, refused: wordOf(MARIA, 'Too early') } }),
  ]),
  state('stored plan, made again meanwhile', [
    ...toAnswer,
    approving,
    ApprovalAnswering.failed({ failure: refusedBy(409, 'approval_lapsed') }),
  ]),
  state('stored plan, who may not approve', [
    ...toAnswer,
    approving,
    ApprovalAnswering.failed({ failure: refusedBy(403, 'not_approver') }),
  ]),
  state('stored plan, its author', [
    ...atStoredPlan({}),
    StoredPlan.loaded({ value: { plan: planToApprove(), document: releaseDocument } }),
    approvalsLoaded(approved),
  ]),
  state('stored plan, published', [
    ...toAnswer,
    ReleasesLoad.loaded({
      value: releases({
        current: planOf().release,
        history: [published({ release: planOf().release }), ...releases().history],
      }),
    }),
  ]),
  state('stored plan, another release', [
    ...toAnswer,
    ReleasesLoad.loaded({ value: releases({ current: 'a'.repeat(32) }) }),
  ]),

  view('now, approvals', nowOf(maria, askedOfMaria)),
  state('now, approvals without a note', nowOf(maria, { ...askedOfMaria, people: 1, asked: wordOf(ALEX) })),
  state(
    'now, own plans',
    nowOf(
      {},
      approvalOf({ refused: wordOf(MARIA, 'Not before the fair') }),
      approvalOf({ plan: '8'.repeat(32), hash: '8'.repeat(32), given: [wordOf(MARIA)] }),
      approvalOf({ plan: '7'.repeat(32), hash: '7'.repeat(32) }),
    ),
  ),
  state('now, approvals not loaded', [
    ...nowOf(maria, askedOfMaria),
    Place.entered({ path: '/now' }),
    Approvals.loadFailed({ failure: down }),
  ]),
]
