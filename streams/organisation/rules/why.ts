/** Explains why a person has a signature or lacks it, with one reason for each signature of a release. */
import { count, time } from '../../kernel/limits.ts'
import {
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type OutOf,
  record,
  text,
  union,
  variant,
} from '../../kernel/schema.ts'
import {
  type Block,
  type Condition,
  condition,
  conditionKeyOf,
  hours,
  type Period,
  period,
  recipients,
  type Release,
  type Selection,
  type Signature,
  thread,
} from '../release/release.ts'
import {
  allConditionsHold,
  candidatesIn,
  combinedIds,
  type CurrentDefault,
  currentDefault,
  isSignatureFor,
  matchesSelection,
  isBlockForEveryone,
  isPeriodOpen,
  lacksDomains,
  openTimesOf,
  pinnedFirst,
  placeInShare,
  shareOfPeople,
  fittingConditions,
  sendersFor,
  windowOf,
} from './rules.ts'
import { enteredDays } from './openTimes.ts'
import { personDetail } from '../release/selectors.ts'
import { type PersonState, personState } from '../facts/state.ts'

/** Why a person is selected: as everyone, or because all of these conditions hold. */
const fitting = union(oneOf('everyone'), list(condition))
export type SelectionReason = OutOf<typeof fitting>

const assignedBecause = object({
  signature: text,
  name: text,
  isAssigned: flag,
  isDefault: flag,
  /** The first group of conditions that selects the person; null without one, or if `not` wins. */
  because: nullable(fitting),
  /** The first group in `not` whose conditions hold; null without one. */
  leftOut: nullable(list(condition)),
  during: nullable(period),
  isOpen: flag,
  /** An administrator gave this signature to the person by hand. */
  isPinned: optional(flag),
  /** An administrator keeps the person without a signature. */
  isExcluded: optional(flag),
  /** The person's own addresses from which it is for them; absent for all of them, and from earlier services. */
  senders: optional(list(text)),
  thread,
})
export type AssignmentReason = OutOf<typeof assignedBecause>

/**
 * Why a person has no signature. `notOpen` names the first signature for the person that is outside its period.
 * With `excluded`, an administrator keeps the person without a signature. `leftOut` names the first signature that would be for the person without its `not`. `asked` has the keys of the
 * conditions in the release's signatures.
 */
export const noSignatureReason = variant(
  'kind',
  object({ kind: oneOf('hasLeft', 'nothingPublished', 'excluded', 'noneInRelease') }),
  object({ kind: oneOf('notOpen'), name: text, during: period }),
  object({ kind: oneOf('leftOut'), name: text, by: list(condition) }),
  object({ kind: oneOf('nothingFits'), asked: list(text) }),
)
export type NoSignatureReason = OutOf<typeof noSignatureReason>

/** A day of a person: the variable's name, and its value as entered. */
const enteredDay = object({ variable: text, value: text })

/**
 * Why a block may appear in a person's messages at a moment, or may not. `during` has the person's own days if the block
 * opens on them. With `notNow`, the block has hours, and opens again at `next`; null if not in the next days. With
 * `noOwnDays`, these values are no days from a first to a last one. `share` is the percentage of selected people
 * who get the block. With `always`, `by` names the earlier block of the slot that fits all messages.
 */
const blockReason = variant(
  'kind',
  object({
    kind: oneOf('mayStand'),
    because: fitting,
    /** Whether the block is for all people. `because` may be `everyone` even if some people are excluded. */
    everyone: flag,
    share: number,
    /** `mail`: `share` is a percentage of messages. Absent otherwise. */
    turns: optional(oneOf('mail')),
    during: nullable(period),
    recipients,
    replies: flag,
    thread,
    /** Absent for a block without hours. */
    hours: optional(hours),
  }),
  object({ kind: oneOf('notYet', 'over'), during: period }),
  object({ kind: oneOf('notNow'), hours, next: nullable(time) }),
  object({ kind: oneOf('noOwnDays'), from: enteredDay, to: enteredDay }),
  object({ kind: oneOf('leftOut'), by: list(condition) }),
  object({ kind: oneOf('notInShare'), share: number }),
  object({ kind: oneOf('always'), by: text }),
  object({ kind: oneOf('nothingFits') }),
)
export type BlockReason = OutOf<typeof blockReason>

/** A slot with its blocks in order of priority: the first block that fits a message appears. */
const explainedSlot = object({
  slot: text,
  blocks: list(object({ block: text, name: text, reason: blockReason })),
})
export type ExplainedSlot = OutOf<typeof explainedSlot>

/** Values with the address of somebody who has left the organisation. `path` is the variable, `label` its label. */
export const namesLeft = list(object({ path: text, label: nullable(text), address: text }))
export type NamesLeft = OutOf<typeof namesLeft>

