import { createPeopleSearch } from '../../../src/service/people/peopleSearch.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { startPostgres } from '../../support/postgres.ts'
import { median, spread, table, times } from '../figures.ts'
import { found, idOf } from './organisation.ts'

// Measures the search for people among few and among many people, in turns.

const FEW = 1_000
const ROUNDS = 60
/** The number of people in one answer of the service. */
const ANSWER = 50

const SEARCHES: readonly (readonly [what: string, search: string])[] = [
  ['one person, by full name', '500 Silva Maria'],
  ['one person, by part of an address', `${idOf(500)}@north`],
  ['a word that all people have', 'maria'],
  ['the first letter of a word that all people have', 'm'],
  ['two words that all people have', 'lisbon maria'],
  ['a word that a quarter of the people have, and a word that all have', 'maria c2'],
  ['no person', 'zzz'],
]

/** The milliseconds of one answer. */
async function answerMs(store: Store, search: string): Promise<number> {
  const start = performance.now()
  let people = 0
  for await (const page of createPeopleSearch(store)(search, null)) {
    people += page.found.length
    if (people >= ANSWER) break
  }
  return performance.now() - start
}

/** Measures how much longer a search takes among `people` people than among 1,000, on PostgreSQL. */
export async function measureSearch(people: number, note: (line: string) => void): Promise<string> {
  const postgres = await startPostgres()
  try {
    const stores = []
    for (const size of [FEW, people]) {
      note(`${size.toLocaleString('en-US')} people \u2026`)
      stores.push(await found({ kind: 'postgres', url: await postgres.createDatabase() }, size))
    }
    const [few, many] = stores
    if (few === undefined || many === undefined) throw new Error('No store was filled')
    const rows: (readonly string[])[] = []
    for (const [what, search] of SEARCHES) {
      note(`${what} \u2026`)
      const ms: Record<'few' | 'many', number[]> = { few: [], many: [] }
      for (let round = 0; round < ROUNDS; round += 1) {
        ms.few.push(await answerMs(few.store, search))
        ms.many.push(await answerMs(many.store, search))
      }
      rows.push([
        what,
        spread(ms.few),
        spread(ms.many),
        times(median(ms.many) / median(ms.few)),
        '3.00\u00d7',
      ])
    }
    for (const { close } of stores) await close()
    return table(
      `A search for people (PostgreSQL, ${String(ROUNDS)} rounds, in turns)`,
      [
        '',
        `${FEW.toLocaleString('en-US')} people, ms`,
        `${people.toLocaleString('en-US')} people, ms`,
        'ratio',
        'target',
      ],
      rows,
    )
  } finally {
    await postgres.close()
  }
}
