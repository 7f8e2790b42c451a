import { afterEach, describe, expect, it } from 'vitest'
import { openStore } from '../../../src/service/sql/openStore.ts'
import { openPostgres } from '../../../src/service/sql/pg.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { StoreUnavailable, VersionConflict } from '../../../src/service/sql/problems.ts'
import { Organisation } from '../../../streams/organisation/facts/events.ts'
import { newPostgresUrl } from '../../support/databases.ts'
import { startGate } from '../../support/gate.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const founded = Organisation.founded({ name: 'X', tenants: [] })
const SIGNED = { actor: 'tests', at: 1 }

describe('a store whose database is away', () => {
  const calls: readonly [string, (store: Store) => Promise<unknown>][] = [
    ['a read', (store) => store.person('maria')],
    ['a write', (store) => store.appendOrganisation(0, [founded], SIGNED)],
    ['a transaction', (store) => store.replacePeople([{ id: 'maria', person: null, first: -1, last: -1 }])],
    ['a ping', (store) => store.ping()],
  ]

  it('rejects each call with StoreUnavailable, and works by itself when it is back', async () => {
    const gate = await startGate(new URL(await newPostgresUrl()))
    ending.push(gate.close)
    const store = await openStore({ kind: 'postgres', url: gate.url })
    ending.push(() => store.close())
    await store.ping()
    await gate.cut()
    for (const [, call] of calls) await expect(call(store)).rejects.toThrow(StoreUnavailable)
    await gate.reopen()
    for (const [, call] of calls) await call(store)
    expect(await store.organisationFacts(0)).toHaveLength(1)
  })

  it('rejects what ran when the connection was lost, and writes nothing of it', async () => {
    const gate = await startGate(new URL(await newPostgresUrl()))
    ending.push(gate.close)
    const driver = openPostgres(gate.url)
    ending.push(() => driver.close())
    await driver.script('create table counted (number int)')
    const lost = driver.transaction(async (session) => {
      await session.query('insert into counted values (1)')
      await gate.cut()
      await session.query('insert into counted values (2)')
    })
    await expect(lost).rejects.toThrow(StoreUnavailable)
    await gate.reopen()
    expect(await driver.query('select number from counted')).toEqual([])
  })

  it('cannot be opened, and says why', async () => {
    const gate = await startGate(new URL(await newPostgresUrl()))
    ending.push(gate.close)
    await gate.cut()
    const opening = openStore({ kind: 'postgres', url: gate.url })
    await expect(opening).rejects.toThrow(StoreUnavailable)
    await expect(opening).rejects.toThrow('ECONNREFUSED')
    await gate.reopen()
  })
})

describe('a statement', () => {
  it('that takes too long is cancelled, and its connection is not used again', async () => {
    const driver = openPostgres(await newPostgresUrl())
    ending.push(() => driver.close())
    await expect(
      driver.transaction(async (session) => {
        await session.script('create table counted (number int)')
        await session.script("set local statement_timeout = '20ms'")
        await session.query('select pg_sleep(60)')
      }),
    ).rejects.toThrow(StoreUnavailable)
    await expect(driver.query('select number from counted')).rejects.toThrow('does not exist')
    expect(await driver.query('show statement_timeout')).toEqual([{ statement_timeout: '5s' }])
  })

  it('[SCALE-6] that waits for a locked row, is cancelled, or loses its connection says which', async () => {
    const url = await newPostgresUrl()
    const [driver, operator] = [openPostgres(url, null, 60_000, 20), openPostgres(url, null, 60_000)]
    ending.push(
      () => driver.close(),
      () => operator.close(),
    )
    await operator.script('create table counted (number int); insert into counted values (1)')
    await operator.transaction(async (session) => {
      await session.query('update counted set number = 2')
      await expect(driver.query('update counted set number = 3')).rejects.toMatchObject({
        problem: 'locked',
        sqlState: '55P03',
      })
      expect(await driver.query('select number from counted')).toEqual([{ number: 1 }])
    })
    const ended = async (how: 'pg_cancel_backend' | 'pg_terminate_backend') => {
      const failed = driver.query('select pg_sleep(600)').catch((error: unknown) => error)
      const find = `select ${how}(pid) from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`
      while ((await operator.query(find)).length === 0);
      return failed
    }
    expect(await ended('pg_cancel_backend')).toMatchObject({ problem: 'cancelled', sqlState: '57014' })
    expect(await ended('pg_terminate_backend')).toMatchObject({ problem: 'away', sqlState: '57P01' })
    expect(await driver.query('show lock_timeout')).toEqual([{ lock_timeout: '20ms' }])
    const usual = openPostgres(url)
    ending.push(() => usual.close())
    expect(await usual.query('show lock_timeout')).toEqual([{ lock_timeout: '2s' }])
  })

  it('that is refused by the database is no outage', async () => {
    const driver = openPostgres(await newPostgresUrl())
    ending.push(() => driver.close())
    await expect(driver.query('select 1 / 0')).rejects.not.toThrow(StoreUnavailable)
    await expect(driver.transaction(() => Promise.reject(new VersionConflict('moved')))).rejects.toThrow(
      VersionConflict,
    )
    expect(await driver.query('select 1 as number')).toEqual([{ number: 1 }])
  })
})
