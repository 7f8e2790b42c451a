/**
 * Finds which blocks may appear in a slot, and when: for all people together in the release calendar, for one person in
 * a plan.
 */
import { runSteps, type Steps } from '../../kernel/steps.ts'
import { DAY_MS, dayNumberOf, dayOf } from '../release/names.ts'
import type { Block, ReleaseDocument } from '../release/release.ts'
import { fitsAllMessages, isBlockForEveryone, windowOf } from '../rules/rules.ts'

/**
 * A block that is open from `opens` until just before `closes`. With `endsList`, it then hides the later blocks of its
 * slot.
 */
export type TimedBlock = Readonly<{ block: Block; opens: number; closes: number; endsList: boolean }>

/**
 * The blocks that may appear in a slot from `from` until just before `to`, in the order of the folder; can be empty.
 */
export type BlockStretch = Readonly<{ from: number; to: number; blocks: readonly Block[] }>

/**
 * Divides the time from `from` until just before `to` into stretches without gaps. The blocks change at the start of
 * each stretch. Runs in steps, one for each moment at which a block opens or closes.
 *
 * @param timed the blocks of one slot, in the order of the folder
 */
export function* findingBlockStretches(
  timed: readonly TimedBlock[],
  from: number,
  to: number,
): Steps<readonly BlockStretch[]> {
  const changes = new Map<number, number[]>([[from, []]])
  for (const [index, { opens, closes }] of timed.entries()) {
    const [start, end] = [Math.max(opens, from), Math.min(closes, to)]
    if (start >= end) continue
    for (const moment of end < to ? [start, end] : [start]) {
      const changing = changes.get(moment)
      if (changing) changing.push(index)
      else changes.set(moment, [index])
    }
  }
  const stretches: { from: number; to: number; blocks: readonly Block[] }[] = []
  const open: number[] = []
  for (const [moment, changing] of [...changes].sort(([one], [other]) => one - other)) {
    for (const index of changing) {
      const place = open.findIndex((other) => other >= index)
      if (place < 0) open.push(index)
      else if (open[place] === index) open.splice(place, 1)
      else open.splice(place, 0, index)
    }
    const blocks: Block[] = []
    for (const index of open) {
      const each = timed[index]
      if (each) blocks.push(each.block)
      if (each?.endsList) break
    }
    const last = stretches.at(-1)
    if (
      last?.blocks.length !== blocks.length ||
      last.blocks.some((block, place) => block !== blocks[place])
    ) {
      if (last) last.to = moment
      stretches.push({ from: moment, to, blocks })
    }
    yield
  }
  return from < to ? stretches : []
}

/**
 * The days from `from` to `to` (`2026-10-01`), both included, and their number. Without `blocks`, the slot is empty.
 */
export type DayRange = Readonly<{ from: string; to: string; days: number; blocks: readonly Block[] }>
export type SlotCalendar = Readonly<{ slot: string; stretches: readonly DayRange[] }>

export const CALENDAR_DAYS = 90

const numbered = (number: number): string => dayOf(number * DAY_MS)

/**
 * Lists the slots of a release in the order of the folder, with the blocks that may appear for someone in the 90 days
 * from `first` on. A block's days are those of its own time zone: the days that the administrator wrote.
 */
export function calendarOf(document: ReleaseDocument, first: string): readonly SlotCalendar[] {
  const from = dayNumberOf(first)
  const slots = new Map<string, TimedBlock[]>()
  for (const block of document.blocks ?? []) {
    const timed = slots.get(block.slot) ?? []
    slots.set(block.slot, timed)
    const { during } = block
    if (during !== null && windowOf(during) === null) continue
    timed.push({
      block,
      opens: during ? dayNumberOf(during.from) : -Infinity,
      closes: during ? dayNumberOf(during.to) + 1 : Infinity,
      endsList: isBlockForEveryone(block) && fitsAllMessages({ document }, block),
    })
  }
  return [...slots].map(([slot, timed]) => ({
    slot,
    stretches: runSteps(findingBlockStretches(timed, from, from + CALENDAR_DAYS)).map((stretch) => ({
      from: numbered(stretch.from),
      to: numbered(stretch.to - 1),
      days: stretch.to - stretch.from,
      blocks: stretch.blocks,
    })),
  }))
}
