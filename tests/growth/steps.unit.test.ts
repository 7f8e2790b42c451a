import { expect, test } from 'vitest'
import { documentSchema } from '../../streams/wire/administration/document.ts'
import { readInSteps } from '../../streams/wire/reading.ts'
import { checkingFolder as checkingFolder, checkingDocument } from '../../src/folder/checkFolder.ts'
import { readingPeople } from '../../src/folder/people.ts'
import type { FolderRead } from '../../src/folder/readFolder.ts'
import { composingFiles } from '../../src/folder/writeFolder.ts'
import {
  applyingOperations,
  readingMembers,
  readPatchOperations,
  splittingMembers,
} from '../../src/service/scim/patch.ts'
import { attributeNamed, GROUP_TYPE, USER_TYPE } from '../../src/service/scim/schemas.ts'
import { runSteps, type Steps } from '../../streams/kernel/steps.ts'
import { MAX_KEPT_REFERENCES } from '../../streams/organisation/plan/keptReferences.ts'
import {
  type ReleaseComparison,
  comparingReleases,
  groupPlans,
  planningPerson,
} from '../../streams/organisation/plan/plan.ts'
import {
  type Block,
  compileRelease,
  compilingRelease,
  type Condition,
  type ReleaseDocument,
  type Selection,
} from '../../streams/organisation/release/release.ts'
import { addresses, largeDocument, person } from './largeDocument.ts'
import { stepsOf } from './work.ts'
import { compareReleases, plannedFor } from '../support/planned.ts'

// What keeps the process from others is one step: however large the whole is, none does more than a part of it.

const MAX_OF_WHOLE = 1 / 8
/** The tree of a document is made in one step (`yamlTreeOf`). */
const MAX_OF_WRITING = 1 / 6

const workOf = (steps: Steps<unknown>) => {
  const each: number[] = []
  let last: IteratorResult<unknown> | null = null
  const step = () => (last = steps.next())
  do each.push(stepsOf(step))
  while ((last as IteratorResult<unknown> | null)?.done !== true)
  return { whole: each.reduce((sum, one) => sum + one, 0), most: Math.max(...each) }
}

const documents: Readonly<Record<string, ReleaseDocument>> = {
  'many mailboxes': largeDocument({ mailboxes: 3_000 }),
  'many signatures': largeDocument({ signatures: 60, templates: 40 }),
  'one signature for many': largeDocument({ conditions: 200 }),
  'many blocks': largeDocument({ signatures: 10, templates: 10, blocks: 300 }),
}

const work: Readonly<Record<string, (document: ReleaseDocument) => Steps<unknown>>> = {
  'checking the schema': (document) => readInSteps(documentSchema, document),
  'writing a folder': (document) => composingFiles(document, new Map()),
}
const rendering: typeof work = {
  checking: (document) => checkingDocument(document, 0),
  compiling: (document) => compilingRelease('r', document),
  comparing: (document) =>
    comparingReleases(compileRelease('a', changed(document)), compileRelease('b', document), ''),
  planning: (document) => planningPerson(compare(document), person, new Map(), 0),
  grouping: (document) => {
    const comparison = compare(document)
    return groupPlans(comparison, 0).adding(plannedFor(comparison, person, new Map(), 0))
  },
}

const changed = (document: ReleaseDocument): ReleaseDocument => ({
  ...document,
  templates: Object.fromEntries(
    Object.entries(document.templates).map(([path, text]) => [path, `<p>before</p>${text}`]),
  ),
})
const compare = (document: ReleaseDocument) =>
  compareReleases(compileRelease('a', changed(document)), compileRelease('b', document), '')

const all = [
  ...['many mailboxes', 'one signature for many'].flatMap((name) =>
    Object.entries(work).map(([doing, begin]) => [doing, name, begin] as const),
  ),
  ...Object.entries(rendering).map(([doing, begin]) => [doing, 'many signatures', begin] as const),
  ['checking', 'many blocks', (document: ReleaseDocument) => checkingDocument(document, 0)] as const,
].filter(([doing, name]) => doing !== 'writing a folder' || name === 'many mailboxes')

