/**
 * Lets statements take turns on the connections of a pool. Those that may wait for locks hold only a part of the
 * connections, so that a long lock on some rows does not keep reads from an answer.
 */
import { LRUCache } from 'lru-cache'
import type { Driver } from './driver.ts'
import { STORE_PROBLEMS, StoreUnavailable } from './problems.ts'

export type TurnLimits = Readonly<{
  /** How many statements and transactions run at once. */
  connections: number
  /** How many of them may be `locking`. */
  locking: number
  /**
   * How many times as many statements of one kind as there are free places for it an organisation may run. With 4 of 10
   * places, one organisation alone has 8, and two have 4 each: one that begins to ask finds a place.
   */
  perFree: number
  /** How many of each kind wait for their turn, for one organisation. */
  waiting: number
  /** How long each of them waits, in milliseconds. */
  waitMs: number
}>

/** `locking` waits for locks of others on rows; `reading` does not. */
type Kind = 'locking' | 'reading'
/** A statement that waits. Being called, it begins. */
type Waiting = () => void

const LOCKS = /\b(insert into|update \w+ set|delete from|for update|lock table)\b/i
/** How many texts of statements are remembered with their kinds. The service has some hundred. */
const MAX_TEXTS = 1_000
const kinds = new LRUCache<string, Kind>({
  max: MAX_TEXTS,
  memoMethod: (sql) => (LOCKS.test(sql) ? 'locking' : 'reading'),
})

const noTurn = (reason: string) =>
  new StoreUnavailable(`${STORE_PROBLEMS.busy}: ${reason}`, { problem: 'busy' })

/**
 * The first to wait begins first, and organisations begin in turn, however many statements of each wait. A statement whose
 * turn does not come rejects as `busy`; it did not run. Long, because its small functions share the counters and lines.
 */
export function takeTurns(
  driver: Driver,
  { connections, locking, perFree, waiting, waitMs }: TurnLimits,
): Driver {
  const running: Record<Kind, number> = { locking: 0, reading: 0 }
  /** The same of each organisation that runs any; null for the installation. */
  const runningOf = new Map<string | null, Record<Kind, number>>()
  /** What waits, by organisation; null for the installation. The organisation that began last is the last. */
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

  /** Begins what waits while there are connections for it. Each kind has its part, so that neither waits for good. */
  function beginNext(): void {
    for (const kind of ['locking', 'reading'] as const)
      // An organisation whose next statement begins goes to the end, and is met again there.
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

  /** Runs a statement whose turn has come. */
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

  /** While a connection is free, a statement begins at once, without a promise more. */
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
    within: Pick<Driver, 'query' | 'transaction'>,
  ): Pick<Driver, 'query' | 'transaction'> => ({
    query: (sql, parameters) => inTurn(organisation, kinds.memo(sql), () => within.query(sql, parameters)),
    // What a transaction locks is known only later. A snapshot locks nothing.
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
