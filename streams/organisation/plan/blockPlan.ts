/**
 * What publishing a release would change in the blocks of one person: which blocks the person gets, on which days from
 * the moment of the plan on, and how they look. A block whose period opens later counts as much as one that is open.
 */
import { flag, list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'
import type { Steps } from '../../kernel/steps.ts'
import { type Stretch, stretching } from './calendar.ts'
import { type Frame, type FrameSlot, type PersonRenderer, withBlock } from '../rendering/personRenderer.ts'
import { type Block, period, recipients, type Release, type Signature } from '../release/release.ts'
import { SIGNATURE_USES, type SignatureKind, templatePath } from '../rendering/render.ts'
import {
  assignedSignatures,
  fits,
  fitsAllMessages,
  isBlockFor,
  isForEveryone,
  recipientDomains,
  type Window,
  windowOf,
} from '../rules/rules.ts'
import type { PersonState } from '../facts/state.ts'
import type { Template } from '../template/template.ts'

/**
 * What differs in a block: its html with what the template puts around it, its name, whether it is for all people, the
 * days on which it stands, its recipients, whether it stands in replies, its place among the blocks of its slot, the
 * signatures that show it or its place in them, or whether clicks on its links are counted.
 */
const ASPECTS = [
  'html',
  'name',
  'people',
  'days',
  'recipients',
  'replies',
  'order',
  'places',
  'clicks',
] as const
export type BlockAspect = (typeof ASPECTS)[number]

export const blockChange = {
  kind: oneOf('added', 'removed', 'changed'),
  /** The block's id. `name` and `slot` are those of the new release, or of the old one if the block is removed. */
  block: text,
  name: text,
  slot: text,
  /** What differs in a changed block; empty for an added or removed one. */
  aspects: list(oneOf(...ASPECTS)),
}
export type BlockChange = OutOf<ReturnType<typeof object<typeof blockChange>>>

/** Which messages a block is in, on which days. */
export const blockRule = {
  during: nullable(period),
  recipients,
  replies: flag,
}

/** A block as it stands in the first signature of a person that shows it. */
export const standingBlock = object({ html: text, ...blockRule })
export type StandingBlock = OutOf<typeof standingBlock>

/**
 * The names of the slots of a template, and whether everyone's html has them: none stands below a condition. `pieces` is
 * a text of the slots with the html around their blocks; null if it depends on the person.
 */
function slotsOf({ steps }: Template): Readonly<{
  names: ReadonlySet<string>
  isFixed: boolean
  pieces: string | null
}> {
  const names = new Set<string>()
  const inner: unknown[] = []
  const is = { fixed: true, plain: true }
  const read = (all: Template['steps'], isConditional: boolean) => {
    let conditionalUntil = 0
    let slotUntil = 0
    for (const [index, step] of all.entries()) {
      if (step.kind === 'jump' || step.kind === 'jumpIfEmpty')
        conditionalUntil = Math.max(conditionalUntil, step.to)
      if (index < slotUntil) continue
      const isBelow = isConditional || index < conditionalUntil
      if (step.kind === 'part') read(step.template.steps, isBelow)
      if (step.kind !== 'slot') continue
      slotUntil = step.to
      names.add(step.name)
      const within = all.slice(index + 1, step.to)
      inner.push(step.name, within)
      if (isBelow) is.fixed = false
      is.plain &&= within.every(({ kind }) => kind === 'html' || kind === 'block')
    }
  }
  read(steps, false)
  return { names, isFixed: is.fixed, pieces: is.fixed && is.plain ? JSON.stringify(inner) : null }
}

/** A signature with the slots that a person's html of it has, by use; `key` is a text of both. */
type SignatureSlots = Readonly<{
  signature: Signature
  slots: ReadonlyMap<SignatureKind, ReadonlySet<string>>
  key: string
}>

const withSlots = (
  signature: Signature,
  slots: readonly (readonly [SignatureKind, ReadonlySet<string>])[],
): SignatureSlots => ({
  signature,
  slots: new Map(slots),
  key: `${signature.id}:${slots.map(([use, names]) => `${use} ${[...names].join(' ')}`).join()};`,
})

const ALWAYS: Window = { opens: -Infinity, closes: Infinity }
const NEVER: Window = { opens: 0, closes: 0 }
const timeOf = ({ during }: Pick<Block, 'during'>): Window =>
  during === null ? ALWAYS : (windowOf(during) ?? NEVER)

/** What a release has of slots and blocks from a moment on. */
function createSide(release: Release | null, at: number) {
  const signatures = release?.document.signatures ?? []
  const uses = new Map<string, ReadonlyMap<SignatureKind, ReturnType<typeof slotsOf>>>()
  const fixed = new Map<string, SignatureSlots>()
  const read = new Map<string, ReturnType<typeof slotsOf>>()
  for (const signature of signatures) {
    const all = new Map<SignatureKind, ReturnType<typeof slotsOf>>()
    for (const use of SIGNATURE_USES) {
      const path = templatePath(signature, use)
      const template = path === null ? null : release?.templateOf(path)
      if (path === null || !template) continue
      const slots = read.get(path) ?? slotsOf(template)
      read.set(path, slots)
      if (slots.names.size > 0) all.set(use, slots)
    }
    if (all.size > 0) uses.set(signature.id, all)
    if ([...all.values()].every(({ isFixed }) => isFixed)) {
      const slots = [...all].map(([use, { names }]) => [use, names] as const)
      fixed.set(signature.id, withSlots(signature, slots))
    }
  }
  const shown = new Set(
    [...uses.values()].flatMap((all) => [...all.values()].flatMap(({ names }) => [...names])),
  )
  return {
    release,
    /** The uses with slots, by signature. */
    uses,
    /** The signatures whose slots do not depend on the person. */
    fixed,
    /** The blocks that a signature shows, in the order of the folder, by id. */
    blocks: new Map(
      (release?.document.blocks ?? [])
        .filter((block) => shown.has(block.slot) && timeOf(block).closes > at)
        .map((block) => [block.id, block]),
    ),
    /** The signatures that are not open yet. */
    later: signatures.filter((signature) => timeOf(signature).opens > at),
  }
}
type Side = ReturnType<typeof createSide>

/**
 * When a person has a signature with a slot: `was` is the signature's period in the old release, `is` the one in the
 * new release, each null if the person's html has no such slot there. In the period `both`, the person has the
 * signature in both releases, with the slot or without. Many uses of signatures have equal times; `key` is their text.
 */
type SlotTimes = Readonly<{
  key: string
  was: Window | null
  is: Window | null
  both: Window | null
}>

/** A use of a signature that a person has in both releases, with the keys of its slots' times, by slot. */
type UseInBoth = Readonly<{
  signature: string
  use: SignatureKind
  slots: ReadonlyMap<string, string>
  /** Whether the html around the blocks is the same for everyone in both releases. */
  hasEqualPieces: boolean
}>

/** A slot with the distinct times at which a person's signatures show it; `key` is a text of both. */
type ShownSlot = Readonly<{ slot: string; times: readonly SlotTimes[]; key: string }>

/** The slots of a person's signatures. Most people have one of a few sets of signatures. */
type PersonSlots = Readonly<{
  slots: readonly ShownSlot[]
  inBoth: readonly UseInBoth[]
  /** Those of `inBoth` in which html could differ for a person with the same values in both releases. */
  suspects: readonly UseInBoth[]
}>

/** The blocks of one slot, for people with the same signatures for whom the same blocks are. */
type SlotOutcome = Readonly<{
  had: readonly string[]
  gets: readonly string[]
  aspects: ReadonlyMap<string, ReadonlySet<BlockAspect>>
  /** The blocks that stand in both releases at the same time, by the key of the slot's times. */
  shared: ReadonlyMap<string, ReadonlySet<string>>
  isQuiet: boolean
}>

/** The most references to blocks and slots that each cache of a plan keeps: some megabytes. */
export const MAX_KEPT_REFERENCES = 100_000
const BYTES_OF_REFERENCE = 8

/**
 * Values by keys, for people who have the same. Where nearly every person has a key of their own, because a share
 * divides them, a cache is of no use; so a full one begins again, and keeps no value that is too large for it.
 */
function createCache<Value>(referencesOf: (value: Value) => number) {
  const values = new Map<string, Value>()
  let kept = 0
  return {
    get: (key: string) => values.get(key),
    keep(key: string, value: Value): Value {
      const references = referencesOf(value) + Math.ceil(key.length / BYTES_OF_REFERENCE)
      if (kept + references > MAX_KEPT_REFERENCES) {
        values.clear()
        kept = 0
      }
      if (references > MAX_KEPT_REFERENCES) return value
      values.set(key, value)
      kept += references
      return value
    },
    references: () => kept,
  }
}
const RULES_AT_ONCE = 8

export type BlockPlans = ReturnType<typeof createBlockPlans>

/** `signatures` and `blocks` are the ids of those whose html could differ. */
type Suspects = Readonly<{ signatures: ReadonlySet<string>; blocks: ReadonlySet<string> }>

/**
 * Compares the blocks of two releases from a moment on.
 *
 * @param before null when nothing is published yet
 */
export function createBlockPlans(before: Release | null, after: Release, suspects: Suspects, at: number) {
  const [old, now] = [createSide(before, at), createSide(after, at)]
  const slotted = new Set([...old.uses.keys(), ...now.uses.keys()])
  const suspectSlots = new Set(
    [...now.blocks.values()].filter(({ id }) => suspects.blocks.has(id)).map(({ slot }) => slot),
  )
  const personSlots = createCache<PersonSlots>(
    ({ slots, inBoth }) =>
      slots.reduce((sum, { times }) => sum + times.length, 0) +
      inBoth.reduce((sum, each) => sum + each.slots.size, 0),
  )
  const slotOutcomes = createCache<SlotOutcome>(
    ({ had, gets, aspects, shared }) =>
      [...shared.values()].reduce((sum, ids) => sum + ids.size, 0) + had.length + gets.length + aspects.size,
  )

  /** Each distinct rule about people once: the first block that has it. */
  const rules: Block[] = []
  const ruleOf = new Map<Block, number>()
  const ruleByText = new Map<string, number>()
  for (const block of [...old.blocks.values(), ...now.blocks.values()]) {
    const { id, selection, share } = block
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

  const edited = new Map(
    [...now.blocks.values()].map((block) => {
      const former = old.blocks.get(block.id)
      return [block.id, before && former ? editedIn(before, former, after, block) : []] as const
    }),
  )

  /** The signatures of a person that may show a block: those that are open, and those that open later. */
  const signaturesOf = (side: Side, person: PersonState, open: readonly Signature[]): readonly Signature[] =>
    [...open, ...side.later.filter(({ selection }) => fits(selection, person))].filter(({ id }) =>
      slotted.has(id),
    )

  const slottedFor = (
    side: Side,
    person: PersonState,
    open: readonly Signature[],
    renderer: PersonRenderer,
  ): readonly SignatureSlots[] =>
    signaturesOf(side, person, open).map(
      (signature) => side.fixed.get(signature.id) ?? slottedOf(side, signature, renderer),
    )

  function slottedOf({ release, uses }: Side, signature: Signature, renderer: PersonRenderer) {
    const namesIn = (use: SignatureKind) =>
      new Set(release && renderer.frame(release, signature, use)?.slots.map(({ name }) => name))
    return withSlots(
      signature,
      [...(uses.get(signature.id) ?? [])].map(([use, { names, isFixed }]) => [
        use,
        isFixed ? names : namesIn(use),
      ]),
    )
  }

  function slotsFor(was: readonly SignatureSlots[], is: readonly SignatureSlots[]): PersonSlots {
    const key = `${keyOf(was)} ${keyOf(is)}`
    const known = personSlots.get(key)
    if (known) return known
    const timesOfSlots = new Map<string, Map<string, SlotTimes>>()
    const inBoth: UseInBoth[] = []
    const [formerly, presently] = [was, is].map(
      (all) => new Map(all.map((each) => [each.signature.id, each])),
    )
    for (const id of new Set([...was, ...is].map(({ signature }) => signature.id))) {
      const [one, two] = [formerly?.get(id), presently?.get(id)]
      const both = one && two ? overlap(timeOf(one.signature), timeOf(two.signature)) : null
      for (const use of SIGNATURE_USES) {
        const ofUse = new Map<string, string>()
        const [oneSlots, twoSlots] = [one?.slots.get(use), two?.slots.get(use)]
        for (const slot of new Set([...(oneSlots ?? []), ...(twoSlots ?? [])])) {
          const wasTime = one && oneSlots?.has(slot) ? timeOf(one.signature) : null
          const isTime = two && twoSlots?.has(slot) ? timeOf(two.signature) : null
          const times = { key: [wasTime, isTime, both].map(windowText).join(' '), both }
          const ofSlot = timesOfSlots.get(slot) ?? new Map<string, SlotTimes>()
          timesOfSlots.set(slot, ofSlot.set(times.key, { ...times, was: wasTime, is: isTime }))
          ofUse.set(slot, times.key)
        }
        const [onePieces, twoPieces] = [old, now].map((side) => side.uses.get(id)?.get(use)?.pieces ?? null)
        const hasEqualPieces = onePieces !== null && onePieces === twoPieces
        if (both && ofUse.size > 0) inBoth.push({ signature: id, use, slots: ofUse, hasEqualPieces })
      }
    }
    return personSlots.keep(key, {
      slots: [...timesOfSlots].map(([slot, times]) => ({
        slot,
        times: [...times.values()],
        key: [slot, ...[...times.keys()].sort()].join(),
      })),
      inBoth,
      suspects: inBoth.filter(
        ({ signature, slots }) =>
          suspects.signatures.has(signature) || [...slots.keys()].some((slot) => suspectSlots.has(slot)),
      ),
    })
  }

  /** Which blocks stand in a slot at what time in one release, for people for whom these rules hold. */
  const stretchingIn = (
    { release, blocks }: Side,
    slot: string,
    holdsByRule: readonly boolean[],
  ): Steps<readonly Stretch[]> =>
    stretching(
      [...blocks.values()]
        .filter((block) => block.slot === slot && holdsByRule[ruleOf.get(block) ?? -1] === true)
        .map((block) => ({
          block,
          ...timeOf(block),
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
    const known = slotOutcomes.get(key)
    if (known) return known
    const [had, gets] = [new Set<string>(), new Set<string>()]
    const aspects = new Map<string, Set<BlockAspect>>()
    const shared = new Map<string, ReadonlySet<string>>()
    const formerly = yield* stretchingIn(old, slot, holdsByRule)
    const presently = yield* stretchingIn(now, slot, holdsByRule)
    for (const { key: timeKey, was, is, both } of times) {
      if (was) yield* addStanding(had, formerly, was)
      if (is) yield* addStanding(gets, presently, is)
      const difference = yield* differing(was ? formerly : NOTHING, is ? presently : NOTHING, both ?? NEVER)
      const { standing } = difference
      for (const id of difference.moved)
        addAspects(aspects, id, standing.every((ids) => ids.has(id)) ? ['days'] : ['places'])
      for (const id of difference.reordered) addAspects(aspects, id, ['order'])
      for (const id of difference.shared) addAspects(aspects, id, edited.get(id) ?? [])
      shared.set(timeKey, difference.shared)
    }
    const isQuiet = aspects.size === 0 && had.size === gets.size && [...had].every((id) => gets.has(id))
    return slotOutcomes.keep(key, { had: [...had], gets: [...gets], aspects, shared, isQuiet })
  }

  /** What differs in the html of blocks that a person has in both releases. */
  function* htmlAspects(
    uses: readonly UseInBoth[],
    outcomes: ReadonlyMap<string, SlotOutcome>,
    renderer: PersonRenderer,
    hasOtherValues: boolean,
  ): Steps<ReadonlyMap<string, ReadonlySet<BlockAspect>>> {
    const aspects = new Map<string, Set<BlockAspect>>()
    if (!before) return aspects
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
        hasEqualPieces && !hasOtherValues && ![...slots.keys()].some((slot) => suspectSlots.has(slot))
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
            htmlIn(wasPlaces, both[0].html) !== htmlIn(isPlaces, both[1].html)
          )
            addAspects(aspects, block, ['html'])
          yield
        }
      }
      yield
    }
    return aspects
  }

  return {
    /**
     * The blocks that a person gets by the new release, by id, and what changes, in steps.
     *
     * @param had the person's signatures in the old release; `gets` are those in the new one
     * @param hasOtherValues whether the person's values may differ between the releases
     */
    *planning(
      person: PersonState,
      had: readonly Signature[],
      gets: readonly Signature[],
      renderer: PersonRenderer,
      hasOtherValues: boolean,
    ): Steps<Readonly<{ gets: readonly string[]; changes: readonly BlockChange[] }>> {
      const holdsByRule: boolean[] = []
      for (const block of rules) {
        holdsByRule.push(isBlockFor(block, person))
        if (holdsByRule.length % RULES_AT_ONCE === 0) yield
      }
      const {
        slots,
        inBoth,
        suspects: suspected,
      } = slotsFor(slottedFor(old, person, had, renderer), slottedFor(now, person, gets, renderer))
      const bySlot = new Map<string, SlotOutcome>()
      for (const each of slots) bySlot.set(each.slot, yield* outcomeOf(each, holdsByRule))
      const html = yield* htmlAspects(hasOtherValues ? inBoth : suspected, bySlot, renderer, hasOtherValues)
      const outcomes = [...bySlot.values()]
      const isQuiet = html.size === 0 && outcomes.every((each) => each.isQuiet)
      return {
        gets: outcomes.flatMap((each) => each.gets),
        changes: isQuiet ? NO_CHANGES : changesOf(outcomes, html),
      }
    },

    /** A block that changes, as it stands for a person before and after: where it differs, or where it stands first. */
    sample(
      { block: id }: BlockChange,
      person: PersonState,
      renderer: PersonRenderer,
    ): Readonly<{ before: StandingBlock | null; after: StandingBlock | null }> {
      const [was, is] = [placesIn(old), placesIn(now)]
      const inBoth = [...is.places.keys()].filter((each) => was.places.has(each))
      const place = inBoth.find(differsAt()) ?? inBoth[0]
      return { before: standingIn(was), after: standingIn(is) }

      function placesIn(side: Side): PlacesOfBlock {
        const { release } = side
        const block = side.blocks.get(id)
        const places = new Map<string, FrameSlot>()
        if (!release || !block) return { block: null, html: '', places }
        const { html } = renderer.block(release, block)
        for (const signature of signaturesOf(side, person, assignedSignatures(release, person, at)))
          for (const use of SIGNATURE_USES) {
            const { slots = [] } = renderer.frame(release, signature, use) ?? {}
            const shown = slots.find(({ name }) => name === block.slot)
            if (shown) places.set(`${signature.id} ${use}`, shown)
          }
        return { block, html, places }
      }
      /** Whether the html at a place differs. Signatures of the same templates share their slots: those are compared once. */
      function differsAt(): (place: string) => boolean {
        const equal = new Map<FrameSlot, Set<FrameSlot>>()
        return (each) => {
          const [one, other] = [was.places.get(each), is.places.get(each)]
          if (!one || !other || equal.get(one)?.has(other)) return false
          if (withBlock(one, was.html) !== withBlock(other, is.html)) return true
          equal.set(one, (equal.get(one) ?? new Set()).add(other))
          return false
        }
      }
      function standingIn({ block, html, places }: PlacesOfBlock): StandingBlock | null {
        if (!block) return null
        const shown = (place === undefined ? undefined : places.get(place)) ?? [...places.values()][0]
        return {
          html: shown ? withBlock(shown, html) : '',
          during: block.during,
          recipients: block.recipients,
          replies: block.replies,
        }
      }
    },

    /** How many references are kept for the next people. */
    keptReferences: () => personSlots.references() + slotOutcomes.references(),
  }

  function changesOf(
    outcomes: readonly SlotOutcome[],
    html: ReadonlyMap<string, ReadonlySet<BlockAspect>>,
  ): readonly BlockChange[] {
    const had = new Set(outcomes.flatMap((each) => each.had))
    const gets = new Set(outcomes.flatMap((each) => each.gets))
    const aspectsOf = (id: string) => {
      const differ = [...outcomes.map(({ aspects }) => aspects.get(id)), html.get(id)]
      return ASPECTS.filter((aspect) => differ.some((aspects) => aspects?.has(aspect)))
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
}

const NO_CHANGES: readonly BlockChange[] = []

/** A block of a release, its html, and the slots that show it for a person, by signature and use. */
type PlacesOfBlock = Readonly<{
  block: Block | null
  html: string
  places: ReadonlyMap<string, FrameSlot>
}>
/** The stretches of a slot that a signature does not show. */
const NOTHING: readonly Stretch[] = [{ from: -Infinity, to: Infinity, blocks: [] }]

const overlap = (one: Window, other: Window): Window => ({
  opens: Math.max(one.opens, other.opens),
  closes: Math.min(one.closes, other.closes),
})

const keyOf = (signatures: readonly SignatureSlots[]): string => signatures.map(({ key }) => key).join('')

/** What of a block is edited, besides its html and the days on which it opens. */
function editedIn(before: Release, was: Block, after: Release, is: Block): readonly BlockAspect[] {
  const aspects: BlockAspect[] = []
  if (was.name !== is.name) aspects.push('name')
  if (isForEveryone(was) !== isForEveryone(is)) aspects.push('people')
  if (timeOf(was).closes !== timeOf(is).closes) aspects.push('days')
  if (recipientDomains(before, was).join() !== recipientDomains(after, is).join()) aspects.push('recipients')
  if (was.replies !== is.replies) aspects.push('replies')
  return aspects
}

const windowText = (window: Window | null): string =>
  window === null ? '-' : `${String(window.opens)}:${String(window.closes)}`

/** Adds the blocks that stand at some time of the window. */
function* addStanding(
  ids: Set<string>,
  stretches: readonly Stretch[],
  { opens, closes }: Window,
): Steps<void> {
  for (const { from, to, blocks } of stretches) {
    if (from < closes && opens < to) for (const { id } of blocks) ids.add(id)
    yield
  }
}

function addAspects(
  aspects: Map<string, Set<BlockAspect>>,
  id: string,
  differing: readonly BlockAspect[],
): void {
  if (differing.length === 0) return
  const known = aspects.get(id) ?? new Set()
  for (const each of differing) known.add(each)
  aspects.set(id, known)
}

const idsOf = ({ blocks }: Stretch): ReadonlySet<string> => new Set(blocks.map(({ id }) => id))

/** How the blocks of a slot differ between two releases: ids. */
type Difference = Readonly<{
  /** Blocks that stand at some time in one release only. */
  moved: ReadonlySet<string>
  /** Blocks that stand in another order, at some time, among those that stand in both releases. */
  reordered: ReadonlySet<string>
  /** Blocks that stand in both releases at the same time. */
  shared: ReadonlySet<string>
  /** Blocks that stand at some time, in the old and in the new release. */
  standing: readonly [ReadonlySet<string>, ReadonlySet<string>]
}>

/** Compares the stretches of a slot in two releases within a window, in steps, one for each two that overlap. */
function* differing(
  was: readonly Stretch[],
  is: readonly Stretch[],
  { opens, closes }: Window,
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

/** Whether the places have the same html around their blocks. */
const havePiecesOf = (one: readonly FrameSlot[], other: readonly FrameSlot[]): boolean =>
  one.length === other.length &&
  one.every(({ pieces }, index) => {
    const others = other[index]?.pieces
    return pieces.length === others?.length && pieces.every((piece, place) => piece === others[place])
  })

/** A text of the places with a block in them. */
const htmlIn = (places: readonly FrameSlot[], html: string): string =>
  JSON.stringify(places.map((place) => withBlock(place, html)))

/** Where a slot stands in the html without blocks, and after how many other slots of the same place. */
const positionsOf = (slot: string, places: readonly FrameSlot[]): string =>
  places
    .flatMap(({ name, at }, index) =>
      name === slot
        ? [`${String(at)} ${String(places.slice(0, index).filter((each) => each.at === at).length)}`]
        : [],
    )
    .join()
