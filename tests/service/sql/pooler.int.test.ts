import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { openPostgres } from '../../../src/service/sql/pg.ts'
import type { DatabaseDriver, DatabaseSession } from '../../../src/service/sql/driver.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import { newDirectUrl, newPooledUrl } from '../../support/databases.ts'

const drivers: DatabaseDriver[] = []
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close()
})
const kept = (driver: DatabaseDriver) => {
  drivers.push(driver)
  return driver
}

const LIMITS = `select current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle`
const NAMES = 'select name, statement from pg_prepared_statements order by name'
const limitsOf = async (session: Pick<DatabaseSession, 'query'>) => (await session.query(LIMITS))[0]

describe.each([
  ['a direct connection', newDirectUrl],
  ['a pooler in transaction mode', newPooledUrl],
] as const)('the limits over %s', (_, newUrl) => {
  it('[SCALE-5] hold for every statement and transaction, of the owner and of organisations', async () => {
    const driver = kept(await openDatabase({ kind: 'postgres', url: await newUrl() }))
    for (const session of [driver, driver.within('o')]) {
      expect(await limitsOf(session)).toEqual({ statement: '5s', idle: '5s' })
      expect(await session.transaction(limitsOf)).toEqual({ statement: '5s', idle: '5s' })
      expect(await session.transaction(limitsOf, true)).toEqual({ statement: '5s', idle: '5s' })
    }
  })

  it('[SCALE-5] end what takes too long: statements, scripts and transactions', async () => {
    const driver = kept(openPostgres(await newUrl(), null, 50))
    const tries: readonly (() => Promise<unknown>)[] = [
      () => driver.query('select pg_sleep($1)', [60]),
      () => driver.script('select pg_sleep(60)'),
      () => driver.transaction((session) => session.query('select pg_sleep(60)')),
      () => driver.transaction((session) => session.script('select pg_sleep(60)')),
    ]
    for (const attempt of tries) await expect(attempt()).rejects.toThrow(StoreUnavailable)
    expect(await driver.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe.each([
  ['a direct connection', newDirectUrl],
  ['a pooler in transaction mode', newPooledUrl],
] as const)('settings that fail over %s', (_, newUrl) => {
  it('refuse what an organisation reads and writes, and leave the connection to others', async () => {
    const driver = kept(openPostgres(await newUrl(), { role: 'no_such_role', missing: [], canBeMade: false }))
    await driver.script('create table counted (number int)')
    for (let count = 0; count < 2; count += 1)
      for (const sql of ['select number from counted', 'insert into counted values (1)']) {
        await expect(driver.within('o').query(sql)).rejects.toThrow('no_such_role')
        expect(await driver.query('select number from counted')).toEqual([])
      }
  })
})

describe('a pooler in transaction mode', () => {
  it('[SCALE-5] is given no names of statements, and keeps no limit for others', async () => {
    const url = await newPooledUrl()
    const driver = kept(await openDatabase({ kind: 'postgres', url }))
    for (const session of [driver, driver.within('o')])
      for (let count = 0; count < 3; count += 1) await session.query('select $1::int as n', [1])
    expect(await driver.query(NAMES)).toEqual([])
    await driver.transaction(async (session) => {
      await session.script('set local statement_timeout = 1')
    })
    const [process] = await driver.query<{ pid: number }>('select pg_backend_pid() as pid')
    // What the database has without a transaction of this program: PgBouncer gives the same process to everyone.
    const other = kept(openPostgres(url, null, 7_000))
    expect(await other.query('select pg_backend_pid() as pid')).toEqual([process])
    expect(await limitsOf(other)).toEqual({ statement: '7s', idle: '7s' })
    expect(await limitsOf(driver)).toEqual({ statement: '5s', idle: '5s' })
  })

  it('[SCALE-5] tells each of many organisations at once its own, over few connections', async () => {
    const url = await newPooledUrl()
    const instances = await Promise.all(
      Array.from({ length: 8 }, async () => kept(await openDatabase({ kind: 'postgres', url }))),
    )
    const seen = new Set<number>()
    const asked = async (session: Pick<DatabaseSession, 'query'>) => {
      const [row] = await session.query<{ organisation: string; pid: number }>(
        `select current_setting('signet.organisation') as organisation, pg_backend_pid() as pid`,
      )
      seen.add(row?.pid ?? 0)
      return row?.organisation
    }
    const names = Array.from({ length: 400 }, (_, index) => `o${String(index)}`)
    const answers = await Promise.all(
      names.map(async (name, index) => {
        const session = instances[index % instances.length]?.within(name)
        return index % 3 === 0 ? session?.transaction(asked) : session && asked(session)
      }),
    )
    expect(answers).toEqual(names)
    // Eight instances have 80 connections to the pooler, which has 20 to the database.
    expect(seen.size).toBeLessThanOrEqual(20)
  })
})

describe('a direct connection', () => {
  it('has the same names of statements in all instances, by their texts, also after one failed at first', async () => {
    const url = await newDirectUrl()
    const names = await Promise.all(
      [1, 2].map(async (instance) => {
        const driver = kept(openPostgres(url))
        // What comes first must make no difference.
        await driver.query(`select ${String(instance)}`)
        const failing = driver.query('select 1 / $1::int as n', [0])
        await expect(failing).rejects.toThrow('division by zero')
        await expect(driver.query('select 1 / $1::int as n', [0])).rejects.toThrow('division by zero')
        expect(await driver.query('select 1 / $1::int as n', [1])).toEqual([{ n: 1 }])
        expect(await driver.query('select 1 / $1::int as n', [1])).toEqual([{ n: 1 }])
        const rows = await driver.query<{ name: string; statement: string }>(NAMES)
        return rows.find(({ statement }) => statement.includes('as n'))?.name
      }),
    )
    expect(names[0]).toMatch(/^[\w-]{22}$/)
    expect(names[1]).toBe(names[0])
  })

  it('reads and writes every kind of value, with and without an organisation', async () => {
    const driver = kept(await openDatabase({ kind: 'postgres', url: await newDirectUrl() }))
    const values = [
      'a"\\{},\'',
      null,
      7,
      2 ** 50,
      true,
      new Uint8Array([0, 92, 255]),
      ['x"\\', null, ''],
      [1, 2],
    ]
    const sql = `select $1::text as t, $2::text as n, $3::int as i, $4::bigint as b, $5::boolean as y, $6::bytea as z,
      $7::text[] as ts, $8::int[] as ns, '{"a":[null]}'::json as j`
    const [t, n, i, b, y, z, ts, ns] = values
    for (const session of [driver, driver.within('o')])
      for (let count = 0; count < 2; count += 1)
        expect(await session.query(sql, values)).toEqual([{ t, n, i, b, y, z, ts, ns, j: { a: [null] } }])
    await expect(driver.query('select $1', [{}])).rejects.toThrow(TypeError)
  })
})
