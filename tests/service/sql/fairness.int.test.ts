import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DatabaseDriver, DatabaseSession } from '../../../src/service/sql/driver.ts'
import { openStore } from '../../../src/service/sql/openStore.ts'
import { openPostgres } from '../../../src/service/sql/pg.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import { createFairDriver } from '../../../src/service/sql/fairness.ts'
import { newPostgresUrl } from '../../support/databases.ts'

const LIMITS = { connections: 4, locking: 2, perFree: 1_000, waiting: 100, waitMs: 5_000 }
const READ = 'select 1'
const WRITE = 'insert into plan values (1)'

type Begun = Readonly<{ sql: string; parameters: readonly unknown[]; end: (error?: Error) => void }>

/** Notes what begins, which ends when the test says so. */
function heldDriver() {
  const begun: Begun[] = []
  const begin = (sql: string, parameters: readonly unknown[] = []) =>
    new Promise<readonly never[]>((resolve, reject) => {
      begun.push({
        sql,
        parameters,
        end: (error) => (error === undefined ? resolve([]) : reject(error)),
      })
    })
  const session: DatabaseSession = { query: begin, script: (sql) => begin(sql).then(() => undefined) }
  const driver: DatabaseDriver = {
    ...session,
    async transaction(run, isSnapshot) {
      await begin(isSnapshot ? 'snapshot' : 'begin')
      return run({ query: async () => [], script: async () => {} })
    },
    within: () => driver,
    close: async () => {},
  }
  return { driver, begun }
}

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

