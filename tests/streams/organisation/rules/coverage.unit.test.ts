import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsAudience } from '../../../../streams/html/slots.ts'
import { createCoverage, MAX_UNCOVERED_NAMED } from '../../../../streams/organisation/rules/coverage.ts'
import { groupPlans } from '../../../../streams/organisation/plan/plan.ts'
import {
  compileRelease,
  type Release,
  type ReleaseDocument,
  type Signature,
} from '../../../../streams/organisation/release/release.ts'
import {
  assignedSignatures,
  defaultChoice,
  matchesSelection,
  sendersFor,
  isPeriodOpen,
  recipientAudiences,
  windowOf,
} from '../../../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { runSteps, type Steps } from '../../../../streams/kernel/steps.ts'
import { block as anyBlock } from '../../../support/blocks.ts'
import { compareReleases, plannedFor } from '../../../support/planned.ts'
import { document as anyDocument, person as anyPerson } from '../arbitraries.ts'

const AT = Date.parse('2026-01-15T12:00:00Z')
const PICTURES = 'https://signet.example.com/images'

const person = (id: string, over: Partial<PersonState> = {}): PersonState => ({
  id,
  revision: 1,
  account: null,
  active: true,
  addresses: [`${id}@in.example`],
  language: null,
  directory: {},
  groups: [],
  values: {},
  metadata: {},
  picture: null,
  directoryPicture: null,
  ...over,
})
const inGroup = (...groups: readonly string[]) => ({
  for: groups.map((group) => [{ by: 'group' as const, values: [group] }]),
  not: [],
})
const signature = (id: string, over: Partial<Signature> = {}): Signature => ({
  id,
  name: `Named ${id}`,
  template: `templates/${id}.html`,
  reply: null,
  mobile: null,
  selection: { for: 'everyone', not: [] },
  during: null,
  recipients: 'everyone',
  collection: null,
  ...over,
})
const releaseOf = (signatures: readonly Signature[], over: Partial<ReleaseDocument> = {}): Release =>
  compileRelease('r', {
    version: 1,
    organisation: 'Northwind',
    internal: ['in.example'],
    plan: { from: null, value: 'full' },
    chooseDefault: { for: 'everyone', not: [] },
    variables: [],
    mailboxes: [],
    pictures: {},
    templates: Object.fromEntries(signatures.map(({ template }) => [template, '<p>A</p>'])),
    signatures,
    ...over,
  })

const planned = (release: Release, people: readonly PersonState[], at = AT) => {
  const comparison = compareReleases(null, release, PICTURES)
  const groups = groupPlans(comparison, at)
  const plans = people.map((each) => plannedFor(comparison, each, new Map(), at))
  return { groups, plans }
}
const coverageOf = (release: Release, people: readonly PersonState[], at = AT) => {
  const { groups, plans } = planned(release, people, at)
  for (const each of plans) runSteps(groups.adding(each))
  const { coverage } = groups.summary()
  if (coverage === undefined) throw new Error('No coverage')
  return coverage
}
const stepsOf = (steps: Steps<void>): number => {
  let taken = 0
  while (steps.next().done !== true) taken += 1
  return taken
}

