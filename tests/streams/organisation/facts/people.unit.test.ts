import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../../../streams/kernel/event.ts'
import {
  decideOrganisation,
  decidePerson,
  isRefusedCommand,
  type OrganisationCommand,
  type PersonCommand,
} from '../../../../streams/organisation/decide.ts'
import {
  type DirectoryRecord,
  Organisation,
  type OrganisationFact,
  Person,
  type PersonFact,
} from '../../../../streams/organisation/facts/events.ts'
import {
  canonicalPieces,
  canonicalText,
  compileRelease,
  partName,
  type Release,
} from '../../../../streams/organisation/release/release.ts'
import {
  evolveOrganisation,
  evolvePerson,
  withFacts,
} from '../../../../streams/organisation/facts/reducer.ts'
import { portraitAddress } from '../../../../streams/organisation/rendering/render.ts'
import { mayChooseDefault, visibleMetadata } from '../../../../streams/organisation/rules/rules.ts'
import {
  replacedDirectoryValues,
  variableValues,
} from '../../../../streams/organisation/release/selectors.ts'
import type { OrganisationState, PersonState } from '../../../../streams/organisation/facts/state.ts'
import {
  correction,
  document,
  EVERYONE,
  metadata,
  person,
  picture,
  record,
  release,
  values,
} from '../arbitraries.ts'
import { variableOf } from '../../../support/variables.ts'

const AT = 1_000
const recorded = <E>(seq: number, fact: E, at = AT): Recorded<E> => ({
  ...fact,
  meta: { seq, at, source: 'admin' },
})

/** The state after facts that follow it. */
const after = (state: PersonState | null, facts: readonly PersonFact[]) =>
  facts.reduce<PersonState | null>(
    (before, fact, index) => evolvePerson(before, recorded((state?.revision ?? 0) + index, fact), 'p-1'),
    state,
  )

const save = fc
  .record({
    values: fc.oneof(
      values,
      fc.dictionary(fc.constantFrom('other', 'email'), fc.constant('x'), { maxKeys: 1 }),
    ),
    resetFields: fc.oneof(
      { weight: 3, arbitrary: fc.constant<readonly string[]>([]) },
      fc.subarray(['job_title', 'phone', 'other'], { maxLength: 2 }),
    ),
    metadata: fc.option(metadata, { nil: undefined }),
    base: fc.option(fc.record({ values, metadata: fc.option(metadata, { nil: undefined }) }), {
      nil: undefined,
    }),
  })
  .map((given) => ({ type: 'saveValues' as const, ...given }))
const command: fc.Arbitrary<PersonCommand> = fc.oneof(
  record.map((told) => ({ type: 'importRecord' as const, record: told })),
  fc
    .constantFrom('deactivate' as const, 'erase' as const, 'removePicture' as const)
    .map((type) => ({ type })),
  fc.record({
    type: fc.constant('bindAccount' as const),
    account: fc.record({ tenant: fc.constant('t-1'), oid: fc.constantFrom('o-1', 'o-2') }),
  }),
  { weight: 3, arbitrary: save },
  fc.record({
    type: fc.constant('chooseDefault' as const),
    combinedIds: fc.constantFrom('s0-p-1', 's1-p-1'),
  }),
  picture.map((name) => ({ type: 'changePicture' as const, picture: name })),
  correction,
)
const before = fc.oneof({ weight: 9, arbitrary: person }, fc.constant(null))

