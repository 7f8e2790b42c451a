import { createPeople } from '../../../src/service/people/people.ts'
import type { DirectoryRow } from '../../../src/service/context/serviceContext.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { startPostgres } from '../../support/postgres.ts'
import { releaseOf } from '../../support/storedPerson.ts'
import { digits, table, times } from '../figures.ts'
import { watchPostgres } from './processes.ts'

// Measures how much the search index adds to writes of people, and its size. Runs the same writes in turns: with words and
// the index of people without words; with words, but without this index, so that PostgreSQL need not update a changed row's
// entries in all indexes; and without both.

const PEOPLE = 5_000
const ROUNDS = 15
const WRITES = 200
const ORGANISATION = 'default'

const WORDS = /,\s*(?:un)?worded as \([\s\S]*?(?=insert into event)/

/** Removes the words from the store's statements. Keeps all parameters, so that their numbers stay the same. */
function withoutWords(driver: DatabaseDriver): DatabaseDriver {
  const without = (text: string) =>
    text.replace(WORDS, (words) => {
      const parameters = [...words.matchAll(/\$(?!1\b)\d+(?:::\w+(?:\[\])?)?/g)].map(([parameter]) =>
        parameter.includes('::') ? parameter : `${parameter}::text`,
      )
      return `, unused as (select ${parameters.join(', ')}) `
    })
  return {
    ...driver,
    within(organisation) {
      const within = driver.within(organisation)
      return { ...within, query: (text, parameters) => within.query(without(text), parameters) }
    },
  }
}

const rowOf = (person: number, round: number): DirectoryRow => ({
  id: `p${String(person).padStart(8, '0')}`,
  record: {
    addresses: [`p${String(person).padStart(8, '0')}@northwind.example`],
    account: { tenant: 'tenant', oid: `oid-${String(person)}` },
    language: null,
    fields: {
      givenName: 'Maria',
      surname: `Silva ${String(person)}`,
      jobTitle: `Account manager ${String(round)}`,
      department: `Department ${String(person % 4)}`,
      country: `C${String(person % 16)}`,
      officeLocation: 'Lisbon',
      'businessPhones.0': `+351 21 ${String(person)}`,
      mobilePhone: `+351 91 ${String(person)}`,
    },
    groups: ['staff'],
    picture: null,
  },
})

const many = <Made>(count: number, make: (index: number) => Made): readonly Made[] =>
  Array.from({ length: count }, (_, index) => make(index))

type Setting = Readonly<{ driver: DatabaseDriver; people: ReturnType<typeof createPeople> }>

/** The measured writes. Each round changes other people or values. */
const WRITTEN: readonly (readonly [
  what: string,
  write: (people: Setting['people'], round: number) => Promise<unknown>,
])[] = [
  [
    'an import of new people',
    (people, round) =>
      people.importRows(
        many(WRITES, (index) => rowOf(PEOPLE + round * WRITES + index, 0)),
        'bench',
        false,
      ),
  ],
  [
    'an import that changes one word',
    (people, round) =>
      people.importRows(
        many(WRITES, (index) => rowOf(index, round + 1)),
        'bench',
        false,
      ),
  ],
  [
    "a save of a person's own details",
    async (people, round) => {
      for (const { id } of many(WRITES, (index) => rowOf(1_000 + index, 0)))
        await people.write(
          id ?? '',
          { type: 'saveValues', values: { nick: `Nita ${String(round)}` }, resetFields: [] },
          'bench',
        )
    },
  ],
  [
    'a save without a changed word',
    async (people, round) => {
      for (const { id } of many(WRITES, (index) => rowOf(3_000 + index, 0)))
        await people.write(
          id ?? '',
          { type: 'saveValues', values: {}, metadata: { round: String(round) }, resetFields: [] },
          'bench',
        )
    },
  ],
]

export async function measureWords(note: (line: string) => void): Promise<string> {
  const postgres = await startPostgres()
  const settings: Setting[] = []
  try {
    const open = async (change: (driver: DatabaseDriver) => DatabaseDriver, prepare: string | null) => {
      const driver = await openDatabase({ kind: 'postgres', url: await postgres.createDatabase() })
      if (prepare !== null) await driver.script(prepare)
      const release = releaseOf([{ path: 'nick' }])
      const people = createPeople({
        store: createStore(change(driver), ORGANISATION),
        releases: { current: () => release },
        now: () => 0,
        newId: () => 'new',
      })
      settings.push({ driver, people })
      await people.importRows(
        many(PEOPLE, (index) => rowOf(index, 0)),
        'bench',
        false,
      )
      await driver.script('vacuum analyze')
      note(`${String(settings.length)} of 3 databases are filled`)
      return people
    }
    const same = (driver: DatabaseDriver) => driver
    const contenders = [
      await open(same, null),
      await open(same, 'drop index person_without_words'),
      await open(withoutWords, 'drop index person_without_words'),
    ]
    const databaseMs = await watchPostgres(postgres.url)
    const rows: (readonly string[])[] = []
    for (const [what, write] of WRITTEN) {
      note(`${what} \u2026`)
      const spent = contenders.map(() => ({ service: 0, database: 0 }))
      for (let round = 0; round < ROUNDS; round += 1)
        for (const [at, people] of contenders.entries()) {
          const before = process.cpuUsage()
          const databaseBefore = (await databaseMs()) ?? 0
          await write(people, round)
          const { user, system } = process.cpuUsage(before)
          const sum = spent[at]
          if (sum === undefined) continue
          sum.service += (user + system) / 1_000
          sum.database += ((await databaseMs()) ?? 0) - databaseBefore
        }
      const spentOf = ({ service, database }: (typeof spent)[number]) =>
        [service, database].map((ms) => (ms / ROUNDS / WRITES).toFixed(2)).join(' + ')
      const sum = ({ service, database }: (typeof spent)[number]) => service + database
      const [all, unindexed, none] = spent
      if (all === undefined || unindexed === undefined || none === undefined) continue
      rows.push([
        ...[what, spentOf(all), spentOf(unindexed), spentOf(none)],
        ...[times(sum(all) / sum(none)), times(sum(all) / sum(unindexed))],
      ])
    }
    return [
      table(
        `Writes, ms of processor time per person of the service + of PostgreSQL (${String(ROUNDS)} rounds of ${String(WRITES)} writes, in turns)`,
        [
          '',
          'with words',
          'without the index',
          'without words',
          'with / without words',
          'with / without the index',
        ],
        rows,
      ),
      table(
        'Size of the words after an import and the writes above',
        ['table and its indexes', 'rows', 'bytes per person'],
        await sizesOf(settings[0]?.driver),
      ),
    ].join('\n')
  } finally {
    for (const { driver } of settings) await driver.close()
    await postgres.close()
  }
}

async function sizesOf(driver: DatabaseDriver | undefined): Promise<readonly (readonly string[])[]> {
  const sizes = await driver?.query<{ name: string; bytes: number; rows: number; people: number }>(
    `select 'person_word' as name, pg_total_relation_size('person_word') as bytes,
       (select count(*) from person_word) as rows, (select count(*) from person) as people`,
  )
  return (sizes ?? []).map(({ name, bytes, rows, people }) => [name, digits(rows), digits(bytes / people)])
}