describe('the people without a signature', () => {
  test('[ADOPT-14] are all people whom no signature is for now, each with the reason', () => {
    fc.assert(
      fc.property(anyDocument, fc.array(anyPerson, { maxLength: 8 }), (document, given) => {
        const release = compileRelease('r', document)
        const people = given.map((each, index) => ({ ...each, id: `p-${String(index)}`, active: true }))
        const without = people.filter(
          (each) =>
            assignedSignatures(release, each, AT).length + (defaultChoice(release, each, AT) ? 1 : 0) === 0,
        )
        const { none } = coverageOf(release, people)
        const named = none.flatMap(({ first }) => first.map((one) => one.person))
        expect([...named].sort()).toEqual(without.map(({ id }) => id).sort())
        for (const { people: count, first } of none) expect(count).toBe(first.length)
        const { plans } = planned(release, people)
        expect(plans.filter(({ plan }) => plan.none).map(({ plan }) => plan.person)).toEqual(
          without.map(({ id }) => id),
        )
        for (const { plan } of plans)
          if (plan.none) {
            const { none: why } = plan
            const group = none.find(({ first }) => first.some((one) => one.person === plan.person))
            expect(group?.why).toEqual(why)
          }
      }),
    )
  })

  test('[ADOPT-14] are counted all, by the reason, the most first; the first 50 are named, and one for each reason', () => {
    const release = releaseOf([
      signature('a', {
        selection: { ...inGroup('sales'), not: [[{ by: 'person', values: ['cfo@in.example'] }]] },
      }),
    ])
    const others = Array.from({ length: MAX_UNCOVERED_NAMED + 9 }, (_, index) => person(`p${String(index)}`))
    const { none } = coverageOf(release, [...others, person('cfo', { groups: ['sales'] })])
    expect(none.map(({ why, people, first }) => [why.kind, people, first.length])).toEqual([
      ['nothingFits', MAX_UNCOVERED_NAMED + 9, MAX_UNCOVERED_NAMED],
      ['leftOut', 1, 1],
    ])
    expect(none[0]?.first[0]).toEqual({ person: 'p0', address: 'p0@in.example' })
    expect(none[0]?.why).toEqual({ kind: 'nothingFits', asked: ['group'] })
  })

  test('are none when a person has chosen a signature of a mailbox, and an address names all others', () => {
    const release = releaseOf([signature('a', { selection: inGroup('desk') })], {
      mailboxes: [{ address: 'desk@in.example', selection: { for: 'everyone', not: [] }, values: {} }],
    })
    const desk = person('desk', { groups: ['desk'] })
    const writer = person('p', { metadata: { defaultSignature: { master: 'a-desk' } } })
    const comparison = compareReleases(null, release, PICTURES)
    const groups = groupPlans(comparison, AT)
    for (const each of [writer, desk, person('q', { addresses: [] })])
      runSteps(groups.adding(plannedFor(comparison, each, new Map([['desk', desk]]), AT)))
    expect(groups.summary().coverage?.none.map(({ first }) => first)).toEqual([
      [{ person: 'q', address: 'q' }],
    ])
  })
})

