import { beforeEach, describe, expect, it } from 'vitest'
import { createPeople } from '../../../src/service/people/people.ts'
import { createUserApplier, scimUserReader } from '../../../src/service/scim/applying.ts'
import { userAttributesOf } from '../../../src/service/scim/attributes.ts'
import { SCIM_SOURCE } from '../../../src/service/scim/entries.ts'
import { ENTERPRISE_USER_URN } from '../../../src/service/scim/schemas.ts'
import type { DirectoryEntry, ReportedEntry } from '../../../src/service/sql/directoryEntries.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { compileRelease, type Release } from '../../../streams/organisation/release/release.ts'
import { embeddedData } from '../../support/databases.ts'

// What becomes of the users that SCIM told, without its calls.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NO_ATTRIBUTES = userAttributesOf([])
const open = embeddedData()
let store: Store
let release: Release | null
let now: number
let made: number
let apply: (users: readonly string[]) => Promise<void>

beforeEach(async () => {
  store = await open()
  await store.clear()
  release = null
  now = 1_000 * DAY_MS
  made = 0
  apply = applying(store)
})

function applying(used: Store) {
  const newId = () => `id-${String((made += 1))}`
  const releases = { current: () => release }
  const people = createPeople({ store: used, releases, now: () => now, newId })
  return createUserApplier({
    store: used,
    people,
    releases,
    userOf: scimUserReader(['t'], NO_ATTRIBUTES),
    attributes: NO_ATTRIBUTES,
    newId,
    now: () => now,
  })
}

const entry = (id: string, values: object = {}, more: Partial<ReportedEntry> = {}): ReportedEntry => {
  const kept = { userName: `${id}@x.example`, emails: [{ value: `${id}@x.example` }], ...values }
  return {
    id,
    name: null,
    externalId: null,
    addresses: [],
    manager: null,
    active: true,
    data: { values: kept, created: '', lastModified: '' },
    ...more,
  }
}
const tell = (...entries: readonly ReportedEntry[]) =>
  store.directory.write(SCIM_SOURCE, 'user', entries, null)
const told = async (...entries: readonly ReportedEntry[]) => {
  await tell(...entries)
  await apply(entries.map(({ id }) => id))
}
const gone = (...ids: readonly string[]) => told(...ids.map((id) => entry(id, {}, { active: false })))
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => entry(`u${String(at).padStart(3, '0')}`))
const person = (address: string) => store.personByAddress(address)
const runs = async () =>
  (await store.directory.runs(50)).map(({ outcome, read, added, changed, retired }) => [
    ...[outcome, read, added, changed, retired],
  ])
const forGroups = (...values: readonly string[]): Release =>
  compileRelease('r-1', {
    version: 1,
    organisation: 'Northwind',
    internal: [],
    plan: { from: null, value: 'full' },
    signatures: [],
    mailboxes: [],
    templates: {},
    pictures: {},
    variables: [],
    chooseDefault: { for: [[{ by: 'group', values }]], not: [] },
  })

