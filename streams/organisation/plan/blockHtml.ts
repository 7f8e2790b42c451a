/**
 * Finds the blocks that differ for a person after publishing, because their own html or the html around them changed,
 * or the person's values for their own days.
 */
import type { Block } from '../release/release.ts'
import { addAspects, type SlotOutcome } from './slotOutcomes.ts'
import {
  type Frame,
  type FrameSlot,
  type PersonRenderer,
  slotWithBlock,
} from '../rendering/personRenderer.ts'
import type { ReleaseSide, SuspectIds, UseInBoth } from './personSlots.ts'
import type { BlockAspect } from './blockChange.ts'
import type { Steps } from '../../kernel/steps.ts'

export type ComparedSides = Readonly<{ old: ReleaseSide; now: ReleaseSide; suspects: SuspectIds }>

/** Finds changes to the html, places, click counting and own days of blocks that a person has in both releases. */
export function* htmlAspects(
  { old, now, suspects }: ComparedSides,
  uses: readonly UseInBoth[],
  outcomes: ReadonlyMap<string, SlotOutcome>,
  renderer: PersonRenderer,
  hasOtherValues: boolean,
): Steps<ReadonlyMap<string, ReadonlySet<BlockAspect>>> {
  const aspects = new Map<string, Set<BlockAspect>>()
  const [before, after] = [old.release, now.release]
  if (!before || !after) return aspects
  const rendered = new Map<string, ReturnType<typeof renderBoth>>()
  const renderBoth = (was: Block, is: Block) =>
    [renderer.block(before, was), renderer.block(after, is)] as const
  for (const { signature: id, use, slots, hasEqualPieces } of uses) {
    const shared = new Map<string, ReadonlySet<string>>()
    for (const [slot, times] of slots) {
      const blocks = outcomes.get(slot)?.shared.get(times)
      if (blocks && blocks.size > 0) shared.set(slot, blocks)
    }
    const [former, signature] = [before.signatureOf(id), after.signatureOf(id)]
    if (shared.size === 0 || !former || !signature) continue
    const mayDiffer = hasOtherValues || suspects.signatures.has(id)
    const is = renderer.frame(after, signature, use)
    const was = mayDiffer ? renderer.frame(before, former, use) : is
    if (!was || !is) continue
    const isAsBefore =
      hasEqualPieces && !hasOtherValues && ![...slots.keys()].some((slot) => suspects.slots.has(slot))
    if (isAsBefore && was.html !== is.html) continue
    const filled = (frame: Frame) => frame.slots.filter(({ name }) => shared.has(name))
    const [wasFilled, isFilled] = [filled(was), filled(is)]
    for (const [slot, blocks] of shared) {
      const ofSlot = ({ name }: FrameSlot) => name === slot
      const [wasPlaces, isPlaces] = [wasFilled.filter(ofSlot), isFilled.filter(ofSlot)]
      const isMoved =
        wasPlaces.length !== isPlaces.length ||
        (was.html === is.html && positionsOf(slot, wasFilled) !== positionsOf(slot, isFilled))
      const hasOtherPieces = mayDiffer && !havePiecesOf(wasPlaces, isPlaces)
      for (const block of blocks) {
        if (isMoved) addAspects(aspects, block, ['places'])
        if (!hasOtherPieces && !hasOtherValues && !suspects.blocks.has(block)) continue
        const [oldBlock, newBlock] = [old.blocks.get(block), now.blocks.get(block)]
        if (!oldBlock || !newBlock) continue
        const both = rendered.get(block) ?? renderBoth(oldBlock, newBlock)
        rendered.set(block, both)
        if (both[0].isCounted !== both[1].isCounted && isPlaces.some(({ pieces }) => pieces.length > 1))
          addAspects(aspects, block, ['clicks'])
        if (
          wasPlaces.length === isPlaces.length &&
          htmlIn(wasPlaces, both[0].compared) !== htmlIn(isPlaces, both[1].compared)
        )
          addAspects(aspects, block, ['html'])
        if (renderer.ownDays(before, oldBlock) !== renderer.ownDays(after, newBlock))
          addAspects(aspects, block, ['ownDays'])
        yield
      }
    }
    yield
  }
  return aspects
}

/** Whether two lists of places have the same html around their blocks. */
const havePiecesOf = (one: readonly FrameSlot[], other: readonly FrameSlot[]): boolean =>
  one.length === other.length &&
  one.every(({ pieces }, index) => {
    const others = other[index]?.pieces
    return pieces.length === others?.length && pieces.every((piece, place) => piece === others[place])
  })

/** The html of these places with the block inserted, as one text. */
const htmlIn = (places: readonly FrameSlot[], html: string): string =>
  JSON.stringify(places.map((place) => slotWithBlock(place, html)))

/**
 * Describes a slot's places: each offset in the html without blocks, and how many earlier slots are at the same offset.
 */
const positionsOf = (slot: string, places: readonly FrameSlot[]): string =>
  places
    .flatMap(({ name, at }, index) =>
      name === slot
        ? [`${String(at)} ${String(places.slice(0, index).filter((each) => each.at === at).length)}`]
        : [],
    )
    .join()
