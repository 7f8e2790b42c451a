import { runEvery, type Timers } from '../operations/timers.ts'

/** How often an instance checks which organisations are due. */
export const VISIT_ROUND_INTERVAL_MS = 60_000

/** The number of parallel visits, because the sync of a large organisation may take minutes. */
const AT_ONCE = 4

type Named = Readonly<{ id: string }>

export type VisitPort<Visited extends Named> = Readonly<{
  /** One page of organisations, ordered by id, after the id `after`; empty after the last organisation. */
  page: (after: string) => Promise<readonly Visited[]>
  /** The time between two visits to an organisation, in milliseconds. */
  intervalMs: (organisation: Visited) => number
  /** Does the work that is due in an organisation. */
  visit: (organisation: Visited) => Promise<unknown>
}>

/**
 * Visits each organisation at the start and after each interval, several in parallel, until the signal aborts. A failed
 * visit is repeated in the next round.
 */
export function visitOrganisations<Visited extends Named>(
  { page, intervalMs, visit }: VisitPort<Visited>,
  signal: AbortSignal,
  timers: Timers,
): void {
  /** The time of the last visit to each organisation, by id. */
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
    // Each round records only the organisations that it finds, so removed organisations are forgotten.
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
          // After a failed visit, the organisation is due again in the next round.
        }
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, visitDue))
    // After a failed read of the registry, unread organisations keep their times.
    if (ended.some(({ status }) => status === 'rejected')) visited = new Map([...before, ...visited])
  }

  runEvery(VISIT_ROUND_INTERVAL_MS, signal, round, timers)
}
