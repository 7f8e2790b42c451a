/** Lists the signatures and blocks whose period begins or ends soon. */
import { count, time } from '../../kernel/limits.ts'
import { list, object, oneOf, optional, type OutOf, text } from '../../kernel/schema.ts'
import type { Steps } from '../../kernel/steps.ts'
import { DAY_MS } from '../release/names.ts'
import { hours, type Period, period, type ReleaseDocument } from '../release/release.ts'
import { periodState, windowOf } from '../rules/rules.ts'

/** The number of days to look ahead. */
export const AHEAD_DAYS = 30
/** The most periods to list. */
export const MAX_CHANGING = 20

/** A signature or block whose period begins, ends, or both. The days of `during` are as the administrator wrote them. */
const changingPeriod = object({
  of: oneOf('signature', 'block'),
  id: text,
  name: text,
  during: period,
  /** The hours of a block; absent without any, and from earlier services. */
  hours: optional(hours),
})
export type ChangingPeriod = OutOf<typeof changingPeriod>

/** The periods that begin or end after `at` and within the next 30 days. */
export const changingPeriods = object({
  /** The time of the answer. */
  at: time,
  /** Sorted by the next change, earliest first. */
  periods: list(changingPeriod),
  /** The number of periods left out of `periods`. */
  more: count,
})
export type ChangingPeriods = OutOf<typeof changingPeriods>

/** The end of the days to look ahead, from a time in milliseconds since 1970. */
export const aheadUntil = (at: number): number => at + AHEAD_DAYS * DAY_MS

/** The time of a period's next begin or end; null for a period that is over or never opens. */
export function nextChangeOf(during: Period, at: number): number | null {
  const window = windowOf(during)
  if (window === null) return null
  const state = periodState(during, at)
  return state === 'later' ? window.opens : state === 'now' ? window.closes : null
}

/**
 * Finds the signatures and blocks of a release whose period begins or ends soon. Runs in steps, one for each signature
 * and block.
 *
 * @param at now, in milliseconds since 1970
 */
export function* findingChangingPeriods(
  { signatures, blocks = [] }: Pick<ReleaseDocument, 'signatures' | 'blocks'>,
  at: number,
): Steps<ChangingPeriods> {
  const until = aheadUntil(at)
  const changing: (ChangingPeriod & Readonly<{ next: number }>)[] = []
  const dated = [
    ...signatures.map((each) => ({ of: 'signature', hours: undefined, ...each }) as const),
    ...blocks.map((each) => ({ of: 'block', hours: undefined, ...each }) as const),
  ]
  for (const { of, id, name, during, hours: ofWeek } of dated) {
    yield
    const next = during && nextChangeOf(during, at)
    if (during !== null && next !== null && next <= until)
      changing.push({ of, id, name, during, ...(ofWeek && { hours: ofWeek }), next })
  }
  changing.sort((one, other) => one.next - other.next)
  const periods = changing.slice(0, MAX_CHANGING).map(({ next: _, ...each }) => each)
  return { at, periods, more: changing.length - periods.length }
}
