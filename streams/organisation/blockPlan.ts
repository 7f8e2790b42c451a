/**
 * What publishing a release would change in the blocks of one person: which blocks the person gets, on which days from
 * the moment of the plan on, and how they look. A block whose period opens later counts as much as one that is open.
 */
import { flag, list, nullable, object, oneOf, type OutOf, text, union } from '../kernel/schema.ts'
import type { Steps } from '../kernel/steps.ts'
import type { Candidate } from '../html/slots.ts'
import { fitsAllMessages, type Stretch, stretching } from './calendar.ts'
import { type Block, period, type Release, type Signature } from './release.ts'
import { portraitAddress, releasePictureAddress, type SignatureKind, templatePath } from './render.ts'
import { assignedSignatures, fits, isBlockFor, recipientDomains, type Window, windowOf } from './rules.ts'
import { displayName, variableValues } from './selectors.ts'
import type { PersonState } from './state.ts'
import { type RenderContext, renderSlotted, renderTemplate, type Template } from './template.ts'

/**
 * What differs in a block: its html with what the template puts around it, its name, the days on which it stands, its
 * recipients, whether it stands in replies, its place among the blocks of its slot, the signatures that show it or its
 * place in them, or whether clicks on its links are counted.
 */
const aspect = oneOf('html', 'name', 'days', 'recipients', 'replies', 'order', 'places', 'clicks')
export type BlockAspect = OutOf<typeof aspect>

export const blockChange = {
  kind: oneOf('added', 'removed', 'changed'),
  /** The block's id. `name` and `slot` are those of the new release, or of the old one if the block is removed. */
  block: text,
  name: text,
  slot: text,
  /** What differs in a changed block; empty for an added or removed one. */
  aspects: list(aspect),
}
export type BlockChange = OutOf<ReturnType<typeof object<typeof blockChange>>>

/** Which messages a block is in, on which days. */
export const blockRule = {
  during: nullable(period),
  recipients: union(oneOf('everyone', 'internal', 'external'), list(text)),
  replies: flag,
}

/** A block as it stands in the first signature of a person that shows it. */
export const standingBlock = object({ html: text, ...blockRule })
export type StandingBlock = OutOf<typeof standingBlock>

export const SIGNATURE_USES: readonly SignatureKind[] = ['signature', 'reply', 'mobile']

/** The place of a block in a text. No template has this text, because a file has no zero character. */
const BLOCK = '\0block\0'
/** Stands in no message, so that the html stays without blocks. */
const STUB: Candidate = {
  ...{ id: '', name: '', html: BLOCK, audiences: [], replies: false, everyone: false, closes: null },
}

/**
 * The html of a template without blocks, and its slots: `at` is the place in this html, and `around` are the texts that
 * go before, between and after the block, whichever block it is.
 */
export type Look = Readonly<{
  html: string
  slots: readonly Readonly<{ name: string; at: number; around: readonly string[] }>[]
}>

export type PersonRenderer = ReturnType<typeof createPersonRenderer>

/**
 * Renders for one person. A template that several signatures share is rendered only once.
 *
 * @param pictures the base of all addresses of pictures
 */
export function createPersonRenderer(pictures: string, person: PersonState) {
  const contexts = new Map<Release, RenderContext>()
  const looks = new Map<Release, Map<string, Look | null>>()

  function contextOf(release: Release): RenderContext {
    const known = contexts.get(release)
    if (known) return known
    const pictureUrl = portraitAddress(pictures, person.picture)
    const context: RenderContext = {
      values: {
        ...variableValues(release, person, { pictureUrl }),
        display_name: displayName(release, person),
      },
      pictureUrl: (path) => releasePictureAddress(release, pictures, path),
    }
    contexts.set(release, context)
    return context
  }

  return {
    look(release: Release, signature: Signature, use: SignatureKind): Look | null {
      const path = templatePath(signature, use)
      if (path === null) return null
      const ofRelease = looks.get(release) ?? new Map<string, Look | null>()
      looks.set(release, ofRelease)
      const known = ofRelease.get(path)
      if (known !== undefined) return known
      const template = release.templateOf(path)
      const look = template && lookOf(template, contextOf(release))
      ofRelease.set(path, look)
      return look
    },

    /** The html of a block, and whether clicks on one of its links are counted. */
    block(release: Release, block: Block): Readonly<{ html: string; isCounted: boolean }> {
      const template = release.templateOf(block.template)
      const counted = new Set<string>()
      const countedUrl = (address: string) => {
        counted.add(address)
        return address
      }
      const html = template ? renderTemplate(template, { ...contextOf(release), countedUrl }) : ''
      return { html, isCounted: counted.size > 0 && release.document.counting === true }
    },
  }
}

