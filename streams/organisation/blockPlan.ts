/**
 * What publishing a release would change in the blocks of one person: which blocks the person gets, on which days from
 * the moment of the plan on, and how they look. A block whose period opens later counts as much as one that is open.
 */
import { flag, list, nullable, object, oneOf, type OutOf, text } from '../kernel/schema.ts'
import type { Steps } from '../kernel/steps.ts'
import type { Candidate } from '../html/slots.ts'
import { type Stretch, stretching } from './calendar.ts'
import { type Block, period, recipients, type Release, type Signature } from './release.ts'
import { contextOf as ofPerson, portraitAddress, type SignatureKind, templatePath } from './render.ts'
import {
  assignedSignatures,
  fits,
  fitsAllMessages,
  isBlockFor,
  recipientDomains,
  type Window,
  windowOf,
} from './rules.ts'
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
  recipients,
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
    const context = ofPerson(release, person, { pictures, pictureUrl })
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

/** The slots are rendered when they are asked for: most people's blocks can be compared without them. */
function lookOf(template: Template, context: RenderContext): Look {
  let known: Look['slots'] | null = null
  return {
    html: renderTemplate(template, context),
    get slots() {
      known ??= (renderSlotted(template, { ...context, blocksIn: () => [STUB] }).slots ?? []).map(
        ({ name, start, candidates: [around] }) => ({
          ...{ name, at: start },
          around: around?.html.split(BLOCK) ?? [],
        }),
      )
      return known
    },
  }
}

/**
 * The names of the slots of a template, and whether everyone's html has them: none stands below a condition. `around`
 * is a text of the html around the blocks of all slots; null if it depends on the person.
 */
function slotsOf({ steps }: Template): Readonly<{
  names: ReadonlySet<string>
  isFixed: boolean
  around: string | null
}> {
  const names = new Set<string>()
  const around: unknown[] = []
  const depends = { onConditions: false, onValues: false }
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
      depends.onConditions ||= isBelow
      const inner = all.slice(index + 1, step.to)
      depends.onValues ||= inner.some(({ kind }) => kind !== 'html' && kind !== 'block')
      around.push(step.name, inner)
    }
  }
  read(steps, false)
  const isFixed = !depends.onConditions
  return { names, isFixed, around: isFixed && !depends.onValues ? JSON.stringify(around) : null }
}

type Slots = ReturnType<typeof slotsOf>

/** A signature with the slots that a person's html of it has, by use; `key` is a text of both. */
type Showing = Readonly<{
  signature: Signature
  slots: ReadonlyMap<SignatureKind, ReadonlySet<string>>
  key: string
}>

const showing = (signature: Signature, slots: Showing['slots']): Showing => ({
  ...{ signature, slots },
  key: `${signature.id}:${[...slots].map(([use, names]) => `${use} ${[...names].join(' ')}`).join()};`,
})

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
    if (all.size > 0) uses.set(signature.id, all)
    if ([...all.values()].every(({ isFixed }) => isFixed))
      fixed.set(signature.id, showing(signature, new Map([...all].map(([use, { names }]) => [use, names]))))
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

/** What the signatures of a person in one release show of those that may show a block. */
type Shown = readonly Showing[]

/**
 * A slot in a use of a signature: `was` is the signature's period in the old release if the person has it there with
 * this slot, `is` the same in the new release. In the period `both`, the person has the signature in both releases.
 */
type Cell = Readonly<{
  slot: string
  /** Only replies show this use, and so no block that does not stand in replies. */
  isReply: boolean
  was: Window | null
  is: Window | null
  both: Window | null
  /** How the blocks differ, by the rules of the slot that are true for a person. */
  walks: Cache<Walk>
}>

/** A use of a signature that a person has in both releases, with the cells of its slots. */
type KeptUse = Readonly<{
  signature: string
  use: SignatureKind
  cells: ReadonlyMap<string, Cell>
  /** Whether the same block has other html in it only for a person with other values. */
  hasEqualAround: boolean
}>

/** The distinct cells of a slot in a person's signatures. `outcomes` are by the rules that are true for a person. */
type SlotCells = Readonly<{ slot: string; cells: readonly Cell[]; outcomes: Cache<Outcome> }>

/** The distinct cells of a person's signatures. Most people have one of a few sets of signatures. */
type Cells = Readonly<{
  slots: readonly SlotCells[]
  kept: readonly KeptUse[]
  /** Those of `kept` in which html could differ for a person with the same values in both releases. */
  suspects: readonly KeptUse[]
}>

/** The blocks of one slot, for people with the same signatures for whom the same blocks are. */
type Outcome = Readonly<{
  had: readonly string[]
  gets: readonly string[]
  aspects: ReadonlyMap<string, ReadonlySet<BlockAspect>>
  isQuiet: boolean
}>

