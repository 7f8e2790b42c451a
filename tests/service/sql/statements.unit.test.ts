import { describe, expect, it } from 'vitest'
import { backUp, restoreBackup } from '../../../src/service/sql/backup.ts'
import { reportConflicts } from '../../../src/service/sql/conflicts.ts'
import {
  type DatabaseDriver,
  type DatabaseSession,
  sqlState,
  asStoreUnavailable,
} from '../../../src/service/sql/driver.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { StoreUnavailable, VersionConflict } from '../../../src/service/sql/problems.ts'
import { watchWrites } from '../../../src/service/sql/writes.ts'

// What is asked of a database, and what its answers mean, without one.

type Asked = readonly [sql: string, parameters: readonly unknown[]]

/** Answers each statement, and notes it. */
function driverOf(answer: (sql: string, parameters: readonly unknown[]) => readonly object[] = () => []) {
  const asked: Asked[] = []
  const snapshots: (boolean | undefined)[] = []
  const session: DatabaseSession = {
    query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
      asked.push([sql, parameters])
      return answer(sql, parameters) as readonly Row[]
    },
    script: async (sql) => {
      asked.push([sql, []])
      answer(sql, [])
    },
  }
  const driver: DatabaseDriver = {
    ...session,
    async transaction(run, isSnapshot) {
      snapshots.push(isSnapshot)
      return run(session)
    },
    within: () => driver,
    close: async () => undefined,
  }
  return { driver, asked, snapshots }
}

const databaseError = (code: unknown, more: object = { severity: 'ERROR' }) =>
  Object.assign(new Error('told'), { code, ...more })

describe('an error of the database', () => {
  it.each<[unknown, string | null]>([
    [databaseError('23505'), '23505'],
    [databaseError('42P01'), '42P01'],
    [databaseError('53100', {}), null],
    [databaseError('ECONNREFUSED'), null],
    [databaseError('5310'), null],
    [databaseError(53100), null],
    [new Error('x'), null],
    [{ code: '53100', severity: 'ERROR' }, null],
    [null, null],
  ])('%# has the state %s', (error, state) => {
    expect(sqlState(error)).toBe(state)
  })

  it.each([
    ['53100', 'full', 'The database has no room on its disk: it reports an error (53100)'],
    ['25006', 'readOnly', 'The database takes no writes: it reports an error (25006)'],
    ['55P03', 'locked', 'The database kept rows locked for too long: it reports an error (55P03)'],
    ['40P01', 'locked', 'The database kept rows locked for too long: it reports an error (40P01)'],
    ['57014', 'cancelled', 'The database cancelled a statement: it reports an error (57014)'],
    ['25P03', 'cancelled', 'The database cancelled a statement: it reports an error (25P03)'],
    ['25P04', 'cancelled', 'The database cancelled a statement: it reports an error (25P04)'],
    ['53000', 'busy', 'The database has too much to do: it reports an error (53000)'],
    ['53200', 'busy', 'The database has too much to do: it reports an error (53200)'],
    ['53300', 'busy', 'The database has too much to do: it has no free connection (53300)'],
    ['53400', 'busy', 'The database has too much to do: it reports an error (53400)'],
    ['08006', 'away', 'The database does not answer: it reports an error (08006)'],
    ['57P01', 'away', 'The database does not answer: it reports an error (57P01)'],
    ['57P03', 'away', 'The database does not answer: it is starting or ending (57P03)'],
    ['58030', 'away', 'The database does not answer: it reports an error (58030)'],
  ])('[SCALE-6] with the state %s says that it is %s', (state, problem, message) => {
    const error = databaseError(state)
    const found = asStoreUnavailable(error)
    expect(found).toBeInstanceOf(StoreUnavailable)
    expect([found?.problem, found?.sqlState, found?.message, found?.cause]).toEqual([
      ...[problem, state, message, error],
    ])
  })

  it.each(['23505', '40001', '42601', '25P02', '55006', '22012', 'ECONNRESET'])(
    'with the state %s is none of the database itself',
    (state) => {
      expect(asStoreUnavailable(databaseError(state))).toBeNull()
    },
  )

  it.each(['23505', '40001', '40P01'])('with the state %s says that another was first', async (state) => {
    const error = databaseError(state)
    const cause = asStoreUnavailable(error) ?? error
    const moved = await reportConflicts(Promise.reject(cause)).catch((each: unknown) => each)
    expect(moved).toBeInstanceOf(VersionConflict)
    expect(moved).toMatchObject({ message: 'Another writer was first.', cause })
  })

  it.each([
    databaseError('23503'),
    databaseError('40001', {}),
    asStoreUnavailable(databaseError('55P03')),
    new Error('x'),
  ])('is told as it is: %#', async (error) => {
    expect(await reportConflicts(Promise.reject(error)).catch((each: unknown) => each)).toBe(error)
    expect(await reportConflicts(Promise.resolve(7))).toBe(7)
  })

  it('is away unless it says more', () => {
    expect(new StoreUnavailable('x')).toMatchObject({ problem: 'away', sqlState: null })
    expect(new StoreUnavailable('x', { problem: 'full', sqlState: '53100' })).toMatchObject({
      problem: 'full',
      sqlState: '53100',
    })
  })
})