/** A person's signatures and details at a moment. */
export const explainedPerson = object({
  person: personState,
  name: text,
  release: text,
  at: time,
  signatures: list(assignedBecause),
  default: nullable(currentDefault),
  mayChooseDefault: flag,
  mailboxes: list(text),
  details: list(personDetail),
  /** Why the person has no signature; null if the person has one. Earlier services omit it. */
  none: optional(nullable(noSignatureReason)),
  /** The labels of fields and variables, by name. */
  labels: optional(record(text)),
  /** The slots of the release. Earlier services omit it. */
  blocks: optional(list(explainedSlot)),
  /**
   * The deciding rule for each signature, block and mailbox, by paths such as `signatures.autumn`. Each has its line in
   * the `signet.yaml` that `signet export` writes. Earlier services omit it.
   */
  places: optional(record(object({ path: text, line: count }))),
  /** The people who have left and whose address is in a value of the person. Absent without such a value. */
  namesLeft: optional(namesLeft),
  /** The corrected fields that no variable and no rule of the release uses. Earlier services omit it. */
  unused: optional(list(text)),
})
export type ExplainedPerson = OutOf<typeof explainedPerson>

/** The first group in `not` whose conditions hold for a person; null without one. */
export const excludingConditions = ({ not }: Selection, person: PersonState): readonly Condition[] | null =>
  not.find((conditions) => allConditionsHold(conditions, person)) ?? null

/**
 * Explains for every signature of a release whether the person has it at a moment, and why. The order is the folder's,
 * after the signature that an administrator gave to the person, if the person has it.
 */
export function explainSignatures(
  release: Release,
  person: PersonState,
  at: number,
  due: CurrentDefault | null,
): readonly AssignmentReason[] {
  const master = due?.choice.master ?? null
  const isExcluded = person.corrections?.excluded !== undefined
  const explained = release.document.signatures.map((signature) => {
    const { id, name, during, selection, thread } = signature
    const because = fittingConditions(selection, person)
    const open = isPeriodOpen(during, at)
    const senders = because === null ? undefined : sendersFor(signature, person)
    return {
      signature: id,
      name,
      isAssigned: open && isSignatureFor(signature, person),
      isDefault: combinedIds(id, person.id) === master,
      because,
      leftOut: excludingConditions(selection, person),
      during,
      isOpen: open,
      ...(person.corrections?.pinned?.signature === id && { isPinned: true }),
      ...(isExcluded && { isExcluded }),
      ...(senders && { senders }),
      ...(thread && { thread }),
    }
  })
  const isFirst = explained.some(({ isPinned, isAssigned }) => isPinned && isAssigned)
  return isFirst ? pinnedFirst(explained, person, ({ signature }) => signature) : explained
}

/** Explains, for every slot of a release, which blocks may appear for a person at a moment, and why. */
export function explainBlocks(release: Release, person: PersonState, at: number): readonly ExplainedSlot[] {
  const slots = new Set(release.document.blocks?.map(({ slot }) => slot))
  return Array.from(slots, (slot) => {
    const candidates = candidatesIn(release, slot, person, at)
    return {
      slot,
      blocks: release.blocksIn(slot).map((block) => ({
        block: block.id,
        name: block.name,
        // Without the organisation's domains, no message fits a block for internal or external recipients.
        reason: lacksDomains(release, block)
          ? { kind: 'nothingFits' }
          : blockReasonOf(release, block, person, at, candidates),
      })),
    }
  })
}

/**
 * @param candidates the blocks that may appear in the slot; if later blocks are missing, the last candidate hides them
 */
function blockReasonOf(
  release: Release,
  block: Block,
  person: PersonState,
  at: number,
  candidates: readonly Block[],
): BlockReason {
  const { selection, share, turns, recipients, replies, thread, ownDays } = block
  const by = excludingConditions(selection, person)
  if (by !== null) return { kind: 'leftOut', by }
  const because = fittingConditions(selection, person)
  if (because === null) return { kind: 'nothingFits' }
  if (placeInShare(block, person) >= shareOfPeople(block)) return { kind: 'notInShare', share }
  const own = ownDays ? enteredDays(release, ownDays, person) : null
  if (ownDays && own?.period === null)
    return {
      kind: 'noOwnDays',
      from: { variable: ownDays.from, value: own.from },
      to: { variable: ownDays.to, value: own.to },
    }
  for (const during of [block.during, own?.period ?? null])
    if (during !== null && !isPeriodOpen(during, at))
      return { kind: at < (windowOf(during)?.opens ?? -Infinity) ? 'notYet' : 'over', during }
  const last = candidates.at(-1)
  const isCandidate = candidates.includes(block)
  if (block.hours) {
    const times = openTimesOf(release, block, person, at) ?? []
    const isOpen = times.some(([from, to]) => from <= at && at < to)
    if (!isOpen && (isCandidate || times.length === 0))
      return { kind: 'notNow', hours: block.hours, next: times.find(([from]) => from > at)?.[0] ?? null }
  }
  if (last !== undefined && !isCandidate) return { kind: 'always', by: last.name }
  return {
    kind: 'mayStand',
    because,
    everyone: isBlockForEveryone(block),
    share,
    ...(turns && { turns }),
    during: block.during ?? own?.period ?? null,
    recipients,
    replies,
    ...(thread && { thread }),
    ...(block.hours && { hours: block.hours }),
  }
}

