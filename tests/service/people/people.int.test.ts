import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createPeople } from '../../../src/service/people/people.ts'
import { refusalFor } from '../../../src/service/http/refusals.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { StoreUnavailable, VersionConflict } from '../../../src/service/sql/problems.ts'
import type { DirectoryRow } from '../../../src/service/context/serviceContext.ts'
import type { DirectoryRecord } from '../../../streams/organisation/facts/events.ts'
import { releaseOf } from '../../support/storedPerson.ts'
import { embeddedData } from '../../support/databases.ts'

// Imports in which addresses move between people.

const store = await embeddedData()()
afterAll(() => store.close())

const HANA = { tenant: 'harbour', oid: 'hana' }
let made = 0
const people = createPeople({
  store,
  releases: { current: () => null },
  now: () => 0,
  newId: () => `new-${String((made += 1))}`,
})

const row = (id: string | null, ...addresses: readonly string[]): DirectoryRow => ({
  id,
  record: { addresses, account: null, language: null, fields: {}, groups: [], picture: null },
})
const imported = (...rows: readonly DirectoryRow[]) => people.importRows(rows, 'test', false)
const addressesOf = async (id: string) => (await store.person(id))?.addresses ?? null
const idOf = async (address: string) => (await store.personByAddress(address))?.id ?? null

beforeEach(async () => {
  await store.clear()
  made = 0
  await imported(row('hana', 'hana@harbour.example', 'desk@harbour.example'))
  await people.write('hana', { type: 'bindAccount', account: HANA }, 'test')
})

describe('a save', () => {
  it('that comes second at the store is decided again over what came first, not over what its sender had', async () => {
    const release = releaseOf([{ path: 'deck' }, { path: 'office' }])
    const options = { releases: { current: () => release }, now: () => 0, newId: () => 'new' }
    const saving = (changes: Readonly<Record<string, string>>) => {
      const had = { deck: '', office: '' }
      const values = { ...had, ...changes }
      return { type: 'saveValues', values, resetFields: [], base: { values: had } } as const
    }
    let first: Promise<unknown> | null = null
    let tries = 0
    // Another instance saves between the reading and the writing of this one.
    const overtaken = createPeople({
      ...options,
      store: {
        ...store,
        async appendPerson(...args) {
          tries += 1
          first ??= createPeople({ ...options, store }).write('hana', saving({ deck: '7' }), 'hana')
          await first
          return store.appendPerson(...args)
        },
      },
    })
    await overtaken.write('hana', saving({ office: 'Kiel' }), 'hana')
    expect(tries).toBe(2)
    expect((await store.person('hana'))?.values).toEqual({ deck: '7', office: 'Kiel' })
    const facts = await store.personFacts('hana', 0)
    expect(facts.slice(-2).map(({ data }) => data)).toEqual([
      { values: { deck: '7' }, reset: [] },
      { values: { office: 'Kiel' }, reset: [] },
    ])
  })
})