describe('a store', () => {
  const signed = { actor: 'x', at: 1 }
  it.each<[string, (store: Store) => Promise<unknown>, unknown]>([
    ['no facts of the organisation', (store) => store.appendOrganisation(0, [], signed), undefined],
    ['no facts of a person', (store) => store.appendPerson('p', 0, [], null, signed), undefined],
    ['no entries', ({ directory }) => directory.entries('s', 'user', []), []],
    ['no entry that is told', ({ directory }) => directory.write('s', 'user', [], null), undefined],
    ['no members', ({ directory }) => directory.memberships('s', []), []],
    ['no members, however deep', ({ directory }) => directory.allMemberships('s', []), []],
    ['no names of groups', ({ directory }) => directory.groupsNamed(['s'], []), []],
    ['no groups to mark', ({ directory }) => directory.markMembers('s', []), undefined],
    ['no managers', ({ directory }) => directory.reports('s', []), []],
    ['nothing applied', ({ directory }) => directory.settle('s', []), []],
  ])('asks the database for nothing about %s', async (_, call, answer) => {
    const { driver, asked } = driverOf()
    expect(await call(createStore(driver, 'o'))).toEqual(answer)
    expect(asked).toEqual([])
  })

  it('names its organisation first, and asks for no text that the database cannot have', async () => {
    const { driver, asked } = driverOf()
    const store = createStore(driver, 'o')
    await store.person('a\0b\0')
    await store.persons(['a\0', 'b'])
    await store.personByAddress('Ann@X.example')
    await store.personsByAddress(['Ann@X.example', 'B@x.example'])
    expect(asked.map(([, parameters]) => parameters)).toEqual([
      ['o', 'a\ufffdb\ufffd'],
      ['o', ['a\ufffd', 'b']],
      ['o', ['ann@x.example']],
      ['o', ['ann@x.example', 'b@x.example']],
    ])
  })

  it('begins pages of all, and goes on after what it has', async () => {
    const { driver, asked } = driverOf()
    const { people, reportedByPeople, audit, peopleFacts, directory } = createStore(driver, 'o')
    await people(null, 5)
    await people('p', 5)
    await reportedByPeople(null, 5, 7)
    await reportedByPeople('p', 5, 7)
    await audit(null, 5)
    await audit({ at: 1, stream: 'organisation', version: 2 }, 5)
    await peopleFacts(null, 5)
    await peopleFacts({ id: 'p', version: 7 }, 5)
    await directory.page('s', 'user', null, 5)
    await directory.page('s', 'user', 'e', 5)
    await directory.changedUsers('s', true, null, 5)
    await directory.changedUsers('s', false, 'e', 5)
    expect(asked.map(([, [, ...parameters]]) => parameters)).toEqual([
      ...[[5], ['p', 5], [7, 5], [7, 5, 'p'], [5], [5, 1, 'organisation', 2]],
      ...[
        ['person/', 0, 'person0', 5],
        ['person/p', 7, 'person0', 5],
      ],
      ...[
        ['s', 'user', '', 5],
        ['s', 'user', 'e', 5],
        ['s', true, '', 5],
        ['s', false, 'e', 5],
      ],
    ])
  })

  it.each(['off', 'on'])('knows by a ping that the database takes writes, or not: %s', async (state) => {
    const { driver } = driverOf(() => [{ state }])
    const answer = await createStore(driver, 'o')
      .ping()
      .then(
        () => null,
        (error: unknown) => error,
      )
    if (state === 'off') expect(answer).toBeNull()
    else
      expect(answer).toMatchObject({
        problem: 'readOnly',
        sqlState: '25006',
        message: 'The database takes no writes',
      })
  })

  it('has nothing where nothing is answered', async () => {
    const { driver } = driverOf()
    const store = createStore(driver, 'o')
    const { person, release, picture, reported, plan, isLeased, lease, keys, directory } = store
    expect([
      await person('x'),
      await release('x'),
      await picture('x'),
      await reported('x'),
      await plan('x'),
    ]).toEqual([...[null, null, null, null, null]])
    expect([await isLeased('x', 1), await lease('x', 'h', 1, 2), await keys()]).toEqual([false, false, []])
    expect([await store.hasPictures(['x']), await directory.cursor('s', 'k')]).toEqual([new Set(), null])
  })

  it('tells that another was first when nothing was written', async () => {
    const { driver } = driverOf()
    const { appendOrganisation, appendPerson, directory } = createStore(driver, 'o')
    const fact = { type: 'person/departed', data: {} } as never
    const told = { id: 'e', data: {}, name: null, externalId: null, addresses: [], manager: null }
    const tries = [
      [appendOrganisation(3, [fact], signed), 'the organisation is not at 3'],
      [appendPerson('p', 4, [fact], null, signed), 'p is not at 4 any more'],
      [directory.writeOver('scim', 'group', { ...told, active: true }, 1), 'group e was written meanwhile'],
      [directory.writeOver('scim', 'user', { ...told, active: true }, 0), 'user e was written meanwhile'],
    ] as const
    for (const [writing, message] of tries)
      expect(await writing.catch((error: unknown) => error)).toEqual(new VersionConflict(message))
  })
})

