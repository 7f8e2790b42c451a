import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPeople } from '../../../src/service/people/people.ts'
import { createPeopleSearch } from '../../../src/service/people/peopleSearch.ts'
import { rebuildPeople } from '../../../src/service/people/rebuild.ts'
import type { DirectoryRow } from '../../../src/service/context/serviceContext.ts'
import { backUp, restoreBackup } from '../../../src/service/sql/backup.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { personWordsOf } from '../../../streams/organisation/facts/searchTerms.ts'
import { DATABASES, newDatabase } from '../../support/databases.ts'
import { releaseOf } from '../../support/storedPerson.ts'

// People by the words of their names, addresses and values.

const MAX_ANSWERS = 100

const peopleOf = (store: Store) => {
  let made = 0
  const release = releaseOf([{ path: 'nick' }])
  return createPeople({
    store,
    releases: { current: () => release },
    now: () => 0,
    newId: () => `new-${String((made += 1))}`,
  })
}

const row = (
  id: string,
  addresses: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): DirectoryRow => ({
  id,
  record: { addresses, account: null, language: null, fields, groups: [], picture: null },
})

/** The ids of all people who are found, answer after answer. Each answer begins where the one before ended. */
async function find(store: Store, search: string): Promise<readonly string[]> {
  const found: string[] = []
  let after: string | null = null
  for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
    for await (const page of createPeopleSearch(store)(search, after)) {
      found.push(...page.found.map(({ person }) => person.id))
      after = page.next
    }
    if (after === null) return found
  }
  throw new Error('The search does not end.')
}

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

describe.each(DATABASES)('people by their words over %s', (kind) => {
  let driver: DatabaseDriver
  let store: Store
  let other: Store
  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    store = createStore(driver, 'north')
    other = createStore(driver, 'south')
  })
  afterAll(() => driver.close())
  beforeEach(async () => {
    await store.clear()
    await other.clear()
  })

  const imported = (...rows: readonly DirectoryRow[]) => peopleOf(store).importRows(rows, 'test', false)
  const storedWords = async (id: string) => {
    const rows = await driver.query<{ word: string }>(
      "select word from person_word where organisation = 'north' and person = $1 order by word",
      [id],
    )
    return rows.map(({ word }) => word)
  }
  const countWords = async () =>
    (await driver.query<{ count: number }>('select count(*)::int as count from person_word'))[0]?.count
  const expectWordsOf = async (id: string) => {
    const person = await store.person(id)
    expect(await storedWords(id)).toEqual(person === null ? [] : [...personWordsOf(person)].sort())
  }

  it('[SCALE-4] finds by a full name in either order, by a part of an address, and without accents', async () => {
    await imported(
      row('ana', ['ana.silva@north.example'], { givenName: 'Ana', surname: 'Lee' }),
      row('max', ['max@north.example'], { givenName: 'Max', surname: 'Müller' }),
      row('lea', ['lea@south.example'], { givenName: 'Lea', surname: 'Anand' }),
    )
    for (const search of ['Ana Lee', 'lee ANA', 'silva@north', 'Ana.Si'])
      expect(await find(store, search)).toEqual(['ana'])
    for (const search of ['muller', 'MÜLLER', 'mueller', 'max mull'])
      expect(await find(store, search)).toEqual(['max'])
    expect(await find(store, 'north')).toEqual(['ana', 'max'])
    expect(await find(store, 'an')).toEqual(['ana', 'lea'])
    expect(await find(store, 'le an')).toEqual(['lea', 'ana'])
    for (const search of ['ana müller', 'ilva', '@', 'anandx']) expect(await find(store, search)).toEqual([])
    expect(await find(store, ' ')).toEqual(['ana', 'lea', 'max'])
  })

  it('[SCALE-4] [SRV-40] finds each person by any beginnings of their words, and none of another organisation', async () => {
    const word = fc.stringMatching(/^[aäbß]{1,3}[eé.@-]?[ab]{0,2}$/)
    const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
    await fc.assert(
      fc.asyncProperty(
        ...([fc.array(name, { minLength: 1, maxLength: 6 }), fc.array(name, { maxLength: 3 })] as const),
        ...([
          fc.nat(),
          fc.array(fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 6 }) }), {
            minLength: 1,
            maxLength: 3,
          }),
        ] as const),
        async (names, strangers, who, choices) => {
          await store.clear()
          await other.clear()
          const rowsOf = (all: readonly string[], letter: string) =>
            all.map((displayName, index) => row(`${letter}${String(index)}`, [], { displayName }))
          await imported(...rowsOf(names, 'p'))
          await peopleOf(other).importRows(rowsOf([...strangers, ...names], 's'), 'test', false)
          const words = (names[who % names.length] ?? '').split(' ')
          const search = choices
            .map(({ at, length }) => (words[at % words.length] ?? '').slice(0, length))
            .join(' ')
          const found = await find(store, search)
          expect(found).toContain(`p${String(who % names.length)}`)
          expect(found.every((id) => id.startsWith('p'))).toBe(true)
          expect(new Set(found).size).toBe(found.length)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('keeps the words of people through imports, saves, new addresses and rebuilt rows', async () => {
    await imported(
      row('ana', ['ana@north.example'], { surname: 'Silva', city: 'Lisbon' }),
      row('ben', ['ben@x.example']),
    )
    await expectWordsOf('ana')
    await imported(row('ana', ['ana@north.example'], { surname: 'Reis', city: 'Lisbon' }))
    expect(await storedWords('ana')).toEqual(['ana', 'example', 'lisbon', 'north', 'reis'])
    await imported(row('ana', ['ana.reis@south.example'], { surname: 'Reis' }))
    expect(await storedWords('ana')).toEqual(['ana', 'example', 'reis', 'south'])
    await peopleOf(store).write(
      'ana',
      { type: 'saveValues', values: { nick: 'Nita' }, resetFields: [] },
      'test',
    )
    expect(await find(store, 'nita')).toEqual(['ana'])
    await peopleOf(store).write('ana', { type: 'bindAccount', account: { tenant: 't', oid: 'o' } }, 'test')
    await expectWordsOf('ana')
    expect(await store.words.unindexed('', 9)).toEqual([])
    await driver.query("update person set language = 'xx' where id = 'ana'")
    expect((await rebuildPeople(store)).replaced).toEqual(['ana'])
    await expectWordsOf('ana')
    expect(await find(store, 'nita south')).toEqual(['ana'])
    expect(await store.words.unindexed('', 9)).toEqual([])
  })

  it('[SRV-14] leaves no words of an erased person, nor of emptied tables, and does not find who left', async () => {
    await imported(
      row('ana', ['ana@north.example']),
      row('ben', ['ben@north.example']),
      row('cid', ['cid@north.example']),
    )
    await peopleOf(store).erase('ana', 'test')
    expect(await storedWords('ana')).toEqual([])
    await peopleOf(store).write('ben', { type: 'deactivate' }, 'test')
    expect(await find(store, 'north')).toEqual(['cid'])
    await driver.query("delete from person where organisation = 'north' and id = 'ben'")
    expect(await storedWords('ben')).toEqual([])
    await store.clearPeople()
    expect(await countWords()).toBe(0)
  })

  /** Writes the row of a person as a version does that knows no words. */
  const writeAsBefore = (id: string, displayName: string) =>
    driver.query(
      `insert into person (organisation, id, revision, active, addresses, directory, groups, own_values, metadata)
       values ('north', $1, 1, true, '{}', json_build_object('displayName', $2::text), '{}', '{}', '{}')
       on conflict (organisation, id) do update
       set revision = person.revision + 1, directory = excluded.directory`,
      [id, displayName],
    )

  it('[SRV-43] [SCALE-4] finds whom the version before wrote, by what it wrote last, and stores the words in batches', async () => {
    await imported(row('ana', [], { displayName: 'Ana Silva' }), row('ben', [], { displayName: 'Ben Silva' }))
    await writeAsBefore('ana', 'Ana Reis')
    for (let index = 0; index < 230; index += 1)
      await writeAsBefore(`n${String(index).padStart(3, '0')}`, 'Nils Reis')
    const expectFound = async () => {
      expect(await find(store, 'silva')).toEqual(['ben'])
      expect(await find(store, 'ana reis')).toEqual(['ana'])
      expect(await find(store, 'reis')).toHaveLength(231)
    }
    await expectFound()
    expect(await storedWords('n000')).toEqual([])
    const batches: (string | null)[] = []
    for (let after: string | null = null; ;) {
      after = await store.words.index(after)
      batches.push(after)
      if (after === null) break
    }
    expect(batches).toEqual(['n098', 'n198', null])
    await expectWordsOf('ana')
    await expectWordsOf('n229')
    await expectFound()
    expect(await store.words.unindexed('', 9)).toEqual([])
    expect(await other.words.index(null)).toBeNull()
  })

  it('stores words again after a backup, which has none', async () => {
    await imported(row('ana', ['ana@north.example']))
    const lines: string[] = []
    await backUp(driver, async (line) => void lines.push(line))
    expect(lines.join('\n')).not.toContain('words_revision')
    const restored = await openDatabase(await newDatabase(kind))
    try {
      await restoreBackup(
        restored,
        (async function* () {
          yield* lines
        })(),
      )
      const again = createStore(restored, 'north')
      expect(await find(again, 'ana')).toEqual(['ana'])
      expect(await again.words.index(null)).toBeNull()
      expect(await again.words.unindexed('', 9)).toEqual([])
      expect(await find(again, 'ana')).toEqual(['ana'])
    } finally {
      await restored.close()
    }
  })
})