describe('a person', () => {
  test('[SRV-14] has the same row from the same facts, also after they were stored as JSON', () => {
    fc.assert(
      fc.property(release, fc.array(command, { maxLength: 12 }), (published, commands) => {
        const facts: PersonFact[] = []
        let row: PersonState | null = null
        for (const each of commands) {
          const decided = decidePerson(row, each, published)
          if (isRefusedCommand(decided)) continue
          row = after(row, decided)
          facts.push(...decided)
          // An erased stream begins at 0 once more.
          if (row === null) facts.length = 0
        }
        const stored = JSON.parse(JSON.stringify(facts)) as readonly PersonFact[]
        expect(after(null, stored)).toEqual(row)
        expect(after(null, stored)?.revision).toBe(row?.revision)
        expect(row?.revision ?? 0).toBe(facts.length)
      }),
      { numRuns: 300 },
    )
  })

  test('is not changed by deciding, and a command that is fulfilled gives no second fact', () => {
    fc.assert(
      fc.property(release, before, command, (published, state, each) => {
        const kept = JSON.stringify(state)
        const decided = decidePerson(state, each, published)
        expect(JSON.stringify(state)).toBe(kept)
        if (isRefusedCommand(decided)) return
        const again = decidePerson(after(state, decided), each, published)
        // Who left is unknown; a value that was set back cannot be set back again, and then the save is refused.
        if (!isRefusedCommand(again)) expect(again).toEqual([])
        // A correction names the revision that it changed.
        else expect(['not_found', 'variable_resync_failed', 'person_changed']).toContain(again.refused)
      }),
      { numRuns: 500 },
    )
  })

  test('who left, or whom nothing imported, can only be imported and erased', () => {
    fc.assert(
      fc.property(release, before, command, (published, state, each) => {
        const gone = state && { ...state, active: false }
        const decided = decidePerson(gone, each, published)
        if (each.type === 'importRecord') {
          expect(!isRefusedCommand(decided) && decided[0]?.type).toBe(
            gone ? 'person/returned' : 'person/imported',
          )
          expect(!isRefusedCommand(decided) && after(gone, decided)?.active).toBe(true)
        } else if (each.type === 'erase') expect(decided).toEqual(gone ? [Person.erased()] : [])
        else if ((each.type === 'deactivate' || each.type === 'endCorrections') && gone)
          expect(decided).toEqual([])
        else expect(decided).toMatchObject({ refused: 'not_found' })
      }),
    )
  })

  test('leaves, returns and is erased by facts', () => {
    const told: DirectoryRecord = {
      addresses: ['a@in.example'],
      account: null,
      language: null,
      fields: {},
      groups: [],
      picture: null,
    }
    const imported = after(null, [Person.imported({ record: told })])
    const left = after(imported, [Person.departed()])
    expect([imported?.active, left?.active, left?.revision]).toEqual([true, false, 2])
    expect(after(left, [Person.returned()])?.active).toBe(true)
    expect(after(left, [Person.erased()])).toBeNull()
    expect(after(null, [Person.departed()])).toBeNull()
  })
})

