import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rebuildPeople } from '../../../src/service/people/rebuild.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { type FactRow, readFact, UnreadableFact } from '../../../src/service/sql/storedFacts.ts'
import { Organisation, Person } from '../../../streams/organisation/facts/events.ts'
import { evolveOrganisation, evolvePerson } from '../../../streams/organisation/facts/reducer.ts'
import type { OrganisationState, PersonState } from '../../../streams/organisation/facts/state.ts'
import { cases } from '../../support/cases.ts'

// `golden` has a log of facts for each release, as that release wrote them, and the states that they mean. A file of a
// release that is out never changes.

type StoredRow = FactRow & Readonly<{ stream: string }>
type Golden = Readonly<{ facts: readonly StoredRow[]; states: Readonly<Record<string, unknown>> }>

const FOLDER = new URL('golden/', import.meta.url)
const RELEASES = readdirSync(FOLDER)
const goldenOf = (file: string) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Golden
const ROWS = RELEASES.flatMap((file) => goldenOf(file).facts)

let driver: DatabaseDriver
beforeAll(async () => {
  driver = await openDatabase({ kind: 'embedded', folder: null })
})
afterAll(() => driver.close())

async function storeOf(organisation: string, rows: readonly StoredRow[]): Promise<Store> {
  for (const { stream, version, type, data, actor, at } of rows)
    await driver.query(
      'insert into event (organisation, stream, version, type, data, actor, at) values ($1, $2, $3, $4, $5::json, $6, $7)',
      [organisation, stream, version, type, JSON.stringify(data), actor, at],
    )
  return createStore(driver, organisation)
}

describe.each(RELEASES)('the facts of %s', (file) => {
  const { facts, states } = goldenOf(file)

  it('mean what they meant', async () => {
    const store = await storeOf(file, facts)
    const organisation = (await store.organisationFacts(0)).reduce<OrganisationState | null>(
      evolveOrganisation,
      null,
    )
    const people = await Promise.all(
      [...new Set((await store.peopleFacts(null, 1_000)).map(({ id }) => id))].map(async (id) => {
        const folded = (await store.personFacts(id, 0)).reduce<PersonState | null>(
          (state, fact) => evolvePerson(state, fact, id),
          null,
        )
        return [`person/${id}`, folded] as const
      }),
    )
    expect({ organisation, ...Object.fromEntries(people) }).toEqual(states)
    expect(await store.audit(null, 100)).toHaveLength(facts.length)
  })
})

it('there is a stored fact of every type', () => {
  const types = [...Object.values(Organisation), ...Object.values(Person)].map(({ type }) => type)
  expect(new Set(ROWS.map(({ type }) => type))).toEqual(new Set(types))
})

describe('a stored fact', () => {
  const read = ({ stream, ...row }: StoredRow) => readFact(stream, row)
  const imported = ROWS.find(({ type }) => type === 'person/imported')!
  const founded = ROWS.find(({ type }) => type === 'organisation/founded')!

  it.each([
    [
      { ...imported, type: 'person/promoted' },
      'person/u-ann, person/promoted, cannot be read: its type is unknown.',
    ],
    [{ ...imported, type: 'constructor' }, 'person/u-ann, constructor, cannot be read: its type is unknown.'],
    [{ ...founded, stream: 'person/u-ann' }, 'organisation/founded, cannot be read: its type is unknown.'],
    [{ ...imported, stream: 'organisation' }, 'person/imported, cannot be read: its type is unknown.'],
    [
      { ...imported, type: 'person/imported@2' },
      'person/imported@2, cannot be read: a newer version of Signet wrote it.',
    ],
    [{ ...founded, data: {} }, 'organisation/founded, cannot be read: its name is not what the type says.'],
    [
      { ...imported, data: { record: { ...(imported.data as { record: object }).record, groups: [7] } } },
      'person/imported, cannot be read: its record.groups.0 is not what the type says.',
    ],
    [{ ...imported, data: null as unknown as object }, 'its data is not what the type says.'],
  ])('that this service cannot read is named, with its place: %#', (row, message) => {
    expect(() => read({ ...row, version: 3 })).toThrow(UnreadableFact)
    expect(() => read({ ...row, version: 3 })).toThrow(message)
    expect(() => read({ ...row, version: 3 })).toThrow(`The fact 3 of ${row.stream}, `)
  })

  it('stops a rebuild instead of giving another row', async () => {
    const store = await storeOf('broken', [imported, { ...imported, version: 1, type: 'person/valuesSaved' }])
    await expect(rebuildPeople(store)).rejects.toThrow('The fact 1 of person/u-ann, person/valuesSaved,')
    expect(await store.person('u-ann')).toBeNull()
  })

  it('may have more than this service knows, and keeps it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ROWS), fc.jsonValue(), (row, more) => {
        const data = { ...row.data, more }
        expect(read({ ...row, data })).toEqual({
          type: row.type,
          data,
          meta: { seq: row.version, at: row.at, source: row.actor },
        })
      }),
      cases(50),
    )
  })

  it('that misses one of its fields cannot be read', () => {
    const optional = ['changed', 'metadata', 'choice']
    for (const row of ROWS)
      for (const name of Object.keys(row.data)) {
        const { [name]: _, ...data } = row.data as Record<string, unknown>
        expect(() => read({ ...row, data })).toThrow(`its ${name} is not what the type says`)
        if (optional.includes(name)) expect(() => read({ ...row, data: { [name]: {} } })).not.toThrow()
      }
  })
})
