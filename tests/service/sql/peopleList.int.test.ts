import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPeopleList, type PeopleOrder } from '../../../src/service/people/peopleList.ts'
import { createPeople } from '../../../src/service/people/people.ts'
import { rebuildPeople } from '../../../src/service/people/rebuild.ts'
import type { DirectoryRow } from '../../../src/service/context/serviceContext.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { departmentOrder } from '../../../streams/organisation/facts/personOrder.ts'
import { matchesSearchWords, searchWords } from '../../../streams/organisation/facts/searchTerms.ts'
import { DATABASES, newDatabase } from '../../support/databases.ts'

// Lists of people in an order, page by page.

const MAX_ANSWERS = 1_000

const BY_NAME: PeopleOrder = { by: 'name', isDescending: false, department: null, isActive: true }

type Listed = Readonly<{ id: string; name: string; department: string; seenAt: number | null; left: boolean }>

const rowOf = ({ id, name, department }: Listed): DirectoryRow => ({
  id,
  record: {
    addresses: [`${id}@north.example`],
    account: null,
    language: null,
    fields: {
      ...(name === '' ? {} : { displayName: name }),
      ...(department === '' ? {} : { department }),
    },
    groups: [],
    picture: null,
  },
})

/** Takes a few people of each answer, and asks for the next answer after the last one taken. */
async function listed(store: Store, order: PeopleOrder, search: string, take: number) {
  const ids: string[] = []
  const list = createPeopleList(store)
  let after: string | null = null
  for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
    let taken = 0
    let next: string | null = after
    answer: for await (const page of list(order, search, after)) {
      for (const { person, after: place } of page.found) {
        ids.push(person.id)
        next = place
        if ((taken += 1) === take) break answer
      }
      next = page.next
    }
    if (next === null) return ids
    // A list that has not ended goes on after another place each time.
    expect(next).not.toBe(after)
    after = next
  }
  throw new Error('The list does not end.')
}

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
const nameOf = ({ id, name }: Listed) => departmentOrder(name) || `${id}@north.example`

/** The order of a list, as docs/administrator.md has it. */
function compare({ by, isDescending }: PeopleOrder): (one: Listed, other: Listed) => number {
  const way = isDescending ? -1 : 1
  const byName = (one: Listed, other: Listed) =>
    byBytes(nameOf(one), nameOf(other)) || byBytes(one.id, other.id)
  if (by === 'name') return (one, other) => way * byName(one, other)
  if (by === 'department')
    return (one, other) => {
      const [a, b] = [departmentOrder(one.department), departmentOrder(other.department)]
      if ((a === '') !== (b === '')) return a === '' ? 1 : -1
      return way * (byBytes(a, b) || byName(one, other))
    }
  return (one, other) => {
    if (one.seenAt === null && other.seenAt === null) return byName(one, other)
    if (one.seenAt === null || other.seenAt === null) return one.seenAt === null ? way * -1 : way
    return way * (one.seenAt - other.seenAt || byBytes(one.id, other.id))
  }
}

