/**
 * Shares the connections of a pool fairly. Statements that may wait for locks only get some of the connections, so that
 * a long row lock does not block reads.
 */
import { LRUCache } from 'lru-cache'
import type { DatabaseDriver } from './driver.ts'
import { STORE_PROBLEMS, StoreUnavailable } from './problems.ts'

export type TurnLimits = Readonly<{
  /** The number of statements and transactions that may run at once. */
  connections: number
  /** The number of `locking` statements that may run at once. */
  locking: number
  /**
   * Limits the running statements of one organisation to this multiple of the free connections. With a factor of 4 and
   * 10 connections, a single organisation gets 8, and two get 9 together. So a connection stays free for another
   * organisation.
   */
  perFree: number
  /** The number of statements of each kind that may wait, for each organisation. */
  waiting: number
  /** The longest wait of a statement, in milliseconds. */
  waitMs: number
}>

/** A `locking` statement may wait for another transaction's row locks; a `reading` statement does not. */
type Kind = 'locking' | 'reading'
/** Begins a waiting statement. */
type Waiting = () => void

const LOCKS = /\b(insert into|update \w+ set|delete from|for update|lock table)\b/i
/** The number of statement texts whose kind is cached. The service has several hundred. */
const MAX_TEXTS = 1_000
const kinds = new LRUCache<string, Kind>({
  max: MAX_TEXTS,
  memoMethod: (sql) => (LOCKS.test(sql) ? 'locking' : 'reading'),
})

const noTurn = (reason: string) =>
  new StoreUnavailable(`${STORE_PROBLEMS.busy}: ${reason}`, { problem: 'busy' })

/**
 * Makes waiting statements take turns. Organisations begin in rotation, and each organisation's statements in order of
 * arrival. A statement that waits too long rejects as `busy` without having run. Long, because its small functions
 * share counters and queues.
 */
export function createFairDriver(
  driver: DatabaseDriver,
  { connections, locking, perFree, waiting, waitMs }: TurnLimits,
): DatabaseDriver {
  const running: Record<Kind, number> = { locking: 0, reading: 0 }
  /** The running statements by organisation; null for the installation. */
  const runningOf = new Map<string | null, Record<Kind, number>>()
  /**
   * The waiting statements, by organisation; null for the installation. The organisation whose statement began last is
   * at the end.
   */
  const lines: Readonly<Record<Kind, Map<string | null, Set<Waiting>>>> = {
    locking: new Map(),
    reading: new Map(),
  }

  function isFree(organisation: string | null, kind: Kind): boolean {
    const free = connections - running.locking - running.reading
    const ofKind = kind === 'reading' ? free : Math.min(free, locking - running.locking)
    if (ofKind <= 0 || organisation === null) return ofKind > 0
    const own = runningOf.get(organisation)
    if (own === undefined) return true
    return (
      own.locking + own.reading < perFree * free && (kind === 'reading' || own.locking < perFree * ofKind)
    )
  }

  function begun(organisation: string | null, kind: Kind): void {
    running[kind] += 1
    const own = runningOf.get(organisation)
    if (own === undefined) runningOf.set(organisation, { locking: 0, reading: 0, [kind]: 1 })
    else own[kind] += 1
  }

  function ended(organisation: string | null, kind: Kind): void {
    running[kind] -= 1
    const own = runningOf.get(organisation)
    if (own !== undefined && (own[kind] -= 1) === 0 && own.locking + own.reading === 0)
      runningOf.delete(organisation)
    beginNext()
  }

  /**
   * Begins waiting statements while there are free connections. Each kind has its own share, so neither waits forever.
   */
  function beginNext(): void {
    for (const kind of ['locking', 'reading'] as const)
      // When an organisation's statement begins, the organisation moves to the end of the map. The loop reaches it
      // again there.
      for (const [organisation, line] of lines[kind]) {
        if (!isFree(null, kind)) break
        if (!isFree(organisation, kind)) continue
        lines[kind].delete(organisation)
        lines[kind].set(organisation, line)
        const [begin] = line
        begin?.()
      }
  }

  const waitFor = (organisation: string | null, kind: Kind): Promise<void> =>
    new Promise((resolve, reject) => {
      const line = lines[kind].get(organisation) ?? new Set()
      if (line.size >= waiting) {
        reject(noTurn('too many statements wait for a connection'))
        return
      }
      lines[kind].set(organisation, line)
      const leave = () => {
        line.delete(begin)
        if (line.size === 0) lines[kind].delete(organisation)
      }
      const limit = setTimeout(() => {
        leave()
        reject(noTurn('no connection was free in time'))
      }, waitMs)
      const begin = () => {
        clearTimeout(limit)
        leave()
        begun(organisation, kind)
        resolve()
      }
      line.add(begin)
    })

  /** Runs a statement whose turn has begun, then ends the turn. */
  function runNow<Result>(
    organisation: string | null,
    kind: Kind,
    run: () => Promise<Result>,
  ): Promise<Result> {
    return run().then(
      (result) => {
        ended(organisation, kind)
        return result
      },
      (error: unknown) => {
        ended(organisation, kind)
        throw error
      },
    )
  }

  /** Runs a statement immediately if a connection is free, without an additional promise. */
  function inTurn<Result>(
    organisation: string | null,
    kind: Kind,
    run: () => Promise<Result>,
  ): Promise<Result> {
    if (!isFree(organisation, kind))
      return waitFor(organisation, kind).then(() => runNow(organisation, kind, run))
    begun(organisation, kind)
    return runNow(organisation, kind, run)
  }

  const turnsOf = (
    organisation: string | null,
    within: Pick<DatabaseDriver, 'query' | 'transaction'>,
  ): Pick<DatabaseDriver, 'query' | 'transaction'> => ({
    query: (sql, parameters) => inTurn(organisation, kinds.memo(sql), () => within.query(sql, parameters)),
    // A transaction's locks are unknown in advance, so it counts as `locking`. A snapshot locks nothing.
    transaction: (run, isSnapshot = false) =>
      inTurn(organisation, isSnapshot ? 'reading' : 'locking', () => within.transaction(run, isSnapshot)),
  })
  return {
    ...turnsOf(null, driver),
    script: (sql) => inTurn(null, kinds.memo(sql), () => driver.script(sql)),
    within: (organisation) => turnsOf(organisation, driver.within(organisation)),
    close: () => driver.close(),
  }
}
