import { openDatabase, type StoreAddress } from '../../../src/service/sql/openStore.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { startPooler } from '../../support/pgbouncer.ts'
import { startPostgres } from '../../support/postgres.ts'
import { digits, median, quantile, table, times } from '../figures.ts'

// Measures the cost of row-level security, the wall between organisations. Makes the same calls to a store with it, and as
// the owner of the tables, in turns.

const ROUNDS = 15
const CALLS = 300
const PEOPLE = 5_000

const CALLED: readonly (readonly [name: string, call: (store: Store, at: number) => Promise<unknown>])[] = [
  ['reading a person by ID', (store, at) => store.person(`p${String(1 + (at % PEOPLE))}`)],
  ['storing a plan', (store, at) => store.keepPlan('p', { at }, at)],
  ['a transaction with one statement', (store) => store.directory.remove('scim', 'group', ['none'])],
]

export async function measureWall(print: (report: string) => void): Promise<void> {
  const postgres = await startPostgres()
  const pooler = await startPooler(postgres.url)
  try {
    const url = await postgres.createDatabase()
    const addresses: readonly (readonly [string, StoreAddress])[] = [
      ['PostgreSQL', { kind: 'postgres', url }],
      [
        'PostgreSQL behind PgBouncer',
        { kind: 'postgres', url: pooler.before(await postgres.createDatabase()) },
      ],
      ['embedded database', { kind: 'embedded', folder: null }],
    ]
    const rows: string[][] = []
    for (const [name, address] of addresses) rows.push(...(await rowsOf(name, address)))
    print(
      table(
        `A call to the store, with and without row-level security (${String(ROUNDS)} rounds of ${String(CALLS)} calls, one after another, in turns)`,
        ['', 'with, µs', 'without, µs', 'ratio, median', 'ratio, best'],
        rows,
      ),
    )
  } finally {
    await pooler.close()
    await postgres.close()
  }
}

async function rowsOf(database: string, address: StoreAddress): Promise<string[][]> {
  const driver = await openDatabase(address)
  try {
    await driver.query(
      `insert into person (organisation, id, revision, active, addresses, directory, groups, own_values, metadata)
       select 'default', 'p' || n, 1, true, array['p' || n || '@x.example'], '{"title":"x"}', '{}', '{}', '{}'
       from generate_series(1, ${String(PEOPLE)}) as n`,
    )
    await driver.script('analyze person')
    const walled = createStore(driver, 'default')
    const owned = createStore({ ...driver, within: () => driver }, 'default')
    const rows: string[][] = []
    for (const [name, call] of CALLED) {
      const micros = async (store: Store) => {
        const before = process.hrtime.bigint()
        for (let at = 0; at < CALLS; at += 1) await call(store, at)
        return Number(process.hrtime.bigint() - before) / 1_000 / CALLS
      }
      for (const store of [walled, owned]) await micros(store)
      const [inside, outside]: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round += 1) {
        inside.push(await micros(walled))
        outside.push(await micros(owned))
      }
      rows.push([
        `${name}, ${database}`,
        ...[digits(median(inside)), digits(median(outside))],
        times(median(inside.map((each, round) => each / (outside[round] ?? 0)))),
        times(quantile(inside, 0) / quantile(outside, 0)),
      ])
    }
    return rows
  } finally {
    await driver.close()
  }
}
