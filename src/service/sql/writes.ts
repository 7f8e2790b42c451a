/** Knows whether the database takes writes: from those that are made, and from a probe after one that failed. */
import { randomBytes } from 'node:crypto'
import type { Driver, Session } from './driver.ts'
import { StoreUnavailable } from './store.ts'

export type WatchedWrites = Readonly<{
  driver: Driver
  /**
   * Why a write failed, until a probe succeeds; null when none did. Each question after a failure writes a probe, at most
   * one in 5 s. Another write says less: one that finds room in a page succeeds while those that need a new one fail.
   */
  problem: () => Promise<StoreUnavailable | null>
}>

export type WatchOptions = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number
  /** Hears of each failure that is the database's own. */
  failed: (error: StoreUnavailable) => void
  /** Hears of it when writes begin to fail, and when they succeed again. */
  changed: (problem: StoreUnavailable | null) => void
}>

const PROBE_INTERVAL_MS = 5_000
const WRITES = /\b(insert into|update \w+ set|delete from)\b/i
/** As much as an ordinary write takes, which does not shrink when the database compresses it. */
const PROBE_BYTES = 16 * 1024

const PROBE = 'probe of writes'

export function watchWrites(driver: Driver, { now, failed, changed }: WatchOptions): WatchedWrites {
  let problem: StoreUnavailable | null = null
  let probedAt: number | null = null
  let probing: Promise<unknown> | null = null

  function set(next: StoreUnavailable | null): void {
    const isNew = next?.problem !== problem?.problem
    problem = next
    if (next === null) probedAt = null
    if (isNew) changed(next)
  }

  async function watched<Result>(running: Promise<Result>, isWrite: () => boolean): Promise<Result> {
    try {
      return await running
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        failed(error)
        if (isWrite()) set(error)
      }
      throw error
    }
  }

  const watching: Driver = {
    query: (sql, parameters) => watched(driver.query(sql, parameters), () => WRITES.test(sql)),
    script: (sql) => watched(driver.script(sql), () => WRITES.test(sql)),
    transaction(run, isSnapshot) {
      let writes = false
      const noting = (session: Session): Session => ({
        query(sql, parameters) {
          writes ||= WRITES.test(sql)
          return session.query(sql, parameters)
        },
        script(sql) {
          writes ||= WRITES.test(sql)
          return session.script(sql)
        },
      })
      return watched(
        driver.transaction((session) => run(noting(session)), isSnapshot),
        () => writes,
      )
    },
    close: () => driver.close(),
  }

  /** The transaction takes back what it writes. */
  const probe = () =>
    watching.transaction(async (session) => {
      await session.query(
        `insert into plan (organisation, id, plan, until) values ($1, $2, $3::json, 0)
         on conflict (organisation, id) do update set plan = excluded.plan`,
        [PROBE, PROBE, JSON.stringify(randomBytes(PROBE_BYTES).toString('base64'))],
      )
      await session.query('delete from plan where organisation = $1 and id = $2', [PROBE, PROBE])
    })

  return {
    driver: watching,
    async problem() {
      if (problem === null) return null
      if (probing === null && (probedAt === null || Math.abs(now() - probedAt) >= PROBE_INTERVAL_MS)) {
        probedAt = now()
        probing = probe()
          .then(
            () => set(null),
            () => undefined,
          )
          .finally(() => (probing = null))
      }
      await probing
      return problem
    },
  }
}
