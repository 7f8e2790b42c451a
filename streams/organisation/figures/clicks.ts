/** Counts clicks on `{{counted …}}` addresses by day and block, without recording who clicked. */
import { count } from '../../kernel/limits.ts'
import { list, object, type OutOf, text, union } from '../../kernel/schema.ts'
import type { Steps } from '../../kernel/steps.ts'
import { DAY_MS, dayOf } from '../release/names.ts'
import type { Release } from '../release/release.ts'
import type { Template } from '../template/template.ts'

/** The retention time of clicks. */
export const CLICKS_KEPT_MS = 400 * DAY_MS
/** The number of past days to report. Today is left out, because a growing number would reveal when someone clicked. */
export const REPORTED_DAYS = 90
/** The most counted addresses in a document. Further links lead directly to their targets, without counting. */
const MAX_COUNTED = 10_000
/** The smallest number of clicks that is reported for a day. Fewer could reveal one person. */
export const MIN_REPORTED_CLICKS = 5

/** The clicks on a block's links on a UTC day such as `2026-11-26`. */
export type DailyClicks = Readonly<{ day: string; block: string; clicks: number }>

/** A UTC day. `fewerThan` replaces a number too small to report, 0 included. */
const clickDay = union(object({ day: text, clicks: count }), object({ day: text, fewerThan: count }))
export type ClickDay = OutOf<typeof clickDay>

/**
 * Blocks with counted addresses in the order of the release, then other blocks with recent clicks. `days` are the last
 * 90 complete days, earliest first; empty when no day has a number to report.
 */
export const blockClicks = list(object({ block: text, name: text, days: list(clickDay) }))
export type BlockClicks = OutOf<typeof blockClicks>[number]

/** The first reported day. */
export const firstReportedDay = (at: number): string => dayOf(at - REPORTED_DAYS * DAY_MS)

type Counting = Pick<Release, 'document' | 'templateOf'>

/** A counted address in a block. */
type CountedAddress = Readonly<{ block: string; address: string }>

/**
 * Finds the counted addresses of all blocks, without duplicates within a block. Empty when the organisation does not
 * count clicks.
 */
export function* findingCountedLinks({ document, templateOf }: Counting): Steps<readonly CountedAddress[]> {
  const { counting, blocks = [] } = document
  const counted: CountedAddress[] = []
  if (counting !== true) return counted
  const read = new Map<Template, ReadonlySet<string>>()
  for (const { id: block, template: path } of blocks) {
    yield
    const template = templateOf(path)
    for (const address of template === null ? [] : addressesIn(template, read)) {
      if (counted.length === MAX_COUNTED) return counted
      counted.push({ block, address })
    }
  }
  return counted
}

/**
 * Finds the counted addresses of a template and its parts.
 *
 * @param read the results so far, because many templates include the same part
 */
function addressesIn(template: Template, read: Map<Template, ReadonlySet<string>>): ReadonlySet<string> {
  const known = read.get(template)
  if (known !== undefined) return known
  const addresses = new Set<string>()
  const parts = new Set<Template>()
  for (const step of template.steps)
    if (step.kind === 'counted') addresses.add(step.address)
    else if (step.kind === 'part' && !parts.has(step.template)) {
      parts.add(step.template)
      for (const address of addressesIn(step.template, read)) addresses.add(address)
    }
  read.set(template, addresses)
  return addresses
}

/**
 * Builds the click report; null when the organisation does not count clicks.
 *
 * @param stored the clicks since the first reported day, in any order
 * @param at now, in milliseconds since 1970
 */
export function* reportingClicks(
  release: Counting | null,
  stored: readonly DailyClicks[],
  at: number,
): Steps<readonly BlockClicks[] | null> {
  if (release?.document.counting !== true) return null
  const ofBlock = new Map<string, Map<string, number>>()
  for (const { block, day, clicks } of stored) {
    if (clicks < MIN_REPORTED_CLICKS || day >= dayOf(at)) continue
    const days = ofBlock.get(block) ?? new Map<string, number>()
    ofBlock.set(block, days.set(day, clicks))
  }
  const names = new Map((release.document.blocks ?? []).map(({ id, name }) => [id, name]))
  const counted = (yield* findingCountedLinks(release)).map(({ block }) => block)
  const all = Array.from({ length: REPORTED_DAYS }, (_, index) =>
    dayOf(at - (REPORTED_DAYS - index) * DAY_MS),
  )
  return [...new Set([...counted, ...[...ofBlock.keys()].sort()])].map((block) => {
    const numbers = ofBlock.get(block)
    const days = numbers === undefined ? [] : all.map((day) => clickDayOf(day, numbers.get(day)))
    return { block, name: names.get(block) ?? block, days }
  })
}

const clickDayOf = (day: string, clicks: number | undefined): ClickDay =>
  clicks === undefined ? { day, fewerThan: MIN_REPORTED_CLICKS } : { day, clicks }
