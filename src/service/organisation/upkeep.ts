/** The background work of any organisation: dropping old data, and storing the words of people for the search. */
import { CLICKS_KEPT_MS } from '../../../streams/organisation/figures/clicks.ts'
import { REPORTED_KEPT_MS } from '../../../streams/organisation/figures/reported.ts'
import { atOnceAndEvery, type Timers } from '../operations/timers.ts'

/** How often old data is dropped. */
export const DROP_INTERVAL_MS = 60 * 60 * 1000
/** How often people are looked for whose words another version did not store. */
export const INDEX_INTERVAL_MS = 10 * 60 * 1000

export type UpkeepPort = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number
  /** Drops reports of add-ins from before a time. */
  dropReported: (before: number) => Promise<unknown>
  /** Drops clicks of days before a time. */
  dropClicks: (before: number) => Promise<unknown>
  /** Drops plans that have expired. */
  dropPlans: (now: number) => Promise<unknown>
  /** Stores the next batch of words after an id; the last id of the batch, or null when nothing is left. */
  index: (after: string | null) => Promise<string | null>
}>

/** Drops expired data. A part that fails does not stop the others. */
async function dropOld({ now, dropReported, dropClicks, dropPlans }: UpkeepPort): Promise<void> {
  await Promise.allSettled([
    dropReported(now() - REPORTED_KEPT_MS),
    dropClicks(now() - CLICKS_KEPT_MS),
    dropPlans(now()),
  ])
}

/** Stores the words of people who have none, batch after batch. */
async function indexPeople({ index }: UpkeepPort): Promise<void> {
  let last = await index(null)
  while (last !== null) last = await index(last)
}

/** Does the upkeep once. What cannot be done now is done the next time. */
export async function keepUpOnce(port: UpkeepPort): Promise<void> {
  await Promise.allSettled([dropOld(port), indexPeople(port)])
}

/** Does the upkeep at once and again and again, until the signal aborts. Several instances may do this. */
export function keepUp(port: UpkeepPort, signal: AbortSignal, timers: Timers): void {
  atOnceAndEvery(DROP_INTERVAL_MS, signal, () => dropOld(port), timers)
  atOnceAndEvery(INDEX_INTERVAL_MS, signal, () => indexPeople(port), timers)
}