describe('watched writes', () => {
  const full = () => new StoreUnavailable('full', { problem: 'full', sqlState: '53100' })
  const INSERT = 'insert into plan values (1)'

  /** Fails what writes while `failing` is an error. */
  function watched() {
    const state: { failing: Error | null; now: number } = { failing: null, now: 100_000 }
    const { driver, asked, snapshots } = driverOf((sql) => {
      if (state.failing !== null && !sql.startsWith('ok')) throw state.failing
      return [{ sql }]
    })
    const failed: StoreUnavailable[] = []
    const changes: (string | null)[] = []
    const writes = watchWrites(driver, {
      now: () => state.now,
      failed: (error) => void failed.push(error),
      changed: (problem) => void changes.push(problem?.problem ?? null),
    })
    return { ...writes, state, asked, snapshots, failed, changes }
  }

  it('answer what the database answers', async () => {
    const { driver, asked, snapshots, problem } = watched()
    expect(await driver.query('ok', [1])).toEqual([{ sql: 'ok' }])
    await driver.script('ok script')
    expect(await driver.transaction((session) => session.query(INSERT, [2]), true)).toEqual([{ sql: INSERT }])
    await driver.transaction((session) => session.script(INSERT))
    expect(asked).toEqual([
      ['ok', [1]],
      ['ok script', []],
      [INSERT, [2]],
      [INSERT, []],
    ])
    expect([snapshots, await problem()]).toEqual([[true, undefined], null])
  })

  it.each<[string, boolean]>([
    [INSERT, true],
    ['UPDATE person SET a = 1', true],
    ['delete from plan', true],
    ['with a as (insert into plan values (1)) select', true],
    ['select 1', false],
    ['select id from lease where id = 1 for update', false],
    ['select inserted from into_it', false],
  ])('are known by the statement: %s', async (sql, isWrite) => {
    const ways: readonly ((driver: DatabaseDriver) => Promise<unknown>)[] = [
      (driver) => driver.query(sql),
      (driver) => driver.script(sql),
      (driver) => driver.transaction((session) => session.query(sql)),
      (driver) => driver.transaction((session) => session.script(sql)),
    ]
    for (const run of ways) {
      const { driver, state, failed, changes } = watched()
      state.failing = full()
      expect(await run(driver).catch((error: unknown) => error)).toBe(state.failing)
      expect([failed, changes]).toEqual([[state.failing], isWrite ? ['full'] : []])
    }
  })

  it('count also when what follows them fails', async () => {
    const { driver, state, changes } = watched()
    const run = driver.transaction(async (session) => {
      await session.query(INSERT)
      await session.script('select 1')
      state.failing = full()
      await session.query('select 2')
    })
    await expect(run).rejects.toThrow('full')
    expect(changes).toEqual(['full'])
  })

  it('that fail by their own mistake are no problem', async () => {
    const { driver, state, failed, changes, problem } = watched()
    state.failing = new Error('syntax')
    await expect(driver.query(INSERT)).rejects.toThrow('syntax')
    expect([failed, changes, await problem()]).toEqual([[], [], null])
  })

  it('are told once as long as the problem is the same', async () => {
    const { driver, state, changes } = watched()
    const fail = async (error: Error) => {
      state.failing = error
      await driver.query(INSERT).catch(() => undefined)
    }
    await fail(full())
    await fail(full())
    await fail(new StoreUnavailable('away'))
    expect(changes).toEqual(['full', 'away'])
  })

  it('[SCALE-6] go on when some statements fail, which are told for a minute', async () => {
    const { driver, state, failed, changes, problem, lately } = watched()
    const fail = async (passing: 'locked' | 'cancelled' | 'busy', sql: string) => {
      state.failing = new StoreUnavailable('x', { problem: passing })
      await driver.query(sql).catch(() => undefined)
    }
    await fail('locked', INSERT)
    state.now += 30_000
    await fail('cancelled', 'select 1')
    await fail('busy', INSERT)
    await fail('busy', INSERT)
    expect([failed.length, changes, await problem()]).toEqual([4, [], null])
    expect(lately()).toEqual(['locked', 'cancelled', 'busy'])
    state.now += 29_999
    expect(lately()).toEqual(['locked', 'cancelled', 'busy'])
    state.now += 1
    expect(lately()).toEqual(['cancelled', 'busy'])
    state.now += 30_000
    expect(lately()).toEqual([])
    state.failing = full()
    await driver.query(INSERT).catch(() => undefined)
    await fail('locked', INSERT)
    expect([changes, (await problem())?.problem, lately()]).toEqual([['full'], 'full', ['locked']])
  })

  it('are tried by a probe at most every five seconds, also after the clock was set back', async () => {
    const { driver, state, asked, changes, problem } = watched()
    state.failing = full()
    await driver.query(INSERT).catch(() => undefined)
    const probes = () => asked.filter(([, [organisation]]) => organisation === 'probe of writes').length
    expect((await problem())?.problem).toBe('full')
    expect(probes()).toBe(1)
    state.now += 4_999
    await problem()
    expect(probes()).toBe(1)
    state.now += 1
    await Promise.all([problem(), problem()])
    expect(probes()).toBe(2)
    state.now -= 5_000
    await problem()
    expect(probes()).toBe(3)
    state.failing = null
    state.now += 5_000
    expect(await problem()).toBeNull()
    expect([changes, await problem(), probes()]).toEqual([['full', null], null, 5])
    // It takes back what it wrote, and a later failure is tried at once.
    expect(asked.at(-1)?.[0]).toContain('delete from plan')
    expect(asked.at(-2)?.[0]).toContain('insert into plan')
    expect(String(asked.at(-2)?.[1][2]).length).toBeGreaterThan(16 * 1024)
    state.failing = full()
    await driver.query(INSERT).catch(() => undefined)
    await problem()
    expect([changes, probes()]).toEqual([['full', null, 'full'], 6])
  })
})