function lookOf(template: Template, context: RenderContext): Look {
  const { html, slots = [] } = renderSlotted(template, { ...context, blocksIn: () => [STUB] })
  return {
    html,
    slots: slots.map(({ name, start, candidates: [around] }) => ({
      name,
      at: start,
      around: around?.html.split(BLOCK) ?? [],
    })),
  }
}

/** The names of the slots of a template, and whether everyone's html has them: none stands below a condition. */
function slotsOf({ steps }: Template): Readonly<{ names: ReadonlySet<string>; isFixed: boolean }> {
  const names = new Set<string>()
  let isFixed = true
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
      isFixed &&= !isBelow
    }
  }
  read(steps, false)
  return { names, isFixed }
}

type Slots = ReturnType<typeof slotsOf>

/** The names of the slots that a person's html of a signature has, by use; `key` is a text of them. */
type Showing = Readonly<{ slots: ReadonlyMap<SignatureKind, ReadonlySet<string>>; key: string }>

const showing = (slots: Showing['slots']): Showing => ({
  slots,
  key: [...slots].map(([use, names]) => `${use} ${[...names].join(' ')}`).join(),
})
const SHOWS_NOTHING = showing(new Map())

const ALWAYS: Window = { opens: -Infinity, closes: Infinity }
const NEVER: Window = { opens: 0, closes: 0 }
const timeOf = ({ during }: Pick<Block, 'during'>): Window =>
  during === null ? ALWAYS : (windowOf(during) ?? NEVER)

/** What a release has of slots and blocks from a moment on. */
function createSide(release: Release | null, at: number) {
  const signatures = release?.document.signatures ?? []
  const uses = new Map<string, ReadonlyMap<SignatureKind, Slots>>()
  const fixed = new Map<string, Showing>()
  const read = new Map<string, Slots>()
  for (const signature of signatures) {
    const all = new Map<SignatureKind, Slots>()
    for (const use of SIGNATURE_USES) {
      const path = templatePath(signature, use)
      const template = path === null ? null : release?.templateOf(path)
      if (path === null || !template) continue
      const slots = read.get(path) ?? slotsOf(template)
      read.set(path, slots)
      if (slots.names.size > 0) all.set(use, slots)
    }
    if (all.size === 0) continue
    uses.set(signature.id, all)
    if ([...all.values()].every(({ isFixed }) => isFixed))
      fixed.set(signature.id, showing(new Map([...all].map(([use, { names }]) => [use, names]))))
  }
  const shown = new Set(
    [...uses.values()].flatMap((all) => [...all.values()].flatMap(({ names }) => [...names])),
  )
  return {
    release,
    /** The uses with slots, by signature. */
    uses,
    /** What signatures show whose slots do not depend on the person. */
    fixed,
    /** The blocks that a signature shows, in the order of the folder. */
    blocks: (release?.document.blocks ?? []).filter(
      (block) => shown.has(block.slot) && timeOf(block).closes > at,
    ),
    /** The signatures that are not open yet. */
    later: signatures.filter((signature) => timeOf(signature).opens > at),
  }
}
type Side = ReturnType<typeof createSide>

/** The signatures of a person in one release that may show a block, and what each shows. */
type Shown = readonly Readonly<{ signature: Signature; shows: Showing }>[]

/** The stretches of a slot in a use of a signature. A block that stands in no replies never stands in a reply version. */
type StretchesOf = (slot: string, use: SignatureKind) => readonly Stretch[]

/** Blocks of both releases that stand in the same slot at the same time, by id. */
type Shared = ReadonlyMap<string, readonly [was: Block, is: Block]>
type SharedUse = Readonly<{
  signature: string
  use: SignatureKind
  /** By slot. */
  slots: ReadonlyMap<string, Shared>
}>

