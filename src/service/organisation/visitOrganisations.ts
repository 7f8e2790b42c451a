import { every, type Timers } from '../operations/timers.ts'

/** How often an instance looks which organisations are due. */
export const ROUND_INTERVAL_MS = 60_000

/** How many organisations are visited at the same time: the sync of a large one may take minutes. */
const AT_ONCE = 4

type Named = Readonly<{ id: string }>

export type VisitPort<Visited extends Named> = Readonly<{
  /** One page in the order of the ids, after the id `after`; empty after the last organisation. */
  page: (after: string) => Promise<readonly Visited[]>
  /** The time between two visits of an organisation, in milliseconds. */
  intervalMs: (organisation: Visited) => number
  /** Does what is due at an organisation. */
  visit: (organisation: Visited) => Promise<unknown>
}>

/**
 * Visits each organisation at the start, and whenever its interval has passed, some at the same time, until the signal
 * aborts. A visit that failed is made again in the next round.
 */
export function visitOrganisations<Visited extends Named>(
  { page, intervalMs, visit }: VisitPort<Visited>,
  signal: AbortSignal,
  timers: Timers,
): void {
  /** When each organisation was visited. */
  let visited = new Map<string, number>()

  async function* organisations(): AsyncGenerator<Visited> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const organisations: readonly Visited[] = await page(after)
      for (const organisation of organisations) {
        if (signal.aborted) return
        yield organisation
      }
      after = organisations.at(-1)?.id
    }
  }

  async function round(): Promise<void> {
    const before = visited
    // Organisations that are gone are forgotten, because each round notes only those that it meets.
    visited = new Map()
    const known = organisations()
    async function visitDue(): Promise<void> {
      for await (const organisation of known) {
        const last = before.get(organisation.id)
        const at = timers.now()
        const isDue = last === undefined || at - last >= intervalMs(organisation)
        try {
          if (isDue) await visit(organisation)
          visited.set(organisation.id, isDue ? at : last)
        } catch {
          // It is due in the next round, too.
        }
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, visitDue))
    // The registry could not be read: organisations that were not read keep their times.
    if (ended.some(({ status }) => status === 'rejected')) visited = new Map([...before, ...visited])
  }

  every(ROUND_INTERVAL_MS, signal, round, timers)
}