describe('an import', () => {
  const merged = (state: PersonState, told: DirectoryRecord) => {
    const decided = decidePerson(state, { type: 'importRecord', record: told }, null)
    return isRefusedCommand(decided) ? null : after(state, decided)
  }

  test('[SRV-24] changes nothing the second time, whatever the user changed between', () => {
    fc.assert(
      fc.property(release, person, record, fc.array(command), (published, state, told, commands) => {
        let row = merged(state, told)
        for (const each of commands) {
          const decided = decidePerson(row, each, published)
          const isOfUser = ['saveValues', 'chooseDefault', 'changePicture', 'removePicture'].includes(
            each.type,
          )
          if (isOfUser && !isRefusedCommand(decided)) row = after(row, decided)
        }
        expect(decidePerson(row, { type: 'importRecord', record: told }, published)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('tells what the directory says now, and keeps what the user edited', () => {
    fc.assert(
      fc.property(person, record, (state, told) => {
        const row = merged(state, told)
        expect(row).toMatchObject({
          active: true,
          language: told.language,
          directory: told.fields,
          account: told.account ?? state.account,
          values: state.values,
          metadata: state.metadata,
          directoryPicture: told.picture,
          picture: state.picture === state.directoryPicture ? told.picture : state.picture,
        })
        expect(new Set(row?.groups)).toEqual(new Set(told.groups))
        expect(row?.addresses[0]).toBe(told.addresses[0])
        expect(new Set(row?.addresses)).toEqual(new Set(told.addresses))
      }),
    )
  })

  test('writes the changed fields only', () => {
    const told: DirectoryRecord = {
      addresses: ['a@x.example', 'b@x.example', 'c@x.example'],
      account: null,
      language: 'de',
      fields: { country: 'DE', city: 'Kiel' },
      groups: ['a', 'b'],
      picture: null,
    }
    const row = after(null, [Person.imported({ record: told })])
    const changes = (change: Partial<DirectoryRecord>) =>
      decidePerson(row, { type: 'importRecord', record: { ...told, ...change } }, null)
    expect(changes({ language: 'en' })).toEqual([Person.directoryChanged({ changed: { language: 'en' } })])
    expect(changes({ fields: { city: 'Kiel', country: 'DE' }, groups: ['b', 'a'] })).toEqual([])
    expect(changes({ addresses: ['a@x.example', 'c@x.example', 'b@x.example'] })).toEqual([])
    const other = ['b@x.example', 'a@x.example', 'c@x.example']
    expect(changes({ addresses: other })).toEqual([
      Person.directoryChanged({ changed: { addresses: other } }),
    ])
  })
})

describe('an account', () => {
  test('is bound once', () => {
    const bind = (state: PersonState | null, oid: string) =>
      decidePerson(state, { type: 'bindAccount', account: { tenant: 't', oid } }, null)
    const [someone] = fc.sample(person, { seed: 1, numRuns: 1 }) as [PersonState]
    const unbound = { ...someone, active: true, account: null }
    const account = { tenant: 't', oid: 'o' }
    expect(bind(unbound, 'o')).toEqual([Person.accountBound({ account })])
    const bound = after(unbound, [Person.accountBound({ account })])
    expect(bound?.account).toEqual(account)
    expect(bind(bound, 'o')).toEqual([])
    expect(bind(bound, 'other')).toMatchObject({ refused: 'account_bound' })
  })
})

describe('a save', () => {
  const [base] = fc.sample(document, { seed: 1, numRuns: 1 })
  if (base === undefined) throw new Error('no sample')
  const published = compileRelease('r', {
    ...base,
    chooseDefault: EVERYONE,
    mailboxes: [],
    variables: [
      variableOf('phone', { edit: true, group: null, from: 'phone', resync: true }),
      variableOf('city', { edit: true, group: null, from: 'city' }),
      variableOf('title', { group: null, from: 'title', resync: true }),
      variableOf('motto', { edit: true, group: null }),
    ],
  })
  const locked = compileRelease('r', { ...published.document, chooseDefault: { for: [], not: [] } })
  const row: PersonState = {
    id: 'p-1',
    revision: 3,
    account: null,
    active: true,
    addresses: ['a@in.example'],
    language: null,
    directory: { phone: '1', city: 'Kiel', title: 'CEO' },
    groups: [],
    values: { phone: '2', city: 'Ulm' },
    metadata: { defaultSignature: { master: 's0-p-1' } },
    picture: '1a.png',
    directoryPicture: null,
  }
  const saving = (
    saved: Readonly<Record<string, string>>,
    resetFields: readonly string[] = [],
    more: Readonly<Pick<Extract<PersonCommand, { type: 'saveValues' }>, 'metadata' | 'base'>> = {},
    by: Release | null = published,
  ) => decidePerson(row, { type: 'saveValues', values: saved, resetFields, ...more }, by)

  test('is decided into what differs', () => {
    const all = { phone: '2', city: 'Bonn', title: 'CEO', motto: '', email: 'a@in.example' }
    expect(saving(all)).toEqual([Person.valuesSaved({ values: { city: 'Bonn' }, reset: [] })])
    expect(saving({})).toEqual([])
    expect(saving({ motto: 'x' }, ['phone'], { metadata: { collapsed: true, ...row.metadata } })).toEqual([
      Person.valuesSaved({ values: { motto: 'x' }, reset: ['phone'] }),
      Person.metadataSaved({ metadata: { collapsed: true, ...row.metadata } }),
    ])
    expect(saving({}, [], { metadata: row.metadata })).toEqual([])
  })

  test('over a base is decided into what differs from that, whatever the others are now', () => {
    const sent = { phone: '7', city: 'Bonn', title: 'former', motto: '' }
    const over = (values: Readonly<Record<string, string>>, resetFields: readonly string[] = []) =>
      saving(sent, resetFields, { base: { values } })
    // The phone and the locked title changed meanwhile, and the city was typed.
    expect(over({ ...sent, city: 'Ulm' })).toEqual([
      Person.valuesSaved({ values: { city: 'Bonn' }, reset: [] }),
    ])
    expect(over(sent)).toEqual([])
    expect(over({ title: 'former' })).toEqual([
      Person.valuesSaved({ values: { phone: '7', city: 'Bonn' }, reset: [] }),
    ])
    expect(over({ ...sent, title: 'other' })).toMatchObject({ refused: 'variable_is_locked' })
    expect(saving({ other: '' }, [], { base: { values: { other: '' } } })).toMatchObject({
      refused: 'unknown_variable',
    })
    expect(saving({ ['__proto__x']: '' }, [], { base: { values: {} } })).toMatchObject({
      refused: 'unknown_variable',
    })
  })

  test('over a base may set back what follows the directory by now, and nothing that cannot', () => {
    const base = { values: {} }
    const following = { ...row, values: { city: 'Ulm' } }
    const reset = (state: PersonState, path: string) =>
      decidePerson(state, { type: 'saveValues', values: {}, resetFields: [path], base }, published)
    expect(reset(following, 'phone')).toEqual([])
    // The directory has the value by now that the user typed: it is followed from here on.
    expect(reset({ ...row, values: { phone: '1' } }, 'phone')).toEqual([
      Person.valuesSaved({ values: {}, reset: ['phone'] }),
    ])
    for (const path of ['city', 'title', 'motto'])
      expect(reset(row, path)).toMatchObject({ refused: 'variable_resync_failed' })
    expect(reset({ ...row, directory: {} }, 'phone')).toMatchObject({ refused: 'variable_resync_failed' })
    const former = { type: 'saveValues', values: {}, resetFields: ['phone'] } as const
    expect(decidePerson(following, former, published)).toMatchObject({ refused: 'variable_resync_failed' })
  })

  test('changes of the metadata what differs from the base, field by field', () => {
    const had = { tour: ['a'], defaultSignature: { master: 's0-p-1', bySender: { a: '1', b: '2' } } }
    type Kept = PersonState['metadata']
    const saved = (
      sent: Kept,
      now: Kept,
      by = published,
      base: Readonly<{ metadata?: Kept }> = { metadata: had },
    ) =>
      decidePerson(
        { ...row, metadata: now },
        { type: 'saveValues', values: {}, resetFields: [], metadata: sent, base: { values: {}, ...base } },
        by,
      )
    const becomes = (sent: Kept, now: Kept, expected: Kept) => {
      expect(saved(sent, now)).toStrictEqual([Person.metadataSaved({ metadata: expected })])
    }
    const { defaultSignature } = had
    const others = {
      tour: ['b'],
      defaultSignature: { master: 's1-p-1', bySender: { a: '1', b: '3', d: '4' } },
    }
    becomes(
      { ...had, defaultSignature: { ...defaultSignature, reply: 's1-p-1', bySender: { b: '2', c: '5' } } },
      others,
      {
        tour: ['b'],
        defaultSignature: { master: 's1-p-1', reply: 's1-p-1', bySender: { b: '3', c: '5', d: '4' } },
      },
    )
    // A list is one value, and a field that is gone for either of them is taken whole.
    becomes({ ...had, tour: ['c'] }, others, { ...others, tour: ['c'] })
    becomes(
      { ...had, defaultSignature: { master: 's0-p-2' } },
      { tour: ['b'] },
      {
        tour: ['b'],
        defaultSignature: { master: 's0-p-2' },
      },
    )
    becomes({ tour: ['a'] }, others, { tour: ['b'] })
    const nothing = { tour: ['b'], defaultSignature: null } as unknown as Kept
    becomes({ ...had, defaultSignature: { master: 's0-p-2' } }, nothing, {
      tour: ['b'],
      defaultSignature: { master: 's0-p-2' },
    })
    expect(saved(had, others)).toEqual([])
    expect(saved(others, others)).toEqual([])
    // Without a base for it, as it was sent.
    expect(saved(had, others, published, {})).toEqual([Person.metadataSaved({ metadata: had })])
    // Who may not choose changes other fields only.
    expect(saved({ ...had, tour: ['c'] }, others, locked)).toEqual([
      Person.metadataSaved({ metadata: { ...others, tour: ['c'] } }),
    ])
    expect(saved({ ...had, defaultSignature: { master: 's9' } }, others, locked)).toMatchObject({
      refused: 'default_not_allowed',
    })
  })

  test('may carry the address of the picture that there is, on any host', () => {
    const address = portraitAddress('https://s.example/images', row.picture)
    expect(address).toBe('https://s.example/images/1a/portrait.png')
    expect(saving({ picture_url: address })).toEqual([])
    expect(saving({ picture_url: 'https://s.example/images/2b/portrait.png' })).toMatchObject({
      refused: 'variable_is_locked',
    })
    expect(saving({ picture_url: '' })).toMatchObject({ refused: 'variable_is_locked' })
  })

  test.each<[string, ReturnType<typeof saving>]>([
    ['unknown_variable', saving({ other: '' })],
    ['unknown_variable', saving({}, ['other'])],
    ['unknown_variable', saving({ __proto__x: '' })],
    ['variable_is_locked', saving({ title: 'CTO' })],
    ['variable_is_locked', saving({ email: 'b@in.example' })],
    ['variable_resync_failed', saving({}, ['city'])],
    ['variable_resync_failed', saving({}, ['title'])],
    ['variable_resync_failed', saving({}, ['motto'])],
    ['unknown_variable', saving({ phone: '2' }, [], {}, null)],
    ...[{ master: 's1-p-1' }, { master: 's0-p-1', reply: 's1-p-1' }, { bySender: {} }].map(
      (defaultSignature): [string, ReturnType<typeof saving>] => [
        'default_not_allowed',
        saving({}, [], { metadata: { defaultSignature } }, locked),
      ],
    ),
    [
      'default_not_allowed',
      saving(
        {},
        [],
        { metadata: { defaultSignature: { master: 's0-p-1', bySender: { 'b@in.example': 's1-p-1' } } } },
        locked,
      ),
    ],
  ])('is refused with %s: %j', (refused, decided) => {
    expect(decided).toMatchObject({ refused })
  })

  test('by a user who may not choose a default may carry the one that there is', () => {
    const { defaultSignature } = row.metadata
    const same = { collapsed: true, ...(defaultSignature && { defaultSignature }) }
    const saved = [Person.metadataSaved({ metadata: same })]
    expect(saving({}, [], { metadata: same }, locked)).toEqual(saved)
    expect(visibleMetadata(locked, row)).toEqual({})
    expect(visibleMetadata(published, row)).toEqual(row.metadata)
    // They are not told it, and do not send it.
    expect(saving({}, [], { metadata: { collapsed: true } }, locked)).toEqual(saved)
    expect(saving({}, [], { metadata: visibleMetadata(locked, row) }, locked)).toEqual([])
  })

  test('a value that is also set back is the directory’s', () => {
    const decided = saving({ phone: '3' }, ['phone'])
    expect(decided).toEqual([Person.valuesSaved({ values: {}, reset: ['phone'] })])
    const next = isRefusedCommand(decided) ? null : after(row, decided)
    expect(next?.values).toEqual({ city: 'Ulm' })
    expect(next && variableValues(published, next, { pictureUrl: '' })['phone']).toBe('1')
  })

  test('then the values are those that were saved, and those set back no longer differ', () => {
    fc.assert(
      fc.property(release, person, save, (given, someone, each) => {
        const state = { ...someone, active: true }
        const decided = decidePerson(state, each, given)
        fc.pre(!isRefusedCommand(decided) && decided.length > 0)
        const next = isRefusedCommand(decided) ? state : (after(state, decided) ?? state)
        const now = variableValues(given, next, { pictureUrl: '' })
        const { values: had = {} } = each.base ?? {}
        const isChanged = (path: string) => path in each.values && had[path] !== each.values[path]
        const kept = Object.entries(each.values).filter(([path]) => !each.resetFields.includes(path))
        for (const [path, value] of kept) if (isChanged(path)) expect(now[path]).toBe(value)
        for (const path of each.resetFields) {
          const from = given.variableOf(path)?.from ?? ''
          expect(Object.keys(next.values)).not.toContain(path)
          const others = given.document.variables.filter((one) => one.from === from && one.path !== path)
          if (others.length === 0)
            expect(Object.keys(replacedDirectoryValues(given, next))).not.toContain(from)
        }
        const untouched = Object.keys(now).filter(
          (path) => !isChanged(path) && !each.resetFields.includes(path),
        )
        const was = variableValues(given, state, { pictureUrl: '' })
        for (const path of untouched) expect(now[path]).toBe(was[path])
      }),
      { numRuns: 300 },
    )
  })
})

describe('a refusal', () => {
  const [someone] = fc.sample(person, { seed: 1, numRuns: 1 }) as [PersonState]
  const [base] = fc.sample(document, { seed: 1, numRuns: 1 }) as [Release['document']]
  const row = {
    ...someone,
    active: true,
    account: { tenant: 't', oid: 'o' },
    directory: { phone: '1' },
    values: {},
  }
  const variable = { from: 'phone', value: null, resync: true, hidden: false, label: null, group: null }
  const locked = compileRelease('r', {
    ...base,
    chooseDefault: { for: [], not: [] },
    variables: [{ ...variable, path: 'phone', edit: false }],
    mailboxes: [],
  })
  const save = { type: 'saveValues', values: {}, resetFields: [] } as const

  test.each<readonly [refused: string, message: string, command: PersonCommand, state: PersonState | null]>([
    ['not_found', 'There is no such person.', { type: 'deactivate' }, null],
    ['not_found', 'There is no such person.', { type: 'removePicture' }, { ...row, active: false }],
    [
      'account_bound',
      'The person has another account.',
      { type: 'bindAccount', account: { tenant: 't', oid: 'x' } },
      row,
    ],
    ['unknown_variable', 'There is no variable "fax".', { ...save, values: { fax: '' } }, row],
    ['unknown_variable', 'There is no variable "fax".', { ...save, resetFields: ['fax'] }, row],
    [
      'variable_is_locked',
      'The variable "phone" cannot be changed.',
      { ...save, values: { phone: '2' } },
      row,
    ],
    [
      'variable_is_locked',
      'The variable "email" cannot be changed.',
      { ...save, values: { email: 'x' } },
      row,
    ],
    [
      'variable_resync_failed',
      'The variable "phone" cannot be synchronised.',
      { ...save, resetFields: ['phone'] },
      row,
    ],
    [
      'default_not_allowed',
      'The organisation does not let you choose a default signature.',
      { type: 'chooseDefault', combinedIds: 's0-p-1' },
      row,
    ],
  ])('%s says: %s', (refused, message, asked, state) => {
    expect(decidePerson(state, asked, locked)).toEqual({ refused, message })
  })

  test('before the first release there is no variable and no choice', () => {
    expect(decidePerson(row, { ...save, values: { email: 'x' } }, null)).toMatchObject({
      refused: 'unknown_variable',
    })
    expect(decidePerson(row, { ...save, values: {}, resetFields: ['phone'] }, null)).toMatchObject({
      refused: 'unknown_variable',
    })
    expect(decidePerson(row, { type: 'chooseDefault', combinedIds: 's0-p-1' }, null)).toMatchObject({
      refused: 'default_not_allowed',
    })
  })

  const founded: OrganisationState = {
    revision: 1,
    name: 'A',
    tenants: ['t'],
    maintenance: null,
    history: [],
  }

  test.each<
    readonly [refused: string, message: string, command: OrganisationCommand, state: OrganisationState | null]
  >([
    ['not_found', 'There is no organisation yet.', { type: 'rotateKey', key: 'k' }, null],
    [
      'base_moved',
      'Another release was published meanwhile.',
      { type: 'publish', release: 'b', base: 'a', note: '' },
      founded,
    ],
    [
      'not_found',
      'The release "b" was never published.',
      { type: 'rollBack', release: 'b', note: '' },
      founded,
    ],
  ])('%s says: %s', (refused, message, asked, state) => {
    expect(decideOrganisation(state, asked)).toEqual({ refused, message })
  })

  test.each<readonly [name: string, tenants: readonly string[], facts: number]>([
    ['A', ['t'], 0],
    ['B', ['t'], 1],
    ['A', ['t', 'u'], 1],
  ])(
    'an organisation is founded again when it has another name or other tenants: %s %j',
    (name, tenants, facts) => {
      expect(decideOrganisation(founded, { type: 'found', name, tenants })).toEqual(
        facts === 0 ? [] : [Organisation.founded({ name, tenants })],
      )
    },
  )

  const history = ['b', 'a'].map((release) => ({ release, at: AT, by: 'x', note: '', rolledBack: false }))
  const published = { ...founded, history }

  test.each<readonly [command: OrganisationCommand, decided: unknown]>([
    [{ type: 'publish', release: 'b', base: null, note: 'n' }, []],
    [
      { type: 'publish', release: 'c', base: 'b', note: 'n' },
      [Organisation.releasePublished({ release: 'c', base: 'b', note: 'n' })],
    ],
    [
      { type: 'publish', release: 'c', base: 'a', note: '' },
      expect.objectContaining({ refused: 'base_moved' }),
    ],
    [{ type: 'rollBack', release: 'b', note: 'n' }, []],
    [
      { type: 'rollBack', release: 'a', note: 'n' },
      [Organisation.releaseRolledBack({ release: 'a', base: 'b', note: 'n' })],
    ],
    [{ type: 'rollBack', release: 'c', note: '' }, expect.objectContaining({ refused: 'not_found' })],
    [{ type: 'setMaintenance', status: null }, []],
    [{ type: 'setMaintenance', status: 'active' }, [Organisation.maintenanceSet({ status: 'active' })]],
  ])('over a published release %j is decided into %j', (command, decided) => {
    expect(decideOrganisation(published, command)).toEqual(decided)
  })

  test('of a person who is there is decided into one fact, or none', () => {
    expect(decidePerson(row, { type: 'deactivate' }, null)).toEqual([Person.departed()])
    expect(decidePerson({ ...row, active: false }, { type: 'deactivate' }, null)).toEqual([])
    expect(decidePerson(null, { type: 'erase' }, null)).toEqual([])
    expect(decidePerson(row, { type: 'erase' }, null)).toEqual([Person.erased()])
    const pictured = { ...row, picture: 'x.png' }
    expect(decidePerson(pictured, { type: 'removePicture' }, null)).toEqual([Person.pictureRemoved()])
    expect(decidePerson({ ...row, picture: null }, { type: 'removePicture' }, null)).toEqual([])
    expect(decidePerson(pictured, { type: 'changePicture', picture: 'x.png' }, null)).toEqual([])
    const noPicture = { ...save, values: { picture_url: '' } }
    expect(decidePerson({ ...row, picture: null }, noPicture, locked)).toEqual([])
    expect(
      decidePerson({ ...row, picture: null }, { ...save, values: { picture_url: 'x' } }, locked),
    ).toMatchObject({
      refused: 'variable_is_locked',
    })
  })

  test('of an organisation that was never founded nothing but the founding is known', () => {
    const set = recorded(0, Organisation.maintenanceSet({ status: 'active' }))
    expect(evolveOrganisation(null, set)).toBeNull()
  })
})

test('facts that are appended at one moment follow each other', () => {
  const [told] = fc.sample(record, { seed: 1, numRuns: 1 }) as [DirectoryRecord]
  const how = { actor: 'a', at: 7 }
  const imported = withFacts(null, [Person.imported({ record: told })], 'p-1', how)
  expect(imported).toMatchObject({ id: 'p-1', revision: 1, active: true })
  const left = withFacts(
    imported,
    [Person.pictureChanged({ picture: 'x.png' }), Person.departed()],
    'p-1',
    how,
  )
  expect(left).toMatchObject({ revision: 3, active: false, picture: 'x.png' })
  expect(withFacts(left, [], 'p-1', how)).toBe(left)
})

describe('a chosen default', () => {
  test('replaces the former one for new messages alone, where the organisation lets the user choose', () => {
    fc.assert(
      fc.property(release, person, (given, someone) => {
        const state = { ...someone, active: true }
        const decided = decidePerson(state, { type: 'chooseDefault', combinedIds: 's0-p-1' }, given)
        if (!mayChooseDefault(given, state)) {
          expect(decided).toMatchObject({ refused: 'default_not_allowed' })
          return
        }
        const { defaultSignature: former } = state.metadata
        const choice = { ...former, master: 's0-p-1' }
        expect(decided).toEqual(former?.master === 's0-p-1' ? [] : [Person.defaultChosen({ choice })])
        const next = isRefusedCommand(decided) ? null : after(state, decided)
        expect(next?.metadata.defaultSignature?.master).toBe('s0-p-1')
        expect({ ...next?.metadata, defaultSignature: null }).toEqual({
          ...state.metadata,
          defaultSignature: null,
        })
      }),
    )
  })
})

describe('a picture', () => {
  test('of the user stays when the directory’s changes, and follows it otherwise', () => {
    const told: DirectoryRecord = {
      addresses: ['a@in.example'],
      account: null,
      language: null,
      fields: {},
      groups: [],
      picture: '1a.png',
    }
    const change = (name: string | null) => Person.directoryChanged({ changed: { picture: name } })
    const shown = (...facts: readonly PersonFact[]) =>
      after(null, [Person.imported({ record: told }), ...facts])?.picture
    expect(shown()).toBe('1a.png')
    expect(shown(change('2b.png'))).toBe('2b.png')
    expect(shown(change(null))).toBeNull()
    expect(shown(Person.pictureChanged({ picture: '3c.png' }), change('2b.png'))).toBe('3c.png')
    expect(shown(Person.pictureRemoved(), change('2b.png'))).toBeNull()
  })
})

describe('an organisation', () => {
  const folded = (facts: readonly OrganisationFact[]) =>
    facts.reduce<OrganisationState | null>(
      (state, fact, index) => evolveOrganisation(state, recorded(index, fact, AT + index)),
      null,
    )
  const releases = fc.constantFrom('r-1', 'r-2', 'r-3')
  const organisationCommand: fc.Arbitrary<OrganisationCommand> = fc.oneof(
    fc.record({
      type: fc.constant('found' as const),
      name: fc.constantFrom('A', 'B'),
      tenants: fc.constantFrom(['t'], ['t', 'u']),
    }),
    fc.record({
      type: fc.constant('publish' as const),
      release: releases,
      base: fc.option(releases),
      note: fc.string(),
    }),
    fc.record({ type: fc.constant('rollBack' as const), release: releases, note: fc.string() }),
    fc.record({
      type: fc.constant('setMaintenance' as const),
      status: fc.constantFrom(null, 'planned' as const, 'active' as const),
    }),
  )

  test('[SRV-19] publishes over the release that a plan was made for, and the same release once', () => {
    fc.assert(
      fc.property(fc.array(organisationCommand, { maxLength: 15 }), (commands) => {
        const facts: OrganisationFact[] = []
        for (const each of commands) {
          const state = folded(facts)
          const kept = JSON.stringify(state)
          const now = state?.history[0]?.release ?? null
          const decided = decideOrganisation(state, each)
          expect(JSON.stringify(state)).toBe(kept)
          if (isRefusedCommand(decided)) {
            const wasPublished = state?.history.some(
              ({ release: id }) => 'release' in each && id === each.release,
            )
            if (state === null) expect(decided.refused).toBe('not_found')
            else if (each.type === 'publish')
              expect([decided.refused, each.base === now]).toEqual(['base_moved', false])
            else expect([each.type, decided.refused, wasPublished]).toEqual(['rollBack', 'not_found', false])
            continue
          }
          if (each.type === 'publish' && decided.length > 0) expect(each.base).toBe(now)
          facts.push(...decided)
          const next = folded(facts)
          if (each.type === 'publish' || each.type === 'rollBack') {
            expect(next?.history[0]?.release).toBe(each.release)
            expect(decided).toHaveLength(each.release === now ? 0 : 1)
          }
          expect(decideOrganisation(next, each)).toEqual([])
        }
        const stored = JSON.parse(JSON.stringify(facts)) as readonly OrganisationFact[]
        expect(folded(stored)).toEqual(folded(facts))
        expect(folded(stored)?.revision ?? 0).toBe(facts.length)
      }),
      { numRuns: 300 },
    )
  })

  test('tells what was published by whom, latest first, and in which state it is', () => {
    const state = folded([
      Organisation.founded({ name: 'A', tenants: ['t'] }),
      Organisation.releasePublished({ release: 'r-1', base: null, note: 'one' }),
      Organisation.releasePublished({ release: 'r-2', base: 'r-1', note: 'two' }),
      Organisation.releaseRolledBack({ release: 'r-1', base: 'r-2', note: 'back' }),
      Organisation.maintenanceSet({ status: 'planned' }),
      Organisation.keyRotated({ key: 'k' }),
      Organisation.syncAsked({ retire: false }),
      Organisation.founded({ name: 'B', tenants: ['t', 'u'] }),
    ])
    expect(state).toEqual({
      revision: 8,
      name: 'B',
      tenants: ['t', 'u'],
      maintenance: 'planned',
      history: [
        { release: 'r-1', at: AT + 3, by: 'admin', note: 'back', rolledBack: true },
        { release: 'r-2', at: AT + 2, by: 'admin', note: 'two', rolledBack: false },
        { release: 'r-1', at: AT + 1, by: 'admin', note: 'one', rolledBack: false },
      ],
    })
    expect(decideOrganisation(state, { type: 'rotateKey', key: 'l' })).toEqual([
      Organisation.keyRotated({ key: 'l' }),
    ])
    expect(decideOrganisation(state, { type: 'askSync', mayDeactivate: true })).toEqual([
      Organisation.syncAsked({ retire: true }),
    ])
  })
})

test('the text of a document is the same in whatever order its keys were written', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, each]) => [key, reversed(each)]),
    )
  }
  fc.assert(
    fc.property(fc.oneof(document, fc.jsonValue()), (value) => {
      expect(canonicalText(reversed(value))).toBe(canonicalText(value))
      expect(JSON.parse(canonicalText(value))).toEqual(JSON.parse(JSON.stringify(value)))
      expect([...canonicalPieces(value)].join('')).toBe(canonicalText(value))
    }),
  )
  expect(canonicalText({ b: [2, 1], a: { d: 'x', c: undefined } })).toBe('{"a":{"d":"x"},"b":[2,1]}')
})

test.each([
  [[], '[]'],
  [{}, '{}'],
  [[{}, [[]], null], '[{},[[]],null]'],
  [{ b: undefined, a: [1, 'x'] }, '{"a":[1,"x"]}'],
  [
    { c: { b: [{ z: 1, y: null }], a: 'x' }, b: undefined, a: 1 },
    '{"a":1,"c":{"a":"x","b":[{"y":null,"z":1}]}}',
  ],
])('the pieces of %j make its text', (value, text) => {
  expect([...canonicalPieces(value)].join('')).toBe(text)
  expect(canonicalText(value)).toBe(text)
})

test.each([
  ['templates/legal.part.html', 'legal'],
  ['templates/a/b.part.html', 'a/b'],
  ['legal.part.html', 'legal'],
  ['templates/legal.html', null],
  ['templates/legal.part.html/x', null],
  ['templates/legal-part-html', null],
])('of %s the name of the part is %j', (path, name) => {
  expect(partName(path)).toBe(name)
})
