/** How many people a publish may change without confirmation: `limits` in `signet.yaml`. */
import { count } from '../../kernel/limits.ts'
import { nullable, object, type OutOf } from '../../kernel/schema.ts'
import type { PlanSummary } from './plan.ts'
import type { PublishLimits, ReleaseDocument } from '../release/release.ts'

/** The largest allowed limit. */
export const MAX_PEOPLE_LIMIT = 999_999_999

/** Parses a limit: a whole number such as `50`, or a percentage such as `10%`; null for any other text. */
export function peopleLimitIn(text: string): PublishLimits['people'] | null {
  const [, digits, sign] = /^(\d{1,9})(%?)$/.exec(text) ?? []
  if (digits === undefined) return null
  const most = Number(digits)
  if (sign === '') return { most, of: 'people' }
  return most <= 100 ? { most, of: 'percent' } : null
}

export const peopleLimit = object({
  /** The number of people that a publish may change. Percentages are rounded down. */
  most: count,
  /** The number of people that publishing would change, now or later; null if the plan is not for now. */
  changed: nullable(count),
})
export type PeopleLimit = OutOf<typeof peopleLimit>

export type LimitedPlan = Readonly<{ limit?: PeopleLimit | undefined }>

/** The number of people that a plan changes at its moment. */
export const changedPeopleCount = ({
  people,
  unchanged,
}: Pick<PlanSummary, 'people' | 'unchanged'>): number => people - unchanged

const mostOf = ({ people: { most, of } }: PublishLimits, people: number): number =>
  of === 'percent' ? Math.floor((people * most) / 100) : most

/** The number of people, and how many of them publishing changes, now or later. */
export type ChangedPeople = Readonly<{ people: number; changed: number }>

/**
 * Returns the stricter limit of both documents, so that a publish cannot lift its own limit; null if neither has one.
 *
 * @param before the published document; null before the first release
 * @param isForNow whether the plan is for the present
 */
export function limitOfPlan(
  before: ReleaseDocument | null,
  after: ReleaseDocument,
  { people, changed }: ChangedPeople,
  isForNow: boolean,
): PeopleLimit | null {
  const limits = [before?.limits, after.limits].flatMap((each) => (each ? mostOf(each, people) : []))
  return limits.length === 0 ? null : { most: Math.min(...limits), changed: isForNow ? changed : null }
}

/** Whether a plan exceeds its limit, so that the publisher must confirm it. */
export const isBeyondLimit = ({ limit }: LimitedPlan): boolean =>
  limit !== undefined && (limit.changed === null || limit.changed > limit.most)
