/** The sentences about the hours and own days of blocks. */
import { dayRuns } from '../../../streams/organisation/release/hours.ts'
import { DAY_MS } from '../../../streams/organisation/release/names.ts'
import type { Block, Hours } from '../../../streams/organisation/release/release.ts'
import type { Translate } from './texts.ts'

/** The first Monday after 1970 began, in days. */
const MONDAY = 4

/** The short name of a weekday, from 1 for Monday. */
export const weekdayText = (day: number, t: Translate): string =>
  t('signatures.hours.weekday', { at: (MONDAY + day - 1) * DAY_MS })

/** Writes hours with their time zone: `Mon–Fri 08:00–18:00, Sat 09:00–12:00 (Europe/Berlin)`. */
export function hoursText({ spans, timeZone }: Hours, t: Translate): string {
  const runText = ([first, last]: readonly [number, number]) =>
    first === last
      ? weekdayText(first, t)
      : t('signatures.hours.fromTo', { from: weekdayText(first, t), to: weekdayText(last, t) })
  const times = spans.map(({ days, from, to }) =>
    t('signatures.hours.span', {
      days: dayRuns(days).map(runText),
      time: t('signatures.hours.fromTo', { from, to }),
    }),
  )
  return t('signatures.hours.all', { times: times.join(', '), timeZone })
}

/**
 * Describes when a block is open, apart from its period.
 *
 * @param days describes the period; null for a block without one
 */
export function openTimesTexts(
  { hours, ownDays }: Pick<Block, 'hours' | 'ownDays'>,
  days: string | null,
  t: Translate,
): readonly string[] {
  if (ownDays)
    return [
      ownDays.before === 0
        ? t('signatures.hours.ownDays')
        : t('signatures.hours.ownDaysBefore', { count: ownDays.before }),
    ]
  return [...(days === null ? [] : [days]), ...(hours ? [hoursText(hours, t)] : [])]
}
