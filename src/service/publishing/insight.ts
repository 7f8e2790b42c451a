/** Counts the organisation's people for administrators. Reads the rows page by page, once a minute or less. */
import { firstReportedDay, reportingClicks } from '../../../streams/organisation/figures/clicks.ts'
import {
  countInsight,
  type Insight,
  type InsightCounts,
} from '../../../streams/organisation/figures/insight.ts'
import { startOfDay } from '../../../streams/organisation/release/names.ts'
import { TELEMETRY_KEPT_MS } from '../../../streams/organisation/figures/reported.ts'
import { mapInSteps } from '../../../streams/kernel/steps.ts'
import { runInSlices } from '../../server/timeSlices.ts'
import { findOwners } from '../context/owners.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { readingPages } from '../sql/pages.ts'

export type CountedInsight = InsightCounts &
  Pick<Insight, 'clicks'> &
  Readonly<{
    /** Reports of add-ins before this time do not count, in milliseconds since 1970. */
    since: number
  }>

/** How long counts are cached. */
const FRESH_MS = 60_000
const PEOPLE_AT_ONCE = 500
/** The number of reports on one page. Each has up to 64 kB. */
const REPORTS_AT_ONCE = 100

/**
 * Returns a function that counts, with a cache. Concurrent requests share one count, and a new release clears the
 * cache.
 */
export function createInsightCounter({
  store,
  releases,
  now,
}: ServiceContext): () => Promise<CountedInsight> {
  let known: Readonly<{ at: number; release: string | null; counted: Promise<CountedInsight> }> | null = null

  async function count(at: number): Promise<CountedInsight> {
    const release = releases.current()
    const since = at - TELEMETRY_KEPT_MS
    const mailboxes = release?.document.mailboxes.map(({ address }) => address) ?? []
    const owners = await findOwners(store, mailboxes)
    const counts = countInsight(release, new Map(owners.map((owner) => [owner.id, owner])), {
      at,
      today: startOfDay(at),
    })
    for await (const page of readingPages(store.people, PEOPLE_AT_ONCE, ({ id }) => id))
      await runInSlices(mapInSteps(page, counts.addPerson))
    const read = (after: string | null, limit: number) => store.reportedByPeople(after, limit, since)
    for await (const page of readingPages(read, REPORTS_AT_ONCE, ({ person }) => person))
      await runInSlices(mapInSteps(page, ({ reported, at }) => counts.addReported(reported, at)))
    const isCounting = release?.document.counting === true
    const stored = isCounting ? await store.clicksSince(firstReportedDay(at)) : []
    const clicks = await runInSlices(reportingClicks(release, stored, at))
    return { ...counts.counts(), since, ...(clicks && { clicks }) }
  }

  return () => {
    const at = now()
    const release = releases.current()?.id ?? null
    // The absolute difference, because a clock may be set back.
    if (known !== null && known.release === release && Math.abs(at - known.at) < FRESH_MS)
      return known.counted
    const counting = { at, release, counted: count(at) }
    known = counting
    counting.counted.catch(() => {
      if (known === counting) known = null
    })
    return counting.counted
  }
}