describe('a signature that never decides', () => {
  /** Whether a signature is the first for a person at some moment, in some message. */
  const isEverFirst = (release: Release, one: Signature, of: PersonState): boolean => {
    const moments = release.document.signatures.flatMap(({ during }) => {
      const window = during && windowOf(during)
      return window ? [window.opens, window.closes, window.opens - 1, window.closes - 1] : []
    })
    const mine = release.document.signatures.filter(({ selection }) => matchesSelection(selection, of))
    const [primary = '', ...aliases] = of.addresses
    const isFrom = (each: Signature, address: string) => sendersFor(each, of)?.includes(address)
    // From an alias, those that are for this address go first.
    const fromPrimary = mine.filter((each) => isFrom(each, primary) ?? true)
    const candidates = [
      fromPrimary.length > 0 ? fromPrimary : mine,
      ...aliases.map((alias) => mine.filter((each) => isFrom(each, alias) === true)),
    ]
    return [AT, ...moments].some((at) =>
      [['in.example'], ['out.example']].some((recipients) =>
        [false, true].some((isMeeting) =>
          (['first', 'later'] as const).some((place) => {
            const firsts = candidates.map((all) =>
              all.find(
                (each) =>
                  (each.thread ?? place) === place &&
                  isPeriodOpen(each.during, at) &&
                  fitsAudience({ audiences: recipientAudiences(release, each) }, recipients) &&
                  (!isMeeting || each.meeting !== undefined),
              ),
            )
            return firsts.includes(one)
          }),
        ),
      ),
    )
  }

  test('[ADOPT-14] is the first for no person, on no day, in no message, and no person has chosen it', () => {
    fc.assert(
      fc.property(anyDocument, fc.array(anyPerson, { maxLength: 5 }), (document, people) => {
        const release = compileRelease('r', document)
        for (const { kind, id, people: count } of coverageOf(release, people).idle) {
          const one = release.signatureOf(id)
          if (kind === 'block' || one === null) continue
          expect(count).toBe(people.filter((each) => matchesSelection(one.selection, each)).length)
          for (const each of people) {
            expect(isEverFirst(release, one, each)).toBe(false)
            const due = defaultChoice(release, each, AT)
            if (due?.by === 'user') expect(due.choice.master.startsWith(`${id}-`)).toBe(false)
          }
        }
      }),
    )
  })

  const january = { from: '2026-01-01', to: '2026-01-31', timeZone: 'UTC' }
  const inJanuary = { from: '2026-01-10', to: '2026-01-20', timeZone: 'UTC' }
  const sales = person('s', { groups: ['sales'] })
  const both = person('b', { groups: ['sales', 'press'] })
  const idleIn = (signatures: readonly Signature[], people: readonly PersonState[]) =>
    coverageOf(releaseOf(signatures), people).idle.map(({ name, people: count, behind }) => [
      name,
      count,
      behind,
    ])

  const fromBrand = {
    for: [[{ by: 'address' as const, values: ['*@brand.example'] }]],
    not: [],
  }
  const aliased = person('a', { addresses: ['a@in.example', 'a@brand.example'] })
  test('[PERSON-5] is not one for another address of a person', () => {
    const brand = signature('b', { selection: fromBrand })
    expect(idleIn([signature('a'), brand], [aliased])).toEqual([])
    expect(idleIn([signature('a'), brand, { ...brand, id: 'c', name: 'Named c' }], [aliased])).toEqual([
      ['Named c', 1, 'Named b'],
    ])
    const alone = person('a', { addresses: ['a@brand.example'] })
    expect(idleIn([signature('a'), brand], [alone])).toEqual([['Named b', 1, 'Named a']])
    expect(idleIn([brand, signature('a')], [aliased])).toEqual([])
  })

  test.each<[string, readonly Signature[], readonly PersonState[], readonly unknown[]]>([
    [
      'no one has',
      [signature('a', { selection: inGroup('x') }), signature('b')],
      [sales],
      [['Named a', 0, null]],
    ],
    [
      'stands behind one for all',
      [signature('a'), signature('b')],
      [sales, both],
      [['Named b', 2, 'Named a']],
    ],
    [
      'stands behind different ones',
      [
        signature('a', { selection: inGroup('press') }),
        signature('b', { selection: inGroup('sales') }),
        signature('c'),
      ],
      [sales, both],
      [['Named c', 2, null]],
    ],
    ['decides for one', [signature('a', { selection: inGroup('press') }), signature('b')], [sales, both], []],
    [
      'decides on other days',
      [signature('a', { during: inJanuary }), signature('b', { during: january })],
      [sales],
      [],
    ],
    [
      'has its days within those of another one',
      [signature('a', { during: january }), signature('b', { during: inJanuary })],
      [sales],
      [['Named b', 1, 'Named a']],
    ],
    [
      'decides for other recipients',
      [signature('a', { recipients: 'internal' }), signature('b')],
      [sales],
      [],
    ],
    [
      'decides for other messages of a thread',
      [signature('a', { thread: 'first' }), signature('b'), signature('c', { thread: 'later' })],
      [sales],
      [['Named c', 1, 'Named b']],
    ],
    [
      'is for the same messages of a thread',
      [signature('a', { thread: 'later' }), signature('b', { thread: 'later' })],
      [sales],
      [['Named b', 1, 'Named a']],
    ],
    [
      'is for recipients of another one',
      [signature('a'), signature('b', { recipients: ['x.example'] })],
      [sales],
      [['Named b', 1, 'Named a']],
    ],
    ['decides in meetings', [signature('a'), signature('b', { meeting: 'templates/b.html' })], [sales], []],
    [
      'has no meetings of its own',
      [signature('a', { meeting: 'templates/a.html' }), signature('b', { meeting: 'templates/b.html' })],
      [sales],
      [['Named b', 1, 'Named a']],
    ],
    [
      'is chosen',
      [signature('a'), signature('b')],
      [sales, person('c', { metadata: { defaultSignature: { master: 'b-c' } } })],
      [],
    ],
    ['has no people to decide for', [signature('a')], [], [['Named a', 0, null]]],
  ])('is told when it %s', (_, signatures, people, told) => {
    expect(idleIn(signatures, people)).toEqual(told)
  })

  test('is a block, too, that no person gets or that stands behind another one', () => {
    const blocks = [
      anyBlock({ id: 'x', name: 'Empty', selection: inGroup('x') }),
      anyBlock({ id: 'y', name: 'Always', replies: true }),
      anyBlock({ id: 'z', name: 'Behind' }),
    ]
    const slotted = {
      templates: { 'templates/a.html': '<p>A</p>{{block banner}}', [anyBlock().template]: '<b>B</b>' },
    }
    expect(coverageOf(releaseOf([signature('a')], { blocks, ...slotted }), [sales]).idle).toEqual([
      { kind: 'block', id: 'x', name: 'Empty', people: 0, behind: null },
      { kind: 'block', id: 'z', name: 'Behind', people: 0, behind: 'Always' },
    ])
  })
})