const name = fc.constantFrom(
  '',
  'Ana',
  'ana',
  'Ána Silva',
  'Ben',
  'Émile',
  'Zoë Ana',
  '李',
  '𝔸',
  '\ue000',
  '😀',
  'a\0b',
  'ß',
)
const department = fc.constantFrom('', 'Sales', 'sales', 'Évora', 'Law')
const everyone = fc
  .array(
    fc.record({
      name,
      department,
      seenAt: fc.option(fc.integer({ min: 0, max: 3 })),
      left: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((all) => all.map((each, index): Listed => ({ ...each, id: `p${String(index)}` })))
const orders = fc.record<PeopleOrder>({
  by: fc.constantFrom('name', 'department', 'seen'),
  isDescending: fc.boolean(),
  department: fc.option(department),
  isActive: fc.boolean(),
})

describe.each(DATABASES)('a list of people over %s', (kind) => {
  let driver: DatabaseDriver
  let store: Store
  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    store = createStore(driver, 'north')
  })
  afterAll(() => driver.close())

  const people = () =>
    createPeople({ store, releases: { current: () => null }, now: () => 0, newId: () => 'unused' })

  async function given(all: readonly Listed[]) {
    await store.clear()
    await people().importRows(all.map(rowOf), 'test', false)
    for (const { id, seenAt, left } of all) {
      if (seenAt !== null) await store.keepReported(id, {}, seenAt)
      if (left) await people().write(id, { type: 'deactivate' }, 'test')
    }
  }

  it('[SCALE-4] has each person once, in order, with any filter and search, however few an answer takes', async () => {
    await fc.assert(
      fc.asyncProperty(
        everyone,
        ...([orders, fc.constantFrom('', '', 'ana', 'ana s', 'north', 'p1', 'zz')] as const),
        ...([fc.integer({ min: 1, max: 5 }), fc.boolean()] as const),
        async (all, order, search, take, isStale) => {
          await given(all)
          // Without words, people are compared with the search one by one.
          if (isStale) await driver.query('update person set words_revision = null')
          const wanted = searchWords(search)
          const rows = new Map((await store.persons(all.map(({ id }) => id))).map((row) => [row.id, row]))
          const expected = all
            .filter(({ left }) => left !== order.isActive)
            .filter(
              (each) =>
                order.department === null ||
                departmentOrder(each.department) === departmentOrder(order.department),
            )
            .filter(({ id }) => matchesSearchWords(rows.get(id)!, wanted))
            .toSorted(compare(order))
            .map(({ id }) => id)
          expect(await listed(store, order, search, take)).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  })

  const many = (count: number): readonly Listed[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `p${String(index).padStart(4, '0')}`,
      name: `Ana ${String(count - index).padStart(4, '0')}`,
      department: index % 2 === 0 ? 'Sales' : '',
      seenAt: index % 3 === 0 ? index : null,
      left: false,
    }))

  it('goes on through more people than a statement reads, in each order', async () => {
    const all = many(700)
    await store.clear()
    await people().importRows(all.map(rowOf), 'test', false)
    for (const { id, seenAt } of all) if (seenAt !== null) await store.keepReported(id, {}, seenAt)
    for (const by of ['name', 'department', 'seen'] as const)
      for (const isDescending of [false, true]) {
        const order = { ...BY_NAME, by, isDescending }
        expect(await listed(store, order, '', 400)).toEqual(all.toSorted(compare(order)).map(({ id }) => id))
      }
  })

  it('follows the order for a word that more than 1,000 people have', async () => {
    const all = many(1_100)
    await store.clear()
    await people().importRows(all.map(rowOf), 'test', false)
    const reversed = all.map(({ id }) => id).toReversed()
    expect(await listed(store, BY_NAME, 'ana', 50)).toEqual(reversed)
    expect(await listed(store, BY_NAME, 'ana p0007', 50)).toEqual(['p0007'])
  })

  it('begins again after a place of another list, and after a text that is no place', async () => {
    await given(many(3))
    for (const after of ['p0001', '[7]', '[0,"a"]', '[0,1,"p0001"]', '{}', '["0","a","b"]']) {
      const found: string[] = []
      for await (const page of createPeopleList(store)(BY_NAME, '', after))
        found.push(...page.found.map(({ person }) => person.id))
      expect(found).toEqual(['p0002', 'p0001', 'p0000'])
    }
  })

  it('keeps the order of people through imports and rebuilt rows', async () => {
    const [ana, ben] = [
      { id: 'ana', name: 'Ana', department: '', seenAt: null, left: false },
      { id: 'ben', name: 'Ben', department: '', seenAt: null, left: false },
    ]
    await given([ana, ben])
    expect(await listed(store, BY_NAME, '', 9)).toEqual(['ana', 'ben'])
    await people().importRows([rowOf({ ...ana, name: 'Zoë' })], 'test', false)
    expect(await listed(store, BY_NAME, '', 9)).toEqual(['ben', 'ana'])
    await driver.query("update person set language = 'xx', name_order = '' where id = 'ana'")
    await rebuildPeople(store)
    expect(await listed(store, BY_NAME, '', 9)).toEqual(['ben', 'ana'])
    expect(await store.order.fill(null)).toBeNull()
  })

  it('[SRV-43] has people whom the version before wrote, and stores their order in batches', async () => {
    await store.clear()
    for (let index = 0; index < 230; index += 1)
      await driver.query(
        `insert into person (organisation, id, revision, active, addresses, directory, groups, own_values, metadata)
         values ('north', $1, 1, true, '{}', json_build_object('displayName', $2::text, 'department', 'Law'), '{}', '{}', '{}')`,
        [`n${String(index).padStart(3, '0')}`, `Nils ${String(999 - index)}`],
      )
    expect(await listed(store, BY_NAME, '', 50)).toHaveLength(230)
    const batches: (string | null)[] = []
    do batches.push(await store.order.fill(batches.at(-1) ?? null))
    while (batches.at(-1) !== null)
    expect(batches).toEqual(['n099', 'n199', null])
    const all = await listed(store, { ...BY_NAME, department: 'law' }, '', 50)
    expect(all).toHaveLength(230)
    expect(all[0]).toBe('n229')
    await driver.query("update person set revision = 2 where id = 'n007'")
    expect(await store.order.fill(null)).toBeNull()
    expect(await store.order.fill(null)).toBeNull()
    expect(
      await driver.query('select id from person where order_revision is distinct from revision'),
    ).toEqual([])
  })
})