describe('an import', () => {
  it.each(['first', 'last'])(
    "gives an address to another user, who gets nothing of the former one's account, when the former one is %s",
    async (place) => {
      const rows = [
        row(null, 'hana@harbour.example'),
        row(null, 'sven@harbour.example', 'desk@harbour.example'),
      ]
      const result = await imported(...(place === 'first' ? rows : rows.toReversed()))
      expect(result).toEqual({ added: 1, changed: 1, unchanged: 0, refused: [] })
      expect(await addressesOf('hana')).toEqual(['hana@harbour.example'])
      expect((await store.personByAccount(HANA.tenant, HANA.oid))?.id).toBe('hana')
      expect(await idOf('desk@harbour.example')).toBe('new-1')
    },
  )

  it('does not make a person of another id of one who has the address, and says why', async () => {
    const rows = [row('sven', 'desk@harbour.example')]
    const refused = [{ row: 1, reason: 'The address desk@harbour.example belongs to another person.' }]
    const tried = await people.importRows(rows, 'test', true)
    expect(tried).toEqual({ added: 0, changed: 0, unchanged: 0, refused })
    expect(await imported(...rows)).toEqual(tried)
    expect(await addressesOf('sven')).toBeNull()
    expect(await addressesOf('hana')).toEqual(['hana@harbour.example', 'desk@harbour.example'])
  })

  it.each([false, true])(
    'moves an address to an id that stands before, or says so (try: %s)',
    async (isTrial) => {
      const rows = [row('sven', 'desk@harbour.example'), row('hana', 'hana@harbour.example')]
      const result = await people.importRows(rows, 'test', isTrial)
      expect(result).toEqual({ added: 1, changed: 1, unchanged: 0, refused: [] })
      expect(await idOf('desk@harbour.example')).toBe(isTrial ? 'hana' : 'sven')
    },
  )

  it('does not make a user of another account a person who has the address', async () => {
    const sven = row(null, 'hana@harbour.example')
    const result = await imported({
      ...sven,
      record: { ...sven.record, account: { tenant: 'harbour', oid: 'sven' } },
    })
    const reason = 'The address hana@harbour.example belongs to another person.'
    expect(result).toEqual({ added: 0, changed: 0, unchanged: 0, refused: [{ row: 1, reason }] })
    expect((await store.person('hana'))?.account).toEqual(HANA)
  })

  it('tells what became of each row, and what changed', async () => {
    await people.write('hana', { type: 'deactivate' }, 'test')
    const again = row('hana', 'hana@harbour.example', 'desk@harbour.example')
    const rows = [
      { ...again, record: { ...again.record, fields: { title: 'Pilot' }, language: 'de' } },
      row('sven', 'sven@harbour.example'),
    ]
    const expected = [
      { id: 'hana', change: 'returned', fields: ['title', 'language'], reason: null },
      { id: 'sven', change: 'added', fields: [], reason: null },
    ]
    for (const isTrial of [true, false])
      expect(await people.importEach(rows, 'test', isTrial)).toEqual(expected)
    expect((await people.importEach(rows, 'test', true)).map(({ change }) => change)).toEqual([
      'unchanged',
      'unchanged',
    ])
  })

  it('without ids finds people by any address, by the mail address before others', async () => {
    const result = await imported(row(null, 'hana@new.example', 'desk@harbour.example'))
    expect(result).toMatchObject({ added: 0, changed: 1 })
    expect(await addressesOf('hana')).toEqual(['hana@new.example', 'desk@harbour.example'])
  })
})

const recordOf = (more: Partial<DirectoryRecord> = {}): DirectoryRecord => ({
  addresses: ['a@x.example'],
  account: null,
  language: null,
  fields: {},
  groups: [],
  picture: null,
  ...more,
})
const over = (change: Partial<Store>) =>
  createPeople({
    store: { ...store, ...change },
    releases: { current: () => null },
    now: () => 7,
    newId: () => `other-${String((made += 1))}`,
  })
const moved = () => Promise.reject(new VersionConflict('moved'))
const notFound = { code: 'not_found', message: 'There is no such person.' }

describe('a write', () => {
  it('is tried three times while others are first, and then refused', async () => {
    let tries = 0
    const failing = (times: number) =>
      over({ appendPerson: (...asked) => ((tries += 1) > times ? store.appendPerson(...asked) : moved()) })
    expect((await failing(2).write('hana', { type: 'deactivate' }, 'test')).active).toBe(false)
    expect(tries).toBe(3)
    tries = 0
    await expect(failing(3).write('hana', { type: 'erase' }, 'test')).rejects.toMatchObject({
      code: 'conflict',
      message: 'The data changed at the same time. Try again.',
    })
    expect(tries).toBe(3)
    tries = 0
    const broken = over({ appendPerson: () => ((tries += 1), Promise.reject(new Error('broken'))) })
    await expect(broken.write('hana', { type: 'erase' }, 'test')).rejects.toThrow('broken')
    expect(tries).toBe(1)
  })

  it('that changes nothing is not written', async () => {
    await people.write('hana', { type: 'deactivate' }, 'test')
    const none = over({ appendPerson: () => Promise.reject(new Error('written')) })
    expect((await none.write('hana', { type: 'deactivate' }, 'test')).revision).toBe(3)
  })

  it('is of a person who is there', async () => {
    await expect(people.write('none', { type: 'deactivate' }, 'test')).rejects.toMatchObject(notFound)
    await expect(people.write('hana', { type: 'erase' }, 'test')).rejects.toMatchObject(notFound)
    expect(await store.person('hana')).toBeNull()
    await people.erase('none', 'test')
    await people.erase('hana', 'test')
  })

  it('says who wrote, and when', async () => {
    await over({}).write('hana', { type: 'deactivate' }, 'admin')
    expect((await store.personFacts('hana', 0)).at(-1)?.meta).toMatchObject({ source: 'admin', at: 7 })
  })

  it('waits for those of the same person, also for one that failed, and for no other', async () => {
    const order: string[] = []
    let go: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = over({
      async person(id) {
        order.push(id)
        if (order.length === 1) {
          await held
          throw new Error('broken')
        }
        return store.person(id)
      },
    })
    await imported(row('sven', 'sven@harbour.example'))
    const first = slow.write('hana', { type: 'deactivate' }, 'test')
    const second = slow.write('hana', { type: 'deactivate' }, 'test')
    await slow.write('sven', { type: 'deactivate' }, 'test')
    expect(order).toEqual(['hana', 'sven'])
    go()
    await expect(first).rejects.toThrow('broken')
    expect((await second).active).toBe(false)
    expect(order).toEqual(['hana', 'sven', 'hana'])
  })
})