/** What follows from the signatures and the blocks that a person has, whatever the person's values are. */
type Outcome = Readonly<{
  gets: readonly string[]
  had: ReadonlySet<string>
  aspects: ReadonlyMap<string, ReadonlySet<BlockAspect>>
  shared: readonly SharedUse[]
  /** Those of `shared` whose html could differ for people with the same values in both releases. */
  suspects: readonly SharedUse[]
}>

/** Outcomes in memory. People with equal rules share one, so there are few; a plan with more begins again. */
const MAX_OUTCOMES = 2_000

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
  const outcomes = new Map<string, Outcome>()

  /** Each distinct rule about people once, with the blocks that have it. */
  const rules: Block[] = []
  const ruleOf = new Map<Block, number>()
  const ruleByText = new Map<string, number>()
  for (const block of [...old.blocks, ...now.blocks]) {
    const { id, selection, share } = block
    const rule = JSON.stringify([selection, share, share < 100 && id])
    const index = ruleByText.get(rule) ?? rules.push(block) - 1
    ruleByText.set(rule, index)
    ruleOf.set(block, index)
  }

  const formerBlocks = new Map(old.blocks.map((block) => [block.id, block]))
  const edited = new Map(
    now.blocks.map((block) => {
      const former = formerBlocks.get(block.id)
      return [block.id, before && former ? editedIn(before, former, after, block) : []] as const
    }),
  )

  /** The signatures of a person that may show a block: those that are open, and those that open later. */
  const signaturesOf = (side: Side, person: PersonState, open: readonly Signature[]): readonly Signature[] =>
    [...open, ...side.later.filter(({ selection }) => fits(selection, person))].filter(({ id }) =>
      slotted.has(id),
    )

  const shownTo = (
    side: Side,
    person: PersonState,
    open: readonly Signature[],
    renderer: PersonRenderer,
  ): Shown =>
    signaturesOf(side, person, open).map((signature) => ({
      signature,
      shows: side.fixed.get(signature.id) ?? showingTo(side, signature, renderer),
    }))

  const showingTo = ({ release, uses }: Side, signature: Signature, renderer: PersonRenderer): Showing => {
    const all = uses.get(signature.id)
    if (!release || !all) return SHOWS_NOTHING
    const namesIn = (use: SignatureKind) =>
      new Set(renderer.look(release, signature, use)?.slots.map(({ name }) => name))
    return showing(
      new Map([...all].map(([use, { names, isFixed }]) => [use, isFixed ? names : namesIn(use)])),
    )
  }

  /** The stretches of the slots of one release for people for whom these rules are true. */
  function* stretchesOf(side: Side, isFor: readonly boolean[]): Steps<StretchesOf> {
    const { release } = side
    const stretches = new Map<string, readonly Stretch[]>()
    const inReplies = new Map<string, readonly Stretch[]>()
    for (const slot of release ? new Set(side.blocks.map((block) => block.slot)) : []) {
      const timed = side.blocks
        .filter((block) => block.slot === slot && isFor[ruleOf.get(block) ?? -1])
        .map((block) => ({
          ...{ block, ...timeOf(block) },
          endsList: release !== null && fitsAllMessages(release, block),
        }))
      const all = yield* stretching(timed, at, Infinity)
      stretches.set(slot, all)
      inReplies.set(
        slot,
        all.map((each) => ({ ...each, blocks: each.blocks.filter(({ replies }) => replies) })),
      )
    }
    return (slot, use) => (use === 'reply' ? inReplies : stretches).get(slot) ?? NOTHING
  }

  function* outcomeOf(had: Shown, gets: Shown, isFor: readonly boolean[]): Steps<Outcome> {
    const was = yield* stretchesOf(old, isFor)
    const is = yield* stretchesOf(now, isFor)
    const hadIds = standing(had, was)
    const getsIds = standing(gets, is)
    yield
    const aspects = new Map<string, Set<BlockAspect>>()
    const add = (id: string, differing: readonly BlockAspect[]) => {
      if (differing.length === 0 || !hadIds.has(id) || !getsIds.has(id)) return
      const known = aspects.get(id) ?? new Set()
      for (const each of differing) known.add(each)
      aspects.set(id, known)
    }
    const walked = new Map<string, Walk>()
    const formerly = new Map(had.map((each) => [each.signature.id, each]))
    const shared: SharedUse[] = []
    for (const { signature, shows } of gets) {
      const former = formerly.get(signature.id)
      if (!former) continue
      const window = overlap(overlap(timeOf(former.signature), timeOf(signature)), {
        opens: at,
        closes: Infinity,
      })
      for (const use of SIGNATURE_USES) {
        const [one, other] = [former.shows.slots.get(use), shows.slots.get(use)]
        const slots = new Map<string, Shared>()
        for (const slot of new Set([...(one ?? []), ...(other ?? [])])) {
          const [first, second] = [one?.has(slot) === true, other?.has(slot) === true]
          const key = JSON.stringify([slot, use === 'reply', first, second, window.opens, window.closes])
          const walk =
            walked.get(key) ??
            walkOf(first ? was(slot, use) : NOTHING, second ? is(slot, use) : NOTHING, window)
          walked.set(key, walk)
          slots.set(slot, walk.shared)
          for (const id of walk.moved)
            add(id, [walk.standing[0].has(id) && walk.standing[1].has(id) ? 'days' : 'places'])
          for (const id of walk.reordered) add(id, ['order'])
          for (const id of walk.shared.keys()) add(id, edited.get(id) ?? [])
        }
        if ([...slots.values()].some((each) => each.size > 0))
          shared.push({ signature: signature.id, use, slots })
      }
      yield
    }
    return {
      gets: now.blocks.filter(({ id }) => getsIds.has(id)).map(({ id }) => id),
      had: hadIds,
      aspects,
      shared,
      suspects: shared.filter(
        ({ signature, slots }) =>
          suspects.signatures.has(signature) ||
          [...slots.values()].some((each) => [...each.keys()].some((id) => suspects.blocks.has(id))),
      ),
    }
  }

  /** What differs in the html of blocks that a person has in both releases. */
  function htmlAspects(
    shared: readonly SharedUse[],
    renderer: PersonRenderer,
    hasOtherValues: boolean,
  ): ReadonlyMap<string, ReadonlySet<BlockAspect>> {
    const aspects = new Map<string, Set<BlockAspect>>()
    const add = (id: string, differing: BlockAspect) => {
      const known = aspects.get(id) ?? new Set()
      aspects.set(id, known.add(differing))
    }
    if (!before) return aspects
    const blocks = new Map<string, ReturnType<typeof renderBoth>>()
    const renderBoth = (was: Block, is: Block) =>
      [renderer.block(before, was), renderer.block(after, is)] as const
    for (const { signature: id, use, slots } of shared) {
      const mayLookDifferent = hasOtherValues || suspects.signatures.has(id)
      const isSuspect = (block: string) => hasOtherValues || suspects.blocks.has(block)
      const [former, signature] = [before.signatureOf(id), after.signatureOf(id)]
      const is = signature && renderer.look(after, signature, use)
      const was = mayLookDifferent ? former && renderer.look(before, former, use) : is
      if (!was || !is) continue
      const placesIn = ({ slots: all }: Look) => all.filter(({ name }) => slots.has(name))
      const [wasAll, isAll] = [placesIn(was), placesIn(is)]
      const isFrameEqual = was.html === is.html
      for (const [slot, both] of slots) {
        const ofSlot = (all: Look['slots']) => all.filter(({ name }) => name === slot)
        const [wasPlaces, isPlaces] = [ofSlot(wasAll), ofSlot(isAll)]
        const hasOtherPlaces =
          wasPlaces.length !== isPlaces.length ||
          (isFrameEqual && positionsOf(slot, wasAll) !== positionsOf(slot, isAll))
        const hasOtherAround = JSON.stringify(aroundOf(wasPlaces)) !== JSON.stringify(aroundOf(isPlaces))
        for (const [block, [one, other]] of both) {
          if (hasOtherPlaces) add(block, 'places')
          if (!hasOtherAround && !isSuspect(block)) continue
          const [oldBlock, newBlock] = blocks.get(block) ?? renderBoth(one, other)
          blocks.set(block, [oldBlock, newBlock])
          const isShown = isPlaces.some(({ around }) => around.length > 1)
          if (isShown && oldBlock.isCounted !== newBlock.isCounted) add(block, 'clicks')
          const texts = (places: Look['slots'], html: string) =>
            aroundOf(places).map((around) => around.join(html))
          if (
            wasPlaces.length === isPlaces.length &&
            JSON.stringify(texts(wasPlaces, oldBlock.html)) !== JSON.stringify(texts(isPlaces, newBlock.html))
          )
            add(block, 'html')
        }
      }
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
      const isFor: boolean[] = []
      for (const block of rules) {
        isFor.push(isBlockFor(block, person))
        yield
      }
      const [wasShown, isShown] = [shownTo(old, person, had, renderer), shownTo(now, person, gets, renderer)]
      const key = `${isFor.map(Number).join('')} ${keyOf(wasShown)} ${keyOf(isShown)}`
      let outcome = outcomes.get(key)
      if (!outcome) {
        outcome = yield* outcomeOf(wasShown, isShown, isFor)
        if (outcomes.size >= MAX_OUTCOMES) outcomes.clear()
        outcomes.set(key, outcome)
      }
      const html = htmlAspects(hasOtherValues ? outcome.shared : outcome.suspects, renderer, hasOtherValues)
      return { gets: outcome.gets, changes: changesOf(outcome, html) }
    },

    /** A block that changes, as it stands for a person before and after: where it differs, or where it stands first. */
    sample(
      { block: id }: BlockChange,
      person: PersonState,
      renderer: PersonRenderer,
    ): Readonly<{ before: StandingBlock | null; after: StandingBlock | null }> {
      const [was, is] = [old, now].map((side) => {
        const block = side.blocks.find((each) => each.id === id)
        const { release } = side
        const htmls = new Map<string, string>()
        if (!release || !block) return { block: undefined, htmls }
        const { html } = renderer.block(release, block)
        for (const signature of signaturesOf(side, person, assignedSignatures(release, person, at)))
          for (const use of SIGNATURE_USES) {
            if (use === 'reply' && !block.replies) continue
            const place = renderer
              .look(release, signature, use)
              ?.slots.find(({ name }) => name === block.slot)
            if (place) htmls.set(`${signature.id} ${use}`, place.around.join(html))
          }
        return { block, htmls }
      }) as [{ block?: Block; htmls: Map<string, string> }, { block?: Block; htmls: Map<string, string> }]
      const differs = [...is.htmls].find(
        ([place, html]) => was.htmls.has(place) && was.htmls.get(place) !== html,
      )
      const place = differs?.[0] ?? [...is.htmls.keys()].find((each) => was.htmls.has(each))
      const standingIn = ({ block, htmls }: typeof was): StandingBlock | null => {
        if (!block) return null
        const html = (place === undefined ? undefined : htmls.get(place)) ?? [...htmls.values()][0] ?? ''
        return { html, during: block.during, recipients: block.recipients, replies: block.replies }
      }
      return { before: standingIn(was), after: standingIn(is) }
    },
  }

  function changesOf(
    outcome: Outcome,
    html: ReadonlyMap<string, ReadonlySet<BlockAspect>>,
  ): readonly BlockChange[] {
    const { had, aspects } = outcome
    if (had.size === 0 && outcome.gets.length === 0) return NO_CHANGES
    const gets = new Set(outcome.gets)
    const change = (
      kind: BlockChange['kind'],
      { id, name, slot }: Block,
      differing: readonly BlockAspect[],
    ) => ({
      ...{ kind, block: id, name, slot },
      aspects: differing,
    })
    return [
      ...now.blocks.flatMap((block) => {
        if (!gets.has(block.id)) return []
        if (!had.has(block.id)) return [change('added', block, [])]
        const differing = new Set([...(aspects.get(block.id) ?? []), ...(html.get(block.id) ?? [])])
        return differing.size === 0
          ? []
          : [
              change(
                'changed',
                block,
                ASPECTS.filter((each) => differing.has(each)),
              ),
            ]
      }),
      ...old.blocks.flatMap((block) =>
        had.has(block.id) && !gets.has(block.id) ? [change('removed', block, [])] : [],
      ),
    ]
  }
}