describe('words that are stored while a person is saved', () => {
  it('are stored again, so that no word of a former value stays', async () => {
    const driver = await openDatabase(await newDatabase('postgres'))
    try {
      const [stored, saved] = [gate(), gate()]
      const store = createStore(driver, 'north')
      const within = driver.within('north')
      const slow: DatabaseDriver = {
        ...driver,
        within: () => ({
          ...within,
          transaction: (run, isSnapshot) =>
            within.transaction(async (session) => {
              const result = await run(session)
              stored.open()
              await saved.opened
              return result
            }, isSnapshot),
        }),
      }
      await peopleOf(store).importRows([row('ana', [], { surname: 'Silva' })], 'test', false)
      await driver.query("update person set words_revision = null where id = 'ana'")
      await driver.query("delete from person_word where person = 'ana'")
      const indexing = createStore(slow, 'north').words.index(null)
      await stored.opened
      const saving = peopleOf(store).importRows([row('ana', [], { surname: 'Reis' })], 'test', false)
      await expect
        .poll(async () => (await driver.query('select 1 from pg_locks where not granted')).length)
        .toBeGreaterThan(0)
      saved.open()
      await Promise.all([indexing, saving])
      expect(await find(store, 'silva')).toEqual([])
      expect(await find(store, 'reis')).toEqual(['ana'])
      expect((await store.words.unindexed('', 9)).map(({ id }) => id)).toEqual(['ana'])
      await store.words.index(null)
      expect(await driver.query("select word from person_word where person = 'ana'")).toEqual([
        { word: 'reis' },
      ])
      expect(await store.words.unindexed('', 9)).toEqual([])
    } finally {
      await driver.close()
    }
  })
})
