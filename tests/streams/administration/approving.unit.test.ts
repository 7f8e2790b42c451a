import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import {
  ApprovalAnswering,
  ApprovalAsking,
  Approvals,
  StoredPlan,
} from '../../../streams/administration/approving/events.ts'
import {
  approvalsToGive,
  canAskForApproval,
  isApproved,
  ownApprovals,
  planApproval,
  planAt,
  planPath,
  possibleAnswers,
  withApproval,
} from '../../../streams/administration/approving/rules.ts'
import { RollBack } from '../../../streams/administration/overview/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { PlannedPeople, Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import { showsDraft } from '../../../streams/administration/plan/signatures.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import type { ApprovalOfPlan } from '../../../streams/wire/administration/approving.ts'
import {
  approvalOf,
  approvalsLoaded,
  FORMER_HASH,
  HASH,
  MARIA,
  planToApprove,
  wordOf,
} from '../../support/administration/approvals.ts'
import { draftOf, personPlan, planOf, releaseDocument } from '../../support/administration/plans.ts'
import { administrationStateAfter, at } from '../../support/administration/story.ts'
import { deepFreeze } from '../../support/state.ts'

const NAMES = ['ann', 'bea', 'cem'] as const
const name = fc.constantFrom(...NAMES)
const word = name.map((by) => wordOf(by))
const plan = fc.constantFrom('a', 'b')
const hash = fc.constantFrom('1', '2', '3', '4')
const approval = fc
  .record({
    plan,
    hash,
    author: name,
    asked: fc.option(word),
    given: fc.uniqueArray(word, { selector: ({ by }) => by, maxLength: 2 }),
    refused: fc.option(word, { freq: 3 }),
    mayApprove: fc.boolean(),
  })
  .map(approvalOf)
const approvals = fc.uniqueArray(approval, { selector: (each) => each.hash, maxLength: 4 })
const loaded = (value: readonly ApprovalOfPlan[]) => ({ status: 'success', value }) as const
const planWith = (id: string, key: string | null) =>
  planOf({ id, approval: { hash: key, by: ['Directors'] } })

describe('the approval of a plan', () => {
  test('is there exactly when somebody approved what it does, who neither made nor publishes it', () => {
    fc.assert(
      fc.property(approvals, plan, hash, name, (all, id, key, publisher) => {
        const known = all.find((each) => each.hash === key)
        const second = known?.given.filter(({ by }) => by !== publisher && by !== known.author) ?? []
        const found = planApproval(planWith(id, key), loaded(all), publisher)
        expect(isApproved(found)).toBe(second.length > 0 && !known?.refused)
        // Whoever cannot publish asks, waits for an answer, or has approved.
        const waits = known && !known.refused && (known.asked !== null || known.given.length > 0)
        expect(canAskForApproval(found)).toBe(!waits && !isApproved(found))
      }),
    )
  })

  test('lapses with a plan that was approved when it did something else, and is missing for others', () => {
    fc.assert(
      fc.property(approvals, plan, name, (all, id, publisher) => {
        const { status } = planApproval(planWith(id, 'new'), loaded(all), publisher)
        const wasApproved = all.some((each) => each.plan === id && each.given.length > 0)
        expect(status).toBe(wasApproved ? 'lapsed' : 'missing')
      }),
    )
  })

  test('is not asked for twice, and its author is the publisher of a page without one', () => {
    const of = (over: Partial<ApprovalOfPlan>, publisher: string | null = null) =>
      planApproval(planToApprove(), loaded([approvalOf(over)]), publisher)
    expect(of({})).toEqual({ status: 'asked', asked: approvalOf().asked })
    const given = [wordOf(MARIA)]
    expect(of({ given })).toEqual({ status: 'given', given: given[0] })
    expect(of({ given }, MARIA)).toEqual({ status: 'own', given: given[0] })
    expect(of({ given, refused: wordOf(MARIA, 'No') })).toMatchObject({ status: 'refused' })
  })

  test('is not needed, not possible, or not known', () => {
    const pending = { status: 'pending', asked: 1 } as const
    expect(planApproval(planOf(), pending, null)).toEqual({ status: 'unneeded' })
    expect(planApproval(planWith('a', null), pending, null)).toEqual({ status: 'otherMoment' })
    expect(planApproval(planWith('a', '1'), pending, null)).toEqual({ status: 'unknown' })
    expect(isApproved({ status: 'unneeded' })).toBe(true)
    expect(isApproved({ status: 'unknown' })).toBe(false)
    expect(canAskForApproval({ status: 'unknown' })).toBe(false)
  })
})

