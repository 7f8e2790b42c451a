import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  namesProblems,
  nextStep,
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

const countOf = (headline: PlanHeadline, kind: 'signatures' | 'blocks'): number => {
  const part = headline.kind === 'people' ? headline.parts.find((each) => each.kind === kind) : undefined
  return part && 'count' in part ? part.count : 0
}
const hasPart = (headline: PlanHeadline, kind: 'default' | 'other'): boolean =>
  headline.kind === 'people' && headline.parts.some((each) => each.kind === kind)

const changesOther = ({ plan }: Planned) =>
  plan.reordered ||
  plan.mayChoose !== null ||
  plan.asked !== undefined ||
  plan.mailboxes.added.length + plan.mailboxes.removed.length > 0

describe('the first sentence of a plan', () => {
  test('counts the people for whom something changes, and those who lose every signature', () => {
    fc.assert(
      fc.property(releases, people, fc.option(fc.integer({ min: 1, max: 9 })), (both, all, more) => {
        const { summary, planned } = planning(both, all)
        const headline = headlineOf({ ...summary, ...(more !== null && { more }) })
        const changed = planned.filter(({ plan }) => changesAnything(plan)).length
        expect(headline.kind === 'people').toBe(changed > 0)
        if (headline.kind !== 'people') return
        expect([headline.changed, headline.all, headline.losing]).toEqual([
          changed,
          all.length,
          planned.filter(({ plan }) => plan.losesAll).length,
        ])
      }),
      cases(100),
    )
  })

  test('counts each signature and block that changes for someone once, and names all that changes else', () => {
    fc.assert(
      fc.property(releases, people, (both, all) => {
        const { summary, planned } = planning(both, all)
        const headline = headlineOf(summary)
        const signatures = planned.flatMap(({ plan }) => plan.signatures.map(({ signature }) => signature))
        const blocks = planned.flatMap(({ plan }) => (plan.blocks ?? []).map(({ block }) => block))
        expect([countOf(headline, 'signatures'), countOf(headline, 'blocks')]).toEqual([
          new Set(signatures).size,
          new Set(blocks).size,
        ])
        expect(hasPart(headline, 'other')).toBe(planned.some(changesOther))
        expect(hasPart(headline, 'default')).toBe(
          planned.some(({ plan: { default: change } }) => change?.from && change.to),
        )
        // Each person whom it counts has a change that it names.
        for (const { plan, ...each } of planned)
          if (changesAnything(plan))
            expect([
              plan.signatures.length + (plan.blocks ?? []).length > 0,
              Boolean(plan.default?.from && plan.default.to),
              changesOther({ plan, ...each }),
            ]).toContain(true)
      }),
      cases(100),
    )
  })

  test('names no parts of a plan that leaves out groups', () => {
    const headline = headlineOf({ ...planOf().summary, signatures: [signatureGroup()], more: 1 })
    expect(headline).toEqual({ kind: 'people', parts: [], changed: 345, all: 4_987, losing: 0 })
  })

  const sample = { person: 'p', address: 'p@in.example' }
  const one = (over: Partial<PlanSummary>): PlanSummary => ({ ...planOf().summary, ...over })
  const { blocks = [] } = blocksSummary
  const defaults = (from: string | null, to: string | null) => [
    { from, to, because: null, people: 2, sample },
  ]

  test.each<readonly [about: string, summary: PlanSummary, parts: readonly string[]]>([
    [
      'signatures',
      one({ signatures: [signatureGroup(), signatureGroup({ signature: 'b' })] }),
      ['signatures 2'],
    ],
    ['a signature in two ways', one({ signatures: [signatureGroup(), signatureGroup()] }), ['signatures 1']],
    ['blocks', one({ blocks }), ['blocks 3']],
    ['another default', one({ defaults: defaults('A', 'B') }), ['default']],
    [
      'a first default',
      one({ signatures: [signatureGroup()], defaults: defaults(null, 'B') }),
      ['signatures 1'],
    ],
    [
      'the last default',
      one({ signatures: [signatureGroup()], defaults: defaults('A', null) }),
      ['signatures 1'],
    ],
    ['who may choose', one({ choosing: [{ people: 2, sample, mayChoose: true }] }), ['other']],
    ['the order', one({ reordered: [{ people: 5, sample }] }), ['other']],
    ['questions before sending', one({ asked: [{ people: 5, sample, kind: 'added' }] }), ['other']],
    [
      'mailboxes',
      one({ mailboxes: [{ people: 5, sample, address: 'a@in.example', kind: 'added' }] }),
      ['other'],
    ],
    ['all of them', one({ ...fullSummary, blocks }), ['signatures 2', 'blocks 3', 'default', 'other']],
  ])('names %s', (_, summary, parts) => {
    const headline = headlineOf(summary)
    expect(
      headline.kind === 'people' &&
        headline.parts.map((each) => ('count' in each ? `${each.kind} ${String(each.count)}` : each.kind)),
    ).toEqual(parts)
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
  test('is who has no signature afterwards, and who lacks values', () => {
    const { summary } = planOf()
    const { losing, missing } = fullSummary
    const everyone = { none: [], idle: coverage.idle, alike: coverage.alike }
    expect(namesProblems(summary)).toBe(false)
    expect(namesProblems({ ...summary, coverage: everyone })).toBe(false)
    for (const problem of [{ coverage }, { losing }, { missing, coverage: everyone }])
      expect(namesProblems({ ...summary, ...problem })).toBe(true)
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
