/** Watches whether the database accepts writes. After a failed write, writes probes until one succeeds. */
import { randomBytes } from 'node:crypto'
import type { DatabaseDriver, DatabaseSession } from './driver.ts'
import { isStatementProblem, type StoreProblem, StoreUnavailable } from './problems.ts'

export type WatchedWrites = ReturnType<typeof watchWrites>

export type WatchOptions = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number
  /** Gets each database failure. */
  failed: (error: StoreUnavailable) => void
  /** Gets the problem when all writes begin to fail, and null when they succeed again. */
  changed: (problem: StoreUnavailable | null) => void
}>

const PROBE_INTERVAL_MS = 5_000
const LATELY_MS = 60_000
const WRITES = /\b(insert into|update \w+ set|delete from)\b/i
/** The size of an ordinary write. The bytes are random, so that compression cannot shrink them. */
const PROBE_BYTES = 16 * 1024

const PROBE = 'probe of writes'

export function watchWrites(driver: DatabaseDriver, { now, failed, changed }: WatchOptions) {
  let problem: StoreUnavailable | null = null
  let probedAt: number | null = null
  let probing: Promise<unknown> | null = null
  /** The time of the last failure with each problem of single statements. */
  const passing = new Map<StoreProblem, number>()

  function set(next: StoreUnavailable | null): void {
    const isNew = next?.problem !== problem?.problem
    problem = next
    if (next === null) probedAt = null
    if (isNew) changed(next)
  }

  function watched<Result>(running: Promise<Result>, isWrite: () => boolean): Promise<Result> {
    return running.catch((error: unknown) => {
      if (error instanceof StoreUnavailable) {
        failed(error)
        if (isStatementProblem(error.problem)) passing.set(error.problem, now())
        else if (isWrite()) set(error)
      }
      throw error
    })
  }

  const watchingIn = (
    within: Pick<DatabaseDriver, 'query' | 'transaction'>,
  ): Pick<DatabaseDriver, 'query' | 'transaction'> => ({
    query: (sql, parameters) => watched(within.query(sql, parameters), () => WRITES.test(sql)),
    transaction(run, isSnapshot) {
      let writes = false
      const noting = (session: DatabaseSession): DatabaseSession => ({
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
        within.transaction((session) => run(noting(session)), isSnapshot),
        () => writes,
      )
    },
  })
  const watching: DatabaseDriver = {
    ...watchingIn(driver),
    script: (sql) => watched(driver.script(sql), () => WRITES.test(sql)),
    within: (organisation) => watchingIn(driver.within(organisation)),
    close: () => driver.close(),
  }

  /** Inserts and deletes a row in one transaction. */
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
    /** The problems of single statements in the last minute. */
    lately: (): readonly StoreProblem[] =>
      [...passing].flatMap(([each, at]) => (Math.abs(now() - at) < LATELY_MS ? [each] : [])),
    /**
     * The last failure that affects all writes; null after a successful probe. After a failure, a call writes a probe,
     * at most one every 5 s. Other successful writes do not clear the failure, because even a full disk accepts writes
     * that need no new page.
     */
    problem: async (): Promise<StoreUnavailable | null> => {
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