/** Blocks of both releases that stand in the same slot at the same time, by id. */
type Shared = ReadonlyMap<string, readonly [was: Block, is: Block]>

type Cache<Value> = Readonly<{
  get: (key: string) => Value | undefined
  keep: (key: string, value: Value) => Value
}>

/** Values by keys. People share keys, so there are few; a cache with more begins again. */
function createCache<Value>(): Cache<Value> {
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    keep(key, value) {
      if (values.size >= MAX_KEPT) values.clear()
      values.set(key, value)
      return value
    },
  }
}
const MAX_KEPT = 2_000
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
  const suspectSlots = new Set(now.blocks.filter(({ id }) => suspects.blocks.has(id)).map(({ slot }) => slot))
  const profiles = createCache<Cells>()
  const allCells = createCache<Cell>()
  const slotCells = createCache<SlotCells>()
  const stretches = createCache<readonly Stretch[]>()

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
  const rulesOfSlots = new Map<string, Set<number>>()
  for (const [{ slot }, rule] of ruleOf) {
    const rulesOfSlot = rulesOfSlots.get(slot) ?? new Set()
    rulesOfSlots.set(slot, rulesOfSlot.add(rule))
  }
  /** Whether each rule of a slot is true for a person, as a text. */
  function fitsIn(slot: string, isFor: readonly boolean[]): string {
    let text = ''
    for (const rule of rulesOfSlots.get(slot) ?? []) text += isFor[rule] === true ? '1' : '0'
    return text
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
    signaturesOf(side, person, open).map(
      (signature) => side.fixed.get(signature.id) ?? showingTo(side, signature, renderer),
    )

  function showingTo({ release, uses }: Side, signature: Signature, renderer: PersonRenderer): Showing {
    const namesIn = (use: SignatureKind) =>
      new Set(release && renderer.look(release, signature, use)?.slots.map(({ name }) => name))
    return showing(
      signature,
      new Map(
        [...(uses.get(signature.id) ?? [])].map(([use, { names, isFixed }]) => [
          use,
          isFixed ? names : namesIn(use),
        ]),
      ),
    )
  }

  function cellsOf(was: Shown, is: Shown): Cells {
    const key = `${keyOf(was)} ${keyOf(is)}`
    const known = profiles.get(key)
    if (known) return known
    const cells = new Map<string, Cell>()
    const kept: KeptUse[] = []
    const [formerly, presently] = [was, is].map(
      (all) => new Map(all.map((each) => [each.signature.id, each])),
    )
    for (const id of new Set([...was, ...is].map(({ signature }) => signature.id))) {
      const [one, two] = [formerly?.get(id), presently?.get(id)]
      const both = one && two ? overlap(timeOf(one.signature), timeOf(two.signature)) : null
      for (const use of SIGNATURE_USES) {
        const ofUse = new Map<string, Cell>()
        const [oneSlots, twoSlots] = [one?.slots.get(use), two?.slots.get(use)]
        for (const slot of new Set([...(oneSlots ?? []), ...(twoSlots ?? [])])) {
          const cell = {
            ...{ slot, isReply: use === 'reply', both },
            was: one && oneSlots?.has(slot) ? timeOf(one.signature) : null,
            is: two && twoSlots?.has(slot) ? timeOf(two.signature) : null,
          }
          const cellKey = [slot, cell.isReply, ...[cell.was, cell.is, both].map(windowText)].join(' ')
          const same = allCells.get(cellKey) ?? allCells.keep(cellKey, { ...cell, walks: createCache() })
          cells.set(cellKey, same)
          ofUse.set(slot, same)
        }
        const [wasAround, isAround] = [old, now].map((side) => side.uses.get(id)?.get(use)?.around ?? null)
        const hasEqualAround = wasAround !== null && wasAround === isAround
        if (both && ofUse.size > 0) kept.push({ signature: id, use, cells: ofUse, hasEqualAround })
      }
    }
    const bySlot = new Map<string, Map<string, Cell>>()
    for (const [cellKey, cell] of cells) {
      const ofSlot = bySlot.get(cell.slot) ?? new Map<string, Cell>()
      bySlot.set(cell.slot, ofSlot.set(cellKey, cell))
    }
    return profiles.keep(key, {
      slots: [...bySlot].map(([slot, ofSlot]) => {
        const slotKey = [...ofSlot.keys()].sort().join()
        return (
          slotCells.get(slotKey) ??
          slotCells.keep(slotKey, { slot, cells: [...ofSlot.values()], outcomes: createCache() })
        )
      }),
      kept,
      suspects: kept.filter(
        ({ signature, cells: all }) =>
          suspects.signatures.has(signature) || [...all.keys()].some((slot) => suspectSlots.has(slot)),
      ),
    })
  }

  /** The stretches of a slot in one release, for people for whom its rules are true as in `fitting`. */
  function* stretchesOf(
    side: Side,
    { slot, isReply }: Cell,
    isFor: readonly boolean[],
    fitting: string,
  ): Steps<readonly Stretch[]> {
    const key = `${side === now ? 'now' : 'old'} ${slot} ${String(isReply)} ${fitting}`
    const known = stretches.get(key)
    if (known) return known
    const { release } = side
    const timed = side.blocks
      .filter(
        (block) =>
          block.slot === slot && isFor[ruleOf.get(block) ?? -1] === true && (block.replies || !isReply),
      )
      .map((block) => ({
        ...{ block, ...timeOf(block) },
        endsList: release !== null && fitsAllMessages(release, block),
      }))
    return stretches.keep(key, yield* stretching(timed, at, Infinity))
  }

  function* walkOf(cell: Cell, isFor: readonly boolean[], fitting: string): Steps<Walk> {
    const known = cell.walks.get(fitting)
    if (known) return known
    return cell.walks.keep(
      fitting,
      walk(
        cell.was ? yield* stretchesOf(old, cell, isFor, fitting) : NOTHING,
        cell.is ? yield* stretchesOf(now, cell, isFor, fitting) : NOTHING,
        cell.both ?? NEVER,
      ),
    )
  }

  function* outcomeOf({ slot, cells, outcomes }: SlotCells, isFor: readonly boolean[]): Steps<Outcome> {
    const fitting = fitsIn(slot, isFor)
    const known = outcomes.get(fitting)
    if (known) return known
    const [had, gets] = [new Set<string>(), new Set<string>()]
    const aspects = new Map<string, Set<BlockAspect>>()
    for (const cell of cells) {
      if (cell.was) addStanding(had, yield* stretchesOf(old, cell, isFor, fitting), cell.was)
      if (cell.is) addStanding(gets, yield* stretchesOf(now, cell, isFor, fitting), cell.is)
      const { moved, reordered, shared, standing } = yield* walkOf(cell, isFor, fitting)
      for (const id of moved)
        addAspects(aspects, id, standing[0].has(id) && standing[1].has(id) ? ['days'] : ['places'])
      for (const id of reordered) addAspects(aspects, id, ['order'])
      for (const id of shared.keys()) addAspects(aspects, id, edited.get(id) ?? [])
      yield
    }
    const isQuiet = aspects.size === 0 && had.size === gets.size && [...had].every((id) => gets.has(id))
    return outcomes.keep(fitting, { had: [...had], gets: [...gets], aspects, isQuiet })
  }

  /** What differs in the html of blocks that a person has in both releases. */
  function* htmlAspects(
    kept: readonly KeptUse[],
    isFor: readonly boolean[],
    renderer: PersonRenderer,
    hasOtherValues: boolean,
  ): Steps<ReadonlyMap<string, ReadonlySet<BlockAspect>>> {
    const aspects = new Map<string, Set<BlockAspect>>()
    if (!before) return aspects
    const rendered = new Map<string, ReturnType<typeof renderBoth>>()
    const renderBoth = (was: Block, is: Block) =>
      [renderer.block(before, was), renderer.block(after, is)] as const
    const isSuspect = (block: string) => hasOtherValues || suspects.blocks.has(block)
    for (const { signature: id, use, cells, hasEqualAround } of kept) {
      const [former, signature] = [before.signatureOf(id), after.signatureOf(id)]
      const is = signature && renderer.look(after, signature, use)
      const mayDiffer = hasOtherValues || suspects.signatures.has(id)
      const was = mayDiffer ? former && renderer.look(before, former, use) : is
      if (!was || !is) continue
      const isHtmlEqual = !hasOtherValues && suspects.blocks.size === 0
      if (isHtmlEqual && ((hasEqualAround && was.html !== is.html) || hasEqualSlots(was, is))) continue
      const shared = new Map<string, Shared>()
      for (const [slot, cell] of cells)
        shared.set(slot, (yield* walkOf(cell, isFor, fitsIn(slot, isFor))).shared)
      const filled = ({ slots }: Look) => slots.filter(({ name }) => (shared.get(name)?.size ?? 0) > 0)
      const [wasAll, isAll] = [filled(was), filled(is)]
      for (const [slot, blocks] of shared) {
        const [wasPlaces, isPlaces] = [wasAll, isAll].map((all) => all.filter(({ name }) => name === slot))
        if (!wasPlaces || !isPlaces || blocks.size === 0) continue
        const isMoved =
          wasPlaces.length !== isPlaces.length ||
          (was.html === is.html && positionsOf(slot, wasAll) !== positionsOf(slot, isAll))
        const hasOtherAround = mayDiffer && textOf(wasPlaces, BLOCK) !== textOf(isPlaces, BLOCK)
        for (const [block, both] of blocks) {
          if (isMoved) addAspects(aspects, block, ['places'])
          if (!hasOtherAround && !isSuspect(block)) continue
          const [oldBlock, newBlock] = rendered.get(block) ?? renderBoth(...both)
          rendered.set(block, [oldBlock, newBlock])
          if (oldBlock.isCounted !== newBlock.isCounted && isPlaces.some(({ around }) => around.length > 1))
            addAspects(aspects, block, ['clicks'])
          if (
            wasPlaces.length === isPlaces.length &&
            textOf(wasPlaces, oldBlock.html) !== textOf(isPlaces, newBlock.html)
          )
            addAspects(aspects, block, ['html'])
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
      const isFor: boolean[] = []
      for (const block of rules) {
        isFor.push(block.share < 100 ? isBlockFor(block, person) : fits(block.selection, person))
        if (isFor.length % RULES_AT_ONCE === 0) yield
      }
      const cells = cellsOf(shownTo(old, person, had, renderer), shownTo(now, person, gets, renderer))
      const slots: Outcome[] = []
      for (const slot of cells.slots) slots.push(yield* outcomeOf(slot, isFor))
      const looked = hasOtherValues ? cells.kept : cells.suspects
      const html = yield* htmlAspects(looked, isFor, renderer, hasOtherValues)
      const isQuiet = html.size === 0 && slots.every((slot) => slot.isQuiet)
      return {
        gets: slots.flatMap((slot) => slot.gets),
        changes: isQuiet ? NO_CHANGES : changesOf(slots, html),
      }
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
    slots: readonly Outcome[],
    html: ReadonlyMap<string, ReadonlySet<BlockAspect>>,
  ): readonly BlockChange[] {
    const had = new Set(slots.flatMap((slot) => slot.had))
    const gets = new Set(slots.flatMap((slot) => slot.gets))
    const differingIn = (id: string) => {
      const differing = new Set(
        [...slots.map(({ aspects }) => aspects.get(id)), html.get(id)].flatMap((all) => [...(all ?? [])]),
      )
      return ASPECTS.filter((each) => differing.has(each))
    }
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
        const differing = differingIn(block.id)
        return differing.length === 0 ? [] : [change('changed', block, differing)]
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

const keyOf = (shown: Shown): string => shown.map(({ key }) => key).join('')

/** What of a block is edited, besides its html and the people whom it is for. */
const editedIn = (before: Release, was: Block, after: Release, is: Block): readonly BlockAspect[] => [
  ...(was.name === is.name ? [] : (['name'] as const)),
  ...(timeOf(was).closes === timeOf(is).closes ? [] : (['days'] as const)),
  ...(recipientDomains(before, was).join() === recipientDomains(after, is).join()
    ? []
    : (['recipients'] as const)),
  ...(was.replies === is.replies ? [] : (['replies'] as const)),
]

const windowText = (window: Window | null): string =>
  window === null ? '-' : `${String(window.opens)}:${String(window.closes)}`

/** Adds the blocks that stand at some time of the window. */
function addStanding(ids: Set<string>, stretches: readonly Stretch[], { opens, closes }: Window): void {
  for (const { from, to, blocks } of stretches)
    if (from < closes && opens < to) for (const { id } of blocks) ids.add(id)
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
function walk(was: readonly Stretch[], is: readonly Stretch[], { opens, closes }: Window): Walk {
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

/** Whether every block that is the same stands in both with the same html around it, at the same place. */
const hasEqualSlots = (was: Look, is: Look): boolean =>
  was.slots.length === is.slots.length &&
  is.slots.every(({ name, at, around }, index) => {
    const other = was.slots[index]
    return (
      name === other?.name &&
      (at === other.at || was.html !== is.html) &&
      around.length === other.around.length &&
      around.every((text, place) => text === other.around[place])
    )
  })

/** A text of the places with a block in them. */
const textOf = (places: Look['slots'], html: string): string =>
  JSON.stringify(places.map(({ around }) => around.join(html)))

/** Where a slot stands in the html without blocks, and after how many other slots of the same place. */
const positionsOf = (slot: string, places: Look['slots']): string =>
  places
    .flatMap(({ name, at }, index) =>
      name === slot
        ? [`${String(at)} ${String(places.slice(0, index).filter((each) => each.at === at).length)}`]
        : [],
    )
    .join()
