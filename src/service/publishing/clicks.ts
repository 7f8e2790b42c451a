/** Counts clicks in memory and writes them in batches, so that redirects do not wait for the database. */
import type { DailyClicks } from '../../../streams/organisation/figures/clicks.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import { runEvery, type Timers } from '../operations/timers.ts'
import type { Store } from '../sql/store.ts'

/** How often counted clicks are written. */
export const CLICK_WRITE_INTERVAL_MS = 5_000

/**
 * The maximum number of unwritten counts, one for each block and day. Further blocks and days are not counted during an
 * outage.
 */
const MAX_WAITING = 20_000

export type ClickCounter = ReturnType<typeof createClickCounter>

/** @param now milliseconds since 1970 */
export function createClickCounter(
  { addClicks }: Pick<Store, 'addClicks'>,
  now: () => number,
  maxWaiting = MAX_WAITING,
) {
  let waiting = new Map<string, DailyClicks>()
  let writing: Promise<unknown> = Promise.resolve()

  function add({ day, block, clicks }: DailyClicks): void {
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
      // A batch may be counted twice, if the database stored it but could not confirm it. Counts are therefore upper
      // bounds.
      for (const clicks of batch) add(clicks)
      throw error
    }
  }

  return {
    /** Counts a click on the block today. */
    count: (block: string): void => add({ day: dayOf(now()), block, clicks: 1 }),
    /** Writes the counted clicks after any running write. After a failure, they wait for the next write. */
    write: (): Promise<void> => {
      const written = writing.then(writeWaiting)
      writing = written.catch(() => undefined)
      return written
    },
  }
}

/** Writes clicks every 5 s until the signal aborts. The next write repeats a failed batch. */
export const scheduleClickWrites = (
  write: ClickCounter['write'],
  signal: AbortSignal,
  timers: Timers,
): void => runEvery(CLICK_WRITE_INTERVAL_MS, signal, write, timers)