describe('rows of an import', () => {
  const account = (oid: string) => ({ tenant: 'harbour', oid })
  const each = (...rows: readonly DirectoryRow[]) => people.importEach(rows, 'test', false)

  it('are of the person with the id, else with the account, else new', async () => {
    const outcomes = await each(
      { id: 'hana', record: recordOf({ addresses: ['hana@harbour.example'], account: HANA }) },
      { id: 'new-id', record: recordOf({ addresses: ['b@x.example'], account: account('b') }) },
      { id: null, record: recordOf({ addresses: ['c@x.example'], account: account('c') }) },
    )
    expect(outcomes.map(({ id, change }) => [id, change])).toEqual([
      ['hana', 'changed'],
      ['new-id', 'added'],
      ['new-1', 'added'],
    ])
    const again = await each(
      { id: 'elsewhere', record: recordOf({ addresses: ['hana@harbour.example'], account: HANA }) },
      { id: null, record: recordOf({ addresses: ['b@x.example'], account: account('b') }) },
      { id: 'new-1', record: recordOf({ addresses: ['c2@x.example'], account: account('c') }) },
    )
    expect(again.map(({ id, change, fields }) => [id, change, fields])).toEqual([
      ['hana', 'unchanged', []],
      ['new-id', 'unchanged', []],
      ['new-1', 'changed', ['addresses']],
    ])
  })

  it('tell each field that is other, and each part of the record, in order', async () => {
    const first = recordOf({ fields: { b: '1', a: '1', same: '1', gone: '1' }, groups: ['g'] })
    await each({ id: 'a', record: first })
    const second = { fields: { b: '2', a: '2', same: '1', fresh: '1' }, groups: ['h'], language: 'de' }
    const [outcome] = await each({ id: 'a', record: { ...first, ...second } })
    expect(outcome?.fields.slice(0, 4)).toEqual(['a', 'b', 'fresh', 'gone'])
    expect([...(outcome?.fields ?? [])].sort()).toEqual(['a', 'b', 'fresh', 'gone', 'groups', 'language'])
    const [groups] = await each({ id: 'a', record: { ...first, ...second, groups: [] } })
    expect(groups?.fields).toEqual(['groups'])
  })

  it('name a person by an address once, and the mail address first', async () => {
    const desk = 'desk@harbour.example'
    const outcomes = await each(
      row(null, 'x@x.example', desk),
      row(null, 'hana@harbour.example'),
      row(null, 'y@x.example'),
    )
    expect(outcomes.map(({ id }) => id)).toEqual(['new-1', 'hana', 'new-2'])
    expect(await addressesOf('new-1')).toEqual(['x@x.example', desk])
  })

  it('do not name one by an address whom another row names by the id', async () => {
    const outcomes = await each(row(null, 'desk@harbour.example'), row('hana', 'hana@harbour.example'))
    expect(outcomes.map(({ id, change }) => [id, change])).toEqual([
      ['new-1', 'added'],
      ['hana', 'changed'],
    ])
  })

  it('ask for 200 people at once', async () => {
    const sizes: Record<string, number[]> = { persons: [], personsByAccount: [], personsByAddress: [] }
    const noting =
      <Key>(name: string) =>
      (keys: readonly Key[]) => {
        sizes[name]?.push(keys.length)
        return Promise.resolve([])
      }
    const many = over({
      persons: noting('persons'),
      personsByAccount: noting('personsByAccount'),
      personsByAddress: noting('personsByAddress'),
    })
    const rows = (count: number, id: string | null) =>
      Array.from({ length: count }, (_, at): DirectoryRow => ({
        id: id && `${id}-${String(at)}`,
        record: recordOf({
          addresses: [`m${String(at)}@x.example`],
          account: id ? account(String(at)) : null,
        }),
      }))
    const trial = await many.importRows(rows(200, null), 'test', true)
    expect([trial.added, sizes['personsByAddress']?.[0]]).toEqual([200, 200])
    sizes['persons'] = []
    sizes['personsByAccount'] = []
    await many.importRows(rows(201, 'i'), 'test', true)
    expect([sizes['persons'], sizes['personsByAccount']]).toEqual([
      [200, 1],
      [200, 1],
    ])
  })

  it('that lose their picture drop it, if the directory had told it', async () => {
    const dropped: string[] = []
    const dropping = over({ dropPicture: async (hash) => void dropped.push(hash) })
    const told = (picture: string | null) =>
      dropping.importEach([{ id: 'a', record: recordOf({ picture }) }], 'test', false)
    await told('one.png')
    await told('one.png')
    await dropping.importEach(
      [{ id: 'a', record: recordOf({ picture: 'one.png', language: 'de' }) }],
      'test',
      false,
    )
    expect(dropped).toEqual([])
    await told('two.jpg')
    await told(null)
    expect(dropped).toEqual(['one', 'two'])
    await dropping.importEach([{ id: 'a', record: recordOf({ picture: 'three.png' }) }], 'test', true)
    expect(dropped).toHaveLength(2)
  })

  it('that the database stops say how far they came, but not when they are tried', async () => {
    const away = new StoreUnavailable('away', { problem: 'busy' })
    const stopping = over({
      appendPerson: (id, ...asked) => (id === 'c' ? Promise.reject(away) : store.appendPerson(id, ...asked)),
      person: (id) => store.person(id),
    })
    const rows = [row('a', 'a@x.example'), row('b', 'hana@harbour.example'), row('c', 'c@x.example')]
    const stopped: unknown = await stopping.importRows(rows, 'test', false).catch((error: unknown) => error)
    expect(refusalFor(stopped as Error)).toMatchObject({
      status: 503,
      code: 'import_stopped',
      retryAfterSeconds: 5,
      cause: away,
      details: { problem: 'database_busy', done: 1, all: 3, row: 2 },
      message: expect.stringContaining(
        'The database of the service has too much to do. The import stopped: 1 of 3 people are stored; the first who is not is person 2.',
      ) as unknown,
    })
    const asking = over({ personsByAddress: () => Promise.reject(away) })
    const trial = asking.importRows([row('z', 'z@x.example')], 'test', true)
    await expect(trial).rejects.toBe(away)
    const broken = new Error('broken')
    const breaking = over({ appendPerson: () => Promise.reject(broken) })
    await expect(breaking.importRows([row('z', 'z@x.example')], 'test', false)).rejects.toBe(broken)
    await expect(breaking.importEach([row('z', 'z@x.example')], 'test', false)).rejects.toBe(broken)
  })

  it('are counted, and those that are refused are told by their number', async () => {
    const rows = [
      row('hana', 'hana@harbour.example', 'desk@harbour.example'),
      row('sven', 'sven@harbour.example'),
      row('taken', 'hana@harbour.example'),
    ]
    expect(await imported(...rows)).toEqual({
      added: 1,
      changed: 0,
      unchanged: 1,
      refused: [{ row: 3, reason: 'The address hana@harbour.example belongs to another person.' }],
    })
    await people.write('hana', { type: 'deactivate' }, 'test')
    expect(await imported(...rows.slice(0, 2))).toEqual({ added: 0, changed: 1, unchanged: 1, refused: [] })
    expect(await imported()).toEqual({ added: 0, changed: 0, unchanged: 0, refused: [] })
  })
})