const NO_CHANGES: readonly BlockChange[] = []
const ASPECTS: readonly BlockAspect[] = [
  ...(['html', 'name', 'days', 'recipients', 'replies', 'order', 'places', 'clicks'] as const),
]
/** The stretches of a slot that a signature does not show. */
const NOTHING: readonly Stretch[] = [{ from: -Infinity, to: Infinity, blocks: [] }]

const overlap = (one: Window, other: Window): Window => ({
  opens: Math.max(one.opens, other.opens),
  closes: Math.min(one.closes, other.closes),
})

const keyOf = (shown: Shown): string =>
  shown.map(({ signature, shows }) => `${signature.id}:${shows.key}`).join(';')

/** What of a block is edited, besides its html and the people whom it is for. */
const editedIn = (before: Release, was: Block, after: Release, is: Block): readonly BlockAspect[] => [
  ...(was.name === is.name ? [] : (['name'] as const)),
  ...(timeOf(was).closes === timeOf(is).closes ? [] : (['days'] as const)),
  ...(recipientDomains(before, was).join() === recipientDomains(after, is).join()
    ? []
    : (['recipients'] as const)),
  ...(was.replies === is.replies ? [] : (['replies'] as const)),
]

/** The ids of the blocks that stand in one of the signatures at some time. */
function standing(shown: Shown, stretchesOf: StretchesOf): ReadonlySet<string> {
  const ids = new Set<string>()
  const known = new Set<string>()
  for (const { signature, shows } of shown) {
    const { opens, closes } = timeOf(signature)
    for (const [use, names] of shows.slots)
      for (const slot of names) {
        const key = JSON.stringify([slot, use === 'reply', opens, closes])
        if (known.has(key)) continue
        known.add(key)
        for (const { from, to, blocks } of stretchesOf(slot, use))
          if (from < closes && opens < to) for (const { id } of blocks) ids.add(id)
      }
  }
  return ids
}

