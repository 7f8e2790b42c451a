import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPeopleList, type PeopleOrder } from '../../../src/service/people/peopleList.ts'
import { createPeopleSearch } from '../../../src/service/people/peopleSearch.ts'
import type { DatabaseDriver, DatabaseSession } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { MAX_COUNTED_USES } from '../../../src/service/sql/searchTerms.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { DATABASES, newDatabase } from '../../support/databases.ts'

// How many rows PostgreSQL reads for an answer of the search for people: its own count, in the plans that it ran.

/** Both are above what a statement reads at once, so that the same is read if the size does not matter. */
const SIZES = { few: 4_500, many: 9_000, stale: 4_500 } as const
type Size = keyof typeof SIZES

type Node = Readonly<{
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: readonly Node[]
}>

const SEARCHES = [
  'w7',
  'w7@',
  'muller',
  'ana silva',
  'silva ben',
  'a',
  'north w',
  'ana rosenberg',
  'north x',
  'zzz',
  'ana ben',
  '',
]
/** Of 2,112 places, each person's nine words and row; and of two common words, 1,000 of each. */
const MAX_ROWS = 25_000
/** A place, the nine or so words of its person, and their row. */
const ROWS_OF_A_PLACE = 12
/** What the number of words of some people makes out. */
const MORE_ROWS = 60

/** Every second person is called Ana, every third Silva; each has a word alone. */
const FILL = (organisation: Size) => `
  insert into person (organisation, id, revision, active, addresses, directory, groups, own_values, metadata)
  select '${organisation}', 'p' || lpad(n::text, 6, '0'), 1, true, array['w' || n || '@north.example'],
    json_build_object(
      'department', 'd' || n % 3, 'givenName', case when n % 2 = 0 then 'Ana' else 'Ben' end,
      'surname', case when n % 3 = 0 then 'Silva' when n % 3 = 1 then 'Müller' else 'Lee' end,
      'rare', case when n in (7, 77, 777) then 'Rosenberg' else 'common' end), '{}', '{}', '{}'
  from generate_series(1, ${String(SIZES[organisation])}) as n;
  insert into told (organisation, person, told, at)
  select '${organisation}', 'p' || lpad(n::text, 6, '0'), '{}', n from generate_series(1, ${String(SIZES[organisation])}, 2) as n`

const nodesOf = (node: Node | undefined): readonly Node[] =>
  node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The embedded database keeps no statistics, and PostgreSQL has none of rows that were just written. */
const STATISTICS = [
  ...DATABASES.map((kind) => ({ kind, has: false })),
  { kind: 'postgres', has: true },
] as const

