import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPeople } from '../../../src/service/people/people.ts'
import { rebuildPeople } from '../../../src/service/people/rebuild.ts'
import { VersionConflict } from '../../../src/service/sql/problems.ts'
import type { FoldedPerson } from '../../../src/service/sql/peopleWrites.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { mailboxAsOwner } from '../../../src/service/context/owners.ts'
import { type PersonFact, Person } from '../../../streams/organisation/facts/events.ts'
import { evolvePerson } from '../../../streams/organisation/facts/reducer.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { forEachDatabase } from '../../support/databases.ts'
import { record, values } from '../../streams/organisation/arbitraries.ts'

const SIGNED = { actor: 'tests', at: 1 }
const RUNS = 6
/** On a machine that may be busy. */
const TEST_LIMIT_MS = 120_000

const imported = (id: string): PersonFact =>
  Person.imported({
    record: {
      addresses: [`${id}@x.example`],
      account: { tenant: 't', oid: id },
      language: null,
      fields: { givenName: id },
      groups: ['staff'],
      picture: null,
    },
  })
const folded = (id: string, facts: readonly PersonFact[]): PersonState => {
  const fold = (state: PersonState | null, fact: PersonFact, seq: number) =>
    evolvePerson(state, { ...fact, meta: { seq, at: SIGNED.at, source: SIGNED.actor } }, id)
  const person = facts.reduce<PersonState | null>(fold, null)
  if (person === null) throw new Error('These facts give no person.')
  return person
}
const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `p${String(at).padStart(4, '0')}`)

async function add(
  store: Store,
  id: string,
  facts: readonly PersonFact[] = [imported(id)],
): Promise<PersonState> {
  const person = folded(id, facts)
  await store.appendPerson(id, 0, facts, person, SIGNED)
  return person
}

/** Gives a person another row than the facts do. */
async function spoil(store: Store, id: string, change: (person: PersonState) => PersonState | null) {
  const [facts, person] = [await store.personFacts(id, 0), await store.person(id)]
  const [first, last] = [facts[0]?.meta.seq ?? 0, facts.at(-1)?.meta.seq ?? 0]
  if (person === null) throw new Error(`There is no ${id}.`)
  await store.replacePeople([{ id, person: change(person), first, last }])
}

const byId = (one: PersonState, other: PersonState) => (one.id < other.id ? -1 : 1)

