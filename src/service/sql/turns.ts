/**
 * Lets statements take turns on the connections of a pool. Those that may wait for locks hold only a part of the
 * connections, so that a long lock on some rows does not keep reads from an answer.
 */
import type { Driver } from './driver.ts'
import { STORE_PROBLEMS, StoreUnavailable } from './problems.ts'

export type TurnLimits = Readonly<{
  /** How many statements and transactions run at once. */
  connections: number
  /** How many of them may be `locking`. */
  locking: number
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
const kindOf = (sql: string): Kind => (LOCKS.test(sql) ? 'locking' : 'reading')

const noTurn = (reason: string) =>
  new StoreUnavailable(`${STORE_PROBLEMS.busy}: ${reason}`, { problem: 'busy' })

/**
 * The first to wait begins first, and organisations begin in turn, however many statements of each wait. A statement whose
 * turn does not come rejects as `busy`; it did not run.
 */
export function takeTurns(driver: Driver, { connections, locking, waiting, waitMs }: TurnLimits): Driver {
  const running: Record<Kind, number> = { locking: 0, reading: 0 }
  /** What waits, by organisation; null for the installation. The organisation that began last is the last. */
  const lines: Readonly<Record<Kind, Map<string | null, Set<Waiting>>>> = {
    locking: new Map(),
    reading: new Map(),
  }

  const isFree = (kind: Kind): boolean =>
    running.locking + running.reading < connections && (kind === 'reading' || running.locking < locking)

  /** Begins what waits while there are connections for it. Each kind has its part, so that neither waits for good. */
  function beginNext(): void {
    for (const kind of ['locking', 'reading'] as const)
      while (isFree(kind)) {
        const [first] = lines[kind]
        if (first === undefined) break
        const [organisation, line] = first
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
        running[kind] += 1
        resolve()
      }
      line.add(begin)
    })

  async function inTurn<Result>(
    organisation: string | null,
    kind: Kind,
    run: () => Promise<Result>,
  ): Promise<Result> {
    if (isFree(kind)) running[kind] += 1
    else await waitFor(organisation, kind)
    try {
      return await run()
    } finally {
      running[kind] -= 1
      beginNext()
    }
  }

  const turnsOf = (
    organisation: string | null,
    within: Pick<Driver, 'query' | 'transaction'>,
  ): Pick<Driver, 'query' | 'transaction'> => ({
    query: (sql, parameters) => inTurn(organisation, kindOf(sql), () => within.query(sql, parameters)),
    // What a transaction locks is known only later. A snapshot locks nothing.
    transaction: (run, isSnapshot = false) =>
      inTurn(organisation, isSnapshot ? 'reading' : 'locking', () => within.transaction(run, isSnapshot)),
  })
  return {
    ...turnsOf(null, driver),
    script: (sql) => inTurn(null, kindOf(sql), () => driver.script(sql)),
    within: (organisation) => turnsOf(organisation, driver.within(organisation)),
    close: () => driver.close(),
  }
}
