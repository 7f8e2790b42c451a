/** People and releases over small pools, so that conditions, addresses and choices meet. */
import fc from 'fast-check'
import type { PersonCommand } from '../../../streams/organisation/decide.ts'
import type { DirectoryRecord } from '../../../streams/organisation/facts/events.ts'
import {
  type Block,
  compileRelease,
  type Condition,
  conditionKeyOf,
  type SharedMailbox,
  type ManagerCondition,
  type Release,
  type ReleaseDocument,
  type Selection,
  type Signature,
  type FieldTest,
  type Variable,
} from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'

export const EVERYONE: Selection = { for: 'everyone', not: [] }
const ADDRESSES = ['ana@in.example', 'ben@in.example', 'cleo@sales.in.example', 'desk@in.example']
const GROUPS = ['sales', 'press', 'board']
const FIELDS = ['department', 'country', 'phone']
const TEXTS = ['Sales', 'Press', 'DE', '', '2026-01-15T08:00:00Z']
const MANAGER_FIELDS = ['manager.department', 'manager.mail']
export const PATHS = ['job_title', 'phone', 'legal_line']

const map = (keys: readonly string[], values: fc.Arbitrary<string>) =>
  fc.dictionary(fc.constantFrom(...keys), values, { maxKeys: keys.length })
const some = (pool: readonly string[]) => fc.subarray([...pool], { minLength: 1 })
const account = fc.record({ tenant: fc.constantFrom('t-1', 't-2'), oid: fc.constantFrom('o-1', 'o-2') })
export const picture = fc.constantFrom('1a.png', '2b.jpg')

export const record: fc.Arbitrary<DirectoryRecord> = fc.record({
  addresses: fc.shuffledSubarray(ADDRESSES, { minLength: 1 }),
  account: fc.option(account),
  language: fc.option(fc.constantFrom('de', 'de-AT', 'en')),
  fields: map([...FIELDS, ...MANAGER_FIELDS], fc.constantFrom(...TEXTS, '__proto__', 'Ben@in.example')),
  groups: fc.shuffledSubarray(GROUPS),
  picture: fc.option(picture),
})

const BEGINNINGS = ['s', 'SAL', 'es', '2026']
const day = fc.constantFrom('2026-01-14', '2026-01-15', '2026-01-16')
const test: fc.Arbitrary<FieldTest> = fc.oneof(
  fc.record({ is: fc.constantFrom('starts', 'ends', 'contains'), values: some(BEGINNINGS) }),
  fc.record({ is: fc.constant('any' as const) }),
  fc.record({ is: fc.constantFrom('before', 'after'), day }),
)
const ofPerson: fc.Arbitrary<ManagerCondition> = fc.oneof(
  some(ADDRESSES).map((values) => ({ by: 'person' as const, values })),
  some(['*@in.example', '*.in.example', 'a*', '*']).map((values) => ({ by: 'address' as const, values })),
  fc.record({ by: fc.constant('field' as const), field: fc.constantFrom(...FIELDS), values: some(TEXTS) }),
  fc.record({
    by: fc.constant('test' as const),
    field: fc.constantFrom(...FIELDS),
    tests: fc.uniqueArray(test, { selector: ({ is }) => is, minLength: 1, maxLength: 2 }),
  }),
)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  some(GROUPS).map((values) => ({ by: 'group' as const, values })),
  some(['de', 'DE-at', 'en']).map((values) => ({ by: 'language' as const, values })),
  { weight: 3, arbitrary: ofPerson },
  fc.record({
    by: fc.constant('manager' as const),
    conditions: fc.uniqueArray(ofPerson, { selector: conditionKeyOf, minLength: 1, maxLength: 2 }),
  }),
)
const groups = fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 2 })
export const selection: fc.Arbitrary<Selection> = fc.record({
  for: fc.oneof(fc.constant('everyone' as const), groups),
  not: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, groups),
})

const variable: fc.Arbitrary<Omit<Variable, 'path'>> = fc.record({
  from: fc.option(fc.constantFrom(...FIELDS)),
  value: fc.option(fc.constantFrom(...TEXTS)),
  edit: fc.boolean(),
  resync: fc.boolean(),
  hidden: fc.boolean(),
  label: fc.option(fc.constant('Label')),
  group: fc.option(fc.constant('mapped')),
})
const during = fc.option(
  fc.record({
    from: fc.constantFrom('2026-01-01', '2026-02-01'),
    to: fc.constantFrom('2026-01-31', '2026-02-28'),
    timeZone: fc.constantFrom('Europe/Berlin', 'UTC'),
  }),
)
const recipients = fc.constantFrom('everyone' as const, 'internal' as const, 'external' as const)
export const signature: fc.Arbitrary<Omit<Signature, 'id'>> = fc.record(
  {
    name: fc.constant('A signature'),
    template: fc.constant('templates/a.html'),
    reply: fc.option(fc.constant('templates/b.html')),
    mobile: fc.constant(null),
    meeting: fc.constantFrom('templates/a.html', 'templates/b.html'),
    selection,
    during,
    recipients,
    thread: fc.constantFrom('first', 'later'),
    collection: fc.constant(null),
  },
  {
    requiredKeys: ['name', 'template', 'reply', 'mobile', 'selection', 'during', 'recipients', 'collection'],
  },
)
const hours = fc.constantFrom(
  { spans: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }], timeZone: 'Europe/Berlin' },
  { spans: [{ days: [6, 7], from: '00:00', to: '24:00' }], timeZone: 'UTC' },
)
const ownDays = fc.record({
  from: fc.constantFrom(...PATHS),
  to: fc.constantFrom(...PATHS),
  before: fc.constantFrom(0, 30),
  timeZone: fc.constant('UTC'),
})
export const openTimes = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ hours }),
  fc.record({ ownDays }),
)
const anyTimes: fc.Arbitrary<Omit<Block, 'id'>> = fc.record(
  {
    name: fc.constant('A block'),
    slot: fc.constantFrom('banner', 'banner', 'notice'),
    template: fc.constant('templates/banner.html'),
    selection: fc.oneof(fc.constant(EVERYONE), selection),
    during,
    recipients,
    replies: fc.boolean(),
    thread: fc.constantFrom('first', 'later'),
    share: fc.constantFrom(100, 100, 50, 1),
  },
  {
    requiredKeys: ['name', 'slot', 'template', 'selection', 'during', 'recipients', 'replies', 'share'],
  },
)
const block = fc.tuple(anyTimes, openTimes).map(([given, times]) => ({ ...given, ...times }))
const mailbox: fc.Arbitrary<SharedMailbox> = fc.record({
  address: fc.constant('desk@in.example'),
  selection,
  values: map([...PATHS, 'display_name'], fc.constantFrom('Desk', '')),
})

