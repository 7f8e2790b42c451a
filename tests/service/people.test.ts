import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createPeople } from '../../src/service/people.ts'
import { openStore } from '../../src/service/sql/openStore.ts'
import type { DirectoryRow } from '../../src/service/world.ts'
import { releaseOf } from '../support/storedPerson.ts'

// Imports in which addresses move between people.

const store = await openStore({ kind: 'embedded', folder: null })
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
    const refused = [{ row: 1, reason: 'The address desk@harbour.example is that of another person.' }]
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
    const reason = 'The address hana@harbour.example is that of another person.'
    expect(result).toEqual({ added: 0, changed: 0, unchanged: 0, refused: [{ row: 1, reason }] })
    expect((await store.person('hana'))?.account).toEqual(HANA)
  })

  it('tells what became of each row, and what changed', async () => {
    await people.write('hana', { type: 'depart' }, 'test')
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