describe('users whom SCIM tells', () => {
  it('become people, of whom a run of the hour tells', async () => {
    await told(entry('a', { title: 'Pilot' }))
    expect((await person('a@x.example'))?.directory).toMatchObject({ jobTitle: 'Pilot' })
    now += 1
    await told(entry('a', { title: 'Captain' }), entry('b'))
    expect(await store.directory.runs(9)).toEqual([
      {
        source: 'scim',
        at: 1_000 * DAY_MS,
        until: now,
        isTrial: false,
        by: 'scim',
        outcome: 'done',
        id: expect.any(String) as string,
        read: 3,
        added: 2,
        changed: 1,
        retired: 0,
        returned: 0,
        refused: 0,
        failure: null,
        samples: [
          { person: 'a@x.example', change: 'added', fields: [], reason: null },
          { person: 'a@x.example', change: 'changed', fields: ['jobTitle'], reason: null },
          { person: 'b@x.example', change: 'added', fields: [], reason: null },
        ],
      },
    ])
    expect(await store.directory.changedUsers(SCIM_SOURCE, true, null, 9)).toEqual([])
  })

  it('are told by another run in the next hour', async () => {
    await told(entry('a'))
    now += HOUR_MS - 1
    await told(entry('b'))
    expect(await runs()).toEqual([['done', 2, 2, 0, 0]])
    now += 1
    await told(entry('c'))
    expect(await runs()).toEqual([
      ['done', 1, 1, 0, 0],
      ['done', 2, 2, 0, 0],
    ])
  })

  it('are told by no run when nothing comes of them', async () => {
    await told(entry('a'))
    await apply(['a', 'unknown'])
    await tell(entry('a', { nickName: 'x' }))
    expect(await runs()).toEqual([['done', 1, 1, 0, 0]])
    await apply([])
    expect(await runs()).toEqual([['done', 1, 1, 0, 0]])
  })

  it('are applied alone, and no other whom SCIM told', async () => {
    await tell(entry('a'), entry('b'))
    await apply(['b'])
    expect([await person('a@x.example'), (await person('b@x.example'))?.active]).toEqual([null, true])
  })

  it('are applied one request after the other, also after one that failed', async () => {
    await tell(entry('a'), entry('b'))
    const order: string[] = []
    const failing = applying({
      ...store,
      directory: {
        ...store.directory,
        entries: async (source, kind, ids) => {
          const found = await store.directory.entries(source, kind, ids)
          order.push(ids.join())
          if (ids.includes('a')) {
            await store.ping()
            order.push('broken')
            throw new Error('broken')
          }
          return found
        },
      },
    })
    const [first, second] = await Promise.allSettled([failing(['a']), failing(['b'])])
    expect([first.status, second.status, order.slice(0, 3)]).toEqual([
      ...['rejected', 'fulfilled', ['a', 'broken', 'b']],
    ])
    expect((await person('b@x.example'))?.active).toBe(true)
  })

  it('are applied 200 at once', async () => {
    const sizes: number[] = []
    const counting = applying({
      ...store,
      directory: {
        ...store.directory,
        entries: async (source, kind, ids) => {
          if (ids.length > 0) sizes.push(ids.length)
          return store.directory.entries(source, kind, ids)
        },
      },
    })
    const ids = Array.from({ length: 401 }, (_, at) => `none-${String(at)}`)
    await counting(ids)
    expect(sizes).toEqual([200, 200, 1])
  })

  it('have the groups that a rule names, by its name or external id', async () => {
    release = forGroups('Crew', 'CREW-2', 'Other')
    const crew = entry('g', {}, { name: 'crew', externalId: 'crew-2' })
    await store.directory.write(SCIM_SOURCE, 'group', [crew, entry('h', {}, { name: 'unnamed' })], null)
    for (const group of ['g', 'h'])
      await store.directory.changeMembers(SCIM_SOURCE, group, { added: ['a'], removed: [] }, null)
    await told(entry('a'))
    expect((await person('a@x.example'))?.groups).toEqual(['CREW-2', 'Crew'])
    release = null
    await told(entry('a', { title: 'x' }))
    expect((await person('a@x.example'))?.groups).toEqual([])
  })

  it('that were erased stay so', async () => {
    await told(entry('a'))
    const { id = '' } = (await person('a@x.example')) ?? {}
    const people = createPeople({
      store,
      releases: { current: () => null },
      now: () => now,
      newId: () => 'x',
    })
    await people.erase(id, 'admin')
    await told(entry('a', { title: 'x' }))
    expect(await person('a@x.example')).toBeNull()
  })
})