const withoutBlocks: fc.Arbitrary<Omit<ReleaseDocument, 'blocks'>> = fc.record({
  version: fc.constant(1),
  organisation: fc.constant('Northwind'),
  internal: fc.constant(['in.example']),
  chooseDefault: selection,
  plan: fc.constant({ from: null, value: 'full' }),
  variables: fc
    .tuple(variable, variable, variable)
    .map((all) => all.map((each, index) => ({ ...each, path: PATHS[index] ?? '' }))),
  signatures: fc.array(signature, { maxLength: 4 }).map((all) => numbered('s', all)),
  mailboxes: fc.array(mailbox, { maxLength: 1 }),
  templates: fc.constant({
    'templates/a.html': '<p>{{display_name}}</p>{{> legal}}{{#block banner}}<div>{{block}}</div>{{/block}}',
    'templates/banner.html': '<b>{{phone}}</b>',
    'templates/b.html': '<p>{{phone}}</p>',
    'templates/legal.part.html': '<p>{{legal_line}}{{picture logo.png}}</p>',
  }),
  pictures: fc.constant({ 'logo.png': 'c0ffee' }),
})

const numbered = <Item>(prefix: string, all: readonly Item[]) =>
  all.map((each, index) => ({ ...each, id: `${prefix}${String(index)}` }))

export const document: fc.Arbitrary<ReleaseDocument> = fc
  .tuple(withoutBlocks, fc.array(block, { maxLength: 4 }))
  .map(([others, blocks]) => ({
    ...others,
    ...(blocks.length > 0 && { blocks: numbered('b', blocks) }),
  }))

export const release: fc.Arbitrary<Release> = document.map((each) => compileRelease('r-1', each))

const own = map(PATHS, fc.constantFrom(...TEXTS, 'own'))
const chosenIds = fc.constantFrom('s0-p-1', 's1-p-1', 's0-desk', 'gone-p-1')
const bySender = fc.constant({ 'desk@in.example': 's1-p-1' })
export const metadata = fc.record(
  {
    collapsed: fc.boolean(),
    defaultSignature: fc.oneof(
      fc.record({ master: chosenIds, reply: chosenIds, bySender }, { requiredKeys: ['master'] }),
      fc.record({ bySender }),
    ),
  },
  { requiredKeys: [] },
)

export const person: fc.Arbitrary<PersonState> = fc
  .record({ record, values: own, metadata, picture: fc.option(picture), active: fc.boolean() })
  .map(({ record: { fields, picture: directoryPicture, ...told }, ...given }) => ({
    id: 'p-1',
    revision: 1,
    ...told,
    ...given,
    directory: fields,
    directoryPicture,
  }))
export const values = own

const untilDay = fc.constantFrom('removed', '2026-01-14', '2026-01-16')
const fieldEnd = fc.oneof(untilDay, fc.constant('changed'))
export const setByHand = fc.record(
  {
    fields: fc.dictionary(
      fc.constantFrom(...FIELDS),
      fc.record({ value: fc.constantFrom(...TEXTS, 'corrected'), until: fieldEnd }),
      { maxKeys: 2 },
    ),
    excluded: fc.record({ until: untilDay }),
    pinned: fc.record({ signature: fc.constantFrom('s0', 's1', 's2'), until: untilDay }),
  },
  { requiredKeys: ['fields'] },
)
export const supplemented = map(FIELDS, fc.constantFrom(...TEXTS, 'of a file'))
/** Commands of administrators and files on one person. A correction hits or misses the person's revision. */
export const correction: fc.Arbitrary<PersonCommand> = fc.oneof(
  fc.record({ type: fc.constant('correct' as const), revision: fc.nat({ max: 3 }), corrections: setByHand }),
  fc.record({ type: fc.constant('endCorrections' as const), day }),
  fc.record({
    type: fc.constant('supplement' as const),
    source: fc.constant('extra.csv'),
    values: supplemented,
  }),
)