describe.each(STATISTICS)('the search for people over $kind, with statistics: $has', ({ kind, has }) => {
  let driver: DatabaseDriver
  let asked: (readonly [
    within: Pick<DatabaseDriver, 'query'>,
    sql: string,
    parameters: readonly unknown[],
  ])[] = []
  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    for (const size of ['few', 'many', 'stale'] as const) await driver.script(FILL(size))
    for (const size of ['few', 'many'] as const) {
      const { words } = createStore(driver, size)
      for (let after = await words.index(null); after !== null;) after = await words.index(after)
    }
    for (const size of ['few', 'many'] as const) {
      const { order } = createStore(driver, size)
      for (let last = await order.fill(null); last !== null;) last = await order.fill(last)
    }
    // As PostgreSQL does by itself, some time after so many rows were written.
    if (has) await driver.script('vacuum analyze person, person_word, told')
  })
  afterAll(() => driver.close())

  const storeOf = (organisation: Size) => {
    const within = driver.within(organisation)
    const noting = (session: Pick<DatabaseSession, 'query'>): Pick<DatabaseSession, 'query'> => ({
      query(sql, parameters = []) {
        asked.push([within, sql, parameters])
        return session.query(sql, parameters)
      },
    })
    const noted = {
      ...noting(within),
      transaction: <Result>(run: (session: DatabaseSession) => Promise<Result>) =>
        within.transaction((session) => run({ ...session, ...noting(session) })),
    }
    return createStore({ ...driver, within: () => noted }, organisation)
  }

  /** What an answer of 50 people reads of the tables, and how. */
  async function readsOf(organisation: Size, search: string) {
    asked = []
    const found: string[] = []
    for await (const page of createPeopleSearch(storeOf(organisation))(search, null)) {
      found.push(...page.found.map(({ person }) => person.id))
      if (found.length >= 50) break
    }
    const scans = await scansOf()
    return {
      rows: rowsIn(scans),
      statements: asked.length,
      found: found.length,
      kinds: [...new Set(scans.map((node) => node['Node Type']))],
    }
  }

  /** What an answer of 50 people of a list reads, from a place in its middle. */
  async function listReadsOf(organisation: Size, order: PeopleOrder, search: string) {
    const list = createPeopleList(storeOf(organisation))
    let after: string | null = null
    for (let answers = 0; answers < 2; answers += 1) {
      asked = []
      let found = 0
      for await (const page of list(order, search, after)) {
        found += page.found.length
        after = page.found.at(49)?.after ?? page.next
        if (found >= 50) break
      }
    }
    const scans = await scansOf()
    return { rows: rowsIn(scans), kinds: scans.map((node) => node['Node Type']), statements: asked.length }
  }

  const LISTS = (['name', 'department', 'seen'] as const).flatMap((by) =>
    [false, true].flatMap((isDescending) =>
      [null, 'd1'].map((department) => ({ by, isDescending, department, isActive: true })),
    ),
  )
  it.each(LISTS)(
    '[SCALE-4] for a list by $by (descending: $isDescending, department: $department) reads as many rows for twice the people, by an index',
    async (order) => {
      for (const search of ['', 'w']) {
        const [few, many] = [
          await listReadsOf('few', order, search),
          await listReadsOf('many', order, search),
        ]
        expect(many.statements).toBe(few.statements)
        expect(many.rows).toBeLessThanOrEqual(few.rows + MORE_ROWS)
        expect(many.rows).toBeLessThan(6_000)
        expect(many.kinds).not.toContain('Seq Scan')
        expect(many.kinds).not.toContain('Bitmap Heap Scan')
      }
    },
  )

  it('reads no row of people when the order of all is stored', async () => {
    asked = []
    expect(await storeOf('many').order.fill(null)).toBeNull()
    expect(rowsIn(await scansOf())).toBe(0)
  })

  /** How the statements that were asked read the tables. */
  async function scansOf(): Promise<readonly Node[]> {
    const scans: Node[] = []
    for (const [within, sql, parameters] of asked) {
      const [plan] = await within.query<{ 'QUERY PLAN': readonly [{ Plan: Node }] }>(
        `explain (analyze, format json) ${sql}`,
        parameters,
      )
      const root = plan?.['QUERY PLAN'][0].Plan
      scans.push(...nodesOf(root).filter((node) => node['Relation Name'] !== undefined))
    }
    return scans
  }
  const rowsIn = (scans: readonly Node[]): number =>
    scans.reduce(
      (sum, node) =>
        sum +
        (node['Actual Rows'] +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)) *
          node['Actual Loops'],
      0,
    )

  it.each(SEARCHES)(
    '[SCALE-4] for %s reads as many rows for twice the people, by an index',
    async (search) => {
      const [few, many] = [await readsOf('few', search), await readsOf('many', search)]
      expect([many.found, many.statements]).toEqual([few.found, few.statements])
      expect(many.rows).toBeLessThanOrEqual(few.rows + MORE_ROWS)
      expect(many.rows).toBeLessThan(MAX_ROWS)
      expect(many.kinds).not.toContain('Seq Scan')
      expect(many.kinds).not.toContain('Bitmap Heap Scan')
    },
  )

  it('[SCALE-4] follows the word of fewer people when both are common, however short it is', async () => {
    const [led, alone] = [await readsOf('many', 'north w1'), await readsOf('many', 'w1')]
    expect(led.found).toBeGreaterThanOrEqual(50)
    // Of both words, 1,000 are counted, and 16 places are tried: of one of them, these are the first of the answer.
    expect(led.rows).toBeLessThanOrEqual(alone.rows + 2 * MAX_COUNTED_USES + 2 * 16 * ROWS_OF_A_PLACE)
  })

  it('reads no row of people when the words of all are stored', async () => {
    asked = []
    expect(await storeOf('many').words.unindexed('', 500)).toEqual([])
    expect(rowsIn(await scansOf())).toBe(0)
  })

  it('reads no more people than it takes when no words are stored', async () => {
    asked = []
    const { words } = storeOf('stale')
    expect(await words.unindexed('', 500)).toHaveLength(500)
    expect(await words.index(null)).toBe('p000100')
    asked = asked.filter(([, sql]) => /^\s*select/.test(sql))
    const scans = await scansOf()
    expect(asked).toHaveLength(2)
    // The people of the batch have their words by now, and the index may still name their former rows.
    expect(rowsIn(scans)).toBeLessThanOrEqual(500 + 3 * 100)
  })
})

describe.each(DATABASES)('a word that is stored over %s', (kind) => {
  it('finds its person by the key, before there are statistics', async () => {
    const driver = await openDatabase(await newDatabase(kind))
    try {
      // What PostgreSQL asks to check the foreign key, once for each word. It keeps the plan of its first words.
      const indexOf = async () => {
        const [plan] = await driver.query<{ 'QUERY PLAN': readonly [{ Plan: Node }] }>(
          `explain (format json) select 1 from only person where organisation = $1 and id = $2 for key share`,
          ['few', 'p000001'],
        )
        return nodesOf(plan?.['QUERY PLAN'][0].Plan).map((node) => node['Index Name'])
      }
      expect(await indexOf()).toContain('person_pkey')
      await driver.script(FILL('few'))
      expect(await indexOf()).toContain('person_pkey')
    } finally {
      await driver.close()
    }
  })
})
