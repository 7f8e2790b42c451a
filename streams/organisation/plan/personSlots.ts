/** Finds the slots in a person's signatures, and when each is shown, in two releases. */
import type { Block, Release, Signature } from '../release/release.ts'
import { isSignatureFor, type PeriodWindow, windowOf } from '../rules/rules.ts'
import { SIGNATURE_USES, type SignatureKind, templatePath } from '../rendering/render.ts'
import { createCache } from './keptReferences.ts'
import type { PersonRenderer } from '../rendering/personRenderer.ts'
import type { PersonState } from '../facts/state.ts'
import type { Template } from '../template/template.ts'

/**
 * Reads the slots of a template. `isFixed`: everyone's html has these slots, because none is inside a condition.
 * `pieces` has the html around the blocks of all slots, as text; null if it depends on the person.
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

/** A signature, and the slots in a person's html by use. `key` identifies both. */
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

const ALWAYS: PeriodWindow = { opens: -Infinity, closes: Infinity }
export const NEVER_OPEN: PeriodWindow = { opens: 0, closes: 0 }
export const blockWindow = ({ during }: Pick<Block, 'during'>): PeriodWindow =>
  during === null ? ALWAYS : (windowOf(during) ?? NEVER_OPEN)

/** Collects the slots and blocks of a release from a moment on. */
export function createReleaseSide(release: Release | null, at: number) {
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
    /** The blocks that signatures show, by id, in the order of the folder. */
    blocks: new Map(
      (release?.document.blocks ?? [])
        .filter((block) => shown.has(block.slot) && blockWindow(block).closes > at)
        .map((block) => [block.id, block]),
    ),
    /** The signatures whose period is in the future. */
    later: signatures.filter((signature) => blockWindow(signature).opens > at),
  }
}
export type ReleaseSide = ReturnType<typeof createReleaseSide>

/**
 * When one of a person's signatures shows a slot. `was` is the signature's period in the old release, `is` in the new
 * one; null if the slot is missing there. During `both`, the person has the signature in both releases, with or without
 * the slot. `key` identifies these times.
 */
type SlotTimes = Readonly<{
  key: string
  was: PeriodWindow | null
  is: PeriodWindow | null
  both: PeriodWindow | null
}>

/** A use of a signature that a person has in both releases. `slots` maps each slot to the key of its times. */
export type UseInBoth = Readonly<{
  signature: string
  use: SignatureKind
  slots: ReadonlyMap<string, string>
  /** Whether the html around the blocks is the same for everyone in both releases. */
  hasEqualPieces: boolean
}>

/** A slot with the distinct times at which a person's signatures show it. `key` identifies both. */
export type ShownSlot = Readonly<{ slot: string; times: readonly SlotTimes[]; key: string }>

/** The slots in a person's signatures. People with the same signatures share them. */
type PersonSlots = Readonly<{
  slots: readonly ShownSlot[]
  inBoth: readonly UseInBoth[]
  /** The uses in `inBoth` whose html could differ even if the person's values are equal in both releases. */
  suspects: readonly UseInBoth[]
}>

/** The ids of the signatures and blocks whose html could differ, and the slots of these blocks. */
export type SuspectIds = Readonly<Record<'signatures' | 'blocks' | 'slots', ReadonlySet<string>>>

/** Finds people's slots. Caches them for people with the same signatures. */
export function createPersonSlots(old: ReleaseSide, now: ReleaseSide, suspects: SuspectIds) {
  const slotted = new Set([...old.uses.keys(), ...now.uses.keys()])
  const known = createCache<PersonSlots>(
    ({ slots, inBoth }) =>
      slots.reduce((sum, { times }) => sum + times.length, 0) +
      inBoth.reduce((sum, each) => sum + each.slots.size, 0),
  )

  /** The person's signatures that have slots, open now or later. */
  const signaturesOf = (
    side: ReleaseSide,
    person: PersonState,
    open: readonly Signature[],
  ): readonly Signature[] =>
    [...open, ...side.later.filter((signature) => isSignatureFor(signature, person))].filter(({ id }) =>
      slotted.has(id),
    )

  const slottedFor = (
    side: ReleaseSide,
    person: PersonState,
    open: readonly Signature[],
    renderer: PersonRenderer,
  ): readonly SignatureSlots[] =>
    signaturesOf(side, person, open).map(
      (signature) => side.fixed.get(signature.id) ?? slottedOf(side, signature, renderer),
    )

  function slottedOf({ release, uses }: ReleaseSide, signature: Signature, renderer: PersonRenderer) {
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
    const same = known.get(key)
    if (same) return same
    const timesOfSlots = new Map<string, Map<string, SlotTimes>>()
    const inBoth: UseInBoth[] = []
    const [formerly, presently] = [was, is].map(
      (all) => new Map(all.map((each) => [each.signature.id, each])),
    )
    for (const id of new Set([...was, ...is].map(({ signature }) => signature.id))) {
      const [one, two] = [formerly?.get(id), presently?.get(id)]
      const both = one && two ? overlap(blockWindow(one.signature), blockWindow(two.signature)) : null
      for (const use of SIGNATURE_USES) {
        const ofUse = new Map<string, string>()
        const [oneSlots, twoSlots] = [one?.slots.get(use), two?.slots.get(use)]
        for (const slot of new Set([...(oneSlots ?? []), ...(twoSlots ?? [])])) {
          const wasTime = one && oneSlots?.has(slot) ? blockWindow(one.signature) : null
          const isTime = two && twoSlots?.has(slot) ? blockWindow(two.signature) : null
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
    return known.keep(key, {
      slots: [...timesOfSlots].map(([slot, times]) => ({
        slot,
        times: [...times.values()],
        key: [slot, ...[...times.keys()].sort()].join(),
      })),
      inBoth,
      suspects: inBoth.filter(
        ({ signature, slots }) =>
          suspects.signatures.has(signature) || [...slots.keys()].some((slot) => suspects.slots.has(slot)),
      ),
    })
  }

  return {
    signaturesOf,

    /**
     * Finds the slots of one person.
     *
     * @param had the person's signatures in the old release
     * @param gets the person's signatures in the new release
     */
    slotsOf: (
      person: PersonState,
      had: readonly Signature[],
      gets: readonly Signature[],
      renderer: PersonRenderer,
    ): PersonSlots =>
      slotsFor(slottedFor(old, person, had, renderer), slottedFor(now, person, gets, renderer)),

    references: known.references,
  }
}

/** The time in both windows. It closes before it opens, or at once, if they share none. */
export const overlap = (one: PeriodWindow, other: PeriodWindow): PeriodWindow => ({
  opens: Math.max(one.opens, other.opens),
  closes: Math.min(one.closes, other.closes),
})

const keyOf = (signatures: readonly SignatureSlots[]): string => signatures.map(({ key }) => key).join('')

/** A text that is equal for equal windows. */
export const windowText = (window: PeriodWindow | null): string =>
  window === null ? '-' : `${String(window.opens)}:${String(window.closes)}`
