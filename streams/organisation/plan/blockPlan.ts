/**
 * Plans the block changes for one person: which blocks the person gets, on which days from the plan's moment on, and
 * how they look. Periods that open later count like open ones.
 */
import type { Block, Release, Signature } from '../release/release.ts'
import {
  BLOCK_CHANGE_ASPECTS,
  type BlockAspect,
  type BlockChange,
  blockRuleOf,
  type BlockSample,
} from './blockChange.ts'
import { createPersonSlots, createReleaseSide, type ReleaseSide, type SuspectIds } from './personSlots.ts'
import { createSlotOutcomes, type SlotOutcome } from './slotOutcomes.ts'
import { type FrameSlot, type PersonRenderer, slotWithBlock } from '../rendering/personRenderer.ts'
import { assignedSignatures } from '../rules/rules.ts'
import { htmlAspects } from './blockHtml.ts'
import type { PersonState } from '../facts/state.ts'
import { SIGNATURE_USES } from '../rendering/render.ts'
import type { Steps } from '../../kernel/steps.ts'

export type BlockPlans = ReturnType<typeof createBlockPlans>

/**
 * Compares the blocks of two releases from a moment on.
 *
 * @param before null before the first release
 * @param suspected the ids of the signatures and blocks whose html could differ
 */
export function createBlockPlans(
  before: Release | null,
  after: Release,
  suspected: Omit<SuspectIds, 'slots'>,
  at: number,
) {
  const [old, now] = [createReleaseSide(before, at), createReleaseSide(after, at)]
  const slots = [...now.blocks.values()].filter(({ id }) => suspected.blocks.has(id)).map(({ slot }) => slot)
  const suspects = { ...suspected, slots: new Set(slots) }
  const personSlots = createPersonSlots(old, now, suspects)
  const slotOutcomes = createSlotOutcomes(old, now, at)

  return {
    /**
     * Returns the ids of the blocks that a person gets in the new release, and the block changes. Runs in steps.
     *
     * @param had the person's signatures in the old release
     * @param gets the person's signatures in the new release
     * @param hasOtherValues whether the person's values may differ between the releases
     */
    *planning(
      person: PersonState,
      had: readonly Signature[],
      gets: readonly Signature[],
      renderer: PersonRenderer,
      hasOtherValues: boolean,
    ): Steps<Readonly<{ gets: readonly string[]; changes: readonly BlockChange[] }>> {
      const holdsByRule = yield* slotOutcomes.holding(person)
      const shown = personSlots.slotsOf(person, had, gets, renderer)
      const bySlot = new Map<string, SlotOutcome>()
      for (const each of shown.slots) bySlot.set(each.slot, yield* slotOutcomes.outcomeOf(each, holdsByRule))
      const uses = hasOtherValues ? shown.inBoth : shown.suspects
      const html = yield* htmlAspects({ old, now, suspects }, uses, bySlot, renderer, hasOtherValues)
      const outcomes = [...bySlot.values()]
      const isQuiet = html.size === 0 && outcomes.every((each) => each.isQuiet)
      return {
        gets: outcomes.flatMap((each) => each.gets),
        changes: isQuiet ? NO_CHANGES : changesOf(old, now, outcomes, html),
      }
    },

    /**
     * Renders a changed block before and after for a person, at the first place where it differs, or else at its first
     * place.
     */
    sample: (change: BlockChange, person: PersonState, renderer: PersonRenderer) =>
      sampleOf(
        change,
        old,
        now,
        (side, release) => personSlots.signaturesOf(side, person, assignedSignatures(release, person, at)),
        renderer,
      ),

    /** The number of references in the caches. */
    keptReferences: () => personSlots.references() + slotOutcomes.references(),
  }
}

function sampleOf(
  { block: id }: BlockChange,
  old: ReleaseSide,
  now: ReleaseSide,
  signaturesOf: (side: ReleaseSide, release: Release) => readonly Signature[],
  renderer: PersonRenderer,
): Readonly<{ before: BlockSample | null; after: BlockSample | null }> {
  const [was, is] = [placesIn(old), placesIn(now)]
  const inBoth = [...is.places.keys()].filter((each) => was.places.has(each))
  const place = inBoth.find(differsAt()) ?? inBoth[0]
  return { before: standingIn(was), after: standingIn(is) }

  function placesIn(side: ReleaseSide): PlacesOfBlock {
    const { release } = side
    const block = side.blocks.get(id)
    const places = new Map<string, FrameSlot>()
    if (!release || !block) return { block: null, html: '', places }
    const { html } = renderer.block(release, block)
    for (const signature of signaturesOf(side, release))
      for (const use of SIGNATURE_USES) {
        const { slots = [] } = renderer.frame(release, signature, use) ?? {}
        const shown = slots.find(({ name }) => name === block.slot)
        if (shown) places.set(`${signature.id} ${use}`, shown)
      }
    return { block, html, places }
  }
  /**
   * Creates a function that tells whether the html at a place differs. Slots that several signatures share are compared
   * once.
   */
  function differsAt(): (place: string) => boolean {
    const equal = new Map<FrameSlot, Set<FrameSlot>>()
    return (each) => {
      const [one, other] = [was.places.get(each), is.places.get(each)]
      if (!one || !other || equal.get(one)?.has(other)) return false
      if (slotWithBlock(one, was.html) !== slotWithBlock(other, is.html)) return true
      equal.set(one, (equal.get(one) ?? new Set()).add(other))
      return false
    }
  }
  function standingIn({ block, html, places }: PlacesOfBlock): BlockSample | null {
    if (!block) return null
    const shown = (place === undefined ? undefined : places.get(place)) ?? [...places.values()][0]
    return {
      html: shown ? slotWithBlock(shown, html) : '',
      ...blockRuleOf(block),
    }
  }
}

function changesOf(
  old: ReleaseSide,
  now: ReleaseSide,
  outcomes: readonly SlotOutcome[],
  html: ReadonlyMap<string, ReadonlySet<BlockAspect>>,
): readonly BlockChange[] {
  const had = new Set(outcomes.flatMap((each) => each.had))
  const gets = new Set(outcomes.flatMap((each) => each.gets))
  const aspectsOf = (id: string) => {
    const differ = [...outcomes.map(({ aspects }) => aspects.get(id)), html.get(id)]
    return BLOCK_CHANGE_ASPECTS.filter((aspect) => differ.some((aspects) => aspects?.has(aspect)))
  }
  const change = (
    kind: BlockChange['kind'],
    { id, name, slot }: Block,
    aspects: readonly BlockAspect[],
  ): BlockChange => ({ kind, block: id, name, slot, aspects })
  return [
    ...[...now.blocks.values()].flatMap((block) => {
      if (!gets.has(block.id)) return []
      if (!had.has(block.id)) return [change('added', block, [])]
      const aspects = aspectsOf(block.id)
      return aspects.length === 0 ? [] : [change('changed', block, aspects)]
    }),
    ...[...old.blocks.values()].flatMap((block) =>
      had.has(block.id) && !gets.has(block.id) ? [change('removed', block, [])] : [],
    ),
  ]
}

const NO_CHANGES: readonly BlockChange[] = []

/** A block with its html, and the slots that show it to a person, by signature and use. */
type PlacesOfBlock = Readonly<{
  block: Block | null
  html: string
  places: ReadonlyMap<string, FrameSlot>
}>
