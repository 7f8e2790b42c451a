/** Finds the blocks of a slot before and after publishing, and the differences in their days and order. */
import { type Block, canonicalText, type Release } from '../release/release.ts'
import {
  fitsAllMessages,
  isBlockFor,
  isBlockForEveryone,
  comparedRecipients,
  shareOfMessages,
  shareOfPeople,
  type PeriodWindow,
} from '../rules/rules.ts'
import { NEVER_OPEN, type ShownSlot, type ReleaseSide, blockWindow } from './personSlots.ts'
import { type BlockStretch, findingBlockStretches } from './calendar.ts'
import type { BlockAspect } from './blockChange.ts'
import { createCache } from './keptReferences.ts'
import type { PersonState } from '../facts/state.ts'
import type { Steps } from '../../kernel/steps.ts'

/**
 * A slot's blocks before and after, and their changes. People with the same signatures and the same selected blocks
 * share it.
 */
export type SlotOutcome = Readonly<{
  had: readonly string[]
  gets: readonly string[]
  aspects: ReadonlyMap<string, ReadonlySet<BlockAspect>>
  /** The blocks that both releases show at the same time, by the key of the slot's times. */
  shared: ReadonlyMap<string, ReadonlySet<string>>
  isQuiet: boolean
}>

const RULES_AT_ONCE = 8

/** Compares the blocks of slots. Caches the results for people with the same selected blocks. */
export function createSlotOutcomes(old: ReleaseSide, now: ReleaseSide, at: number) {
  const known = createCache<SlotOutcome>(
    ({ had, gets, aspects, shared }) =>
      [...shared.values()].reduce((sum, ids) => sum + ids.size, 0) + had.length + gets.length + aspects.size,
  )

  /** The distinct rules that select people, each represented by the first block that has it. */
  const rules: Block[] = []
  const ruleOf = new Map<Block, number>()
  const ruleByText = new Map<string, number>()
  for (const block of [...old.blocks.values(), ...now.blocks.values()]) {
    const { id, selection } = block
    const share = shareOfPeople(block)
    const rule = JSON.stringify([selection, share, share < 100 && id])
    const index = ruleByText.get(rule) ?? rules.push(block) - 1
    ruleByText.set(rule, index)
    ruleOf.set(block, index)
  }
  const rulesOfSlots = new Map<string, Set<number>>()
  for (const [{ slot }, rule] of ruleOf) {
    const rulesOfSlot = rulesOfSlots.get(slot) ?? new Set()
    rulesOfSlots.set(slot, rulesOfSlot.add(rule))
  }

  const [before, after] = [old.release, now.release]
  const edited = new Map(
    [...now.blocks.values()].map((block) => {
      const former = old.blocks.get(block.id)
      return [block.id, before && after && former ? editedIn(before, former, after, block) : []] as const
    }),
  )

  /** The blocks in a slot over time in one release, for people whom these rules select. */
  const stretchingIn = (
    { release, blocks }: ReleaseSide,
    slot: string,
    holdsByRule: readonly boolean[],
  ): Steps<readonly BlockStretch[]> =>
    findingBlockStretches(
      [...blocks.values()]
        .filter((block) => block.slot === slot && holdsByRule[ruleOf.get(block) ?? -1] === true)
        .map((block) => ({
          block,
          ...blockWindow(block),
          endsList: release !== null && fitsAllMessages(release, block),
        })),
      at,
      Infinity,
    )

  function* outcomeOf(
    { slot, times, key: timesKey }: ShownSlot,
    holdsByRule: readonly boolean[],
  ): Steps<SlotOutcome> {
    let key = `${timesKey} `
    for (const rule of rulesOfSlots.get(slot) ?? []) key += holdsByRule[rule] === true ? '1' : '0'
    const same = known.get(key)
    if (same) return same
    const [had, gets] = [new Set<string>(), new Set<string>()]
    const aspects = new Map<string, Set<BlockAspect>>()
    const shared = new Map<string, ReadonlySet<string>>()
    const formerly = yield* stretchingIn(old, slot, holdsByRule)
    const presently = yield* stretchingIn(now, slot, holdsByRule)
    for (const { key: timeKey, was, is, both } of times) {
      if (was) yield* addStanding(had, formerly, was)
      if (is) yield* addStanding(gets, presently, is)
      const difference = yield* differing(
        was ? formerly : NOTHING,
        is ? presently : NOTHING,
        both ?? NEVER_OPEN,
      )
      const { standing } = difference
      for (const id of difference.moved)
        addAspects(aspects, id, standing.every((ids) => ids.has(id)) ? ['days'] : ['places'])
      for (const id of difference.reordered) addAspects(aspects, id, ['order'])
      for (const id of difference.shared) addAspects(aspects, id, edited.get(id) ?? [])
      shared.set(timeKey, difference.shared)
    }
    const isQuiet = aspects.size === 0 && had.size === gets.size && [...had].every((id) => gets.has(id))
    return known.keep(key, { had: [...had], gets: [...gets], aspects, shared, isQuiet })
  }

  return {
    /** Returns for each of the distinct rules whether it selects a person. Runs in steps. */
    *holding(person: PersonState): Steps<readonly boolean[]> {
      const holdsByRule: boolean[] = []
      for (const block of rules) {
        holdsByRule.push(isBlockFor(block, person))
        if (holdsByRule.length % RULES_AT_ONCE === 0) yield
      }
      return holdsByRule
    },
    outcomeOf,
    references: known.references,
  }
}