describe('turns', () => {
  // What still waits at the end of a test is not told that its time is over.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('are as many as there are connections, of which those that may lock have a part', async () => {
    const statement = fc.record({ organisation: fc.nat(2), isWrite: fc.boolean() })
    const step = fc.oneof(
      statement.map((asked) => ({ asked, ended: null })),
      fc.nat().map((ended) => ({ asked: null, ended })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const { driver, begun } = heldDriver()
        const turns = createFairDriver(driver, LIMITS)
        const running = new Set<Begun>()
        const asked: (readonly [sql: string, organisation: number, number: number])[] = []
        let seen = 0
        const look = async () => {
          await settled()
          for (const each of begun.slice(seen)) running.add(each)
          seen = begun.length
          const locking = [...running].filter(({ sql }) => sql === WRITE).length
          expect(locking).toBeLessThanOrEqual(LIMITS.locking)
          expect(running.size).toBeLessThanOrEqual(LIMITS.connections)
          // What waits could not begin.
          const left = asked.filter(
            ([, , number]) => !begun.some(({ parameters }) => parameters[0] === number),
          )
          if (running.size < LIMITS.connections)
            expect(left.filter(([sql]) => sql === READ || locking < LIMITS.locking)).toEqual([])
        }
        for (const { asked: statement, ended } of steps) {
          if (statement) {
            const { organisation, isWrite } = statement
            const sql = isWrite ? WRITE : READ
            asked.push([sql, organisation, asked.length])
            void turns.within(String(organisation)).query(sql, [asked.length - 1])
          } else {
            const one = [...running][ended % Math.max(1, running.size)]
            if (one) running.delete(one)
            one?.end()
          }
          await look()
        }
        while (running.size > 0) {
          for (const one of running) one.end()
          running.clear()
          await look()
        }
        expect(begun).toHaveLength(asked.length)
        // The first to wait begins first, for each organisation and kind.
        for (const organisation of [0, 1, 2])
          for (const sql of [READ, WRITE]) {
            const numbers = asked
              .filter(([text, of]) => text === sql && of === organisation)
              .map(([, , number]) => number)
            const inOrder = begun.flatMap(({ parameters: [number] }) =>
              numbers.includes(Number(number)) ? [number] : [],
            )
            expect(inOrder).toEqual(numbers)
          }
      }),
    )
  })

  it('go round the organisations, however many statements of each wait', async () => {
    const { driver, begun } = heldDriver()
    const turns = createFairDriver(driver, { ...LIMITS, connections: 1, locking: 1 })
    const [many, few] = [turns.within('many'), turns.within('few')]
    for (let number = 0; number < 50; number += 1) void many.query(WRITE, ['many'])
    for (let number = 0; number < 2; number += 1) void few.query(WRITE, ['few'])
    void turns.query(WRITE, ['none'])
    for (let ended = 0; ended < 6; ended += 1) {
      begun[ended]?.end()
      await settled()
    }
    expect(begun.map(({ parameters: [whose] }) => whose)).toEqual([
      ...['many', 'many', 'few', 'none', 'many', 'few', 'many'],
    ])
  })

  it.each<[string, 'locking' | 'reading', (driver: DatabaseDriver) => Promise<unknown>]>([
    ['a read', 'reading', (driver) => driver.query(READ)],
    ['a read of words', 'reading', (driver) => driver.query('select inserted from into_it')],
    ['a snapshot', 'reading', (driver) => driver.transaction(async () => 1, true)],
    ['a script that reads', 'reading', (driver) => driver.script(READ)],
    ['an insert', 'locking', (driver) => driver.query(WRITE)],
    ['an update', 'locking', (driver) => driver.query('with a as (UPDATE person SET a = 1) select 1')],
    ['a delete', 'locking', (driver) => driver.script('delete from plan')],
    ['a read that locks', 'locking', (driver) => driver.query('select id from lease for update')],
    ['a lock', 'locking', (driver) => driver.script('lock table plan')],
    ['a transaction', 'locking', (driver) => driver.transaction(async () => 1)],
  ])('of %s are %s', async (_, kind, run) => {
    const { driver, begun } = heldDriver()
    const turns = createFairDriver(driver, LIMITS)
    for (const each of Array.from({ length: 5 }, () => run(turns))) void each
    await settled()
    expect(begun).toHaveLength(kind === 'locking' ? LIMITS.locking : LIMITS.connections)
  })

  it('are given back after a failure, too', async () => {
    const { driver, begun } = heldDriver()
    const turns = createFairDriver(driver, { ...LIMITS, connections: 1, locking: 1 })
    const failing = turns.query(WRITE)
    const next = turns.query(READ, ['next'])
    begun[0]?.end(new Error('broken'))
    await expect(failing).rejects.toThrow('broken')
    begun[1]?.end()
    expect(await next).toEqual([])
  })

  it('[SCALE-6] that do not come in time, or that too many wait for, are refused as busy', async () => {
    const { driver, begun } = heldDriver()
    const turns = createFairDriver(driver, { ...LIMITS, waiting: 1 })
    for (let number = 0; number < LIMITS.locking; number += 1) void turns.query(WRITE)
    const late = turns.query(WRITE, ['late']).catch((error: unknown) => error)
    const busy = { problem: 'busy', sqlState: null }
    await expect(turns.query(WRITE)).rejects.toMatchObject({
      ...busy,
      message: 'The database has too much to do: too many statements wait for a connection',
    })
    const other = turns.within('other').query(WRITE)
    const refused = expect(other).rejects.toMatchObject(busy)
    await vi.advanceTimersByTimeAsync(4_999)
    void turns.query(READ)
    await vi.advanceTimersByTimeAsync(1)
    expect(await late).toBeInstanceOf(StoreUnavailable)
    expect(await late).toMatchObject({
      ...busy,
      message: 'The database has too much to do: no connection was free in time',
    })
    await refused
    // It never runs, and takes no place.
    const next = turns.query(WRITE, ['next'])
    begun[0]?.end()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(vi.getTimerCount()).toBe(0)
    expect(begun.map(({ parameters: [whose] }) => whose ?? null)).toEqual([null, null, null, 'next'])
    begun[3]?.end()
    expect(await next).toEqual([])
  })
})

describe('a long lock on some rows', () => {
  it('[SCALE-6] keeps 20 saves waiting, and no read', async () => {
    const url = await newPostgresUrl()
    const store = await openStore({ kind: 'postgres', url })
    const operator = openPostgres(url, null, 60_000)
    try {
      for (const person of ['locked', 'other']) await store.keepReported(person, { number: 0 }, 1)
      const { saving } = await operator.transaction(async (session) => {
        await session.query("select person from told where person = 'locked' for update")
        const saving = Promise.allSettled(
          Array.from({ length: 20 }, (_, number) => store.keepReported('locked', { number }, 2)),
        )
        const countWaiting = async () => {
          const [row] = await operator.query<{ count: number }>(
            `select count(*)::int as count from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return row?.count
        }
        // One organisation alone leaves a place to others.
        while ((await countWaiting()) !== 5);
        const read = await Promise.all(Array.from({ length: 20 }, () => store.reported('other')))
        expect(read.map((each) => each?.reported)).toEqual(read.map(() => ({ number: 0 })))
        expect(await countWaiting()).toBeLessThanOrEqual(5)
        return { saving }
      })
      for (const save of await saving)
        if (save.status === 'rejected') expect(save.reason).toMatchObject({ problem: 'locked' })
      await store.keepReported('locked', { number: 20 }, 3)
      expect((await store.reported('locked'))?.reported).toEqual({ number: 20 })
    } finally {
      await Promise.all([store.close(), operator.close()])
    }
  })
})
