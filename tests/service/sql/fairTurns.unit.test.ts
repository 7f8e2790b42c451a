import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { createFairDriver } from '../../../src/service/sql/fairness.ts'

/** As production has them. */
const LIMITS = { connections: 10, locking: 6, perFree: 4, waiting: 2_000, waitMs: 5_000 }
const READ = 'select 1'
const WRITE = 'insert into plan values (1)'

type Begun = Readonly<{ sql: string; whose: string; end: () => void }>

/** Notes what begins, which ends when the test says so. */
function heldDriver() {
  const begun: Begun[] = []
  const begin = (whose: string, sql: string) =>
    new Promise<readonly never[]>((resolve) => {
      begun.push({ sql, whose, end: () => resolve([]) })
    })
  const within = (whose: string): Pick<DatabaseDriver, 'query' | 'transaction'> => ({
    query: (sql) => begin(whose, sql),
    async transaction(run) {
      await begin(whose, 'begin')
      return run({ query: async () => [], script: async () => {} })
    },
  })
  const driver: DatabaseDriver = {
    ...within('installation'),
    within,
    script: async () => {},
    close: async () => {},
  }
  return { driver, begun }
}

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}
const countOf = (all: readonly Begun[], whose: string) => all.filter((each) => each.whose === whose).length

describe('the connections of an instance', () => {
  // What waits is refused after a time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('[SCALE-3] are free for an organisation that begins to ask, whatever another one asks', async () => {
    const { driver, begun } = heldDriver()
    const turns = createFairDriver(driver, LIMITS)
    for (let number = 0; number < 50; number += 1) {
      void turns.within('many').query(WRITE)
      void turns.within('many').query(READ)
      void turns.within('many').transaction(async () => null)
    }
    await settled()
    expect(begun.filter(({ sql }) => sql !== READ)).toHaveLength(5)
    expect(begun).toHaveLength(8)
    void turns.within('few').query(READ)
    void turns.within('few').query(WRITE)
    await settled()
    expect(countOf(begun, 'few')).toBe(2)
  })

  it('[SCALE-3] leave the organisations equal parts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), async (organisations) => {
        const { driver, begun } = heldDriver()
        const turns = createFairDriver(driver, LIMITS)
        for (let number = 0; number < 20; number += 1)
          for (let each = 0; each < organisations; each += 1) void turns.within(String(each)).query(READ)
        await settled()
        const counts = Array.from({ length: organisations }, (_, each) => countOf(begun, String(each)))
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        expect(begun.length).toBeGreaterThanOrEqual(8)
      }),
    )
  })

  it('[SCALE-3] are given in turn to the organisations that wait', async () => {
    const few = 10
    const isWrite = fc.boolean()
    const ends = fc.array(fc.nat(), { minLength: 100, maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), isWrite, ends, async (others, writes, ended) => {
        const { driver, begun } = heldDriver()
        const turns = createFairDriver(driver, LIMITS)
        const ask = (whose: string, count: number) => {
          for (let number = 0; number < count; number += 1)
            void turns.within(whose).query(writes ? WRITE : READ)
        }
        for (let other = 1; other <= others; other += 1) ask(String(other), 120)
        ask('few', few)
        await settled()
        const running = begun.filter(({ whose }) => whose !== 'few')
        let seen = begun.length
        for (const [index, each] of ended.entries()) {
          const [one] = running.splice(each % running.length, 1)
          one?.end()
          // Statements of the few are short.
          for (let before = -1; before < begun.length;) {
            before = begun.length
            for (const each of begun) if (each.whose === 'few') each.end()
            await settled()
          }
          running.push(...begun.slice(seen).filter(({ whose }) => whose !== 'few'))
          seen = begun.length
          const hasBegun = countOf(begun, 'few')
          // It has a turn in each round of all.
          expect(hasBegun).toBeGreaterThanOrEqual(Math.min(few, Math.floor((index + 1) / (others + 1))))
          if (hasBegun === few) break
        }
      }),
    )
  })

  it('are all for one organisation again after the others have ended', async () => {
    const { driver, begun } = heldDriver()
    const turns = createFairDriver(driver, LIMITS)
    for (let number = 0; number < 20; number += 1)
      for (const whose of ['one', 'other']) void turns.within(whose).query(READ)
    await settled()
    const [one, other] = [countOf(begun, 'one'), countOf(begun, 'other')]
    expect([one, other].sort()).toEqual([4, 5])
    for (let seen = 0; countOf(begun, 'other') < 20 || seen < begun.length;) {
      for (const each of begun.slice(seen)) if (each.whose === 'other') each.end()
      seen = begun.length
      await settled()
    }
    expect(countOf(begun, 'one')).toBe(8)
  })
})