describe('an answer', () => {
  test('is possible for those who may approve: a refusal ends with the one who refused', () => {
    fc.assert(
      fc.property(approvals, plan, hash, name, (all, id, key, caller) => {
        const answers = possibleAnswers(planWith(id, key), all, caller)
        const known = all.find((each) => each.hash === key)
        if (!known) {
          const earlier = all.find((each) => each.plan === id)
          expect(answers).toEqual(earlier?.mayApprove ? ['approve', 'refuse'] : [])
          return
        }
        const has = (answer: 'approve' | 'refuse') => answers.includes(answer)
        const hasGiven = known.given.some(({ by }) => by === caller)
        expect(has('refuse')).toBe(known.mayApprove && !known.refused)
        expect(has('approve')).toBe(
          known.mayApprove && (known.refused ? known.refused.by === caller : !hasGiven),
        )
      }),
    )
  })

  test('is waited for once for each plan, until somebody gives it', () => {
    fc.assert(
      fc.property(approvals, (all) => {
        const waiting = approvalsToGive(all)
        expect(new Set(waiting.map((each) => each.plan)).size).toBe(waiting.length)
        for (const each of all) {
          const isLatest = all.find((other) => other.plan === each.plan) === each
          const waits = each.asked && each.mayApprove && !each.refused && each.given.length === 0
          expect(waiting.some(({ hash: of }) => of === each.hash)).toBe(Boolean(isLatest && waits))
        }
      }),
    )
  })

  test('reaches whoever made the plan or asked, with the last word', () => {
    fc.assert(
      fc.property(approvals, name, (all, caller) => {
        for (const { approval: of, status, word: said } of ownApprovals(all, caller)) {
          expect(of.author === caller || of.asked?.by === caller).toBe(true)
          expect(all.find((each) => each.plan === of.plan)).toBe(of)
          expect(said).toBe({ asked: of.asked, given: of.given[0], refused: of.refused }[status])
          expect(status === 'refused').toBe(of.refused !== null)
          expect(status === 'asked').toBe(of.refused === null && of.given.length === 0)
        }
        const own = all.filter((each) => each.author === caller && (each.asked ?? each.refused))
        for (const each of own)
          if (all.find((other) => other.plan === each.plan) === each)
            expect(ownApprovals(all, caller).map((known) => known.approval)).toContain(each)
      }),
    )
  })

  test('becomes the latest, and a question replaces those about the same plan', () => {
    fc.assert(
      fc.property(approvals, approval, fc.boolean(), (all, said, isQuestion) => {
        const [latest, ...others] = withApproval(all, said, isQuestion)
        expect(latest).toBe(said)
        expect(others).toEqual(
          all.filter((each) => each.hash !== said.hash && (!isQuestion || each.plan !== said.plan)),
        )
      }),
    )
  })
})

test('the page of a stored plan has its id in the path, and does not need the draft', () => {
  const { id } = planOf()
  expect(planAt(planPath(id))).toBe(id)
  for (const path of ['/plan', '/plan/', '/plan/short', `/people/${id}`, `/plan/${id}/x`, `/plan/${id}0`])
    expect(planAt(path)).toBeNull()
  expect([showsDraft('/plan'), showsDraft(planPath(id))]).toEqual([true, false])
})

const http = (status: number, code: string): Failure => ({ kind: 'http', status, code, data: null })
const after = (...events: readonly AdministrationEvent[]) =>
  deepFreeze(administrationStateAfter(...at('/plan'), ...events))
