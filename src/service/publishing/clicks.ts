/** Counts clicks in memory and writes them in batches, so that no redirect waits for the database. */
import type { Clicks } from '../../../streams/organisation/figures/clicks.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import { every, type Timers } from '../operations/timers.ts'
import type { Store } from '../sql/store.ts'

/** How often the clicks that were counted are written. */
export const WRITE_INTERVAL_MS = 5_000

/** The most pairs of a day and a block that wait. More than that many blocks and days of an outage are not counted. */
const MAX_WAITING = 20_000

export type ClickCounter = ReturnType<typeof createClicks>

/** @param now milliseconds since 1970 */
export function createClicks(
  { addClicks }: Pick<Store, 'addClicks'>,
  now: () => number,
  maxWaiting = MAX_WAITING,
) {
  let waiting = new Map<string, Clicks>()
  let writing: Promise<unknown> = Promise.resolve()

  function add({ day, block, clicks }: Clicks): void {
    const key = `${day} ${block}`
    const known = waiting.get(key)
    if (known === undefined && waiting.size >= maxWaiting) return
    waiting.set(key, { day, block, clicks: (known?.clicks ?? 0) + clicks })
  }

  async function writeWaiting(): Promise<void> {
    if (waiting.size === 0) return
    const batch = [...waiting.values()]
    waiting = new Map()
    try {
      await addClicks(batch)
    } catch (error) {
      // A database that stored the batch and could not say so counts it twice: a count is an upper bound.
      for (const clicks of batch) add(clicks)
      throw error
    }
  }

  return {
    /** Adds a click of today. */
    count: (block: string): void => add({ day: dayOf(now()), block, clicks: 1 }),
    /** Writes what is counted, after the write before. What cannot be written waits for the next write. */
    write: (): Promise<void> => {
      const written = writing.then(writeWaiting)
      writing = written.catch(() => undefined)
      return written
    },
  }
}

/** Writes clicks every 5 s until the signal aborts. A failed batch is written with the next one. */
export const writeClicks = (write: ClickCounter['write'], signal: AbortSignal, timers: Timers): void =>
  every(WRITE_INTERVAL_MS, signal, write, timers)