/** The most condition keys in a reason. */
const MAX_ASKED = 10

/** The first condition keys in a release's signatures, in order and without duplicates. */
function askedIn({ document }: Release): readonly string[] {
  const keys = document.signatures.flatMap(({ selection }) =>
    selection.for === 'everyone' ? [] : selection.for.flat().map(conditionKeyOf),
  )
  return [...new Set(keys)].slice(0, MAX_ASKED)
}

/**
 * Why a person has no signature at a moment; null if the person has one.
 *
 * @param release null before the first release
 * @param due the person's default at that moment
 */
export function whyNoSignature(
  release: Release | null,
  person: PersonState,
  at: number,
  due: CurrentDefault | null,
): NoSignatureReason | null {
  if (!person.active) return { kind: 'hasLeft' }
  if (release === null) return { kind: 'nothingPublished' }
  if (due !== null) return null
  if (person.corrections?.excluded) return { kind: 'excluded' }
  const { signatures } = release.document
  if (signatures.length === 0) return { kind: 'noneInRelease' }
  for (const signature of signatures) {
    const { name, during } = signature
    if (during !== null && !isPeriodOpen(during, at) && isSignatureFor(signature, person))
      return { kind: 'notOpen', name, during }
  }
  for (const { name, selection } of signatures) {
    const by = excludingConditions(selection, person)
    if (by && matchesSelection({ ...selection, not: [] }, person)) return { kind: 'leftOut', name, by }
  }
  return { kind: 'nothingFits', asked: askedIn(release) }
}

/**
 * Why the person has a signature or lacks it. `isFirst`: it is the first signature of the release. `isForMain`: a
 * signature above it is for another address of the person. `senders`: the addresses that it is for, if not for all.
 */
export type SignatureReason =
  | Readonly<{
      kind: 'default'
      by: 'user' | 'organisation'
      isFirst: boolean
      isForMain?: boolean
      because: SelectionReason
      during: Period | null
      thread?: Signature['thread']
    }>
  | Readonly<{
      kind: 'has'
      because: SelectionReason
      during: Period | null
      thread?: Signature['thread']
      senders?: readonly string[]
    }>
  /** An administrator gave it to the person by hand. `by` chose the default; null if it is not the default. */
  | Readonly<{ kind: 'pinned'; by: 'user' | 'organisation' | null; during: Period | null }>
  /** It would be for the person, but an administrator keeps the person without a signature. */
  | Readonly<{ kind: 'excluded' }>
  | Readonly<{ kind: 'notOpen'; during: Period }>
  | Readonly<{ kind: 'leftOut'; by: readonly Condition[] }>
  | Readonly<{ kind: 'nothingFits' }>

/**
 * The deciding reason for each signature, in the order of the signatures.
 *
 * @param by who chose the default; null without a default
 */
export const signatureReasons = (
  signatures: readonly AssignmentReason[],
  by: CurrentDefault['by'] | null,
): readonly SignatureReason[] =>
  signatures.map((signature, index) => {
    const {
      isDefault,
      because,
      leftOut,
      during,
      isOpen: open,
      thread,
      isPinned,
      isExcluded,
      senders,
    } = signature
    if (isExcluded && (isPinned || because !== null)) return { kind: 'excluded' }
    if (isPinned && (open || during === null)) return { kind: 'pinned', by: isDefault ? by : null, during }
    if (isPinned && during !== null) return { kind: 'notOpen', during }
    if (leftOut !== null) return { kind: 'leftOut', by: leftOut }
    if (because === null) return { kind: 'nothingFits' }
    if (!open && during !== null) return { kind: 'notOpen', during }
    const has = { because, during, ...(thread && { thread }) }
    if (!isDefault || by === null) return { kind: 'has', ...has, ...(senders && { senders }) }
    const isForMain =
      by === 'organisation' && signatures.slice(0, index).some((each) => each.isAssigned && each.senders)
    return { kind: 'default', by, isFirst: index === 0, ...(isForMain && { isForMain }), ...has }
  })