forEachDatabase('rebuilding people', (open) => {
  it(
    '[SRV-14] gives the rows and addresses that were there before some were spoilt',
    async () => {
      const store = await open()
      const ids = idsOf(6)
      const spoiling = fc.constantFrom<(person: PersonState) => PersonState | null>(
        () => null,
        (person) => ({ ...person, groups: ['a "b"', '\\', '{}', ''] }),
        (person) => ({ ...person, addresses: [`x-${person.id}@x.example`] }),
        (person) => ({ ...person, account: null, values: { 'a"': '\\ \0' } }),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { minLength: ids.length, maxLength: ids.length }),
          fc.dictionary(fc.constantFrom(...ids), values),
          fc.dictionary(fc.constantFrom(...ids), spoiling),
          fc.subarray(ids),
          async (records, saved, spoilt, erased) => {
            await store.clear()
            for (const [at, id] of ids.entries()) {
              const unique = {
                ...records[at]!,
                addresses: [`${id}@x.example`, `y-${id}@x.example`],
                account: null,
              }
              const more =
                saved[id] === undefined ? [] : [Person.valuesSaved({ values: saved[id], reset: [] })]
              await add(store, id, [Person.imported({ record: unique }), ...more])
            }
            for (const id of erased) {
              const { revision = 0 } = (await store.person(id)) ?? {}
              await store.appendPerson(id, revision, [Person.erased()], null, SIGNED)
            }
            const before = (await store.persons(ids)).toSorted(byId)
            const addresses = await store.addressesOf(ids)
            expect(await rebuildPeople(store)).toEqual({ people: ids.length, replaced: [] })
            const others = Object.keys(spoilt).filter((id) => !erased.includes(id))
            for (const id of others) await spoil(store, id, spoilt[id]!)
            expect((await rebuildPeople(store)).replaced.toSorted()).toEqual(others.toSorted())
            expect((await store.persons(ids)).toSorted(byId)).toEqual(before)
            expect(sortedMap(await store.addressesOf(ids))).toEqual(sortedMap(addresses))
          },
        ),
        { numRuns: RUNS },
      )
    },
    TEST_LIMIT_MS,
  )

  it(
    'restores two people whose rows exchanged their addresses and accounts, however far apart',
    async () => {
      const store = await open()
      await store.clear()
      const ids = idsOf(501)
      for (const id of ids) await add(store, id)
      const [one, other] = [await store.person('p0000'), await store.person('p0500')]
      if (one === null || other === null) throw new Error('They were added.')
      const place = { first: 0, last: 0 }
      const exchange = ({ id, revision }: PersonState, from: PersonState): FoldedPerson => ({
        id,
        ...place,
        person: { ...from, id, revision },
      })
      await store.replacePeople([exchange(one, other), exchange(other, one)])
      expect(await store.personByAddress('p0000@x.example')).toMatchObject({ id: 'p0500' })
      const heard: number[] = []
      expect(await rebuildPeople(store, ({ done, of }) => void heard.push(done, of))).toEqual({
        people: 501,
        replaced: ['p0000', 'p0500'],
      })
      expect(await store.persons(['p0000', 'p0500'])).toEqual([one, other])
      expect(await store.personByAccount('t', 'p0000')).toEqual(one)
      expect(heard).toEqual([500, 501, 501, 501])
    },
    TEST_LIMIT_MS,
  )

  it('loses no write of the service meanwhile', async () => {
    const store = await open()
    await store.clear()
    const people = createPeople({
      store,
      releases: { current: () => null },
      now: () => 1,
      newId: () => 'p-new',
    })
    const ids = ['ann', 'bea', 'cleo', 'dora']
    for (const id of ids) {
      await add(store, id)
      await spoil(store, id, (person) => ({ ...person, language: 'xx' }))
    }
    let isFirst = true
    const meanwhile: Store = {
      ...store,
      async replacePeople(some) {
        if (isFirst) {
          isFirst = false
          await people.write('ann', { type: 'deactivate' }, 'the service')
          await people.erase('bea', 'the service')
          await people.erase('cleo', 'the service')
          await add(store, 'cleo')
        }
        return store.replacePeople(some)
      },
    }
    const { replaced } = await rebuildPeople(meanwhile)
    // The write of Ann was made of the spoilt row, and is folded again. The others have rows of their own again.
    expect(replaced.toSorted()).toEqual(['ann', 'dora'])
    const [ann, bea, cleo, dora] = await Promise.all(ids.map((id) => store.person(id)))
    expect(ann).toMatchObject({ active: false, language: null, revision: 2 })
    expect([bea, cleo, dora]).toEqual([
      null,
      folded('cleo', [imported('cleo')]),
      folded('dora', [imported('dora')]),
    ])
    expect(await store.personByAddress('bea@x.example')).toBeNull()
    expect((await rebuildPeople(store)).replaced).toEqual([])
  })
})

const sortedMap = (map: ReadonlyMap<string, readonly string[]>) =>
  Object.fromEntries([...map].map(([id, all]) => [id, all.toSorted()]))