describe('people whom SCIM tells no more', () => {
  it('retire when they are few, and the run tells so', async () => {
    await told(...many(40))
    await gone('u000')
    expect(await store.countPeople()).toBe(39)
    expect(await runs()).toEqual([['done', 41, 40, 0, 1]])
    expect(await store.directory.countDeactivated(SCIM_SOURCE, 0)).toBe(1)
  })

  it.each([
    [20, 1, 'done', 19],
    [19, 1, 'needsLeave', 19],
    [40, 2, 'done', 38],
    [40, 3, 'needsLeave', 40],
  ])('of %i people %i may go: %s', async (count, leaving, outcome, left) => {
    await told(...many(count))
    await gone(...many(leaving).map(({ id }) => id))
    expect(await store.countPeople()).toBe(left)
    expect((await runs())[0]?.[0]).toBe(outcome)
  })

  it('are counted for a day', async () => {
    await told(...many(30))
    await gone('u000')
    now += DAY_MS - 1
    await gone('u001')
    expect([await store.countPeople(), (await runs())[0]?.[0]]).toEqual([29, 'needsLeave'])
    now += 2
    await gone('u001')
    expect([await store.countPeople(), (await runs())[0]?.[0]]).toEqual([28, 'done'])
  })

  it('wait while others are brought, and are told by a run that is the latest', async () => {
    await told(...many(12))
    now += 10
    await gone('u000', 'u001')
    await told(entry('new'), entry('u000', {}, { active: false }))
    expect(await store.countPeople()).toBe(13)
    const [asking, own] = await store.directory.runs(9)
    expect(asking).toMatchObject({
      outcome: 'needsLeave',
      source: 'scim',
      by: 'scim',
      at: now + 1,
      until: now + 1,
      read: 0,
      added: 0,
      retired: 2,
      samples: ['u000', 'u001'].map((name) => ({
        person: `${name}@x.example`,
        change: 'retired',
        fields: [],
        reason: null,
      })),
    })
    expect(own).toMatchObject({ outcome: 'done', added: 13, retired: 0, until: now })
    expect(await runs()).toHaveLength(2)
  })

  it('are told again by the same run, until something is told after it', async () => {
    await told(...many(12))
    await gone('u000')
    const [first] = await store.directory.runs(9)
    now += 5
    await gone('u001')
    const [second, ...others] = await store.directory.runs(9)
    expect([second?.id, second?.at, second?.until, second?.retired]).toEqual([
      first?.id,
      first?.at,
      now + 1,
      2,
    ])
    expect(others).toHaveLength(1)
    now += HOUR_MS
    await told(entry('new'))
    const [third] = await store.directory.runs(9)
    expect([third?.id === first?.id, third?.retired, third?.at]).toEqual([false, 2, now + 1])
  })

  it('are told by at most ten samples', async () => {
    await told(...many(30))
    await gone(...many(12).map(({ id }) => id))
    const [asking] = await store.directory.runs(1)
    expect([asking?.retired, asking?.samples.length]).toEqual([12, 10])
  })

  it('who come back wait no more, and a run says that all is done', async () => {
    await told(...many(12))
    await gone('u000')
    now += 5
    await told(entry('u000'))
    expect(await runs()).toEqual([
      ['done', 1, 0, 0, 0],
      ['needsLeave', 0, 0, 0, 1],
      ['done', 12, 12, 0, 0],
    ])
    now += 5
    await told(entry('u001', { title: 'x' }))
    expect((await runs())[0]).toEqual(['done', 2, 0, 1, 0])
  })

  it('who retired already, or whom another entry tells, are none to wait', async () => {
    await told(...many(3), entry('other'))
    const { id = '' } = (await person('u000@x.example')) ?? {}
    const [other] = await store.directory.entries(SCIM_SOURCE, 'user', ['other'])
    await store.directory.settle(SCIM_SOURCE, [{ id: 'other', revision: other?.revision ?? 0, person: id }])
    await gone('u000')
    expect((await person('u000@x.example'))?.active).toBe(true)
    const people = createPeople({
      store,
      releases: { current: () => null },
      now: () => now,
      newId: () => 'x',
    })
    const { id: one = '' } = (await person('u001@x.example')) ?? {}
    await people.write(one, { type: 'deactivate' }, 'admin')
    await gone('u001')
    expect((await runs())[0]?.[0]).toBe('done')
    expect(await store.directory.countDeactivated(SCIM_SOURCE, 0)).toBe(0)
  })

  it('and never became people are settled', async () => {
    await tell(entry('a', {}, { active: false }))
    await apply(['a'])
    expect(await store.directory.changedUsers(SCIM_SOURCE, false, null, 9)).toEqual([])
    expect(await runs()).toEqual([])
  })
})

describe('a user of SCIM', () => {
  const OID = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef'
  const entryOf = (values: object, active = true) =>
    ({ data: { values }, active }) as unknown as DirectoryEntry
  const manager = { [ENTERPRISE_USER_URN]: { manager: { value: 'm', displayName: 'Told Max' } } }
  const managerOf = (values: object, of: DirectoryEntry | null) =>
    scimUserReader(['t'], NO_ATTRIBUTES)(entryOf(values), of).fields['manager.displayName']

  it('has the manager by the name of that user, or by the name that came along', () => {
    expect(managerOf(manager, null)).toBe('Told Max')
    expect(managerOf(manager, entryOf({ displayName: 'Max' }))).toBe('Max')
    expect(managerOf(manager, entryOf({ name: { formatted: 'Max M.' } }))).toBe('Max M.')
    expect(managerOf(manager, entryOf({ displayName: 'Max' }, false))).toBeUndefined()
    expect(managerOf(manager, entryOf({}))).toBeUndefined()
    expect(managerOf({}, null)).toBeUndefined()
  })

  it('has the account of the one tenant, by the external id', () => {
    const accountWith = (tenants: readonly string[]) =>
      scimUserReader(tenants, NO_ATTRIBUTES)(entryOf({ externalId: OID, userName: 'a@x.example' }), null)
    expect(accountWith(['t'])).toMatchObject({
      account: { tenant: 't', oid: OID },
      addresses: ['a@x.example'],
    })
    expect(accountWith(['t', 'u']).account).toBeNull()
  })
})
