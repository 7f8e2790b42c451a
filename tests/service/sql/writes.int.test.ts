import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/server/webServer.ts'
import { refusalFor } from '../../../src/service/http/refusals.ts'
import { createPeople } from '../../../src/service/people/people.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import { type WatchedWrites, watchWrites } from '../../../src/service/sql/writes.ts'
import { DATABASES, newDatabase } from '../../support/databases.ts'

/** Lets the database itself refuse writes with an SQLSTATE, into these tables and from so many people on. */
const refuse = (driver: DatabaseDriver, state: string, people = 0) =>
  driver.script(
    `create or replace function refuse() returns trigger language plpgsql as $$ begin
       if (select count(*) from person) >= ${String(people)} then
         raise exception 'no row for alex.kim@northwind.example' using errcode = '${state}';
       end if;
       return new;
     end $$;
     ${['plan', 'told', 'person'].map((table) => `create or replace trigger refuse before insert or update on ${table} for each row execute function refuse();`).join('\n')}`,
  )
const repair = (driver: DatabaseDriver) => driver.script('drop function refuse cascade')

describe.each(DATABASES)('writes over %s', (kind) => {
  let driver: DatabaseDriver
  let writes: WatchedWrites
  let store: Store
  let clock = 1_000_000
  let failed: string[]
  let changes: (string | null)[]

  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
  })
  afterAll(() => driver.close())
  beforeEach(() => {
    failed = []
    changes = []
    writes = watchWrites(driver, {
      now: () => clock,
      failed: ({ problem }) => failed.push(problem),
      changed: (problem) => changes.push(problem?.problem ?? null),
    })
    store = createStore(writes.driver, 'writes')
  })

  it.each([
    ['53100', 'full'],
    ['25006', 'readOnly'],
    ['08006', 'away'],
    ['57P01', 'away'],
  ])('that end with %s are known to fail, as %s, until a probe succeeds', async (sqlState, problem) => {
    expect(await writes.problem()).toBeNull()
    await refuse(driver, sqlState)
    await expect(store.keepReported('maria', {}, 1)).rejects.toMatchObject({ problem, sqlState })
    await expect(store.keepReported('maria', {}, 1)).rejects.toThrow(StoreUnavailable)
    expect(await store.reported('maria')).toBeNull()
    expect(await writes.problem()).toMatchObject({ problem, sqlState })
    await repair(driver)
    // Who asks all the time does not write all the time.
    for (let asked = 0; asked < 10; asked += 1) expect(await writes.problem()).toMatchObject({ problem })
    expect(failed).toEqual([problem, problem, problem])
    clock += 5_000
    expect(await writes.problem()).toBeNull()
    expect(changes).toEqual([problem, null])
    expect(await driver.query('select id from plan')).toEqual([])
  })

  it.each([
    ['55P03', 'locked'],
    ['57014', 'cancelled'],
    ['53200', 'busy'],
    ['53300', 'busy'],
  ])('[SCALE-6] that end with %s are told as %s, and the others go on', async (sqlState, problem) => {
    await refuse(driver, sqlState)
    await expect(store.keepReported('maria', {}, 1)).rejects.toMatchObject({ problem, sqlState })
    expect([failed, changes, writes.lately(), await writes.problem()]).toEqual([
      [problem],
      [],
      [problem],
      null,
    ])
    await repair(driver)
    await store.dropOldReported(2)
  })

  it('that fail inside of a transaction count, and reads do not', async () => {
    await refuse(driver, '53100')
    await expect(
      writes.driver.transaction((session) =>
        session.query("insert into plan (organisation, id, plan, until) values ('a', 'b', '{}', 1)"),
      ),
    ).rejects.toMatchObject({ problem: 'full' })
    expect(await writes.problem()).not.toBeNull()
    await repair(driver)
    clock += 5_000
    expect(await writes.problem()).toBeNull()
    const query = () => Promise.reject(new StoreUnavailable('away'))
    const away = { ...driver, within: () => ({ ...driver, query }) }
    const reading = watchWrites(away, { now: () => clock, failed: () => {}, changed: () => {} })
    await expect(createStore(reading.driver, 'writes').reported('maria')).rejects.toThrow(StoreUnavailable)
    expect(await reading.problem()).toBeNull()
  })

  it('that break a rule of the statement are no problem of the database', async () => {
    for (const sql of [
      "insert into plan (organisation, id, plan, until) values ('a', 'b', '{}', 1 / 0)",
      "insert into plan (id) values ('x')",
    ])
      await expect(writes.driver.query(sql)).rejects.not.toThrow(StoreUnavailable)
    expect(await writes.problem()).toBeNull()
  })

  it.each([
    ['53100', 'database_full', 'has no room on its disk'],
    ['25006', 'database_read_only', 'takes no writes'],
    ['55P03', 'database_locked', 'kept rows locked for too long'],
    ['57014', 'database_cancelled', 'cancelled a statement'],
    ['53300', 'database_busy', 'has too much to do'],
    ['57P01', 'unavailable', 'cannot reach its database'],
  ])(
    '[SCALE-6] an import that %s stops says why and where, and finishes when it is repeated',
    async (sqlState, problem, why) => {
      const people = createPeople({
        store,
        releases: { current: () => null },
        now: () => clock,
        newId: (() => {
          let last = 0
          return () => `p-${String((last += 1))}`
        })(),
      })
      const rows = Array.from({ length: 60 }, (_, index) => ({
        id: null,
        record: {
          addresses: [`a${String(index)}@northwind.example`],
          account: null,
          language: null,
          fields: {},
          groups: [],
          picture: null,
        },
      }))
      await refuse(driver, sqlState, 20)
      const stopped = await people.importRows(rows, 'tests', false).catch((error: unknown) => error)
      const refusal = refusalFor(stopped as Error)
      expect(refusal).toBeInstanceOf(Refusal)
      const { status, code, message, details } = refusal!
      const done = await store.countPeople()
      const row = Number(details['row'])
      expect([status, code, details]).toEqual([...[503, 'import_stopped', { problem, done, all: 60, row }]])
      expect(message).toContain(why)
      expect(message).toContain(
        `${String(done)} of 60 people are stored; the first who is not is person ${String(row)}.`,
      )
      const storedAre = async (some: typeof rows) =>
        (await store.personsByAddress(some.flatMap(({ record }) => record.addresses))).length
      expect(await storedAre(rows.slice(0, row - 1))).toBe(row - 1)
      expect(await storedAre(rows.slice(row - 1, row))).toBe(0)
      await repair(driver)
      expect(await people.importRows(rows, 'tests', false)).toEqual({
        added: 60 - done,
        changed: 0,
        unchanged: done,
        refused: [],
      })
      const everyone = await store.people(null, 100)
      expect(everyone).toHaveLength(60)
      for (const { id } of everyone) expect(await store.personFacts(id, 0)).toHaveLength(1)
      await store.clear()
    },
  )

  it('are refused by a database that was told to be read-only, which a ping knows', async () => {
    await store.ping()
    await driver
      .transaction(async (session) => {
        await session.script('set transaction read only')
        const { query } = session
        const readOnly = createStore({ ...driver, query, within: () => ({ ...driver, query }) }, 'writes')
        await expect(readOnly.ping()).rejects.toMatchObject({ problem: 'readOnly', sqlState: '25006' })
        await expect(readOnly.keepReported('maria', {}, 1)).rejects.toMatchObject({ problem: 'readOnly' })
        throw new Refusal(500, 'undone', 'Nothing of this is kept.')
      })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'undone' }))
  })
})
