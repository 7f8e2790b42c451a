/** Lists when signatures and blocks of a draft open and close, for a timeline. */
import { calendarOf, CALENDAR_DAYS } from '../../organisation/plan/calendar.ts'
import { DAY_MS, dayNumberOf, dayOf } from '../../organisation/release/names.ts'
import type { Hours, Period, ReleaseDocument } from '../../organisation/release/release.ts'
import { windowOf } from '../../organisation/rules/rules.ts'

/** The days before today that a timeline shows. */
export const PAST_DAYS = 14
/** All days of a timeline. */
export const TIMELINE_DAYS = CALENDAR_DAYS

/** A bar of a timeline: from the start of the day `from` to the start of the day `to`, counted from the first day. */
export type TimelineBar = Readonly<{ from: number; to: number }>

/** A signature or block that opens, closes, or is behind another block on some days. */
export type TimelineItem = Readonly<{
  kind: 'signature' | 'block'
  id: string
  name: string
  /** Null for a block without a period that is behind other blocks on some days. */
  during: Period | null
  /** Absent for a signature, and for a block without hours. */
  hours?: Hours
  /** Today: it may appear, opens later, is over, or is behind another block for everyone. */
  state: 'open' | 'coming' | 'over' | 'behind'
  /** On some of its days, other blocks in the same place are before this block for everyone. */
  isBehind: boolean
  /** The days on which it may appear. Empty if it opens after the timeline, or if it is always behind. */
  bars: readonly TimelineBar[]
}>

/** `months` has the first days of months. `today` and all other days are counted from `first`. */
export type Timeline = Readonly<{
  first: string
  today: number
  months: readonly Readonly<{ day: string; from: number }>[]
  items: readonly TimelineItem[]
}>

/**
 * The timeline around a day such as `2026-10-01`. Periods that were over before its first day are left out. The items
 * are sorted by the day on which they open. Days are those of each period's own time zone.
 */
export function timelineOf(document: ReleaseDocument, day: string): Timeline {
  const start = dayNumberOf(day) - PAST_DAYS
  const first = dayOf(start * DAY_MS)
  const inTimeline = ({ from, to }: TimelineBar): readonly TimelineBar[] => {
    const bar = { from: Math.max(from, 0), to: Math.min(to, TIMELINE_DAYS) }
    return bar.from < bar.to ? [bar] : []
  }
  const daysOf = (during: Period | null): TimelineBar | null => {
    if (during === null) return { from: -Infinity, to: Infinity }
    return (
      windowOf(during) && { from: dayNumberOf(during.from) - start, to: dayNumberOf(during.to) + 1 - start }
    )
  }
  const shown = new Map<string, TimelineBar[]>()
  for (const { stretches } of calendarOf(document, first)) {
    let from = 0
    for (const { days, blocks } of stretches) {
      const to = from + days
      for (const { id } of blocks) {
        const bars = shown.get(id) ?? []
        shown.set(id, bars)
        const last = bars.at(-1)
        if (last?.to === from) bars[bars.length - 1] = { from: last.from, to }
        else bars.push({ from, to })
      }
      from = to
    }
  }
  const items = [
    ...document.signatures.flatMap((each) =>
      each.during === null ? [] : [{ ...each, kind: 'signature' as const, hours: undefined, bars: null }],
    ),
    ...(document.blocks ?? []).map((each) => ({
      ...each,
      hours: each.hours,
      kind: 'block' as const,
      bars: shown.get(each.id) ?? [],
    })),
  ]
    .flatMap(
      ({
        kind,
        id,
        name,
        during,
        hours,
        bars,
      }): readonly Readonly<{ opens: number; item: TimelineItem }>[] => {
        const days = daysOf(during)
        if (!days || days.to <= 0) return []
        const own = inTimeline(days)
        const drawn = bars ?? own
        const isBehind = lengthOf(drawn) < lengthOf(own)
        if (during === null && !isBehind) return []
        const isShown = drawn.some(({ from, to }) => from <= PAST_DAYS && PAST_DAYS < to)
        const state = isShown
          ? 'open'
          : days.from > PAST_DAYS
            ? 'coming'
            : days.to <= PAST_DAYS
              ? 'over'
              : 'behind'
        const item: TimelineItem = {
          kind,
          id,
          name,
          during,
          ...(hours && { hours }),
          state,
          isBehind,
          bars: drawn,
        }
        return [{ opens: days.from, item }]
      },
    )
    .sort((one, other) => (one.opens === other.opens ? 0 : one.opens - other.opens))
    .map(({ item }) => item)
  return { first, today: PAST_DAYS, months: monthsFrom(start), items }
}

const lengthOf = (bars: readonly TimelineBar[]): number =>
  bars.reduce((sum, { from, to }) => sum + to - from, 0)

const monthsFrom = (start: number): Timeline['months'] =>
  Array.from({ length: TIMELINE_DAYS }, (_, from) => ({ day: dayOf((start + from) * DAY_MS), from })).filter(
    ({ day }) => day.endsWith('-01'),
  )