describe('a backup', () => {
  const TABLES = ['event', 'person', 'picture', 'plan', 'release', 'told']
  const columns = ['organisation', 'id', 'stream', 'version', 'hash', 'person'].map((name) => ({
    name,
    type: name === 'version' ? 'int4' : 'text',
  }))
  const keyOf = (table: string) =>
    table === 'event' ? ['organisation', 'stream', 'version'] : ['organisation', 'id']
  const isTables = (sql: string) => sql.includes('from pg_class')
  const tables = [...TABLES, 'lease'].map((name) => ({ name, key: keyOf(name), columns }))
  const isCount = (sql: string) => sql.includes('from migration')

  /** Tables that have so many rows each; `sizes` by name. */
  const source = (sizes: Readonly<Record<string, number>>) =>
    driverOf((sql, parameters) => {
      if (isCount(sql)) return [{ count: 3 }]
      if (isTables(sql)) return tables
      const [, table = '', limit = '0'] = /from (\w+) [^]*limit (\d+)/.exec(sql) ?? []
      const from = parameters.length === 0 ? 0 : Number(parameters.at(-1)) + 1
      const left = Math.max(0, (sizes[table] ?? 0) - from)
      return Array.from({ length: Math.min(left, Number(limit)) }, (_, index) => ({
        row: columns.map(() => String(from + index)),
      }))
    })
  const linesOf = async (sizes: Readonly<Record<string, number>>) => {
    const { driver, asked, snapshots } = source(sizes)
    const lines: string[] = []
    await backUp(driver, async (line) => void lines.push(line))
    const pages = (table: string) =>
      asked.filter(([sql]) => sql.includes(` from ${table} `) && sql.includes('limit')).length
    return { lines: lines.map((line) => JSON.parse(line) as unknown), asked, snapshots, pages }
  }

  it('has a head, every table, every row, and their number', async () => {
    const { lines, asked, snapshots } = await linesOf({ person: 2 })
    const names = columns.map(({ name }) => name)
    expect(lines[0]).toEqual({ signet: 'backup', migrations: 3 })
    expect(lines.at(-1)).toEqual({ rows: 2 })
    expect(lines.flatMap((line) => (line as { table?: string }).table ?? [])).toEqual(TABLES)
    expect(lines[2]).toEqual({ table: 'person', columns: names })
    expect(lines.slice(3, 5)).toEqual([names.map(() => '0'), names.map(() => '1')])
    expect(snapshots).toEqual([true])
    expect(asked[0]?.[0]).toBe('set local idle_in_transaction_session_timeout = 0')
  })

  it.each([
    ['person', 499, 1],
    ['person', 500, 2],
    ['person', 1_000, 3],
    ['release', 3, 1],
    ['release', 4, 2],
    ['picture', 8, 3],
  ])('of %s with %i rows is read in %i pages', async (table, size, count) => {
    const { lines, pages } = await linesOf({ [table]: size })
    expect(lines.at(-1)).toEqual({ rows: size })
    expect(lines.filter(Array.isArray)).toHaveLength(size)
    expect(pages(table)).toBe(count)
  })

  it('goes on after the key of the last row, in its types', async () => {
    const { asked } = await linesOf({ event: 500 })
    const following = asked.find(([sql]) => sql.includes('from event where'))
    expect(following?.[0]).toContain('(organisation, stream, version) > ($1::text, $2::text, $3::int4)')
    expect(following?.[1]).toEqual(['499', '499', '499'])
  })

  const HEAD = JSON.stringify({ signet: 'backup', migrations: 3 })
  const TABLE = JSON.stringify({ table: 'plan', columns: ['organisation', 'id'] })
  const row = (...values: readonly (string | null)[]) => JSON.stringify(values)
  const endOf = (rows: number) => JSON.stringify({ rows })
  async function* stream(lines: readonly string[]) {
    yield* lines
  }
  async function restored(...lines: readonly string[]) {
    const { driver, asked } = source({})
    await restoreBackup(driver, stream(lines))
    return asked.flatMap(([sql, parameters]) => (sql.startsWith('insert') ? [parameters] : []))
  }

  it('is restored by tables, column by column', async () => {
    const other = JSON.stringify({ table: 'told', columns: ['person'] })
    expect(await restored(HEAD, TABLE, row('o', '1'), row('o', null), other, row('p'), endOf(3))).toEqual([
      [
        ['o', 'o'],
        ['1', null],
      ],
      [['p']],
    ])
    expect(await restored(HEAD, endOf(0))).toEqual([])
    expect(await restored(JSON.stringify({ signet: 'backup', migrations: 2 }), endOf(0))).toEqual([])
  })

  it('is restored 500 rows at once, or 4,000,000 characters', async () => {
    const many = (count: number) => Array.from({ length: count }, () => row('o', '1'))
    const sizes = async (rows: readonly string[]) =>
      (await restored(HEAD, TABLE, ...rows, endOf(rows.length))).map(([first]) => (first as unknown[]).length)
    expect(await sizes(many(500))).toEqual([500])
    expect(await sizes(many(501))).toEqual([500, 1])
    const half = 'x'.repeat(2_000_000)
    expect(await sizes([row(half, null), row(half, null), row('o', '1')])).toEqual([2, 1])
    expect(await sizes([row(half, null), row(half.slice(1), null), row('o', '1')])).toEqual([3])
  })

  const noLine = (line: number) => `Line ${String(line)} is not a line of a backup.`
  it.each<[string, readonly string[]]>([
    ['This is not a backup of Signet.', [TABLE]],
    ['This is not a backup of Signet.', ['{']],
    ['This is not a backup of Signet.', [JSON.stringify({ signet: 'other', migrations: 3 })]],
    [
      'The backup is of a newer Signet: restore it with that version.',
      [JSON.stringify({ signet: 'backup', migrations: 4 })],
    ],
    ['Line 2 is not a row of its table.', [HEAD, row('x')]],
    ['Line 2 is not a row of its table.', [HEAD, row()]],
    ['Line 3 is not a row of its table.', [HEAD, TABLE, row('x')]],
    ['Line 2 names an unknown column.', [HEAD, JSON.stringify({ table: 'plan', columns: ['wings'] })]],
    [noLine(2), [HEAD, JSON.stringify({ table: 'lease', columns: [] })]],
    [noLine(2), [HEAD, HEAD]],
    [noLine(3), [HEAD, TABLE, JSON.stringify(['x', 7])]],
    [noLine(4), [HEAD, TABLE, row('o', '1'), endOf(2)]],
    [noLine(5), [HEAD, TABLE, row('o', '1'), endOf(1), row('o', '2')]],
    ['The backup is incomplete: its end is missing.', [HEAD, TABLE, row('o', '1')]],
    ['The backup is incomplete: its end is missing.', []],
  ])('that is wrong is refused: %s %j', async (sentence, lines) => {
    await expect(restored(...lines)).rejects.toThrow(new Error(sentence))
  })

  it('is not restored into a database that has data', async () => {
    for (const name of TABLES) {
      const { driver } = driverOf((sql) =>
        isTables(sql) ? tables : sql === `select 1 from ${name} limit 1` ? [{}] : [],
      )
      await expect(restoreBackup(driver, stream([]))).rejects.toThrow(
        new Error('The database has data already: restore into an empty one.'),
      )
    }
  })
})