const known = approvalsLoaded(approvalOf())
const planning = [
  Planning.draftBegun({ draft: draftOf({ edited: ['templates/a.html'] }), findings: [] }),
  Planning.planRequested(),
]
const planned = (needs: boolean) =>
  Planning.planned({ plan: needs ? planToApprove() : planOf(), document: releaseDocument })
const asking = ApprovalAsking.requested({ plan: planOf().id, note: '' })
const answering = ApprovalAnswering.requested({
  plan: planOf().id,
  answer: 'approve',
  hash: HASH,
  note: '',
})
const said = { approval: approvalOf({ given: [wordOf(MARIA)] }) }

describe('the list of approvals', () => {
  const statusAfter = (...events: readonly AdministrationEvent[]) => after(known, ...events).approvals.status

  test.each<readonly [what: string, events: readonly AdministrationEvent[], isLoaded: boolean]>([
    ['on Now', [Place.entered({ path: '/now' })], true],
    ['on Plan', [Place.entered({ path: '/plan' })], true],
    ['on other pages', [Place.entered({ path: '/people' })], false],
    ['by looking again', [Approvals.lookedAgain()], true],
    ['with a plan that needs one', [...planning, planned(true)], true],
    ['with a plan that needs none', [...planning, planned(false)], false],
    ['after a question that met another word', [ApprovalAsking.failed({ failure: http(409, 'x') })], true],
    ['after a question that failed', [ApprovalAsking.failed({ failure: { kind: 'network' } })], false],
    ['after an answer that met another word', [ApprovalAnswering.failed({ failure: http(409, 'x') })], true],
    ['after an answer that failed', [ApprovalAnswering.failed({ failure: http(403, 'x') })], false],
    ['after a publish without it', [Publishing.failed({ failure: http(409, 'approval_refused') })], true],
    ['after another refused publish', [Publishing.failed({ failure: http(409, 'base_moved') })], false],
    ['after a publish without an answer', [Publishing.failed({ failure: { kind: 'timeout' } })], false],
  ])('is loaded again or not: %s', (_, events, isLoaded) => {
    expect(statusAfter(...events)).toBe(isLoaded ? 'pending' : 'success')
    expect(loadedValue(after(known, ...events).approvals)).toEqual([approvalOf()])
  })

  test('shows a word at once', () => {
    expect(after(known, asking, ApprovalAsking.done(said)).approvals).toEqual(loaded([said.approval]))
    expect(after(known, answering, ApprovalAnswering.done(said)).approvals).toEqual(loaded([said.approval]))
    const former = approvalOf({ hash: FORMER_HASH })
    const lists = [ApprovalAsking.done(said), ApprovalAnswering.done(said)].map((done) =>
      loadedValue(after(approvalsLoaded(former), asking, answering, done).approvals),
    )
    expect(lists).toEqual([[said.approval], [said.approval, former]])
  })

  test('is loaded once more when a word comes before it', () => {
    const { approvals: before } = after(asking)
    const { approvals: now } = after(asking, ApprovalAsking.done(said))
    expect([before.status, now.status]).toEqual(['pending', 'pending'])
    expect(now).not.toEqual(before)
    expect(
      loadedValue(after(known, Approvals.lookedAgain(), asking, ApprovalAsking.done(said)).approvals),
    ).toEqual([said.approval])
  })

  test('is empty after a publish, whose plan is another one than those approved', () => {
    for (const done of [
      Publishing.done({ release: 'r', history: [] }),
      RollBack.done({ release: 'r', history: [] }),
    ]) {
      expect(after(known, done).approvals).toEqual(loaded([]))
      expect(loadedValue(after(done).approvals)).toBeUndefined()
    }
  })

  test('is tried again after a failure', () => {
    const failed = Approvals.loadFailed({ failure: { kind: 'network' } })
    expect(after(failed, Place.retryRequested()).approvals.status).toBe('pending')
    expect(after(known, Place.retryRequested()).approvals.status).toBe('success')
  })
})