/** A store over facts in memory, which counts what it is asked. */
function counting(facts: Readonly<Record<string, number>>, rows: Readonly<Record<string, PersonState>> = {}) {
  const all = Object.entries(facts).flatMap(([id, count]) =>
    Array.from({ length: count }, (_, version) => ({
      id,
      version,
      fact: { ...imported(id), meta: { seq: version, at: 1, source: 'tests' } },
    })),
  )
  const asked = { pages: 0, replaced: [] as number[], alone: 0 }
  const state: { refuse: (people: readonly FoldedPerson[]) => readonly string[] } = { refuse: () => [] }
  const store: Parameters<typeof rebuildPeople>[0] = {
    words: { index: async () => null },
    countRows: async () => Object.keys(rows).length,
    async peopleFacts(after, limit) {
      asked.pages += 1
      const from =
        after === null
          ? 0
          : all.findIndex((each) => each.id === after.id && each.version === after.version) + 1
      return all.slice(from, from + limit)
    },
    async personFacts(id) {
      asked.alone += 1
      return all.flatMap((each) => (each.id === id ? each.fact : []))
    },
    persons: async (ids) => ids.flatMap((id) => rows[id] ?? []),
    addressesOf: async (ids) => new Map(ids.flatMap((id) => (rows[id] ? [[id, rows[id].addresses]] : []))),
    async replacePeople(people) {
      asked.replaced.push(people.length)
      return state.refuse(people)
    },
  }
  return { store, asked, state }
}

describe('rebuilding', () => {
  it.each([
    [0, 1, []],
    [499, 1, [498, 1]],
    [1_000, 2, [500, 499, 1]],
    [2_500, 3, [500, 499, 500, 500, 500, 1]],
  ])('%i people reads a thousand facts at once, and replaces 500 rows', async (count, pages, replaced) => {
    const { store, asked } = counting(Object.fromEntries(idsOf(count).map((id) => [id, 1])))
    expect((await rebuildPeople(store)).people).toBe(count)
    expect(asked).toEqual({ pages, replaced, alone: 0 })
  })

  it('folds a person with many facts page by page', async () => {
    const row = { ...mailboxAsOwner('x'), ...folded('b', [imported('b')]), revision: 3_500 }
    const { store, asked } = counting({ a: 1, b: 3_500, c: 1 }, { b: row })
    expect(await rebuildPeople(store)).toEqual({ people: 3, replaced: ['a', 'c'] })
    expect(asked).toMatchObject({ pages: 4, alone: 0 })
  })

  it('replaces a person who has the row of the facts, and other addresses', async () => {
    const row = folded('a', [imported('a')])
    const { store } = counting({ a: 1 }, { a: row })
    expect((await rebuildPeople(store)).replaced).toEqual([])
    const elsewhere = async () => new Map([['a', ['other@x.example']]])
    expect((await rebuildPeople({ ...store, addressesOf: elsewhere })).replaced).toEqual(['a'])
  })

  it('does those together again who were written meanwhile, then each alone, and gives up after three tries', async () => {
    const { store, asked, state } = counting({ a: 1, b: 1, c: 1 })
    state.refuse = (people) => people.flatMap(({ id }) => (id === 'b' ? id : []))
    await expect(rebuildPeople(store)).rejects.toThrow(VersionConflict)
    // The last person of all is a batch of its own.
    expect(asked).toEqual({ pages: 1, replaced: [2, 1, 1, 1, 1, 1], alone: 4 })
  })

  it('does a batch again one by one when one of its people has an address of another', async () => {
    const { store, asked, state } = counting({ a: 1, b: 1, c: 1 })
    state.refuse = (people) => {
      if (people.length > 1) throw new VersionConflict('Another writer was first.')
      return []
    }
    expect((await rebuildPeople(store)).replaced.toSorted()).toEqual(['a', 'b', 'c'])
    expect(asked).toEqual({ pages: 1, replaced: [2, 1, 2, 1, 1], alone: 4 })
  })

  it('fails as the database fails', async () => {
    const { store, state } = counting({ a: 1 })
    state.refuse = () => {
      throw new Error('no room')
    }
    await expect(rebuildPeople(store)).rejects.toThrow('no room')
  })
})
