/** Measures recomputing all people from their facts, in both databases. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rebuildPeople } from '../../../src/service/people/rebuild.ts'
import { openDatabase, type StoreAddress } from '../../../src/service/sql/openStore.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { startPostgres } from '../../support/postgres.ts'
import { digits, table } from '../figures.ts'
import { found, ORGANISATION } from './organisation.ts'

const PEOPLE = 5_000

/** Measures the seconds of a rebuild when no row differs from its facts, and when every row differs. */
export async function measureRebuild(note: (line: string) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
  const postgres = await startPostgres()
  const rows: string[][] = []
  try {
    const addresses: readonly (readonly [string, StoreAddress])[] = [
      ['embedded database', { kind: 'embedded', folder }],
      ['PostgreSQL', { kind: 'postgres', url: await postgres.createDatabase() }],
    ]
    for (const [name, address] of addresses) {
      await (await found(address, PEOPLE)).close()
      const driver = await openDatabase(address)
      const store = createStore(driver, ORGANISATION)
      const seconds = async (replaces: number) => {
        const begun = performance.now()
        const { people, replaced } = await rebuildPeople(store)
        if (people !== PEOPLE || replaced.length !== replaces)
          throw new Error(`${String(replaced.length)} rows of ${String(people)} people were replaced.`)
        return (performance.now() - begun) / 1000
      }
      try {
        const unchanged = await seconds(0)
        note(`${name}, no row differs: ${digits(unchanged)} s`)
        await driver.script("update person set language = 'xx'")
        const replaced = await seconds(PEOPLE)
        note(`${name}, every row differs: ${digits(replaced)} s`)
        rows.push([name, digits(unchanged), digits(replaced), digits((1000 * replaced) / PEOPLE)])
      } finally {
        await store.close()
      }
    }
  } finally {
    await postgres.close()
    await rm(folder, { recursive: true, force: true })
  }
  return table(
    `A rebuild of ${PEOPLE.toLocaleString('en-US')} people`,
    ['', 'no row differs, s', 'every row differs, s', 'ms per changed person'],
    rows,
  )
}