describe('a question and an answer', () => {
  test.each([
    ['question', 'approvalAsking', asking, ApprovalAsking.done(said)],
    ['answer', 'approvalAnswering', answering, ApprovalAnswering.done(said)],
  ] as const)(
    '%s is sent once, and forgotten on another page and with the session',
    (_, slice, begin, done) => {
      const of = (...events: readonly AdministrationEvent[]) => after(...events)[slice]
      expect(of(begin)).toEqual(of(begin, begin))
      expect(of(begin, done).status).toBe('success')
      expect(of(begin, done, Place.entered({ path: '/now' })).status).toBe('idle')
      expect(of(begin, Session.expired({ failure: { kind: 'network' } })).status).toBe('idle')
    },
  )

  test('the outcome of a question is forgotten with the next plan', () => {
    expect(after(asking, ApprovalAsking.done(said), Planning.planRequested()).approvalAsking.status).toBe(
      'idle',
    )
  })
})

describe('a stored plan', () => {
  const path = planPath(planOf().id)
  const enter = Place.entered({ path })
  const value = { plan: planToApprove(), document: releaseDocument }
  const shown = StoredPlan.loaded({ value })
  const of = (...events: readonly AdministrationEvent[]) => after(...events).storedPlan

  test('is loaded on its page, again on each return to it, and never shown for another', () => {
    expect(of(enter)).toMatchObject({ id: planOf().id, load: { status: 'pending' } })
    expect(of(enter, shown).load).toEqual({ status: 'success', value })
    expect(of(enter, shown, enter).load).toMatchObject({ status: 'pending', value })
    const other = Place.entered({ path: planPath('0'.repeat(32)) })
    expect(of(enter, shown, other).load).not.toHaveProperty('value')
    for (const elsewhere of [Place.entered({ path: '/now' }), Place.entered({ path: '/plan' })])
      expect(of(enter, shown, elsewhere)).toEqual({ id: null, load: { status: 'idle' } })
  })

  test('of a page that was left is ignored', () => {
    const left = [enter, Place.entered({ path: '/now' })]
    const failed = StoredPlan.loadFailed({ failure: { kind: 'network' } })
    for (const late of [shown, failed]) expect(of(...left, late)).toEqual(of(...left))
    expect(of(enter, failed).load.status).toBe('fail')
    expect(of(enter, shown, enter, failed).load).toMatchObject({ status: 'fail', value })
    expect(of(enter, failed, Place.retryRequested()).load.status).toBe('pending')
  })

  test('is read again when an answer meets another plan', () => {
    const lapsed = ApprovalAnswering.failed({ failure: http(409, 'approval_lapsed') })
    expect(of(enter, shown, answering, lapsed).load).toMatchObject({ status: 'pending', value })
    const refused = ApprovalAnswering.failed({ failure: http(403, 'not_approver') })
    expect(of(enter, shown, answering, refused).load.status).toBe('success')
    expect(of(lapsed)).toEqual({ id: null, load: { status: 'idle' } })
  })

  test('shows its own people, and none of the plan before', () => {
    const show = (id: string) => PlannedPeople.shown({ plan: id, from: 0 })
    const page = (id: string) =>
      PlannedPeople.pageLoaded({ query: id, after: null, page: { people: [personPlan(id)], next: null } })
    const { people } = after(show('a'), page('a'), show('b')).plan
    expect(people).toMatchObject({ query: 'b', items: null, load: { status: 'pending' } })
    expect(after(show('a'), page('a'), show('a')).plan.people.items).toEqual([personPlan('a')])
    const { id } = planOf()
    expect(after(enter, shown, show(id), page(id), shown).plan.people.items).toBeNull()
    expect(after(enter, show('a'), page('a'), shown).plan.people.items).toEqual([personPlan('a')])
  })
})

test('the approvals and the stored plan are forgotten with the session', () => {
  const state = administrationStateAfter(...at(planPath(planOf().id)), known, Session.signedOut())
  expect([state.approvals.status, state.storedPlan.load.status]).toEqual(['idle', 'idle'])
})