test.each(all)('no step of %s a document with %s is most of the work', (doing, name, begin) => {
  const document = documents[name]!
  const { whole, most } = workOf(begin(document))
  expect(most).toBeLessThan(whole * (doing === 'writing a folder' ? MAX_OF_WRITING : MAX_OF_WHOLE))
})

/** So many blocks, each of which stands for half of the people on most of the days of the others. */
function overlapping(blocks: number) {
  const document = largeDocument({ signatures: 4, templates: 2, blocks, lines: 1 })
  const signatures = document.signatures.map((one, index) => ({
    ...one,
    during: { from: '2026-01-01', to: `203${String(index)}-12-31`, timeZone: 'UTC' },
  }))
  const blocksOf = (names: string) =>
    document.blocks?.map((block, index): Block => ({
      ...block,
      name: `${names} ${String(index % 3)}`,
      during: { ...block.during!, from: block.during!.to, to: '2029-12-31' },
      recipients: 'external',
      share: 50,
    })) ?? []
  const [before, after] = ['Before', 'After'].map((names) =>
    compileRelease(names, { ...document, signatures, blocks: blocksOf(names) }),
  )
  return compareReleases(before!, after!, '')
}
const planFor = (comparison: ReleaseComparison, index: number) =>
  planningPerson(comparison, { ...person, id: `u-${String(index)}` }, new Map(), 0)
const keptIn = (comparison: ReleaseComparison) => comparison.blocksFrom(0)!.keptReferences()

test('no step of a plan with blocks that overlap is most of the work', () => {
  const comparison = overlapping(60)
  keptIn(comparison)
  const { whole, most } = workOf(planFor(comparison, 0))
  expect(most).toBeLessThan(whole * MAX_OF_WHOLE)
})

test('a plan keeps as much of a person as there are blocks, and not of all people', () => {
  const keptOfOne = [50, 100].map((blocks) => {
    const comparison = overlapping(blocks)
    runSteps(planFor(comparison, 0))
    return keptIn(comparison)
  })
  expect(keptOfOne[0]).toBeGreaterThan(50)
  expect(keptOfOne[1]! / keptOfOne[0]!).toBeLessThan(2.7)
  const comparison = overlapping(50)
  const people = (3 * MAX_KEPT_REFERENCES) / keptOfOne[0]!
  for (let index = 0; index < people; index += 1) runSteps(planFor(comparison, index))
  // Two caches.
  expect(keptIn(comparison)).toBeLessThanOrEqual(2 * MAX_KEPT_REFERENCES)
})

const ids = (count: number) => addresses(count).map((value) => ({ value }))
const operations = (...all: readonly object[]) =>
  readPatchOperations({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: all })
test.each<[string, () => Steps<unknown>]>([
  [
    'many members',
    () => readingMembers(attributeNamed(GROUP_TYPE.schema.attributes, 'members')!, ids(3_000)),
  ],
  [
    'an operation with many members',
    () => splittingMembers(GROUP_TYPE, operations({ op: 'add', path: 'members', value: ids(3_000) })),
  ],
  [
    'many operations',
    () =>
      applyingOperations(
        USER_TYPE,
        { userName: 'alex' },
        operations(...ids(90).map((value) => ({ op: 'add', path: 'emails', value }))),
      ),
  ],
])('no step of reading %s of SCIM is most of the work', (_, begin) => {
  const { whole, most } = workOf(begin())
  expect(most).toBeLessThan(whole * MAX_OF_WHOLE)
})

test('no step of checking a document with many mailboxes is most of the work', () => {
  const { whole, most } = workOf(checkingDocument(largeDocument({ mailboxes: 3_000, lines: 0 }), 0))
  expect(most).toBeLessThan(whole * MAX_OF_WHOLE)
})