/** For a slot that a signature does not show: no blocks at any time. */
const NOTHING: readonly BlockStretch[] = [{ from: -Infinity, to: Infinity, blocks: [] }]

/** Finds the changed aspects of a block, apart from its html and its opening time. */
function editedIn(before: Release, was: Block, after: Release, is: Block): readonly BlockAspect[] {
  const aspects: BlockAspect[] = []
  if (was.name !== is.name) aspects.push('name')
  if (isBlockForEveryone(was) !== isBlockForEveryone(is)) aspects.push('people')
  if (blockWindow(was).closes !== blockWindow(is).closes) aspects.push('days')
  if (canonicalText(was.hours ?? null) !== canonicalText(is.hours ?? null)) aspects.push('hours')
  if (canonicalText(was.ownDays ?? null) !== canonicalText(is.ownDays ?? null)) aspects.push('ownDays')
  if (comparedRecipients(before, was).join() !== comparedRecipients(after, is).join())
    aspects.push('recipients')
  if (was.replies !== is.replies) aspects.push('replies')
  if (was.thread !== is.thread) aspects.push('thread')
  if (shareOfMessages(was) !== shareOfMessages(is)) aspects.push('share')
  return aspects
}

/** Adds the ids of the blocks that are in the slot at some time in the window. */
function* addStanding(
  ids: Set<string>,
  stretches: readonly BlockStretch[],
  { opens, closes }: PeriodWindow,
): Steps<void> {
  for (const { from, to, blocks } of stretches) {
    if (from < closes && opens < to) for (const { id } of blocks) ids.add(id)
    yield
  }
}

/** Adds changed aspects to a block. */
export function addAspects(
  aspects: Map<string, Set<BlockAspect>>,
  id: string,
  differing: readonly BlockAspect[],
): void {
  if (differing.length === 0) return
  const known = aspects.get(id) ?? new Set()
  for (const each of differing) known.add(each)
  aspects.set(id, known)
}

const idsOf = ({ blocks }: BlockStretch): ReadonlySet<string> => new Set(blocks.map(({ id }) => id))

/** The differences between a slot's blocks in two releases, as ids. */
type Difference = Readonly<{
  /** Blocks that are in the slot at some time in only one release. */
  moved: ReadonlySet<string>
  /** Blocks in both releases whose order differs at some time. */
  reordered: ReadonlySet<string>
  /** Blocks that are in both releases at the same time. */
  shared: ReadonlySet<string>
  /** Blocks that are in the slot at some time, in the old and in the new release. */
  standing: readonly [ReadonlySet<string>, ReadonlySet<string>]
}>

/** Compares a slot's stretches in two releases within a window. Runs in steps, one for each overlapping pair. */
function* differing(
  was: readonly BlockStretch[],
  is: readonly BlockStretch[],
  { opens, closes }: PeriodWindow,
): Steps<Difference> {
  const moved = new Set<string>()
  const reordered = new Set<string>()
  const shared = new Set<string>()
  const standing = [new Set<string>(), new Set<string>()] as const
  let [index, other] = [0, 0]
  for (;;) {
    const [one, two] = [was[index], is[other]]
    if (!one || !two) return { moved, reordered, shared, standing }
    if (Math.max(one.from, two.from, opens) < Math.min(one.to, two.to, closes)) {
      const [former, present] = [idsOf(one), idsOf(two)]
      for (const id of former) {
        standing[0].add(id)
        if (!present.has(id)) moved.add(id)
      }
      for (const id of present) {
        standing[1].add(id)
        if (!former.has(id)) moved.add(id)
      }
      const inOldOrder = [...former].filter((id) => present.has(id))
      const inNewOrder = [...present].filter((id) => former.has(id))
      for (const [place, id] of inNewOrder.entries()) {
        shared.add(id)
        if (inOldOrder[place] !== id) reordered.add(id)
      }
    }
    if (one.to <= two.to) index += 1
    if (two.to <= one.to) other += 1
    yield
  }
}