/** How the blocks of a slot differ between two releases: ids. */
type Walk = Readonly<{
  /** Blocks that stand at some time in one release only. */
  moved: ReadonlySet<string>
  /** Blocks that stand in another order, at some time, among those that stand in both releases. */
  reordered: ReadonlySet<string>
  shared: Shared
  /** Blocks that stand at some time, in the old and in the new release. */
  standing: readonly [ReadonlySet<string>, ReadonlySet<string>]
}>

/** Compares the stretches of a slot in two releases, within a window. */
function walkOf(was: readonly Stretch[], is: readonly Stretch[], { opens, closes }: Window): Walk {
  const moved = new Set<string>()
  const reordered = new Set<string>()
  const shared = new Map<string, readonly [Block, Block]>()
  const all = [new Set<string>(), new Set<string>()] as const
  let [index, other] = [0, 0]
  for (;;) {
    const [one, two] = [was[index], is[other]]
    if (!one || !two) return { moved, reordered, shared, standing: all }
    if (Math.max(one.from, two.from, opens) < Math.min(one.to, two.to, closes)) {
      const [former, present] = [one.blocks, two.blocks].map(
        (blocks) => new Map(blocks.map((block) => [block.id, block])),
      ) as [Map<string, Block>, Map<string, Block>]
      for (const id of former.keys()) {
        all[0].add(id)
        if (!present.has(id)) moved.add(id)
      }
      for (const id of present.keys()) {
        all[1].add(id)
        if (!former.has(id)) moved.add(id)
      }
      const inOldOrder = [...former.keys()].filter((id) => present.has(id))
      const inNewOrder = [...present.keys()].filter((id) => former.has(id))
      for (const [place, id] of inNewOrder.entries()) {
        const [block, newBlock] = [former.get(id), present.get(id)]
        if (block && newBlock) shared.set(id, [block, newBlock])
        if (inOldOrder[place] !== id) reordered.add(id)
      }
    }
    if (one.to <= two.to) index += 1
    if (two.to <= one.to) other += 1
  }
}

const aroundOf = (places: Look['slots']) => places.map(({ around }) => around)

/** Where a slot stands in the html without blocks, and after how many other slots of the same place. */
const positionsOf = (slot: string, places: Look['slots']): string =>
  places
    .flatMap(({ name, at }, index) =>
      name === slot
        ? [`${String(at)} ${String(places.slice(0, index).filter((each) => each.at === at).length)}`]
        : [],
    )
    .join()
