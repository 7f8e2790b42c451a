import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  nextStep,
  partToCheck,
  peopleWithout,
  type PlanHeadline,
  planHeadline,
} from '../../../streams/administration/plan/selectors.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { runSteps } from '../../../streams/kernel/steps.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import {
  changesAnything,
  groupPlans,
  type PersonPlan,
  type PlanSummary,
} from '../../../streams/organisation/plan/plan.ts'
import { compileRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { assignedSignatures } from '../../../streams/organisation/rules/rules.ts'
import {
  blocksSummary,
  coverage,
  draftOf,
  fullSummary,
  planOf,
  signatureGroup,
} from '../../support/administration/plans.ts'
import { cases } from '../../support/cases.ts'
import { compareReleases, plannedFor } from '../../support/planned.ts'
import { logOf } from '../../support/state.ts'
import { document, person, selection } from '../organisation/arbitraries.ts'

const AT = Date.UTC(2026, 0, 15)

/** People with different ids. An address belongs to the first of them who has it. */
const people: fc.Arbitrary<readonly PersonState[]> = fc.array(person, { maxLength: 6 }).map((all) => {
  const taken = new Set<string>()
  return all.map((each, index) => {
    const addresses = each.addresses.filter((address) => !taken.has(address))
    for (const address of addresses) taken.add(address)
    return { ...each, id: `p-${String(index + 1)}`, addresses }
  })
})

/** Two releases. Often they differ only in what is no signature: who may choose, the order, the mailboxes. */
const releases: fc.Arbitrary<readonly [before: ReleaseDocument | null, after: ReleaseDocument]> = fc
  .tuple(document, document, selection)
  .chain(([before, other, chooseDefault]) =>
    fc.constantFrom<readonly [ReleaseDocument | null, ReleaseDocument]>(
      [null, before],
      [before, before],
      [before, other],
      [before, { ...before, chooseDefault }],
      [before, { ...before, signatures: [...before.signatures].reverse() }],
      [before, { ...before, mailboxes: other.mailboxes, chooseDefault }],
      [before, { ...before, signatures: [] }],
      [{ ...before, signatures: [] }, before],
    ),
  )

type Planned = Readonly<{ had: boolean; plan: PersonPlan }>

function planning(
  [before, after]: readonly [ReleaseDocument | null, ReleaseDocument],
  all: readonly PersonState[],
): Readonly<{ summary: PlanSummary; planned: readonly Planned[] }> {
  const old = before && compileRelease('r-1', before)
  const comparison = compareReleases(old, compileRelease('r-2', after), 'https://in.example/images')
  const groups = groupPlans(comparison, AT)
  const planned = all.map((each) => {
    const found = plannedFor(comparison, each, new Map(), AT)
    runSteps(groups.adding(found))
    return { had: old !== null && assignedSignatures(old, each, AT).length > 0, plan: found.plan }
  })
  return { summary: groups.summary(), planned }
}

const headlineOf = (
  summary: PlanSummary,
  over: Partial<Parameters<typeof planHeadline>[0]> = {},
): PlanHeadline => planHeadline({ summary, variables: [], closed: [], ...over })

const partsOf = (headline: PlanHeadline) => (headline.kind === 'people' ? headline.parts : [])
const peopleOf = (headline: PlanHeadline, kind: string): number =>
  partsOf(headline).find((part) => part.kind === kind)?.people ?? 0

const changesSignature = ({ plan }: Planned) =>
  plan.signatures.length > 0 || plan.default !== null || plan.blocks !== undefined
const changesOther = ({ plan }: Planned) =>
  plan.reordered ||
  plan.mayChoose !== null ||
  plan.asked !== undefined ||
  plan.mailboxes.added.length + plan.mailboxes.removed.length > 0
const getsFirst = ({ plan }: Planned) => plan.default?.from === null

describe('the first sentence of a plan', () => {
  test('counts every person once, and has no part without people', () => {
    fc.assert(
      fc.property(releases, people, (both, all) => {
        const { summary, planned } = planning(both, all)
        const headline = headlineOf(summary)
        const unchanged = planned.filter(({ plan }) => !changesAnything(plan)).length
        expect(headline.kind === 'people').toBe(unchanged < all.length)
        if (headline.kind !== 'people') return
        expect(headline.unchanged).toBe(unchanged)
        const counts = headline.parts.map((part) => part.people)
        expect(Math.min(...counts)).toBeGreaterThan(0)
        expect(counts.reduce((sum, count) => sum + count, unchanged)).toBe(all.length)
      }),
      cases(100),
    )
  })

  test('is true of each person whom it counts', () => {
    fc.assert(
      fc.property(releases, people, (both, all) => {
        const { summary, planned } = planning(both, all)
        const headline = headlineOf(summary)
        const first = planned.filter(getsFirst)
        const losing = planned.filter(({ plan }) => plan.losesAll)
        expect(first.every(({ had }) => !had)).toBe(true)
        expect(losing.every(({ had }) => had)).toBe(true)
        expect([peopleOf(headline, 'first'), peopleOf(headline, 'losing')]).toEqual([
          first.length,
          losing.length,
        ])
        const others = planned.filter(
          (each) => changesAnything(each.plan) && !getsFirst(each) && !each.plan.losesAll,
        )
        const kind = partsOf(headline).find((part) => !['first', 'losing'].includes(part.kind))?.kind
        if (kind === 'signature') expect(others.every(changesSignature)).toBe(true)
        if (kind === 'other') expect(others.some(changesSignature)).toBe(false)
        // It is vague only where something else than signatures changes, too.
        if (kind === 'either') expect(planned.some(changesOther)).toBe(true)
        expect(kind === undefined).toBe(others.length === 0)
      }),
      cases(100),
    )
  })

  test('claims no first signatures of a plan that leaves out groups', () => {
    fc.assert(
      fc.property(releases, people, fc.integer({ min: 1, max: 9 }), (both, all, more) => {
        const { summary, planned } = planning(both, all)
        const headline = headlineOf({ ...summary, more })
        expect(peopleOf(headline, 'losing')).toBe(planned.filter(({ plan }) => plan.losesAll).length)
        expect(partsOf(headline).filter(({ kind }) => kind !== 'either' && kind !== 'losing')).toEqual([])
      }),
      cases(20),
    )
  })

  const sample = { person: 'p', address: 'p@in.example' }
  const one = (over: Partial<PlanSummary>): PlanSummary => ({
    ...planOf().summary,
    people: 10,
    unchanged: 5,
    ...over,
  })
  const choosing = [{ people: 2, sample, mayChoose: true }]
  const first = [{ from: null, to: 'Corporate', because: null, people: 2, sample }]
  const other = [{ from: 'Corporate', to: 'Sales', because: null, people: 2, sample }]
  const { blocks = [] } = blocksSummary
  const losing = [{ people: 3, sample }]
  const removed = signatureGroup({ kind: 'removed', people: 3 })
  const added = signatureGroup({ kind: 'added', people: 2 })

  test.each<readonly [about: string, summary: PlanSummary, kind: string]>([
    ['changes of signatures alone', one({ signatures: [signatureGroup({ people: 3 })] }), 'signature'],
    [
      'the same signature for everyone, in two ways',
      one({ choosing, signatures: [signatureGroup({ people: 3 }), signatureGroup({ people: 2 })] }),
      'signature',
    ],
    [
      'two signatures for as many people together',
      one({
        choosing,
        signatures: [signatureGroup({ people: 3 }), signatureGroup({ people: 2, signature: 'b' })],
      }),
      'either',
    ],
    ['who may choose', one({ choosing }), 'other'],
    ['the order', one({ reordered: [{ people: 5, sample }] }), 'other'],
    ['questions before sending', one({ asked: [{ people: 5, sample, kind: 'added' }] }), 'other'],
    [
      'mailboxes',
      one({ mailboxes: [{ people: 5, sample, address: 'a@in.example', kind: 'added' }] }),
      'other',
    ],
    ['who may choose, and blocks', one({ choosing, blocks }), 'either'],
    ['who may choose, and defaults', one({ choosing, defaults: other }), 'either'],
    [
      'who may choose, and first signatures',
      one({ choosing, defaults: first, signatures: [added] }),
      'other',
    ],
    [
      'who may choose, and further signatures',
      one({ choosing, defaults: first, signatures: [added, added] }),
      'either',
    ],
    ['who may choose, and lost signatures', one({ choosing, losing, signatures: [removed] }), 'other'],
    [
      'who may choose, and signatures that go away',
      one({ choosing, losing, signatures: [removed, removed] }),
      'either',
    ],
    ['too many kinds', one({ signatures: [signatureGroup({ people: 5 })], more: 1 }), 'either'],
  ])('of %s says for whom', (_, summary, kind) => {
    expect(partsOf(headlineOf(summary))[0]?.kind).toBe(kind)
  })

  test('says of a plan that changes nothing for anyone what it changes, or that more comes on other days', () => {
    const nobody = { ...planOf().summary, unchanged: planOf().summary.people }
    const during = { from: '2026-09-01', to: '2026-11-20', timeZone: 'UTC' }
    const closed = [{ signature: 'a', name: 'Autumn', during }]
    const variables = [{ path: 'phone', kind: 'added' }] as const
    expect(headlineOf(nobody)).toEqual({ kind: 'nothing' })
    expect(headlineOf(nobody, { closed })).toEqual({ kind: 'nothingToday' })
    expect(headlineOf(nobody, { variables })).toEqual({ kind: 'rules' })
    expect(headlineOf(nobody, { variables, closed })).toEqual({ kind: 'rules' })
  })
})

describe('what is to be checked first', () => {
  test('is who has no signature afterwards, then other problems', () => {
    const { summary } = planOf()
    const { losing, missing } = fullSummary
    const everyone = { none: [], idle: [], alike: [] }
    expect(partToCheck(summary)).toBeNull()
    expect(partToCheck({ ...summary, coverage: everyone })).toBeNull()
    expect(partToCheck({ ...summary, coverage })).toBe('coverage')
    expect(partToCheck({ ...summary, losing, missing, coverage })).toBe('coverage')
    expect(partToCheck({ ...summary, missing, coverage: everyone })).toBe('problems')
    expect(partToCheck({ ...summary, losing })).toBe('problems')
  })

  test('has the number of people without a signature, also from a service that only tells who loses theirs', () => {
    const { summary } = planOf()
    expect(peopleWithout(summary)).toBe(0)
    expect(peopleWithout({ ...summary, losing: fullSummary.losing })).toBe(12)
    expect(peopleWithout({ ...summary, losing: fullSummary.losing, coverage })).toBe(64)
  })
})

describe('the next step', () => {
  const after = (...events: readonly AdministrationEvent[]) =>
    nextStep(replayLog(initialState, evolveAdministration, logOf(...events)).plan)
  const draft = draftOf({ edited: ['templates/a.html'] })
  const begun = Planning.draftBegun({ draft, findings: [] })
  const planned = Planning.planned({ plan: planOf(), document: draft.document })
  const made = [begun, Planning.planRequested(), planned]
  const asked = Publishing.requested({ note: '', all: false })
  const refused = (status: number) =>
    Publishing.failed({ failure: { kind: 'http', status, code: '', data: null } })
  const edit = Planning.edited({ path: 'templates/a.html', edits: [{ from: 0, to: 0, insert: 'x' }] })

  test.each<readonly [about: string, events: readonly AdministrationEvent[], step: string]>([
    ['no draft', [], 'nothing'],
    ['a copy of what is published', [Planning.draftBegun({ draft: draftOf(), findings: [] })], 'nothing'],
    ['a changed draft', [begun], 'plan'],
    ['a plan that is made', [begun, Planning.planRequested()], 'plan'],
    ['a plan of the draft', made, 'publish'],
    ['a plan of an earlier draft', [...made, edit], 'plan'],
    ['a plan that is being published', [...made, asked], 'publish'],
    ['a plan that the service could not publish', [...made, asked, refused(503)], 'publish'],
    ['a plan that is over', [...made, asked, refused(404)], 'plan'],
    ['a published plan', [...made, asked, Publishing.done({ release: 'd', history: [] })], 'nothing'],
  ])('with %s', (_, events, step) => {
    expect(after(...events)).toBe(step)
  })
})