describe('two signatures that differ only in order', () => {
  const sales = { selection: inGroup('sales'), template: 'templates/s.html' }
  test.each<[string, readonly Signature[], readonly (readonly string[])[]]>([
    ['for the same people', [signature('a', sales), signature('b', sales)], [['Named a', 'Named b']]],
    [
      'for some of the people of the first',
      [signature('a', { template: 'templates/s.html' }), signature('b', sales)],
      [['Named a', 'Named b']],
    ],
    [
      'on other days',
      [signature('a', sales), signature('b', { ...sales, during: null, recipients: 'external' })],
      [['Named a', 'Named b']],
    ],
    [
      'for other messages of a thread',
      [signature('a', { ...sales, thread: 'first' }), signature('b', { ...sales, thread: 'later' })],
      [],
    ],
    ['with another template', [signature('a', sales), signature('b', { selection: inGroup('sales') })], []],
    [
      'with another version for replies',
      [signature('a', sales), signature('b', { ...sales, reply: 'templates/r.html' })],
      [],
    ],
    ['for more people', [signature('a', sales), signature('b', { template: 'templates/s.html' })], []],
    [
      'three times',
      [signature('a', sales), signature('b', sales), signature('c', sales)],
      [
        ['Named a', 'Named b'],
        ['Named a', 'Named c'],
      ],
    ],
  ])('are told when they show the same: %s', (_, signatures, pairs) => {
    const people = [person('s', { groups: ['sales'] }), person('o')]
    const { alike } = coverageOf(releaseOf(signatures), people)
    expect(alike.map(({ first, second }) => [first, second])).toEqual(pairs)
  })

  test('are told before a person is added, when their rules are the same', () => {
    expect(coverageOf(releaseOf([signature('a', sales), signature('b', sales)]), []).alike).toHaveLength(1)
  })
})

test('twice the people take twice the steps', () => {
  const release = releaseOf(
    Array.from({ length: 20 }, (_, index) => signature(`s${String(index)}`, { selection: inGroup('sales') })),
  )
  const work = (count: number) => {
    const people = Array.from({ length: count }, (_, index) =>
      person(`p${String(index)}`, { groups: ['sales'] }),
    )
    const { groups, plans } = planned(release, people)
    return plans.map((each) => stepsOf(groups.adding(each))).reduce((sum, each) => sum + each, 0)
  }
  expect(work(80)).toBe(2 * work(40))
})

test('of a person with many signatures, each is compared only with those whose times have all of its own', () => {
  const dayOf = (index: number) => new Date(AT + index * 86_400_000).toISOString().slice(0, 10)
  const comparisons = (signatures: number) => {
    const release = releaseOf(
      Array.from({ length: signatures }, (_, index) =>
        signature(`s${String(index)}`, {
          during: { from: dayOf(2 * index), to: dayOf(2 * index), timeZone: 'UTC' },
        }),
      ),
    )
    const covered = createCoverage(release, new Map())
    for (const id of ['p', 'q', 'r']) runSteps(covered.adding(person(id), null, null))
    return covered.comparisons()
  }
  expect(comparisons(100)).toBe(300)
  expect(comparisons(200)).toBe(600)
})