const folder = (document: ReleaseDocument, people: number): FolderRead => ({
  document,
  yaml: null,
  pictures: new Map(),
  readers: [],
  places: new Map(),
  isDescribed: true,
  people: addresses(people).map((address, line) => ({
    id: null,
    line,
    record: {
      account: null,
      language: null,
      groups: [],
      picture: null,
      addresses: [address],
      fields: { givenName: 'Alex' },
    },
  })),
  fields: new Set(['givenName']),
  expectations: [],
  problems: [],
})

const withSelection = (wanted: Selection['for']): ReleaseDocument => {
  const document = largeDocument({ signatures: 1, templates: 1 })
  const selection: Selection = { for: wanted, not: [] }
  return { ...document, signatures: document.signatures.map((one) => ({ ...one, selection })) }
}
/** A signature for these and `a0`, so that it is for a person. */
const only = (condition: Extract<Condition, { values: unknown }>) =>
  withSelection([[{ ...condition, values: ['a0@northwind.example', ...condition.values] }]])

const folders: Readonly<Record<string, FolderRead>> = {
  'many people': folder(largeDocument({ signatures: 1, templates: 1 }), 1_000),
  'many blocks': folder(largeDocument({ signatures: 1, templates: 1, blocks: 60, lines: 1 }), 100),
  'many mailboxes of a mistyped domain': folder(
    {
      ...largeDocument({}),
      mailboxes: largeDocument({ mailboxes: 1_000 }).mailboxes.map((mailbox) => ({
        ...mailbox,
        address: mailbox.address.replace('northwind', 'northwnd'),
      })),
    },
    1,
  ),
  'many people and one pattern that fits none': folder(
    only({ by: 'address', values: ['*@southwind.example'] }),
    1_000,
  ),
  'many addresses that no person has': folder(
    only({ by: 'person', values: addresses(1_000).map((address) => `b${address}`) }),
    500,
  ),
  'a list that fits everybody': folder(only({ by: 'person', values: addresses(300) }), 300),
  'a list without people': {
    ...folder(only({ by: 'person', values: addresses(1_000).map((address) => `${address}s`) }), 0),
    people: null,
  },
  'a mistyped address among many': folder(only({ by: 'person', values: ['a990@nortwind.example'] }), 1_000),
  'conditions that no one of many fulfils': folder(
    withSelection([
      [
        { by: 'address', values: ['*@northwind.example'] },
        { by: 'person', values: addresses(100).map((address) => `b${address}`) },
      ],
    ]),
    1_000,
  ),
  'many people and no signature': {
    ...folder(largeDocument({ lines: 0 }), 1_000),
    expectations: [
      {
        kind: 'everyone',
        place: { file: 'expect.yaml', line: 1, column: 1 },
        on: null,
        hasDefault: false,
        maxCharacters: null,
      },
    ],
  },
}

test.each(Object.entries(folders))('no step of checking a folder with %s is most of the work', (_, read) => {
  const { whole, most } = workOf(checkingFolder(read, 0))
  expect(most).toBeLessThan(whole * MAX_OF_WHOLE)
})

test('no step of reading people is most of the work', () => {
  const text = `email,givenName\n${addresses(3_000).join(',Given\n')},Given`
  const { whole, most } = workOf(readingPeople(text, 'people.csv', null))
  expect(most).toBeLessThan(whole * MAX_OF_WHOLE)
})

test('a plan for a person takes as long with many mailboxes of one rule as with few, and says all of them', () => {
  const planned = (mailboxes: number) => {
    const before = compileRelease('a', largeDocument({ signatures: 1, templates: 1 }))
    const after = compileRelease('b', largeDocument({ signatures: 1, templates: 1, mailboxes }))
    const comparison = compareReleases(before, after, '')
    const groups = groupPlans(comparison, 0)
    const steps = stepsOf(() => runSteps(groups.adding(plannedFor(comparison, person, new Map(), 0))))
    expect(groups.summary().mailboxes).toHaveLength(mailboxes)
    return steps
  }
  expect(planned(4_000)).toBeLessThan(planned(200) * 1.2)
})
