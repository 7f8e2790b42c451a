/**
 * Plans what publishing a release would change: for one person, and for all people, grouped by change. Both releases
 * are compared at the same moment. A shared mailbox counts as a person.
 */
import type { Guard } from '../../html/slots.ts'
import { count } from '../../kernel/limits.ts'
import {
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type OutOf,
  text,
  union,
} from '../../kernel/schema.ts'
import type { Steps } from '../../kernel/steps.ts'
import {
  POSTAL_ADDRESS,
  CARD_ADDRESS,
  type Block,
  condition,
  type ReleaseDocument,
  type Release,
  type Signature,
  type Variable,
} from '../release/release.ts'
import { blockChange, type BlockChange, blockRule, blockRuleOf, blockSample } from './blockChange.ts'
import { type BlockPlans, createBlockPlans } from './blockPlan.ts'
import { overlap, windowText } from './personSlots.ts'
import { coverage, createCoverage, createKeyBuilder } from '../rules/coverage.ts'
import { contentHash } from '../../html/hash.ts'
import { createPersonRenderer, type PersonRenderer } from '../rendering/personRenderer.ts'
import {
  releasePictureAddress,
  type SentPictures,
  sentPictures,
  SIGNATURE_USES,
  type SignatureKind,
  templatePath,
} from '../rendering/render.ts'
import {
  assignedSignatures,
  recipientAudiences,
  sendersFor,
  defaultChoice,
  findingHiddenBlocks,
  isSignatureFor,
  pinnedFirst,
  currentDefaultChoice,
  guardFor,
  type CurrentDefault,
  mayChooseDefault,
  parseCombinedIds,
  visibleMetadata,
  visibleSignature,
  fittingConditions,
  windowOf,
  type Owners,
  type PeriodWindow,
} from '../rules/rules.ts'
import {
  comparingMailboxes,
  countMailboxes,
  namedMailboxes,
  type MailboxChange,
  type MailboxRights,
} from '../rules/mailboxRights.ts'
import { MANAGER_PREFIX, WRITER_PREFIX } from '../release/names.ts'
import { COUNTRY_FIELD, isMailbox, NAME_PARTS, templateValues } from '../release/selectors.ts'
import type { PersonState } from '../facts/state.ts'
import { type Placeholder, placeholdersIn, renderTemplate, variablesIn } from '../template/template.ts'
import { noSignatureReason, whyNoSignature } from '../rules/why.ts'

/**
 * A changed aspect of a signature: the html of one use, or a property. `linked`: a picture that was attached is linked
 * now; `attached` is the opposite.
 */
const aspect = oneOf(
  ...SIGNATURE_USES,
  'linked',
  'attached',
  'name',
  'recipients',
  'senders',
  'thread',
  'collection',
)
export type SignatureAspect = OutOf<typeof aspect>

const kind = oneOf('added', 'removed', 'changed')

const signatureChange = {
  kind,
  /** The signature's id. `name` comes from the new release, or from the old release for a removed signature. */
  signature: text,
  name: text,
  /** The changed aspects; empty for an added or removed signature. */
  aspects: list(aspect),
}

/** A default signature: its combined ids and its name. */
const namedChoice = object({ choice: currentDefaultChoice, name: text })
/**
 * Why the person gets the new default: it was chosen, is for everyone, or these conditions hold. Null without a new
 * default.
 */
const because = nullable(union(oneOf('user', 'everyone', 'pinned'), list(condition)))
const changeOfDefault = object({ from: nullable(namedChoice), to: nullable(namedChoice), because })
export type DefaultChange = OutOf<typeof changeOfDefault>

/** Variables that a signature always shows and that have no value. `more` counts those that are not listed. */
const missing = { signature: text, name: text, variables: list(text), more: optional(count) }

export const personPlan = object({
  person: text,
  /** The mail address. */
  address: text,
  signatures: list(object(signatureChange)),
  default: nullable(changeOfDefault),
  /** The person would lose every signature. */
  losesAll: flag,
  /** Whether the order of the signatures that the person keeps differs. */
  reordered: flag,
  /** Whether the person may choose the default in the new release; null if unchanged. */
  mayChoose: nullable(flag),
  /**
   * The first mailboxes that the person may write for only in the new release (`added`) or only in the old one
   * (`removed`). `more` counts those that are not listed; absent if all are.
   */
  mailboxes: object({
    added: list(text),
    removed: list(text),
    more: optional(object({ added: count, removed: count })),
  }),
  /** Missing values in added and changed signatures of the new release. */
  missing: list(object(missing)),
  /** Absent without block changes; earlier services always omit it. */
  blocks: optional(list(object(blockChange))),
  /** The change to the add-in's questions before sending; absent if unchanged. */
  asked: optional(kind),
  /** Why the person has no signature in the new release; absent for a person with one, and from earlier services. */
  none: optional(noSignatureReason),
})
export type PersonPlan = OutOf<typeof personPlan>
export type SignatureChange = PersonPlan['signatures'][number]
export type MissingValues = PersonPlan['missing'][number]

/** The html of a signature for a person, by use; null for a use that the signature lacks. */
const rendition = object({
  signature: nullable(text),
  reply: nullable(text),
  mobile: nullable(text),
  /** Earlier services omit it. */
  meeting: optional(nullable(text)),
})
export type Rendition = OutOf<typeof rendition>

/** A number of people, with one of them as a sample: the id and the mail address. */
const counted = { people: count, sample: object({ person: text, address: text }) }

/** A block in the new release, and the number of people who get it during its period. */
const reachedBlock = object({
  block: text,
  name: text,
  slot: text,
  people: count,
  ...blockRule,
  share: number,
  /** `mail`: `share` is a percentage of messages. Absent otherwise. */
  turns: optional(oneOf('mail')),
})
export type ReachedBlock = OutOf<typeof reachedBlock>

/** The groups of people for each kind of change, largest first. */
export const planSummary = object({
  people: count,
  unchanged: count,
  /**
   * `before` and `after` are the sample's html. Both are null for a group that is not rendered. `sampleWriter` is set if
   * one of them shows a mailbox with a sample of the person who writes; otherwise absent.
   */
  signatures: list(
    object({
      ...signatureChange,
      ...counted,
      before: nullable(rendition),
      after: nullable(rendition),
      sampleWriter: optional(flag),
    }),
  ),
  defaults: list(object({ ...counted, from: nullable(text), to: nullable(text), because })),
  losing: list(object(counted)),
  reordered: list(object(counted)),
  choosing: list(object({ ...counted, mayChoose: flag })),
  /** Changes to the add-in's questions before sending. Absent without any; earlier services always omit it. */
  asked: optional(list(object({ ...counted, kind }))),
  mailboxes: list(object({ ...counted, address: text, kind: oneOf('added', 'removed') })),
  missing: list(object({ ...counted, ...missing })),
  /**
   * `before` and `after` are the sample's block. Both are null for a group that is not rendered. Absent without
   * changes, and from earlier services.
   */
  blocks: optional(
    list(
      object({
        ...blockChange,
        ...counted,
        before: nullable(blockSample),
        after: nullable(blockSample),
      }),
    ),
  ),
  /** All blocks in the new release, in folder order. Absent without blocks; earlier services always omit it. */
  reach: optional(list(reachedBlock)),
  /** For the new release. Earlier services omit it. */
  coverage: optional(coverage),
  /** The number of changes and missing values left out because there are too many groups; absent for 0. */
  more: optional(count),
})
export type BlockGroup = NonNullable<PlanSummary['blocks']>[number]
export type PlanSummary = OutOf<typeof planSummary>
export type SignatureGroup = PlanSummary['signatures'][number]
export type PeopleCount = PlanSummary['losing'][number]

/** A variable that was added, removed or declared differently. */
export const variableChange = object({ path: text, kind })
export type VariableChange = OutOf<typeof variableChange>

/** Two releases, and the differences between them that are the same for every person. */
export type ReleaseComparison = Readonly<{
  before: Release | null
  after: Release
  /** The base URL of all pictures. */
  pictures: string
  /** The signatures whose html could differ. */
  suspects: ReadonlySet<string>
  /**
   * By signature id: lists of variables that the signature always shows. One variable in each list must have a value.
   */
  required: ReadonlyMap<string, Required>
  /** By signature id: the variables that the signature tests for a value in either release. */
  asked: ReadonlyMap<string, ReadonlySet<string>>
  /** The addresses of mailboxes with different values in the two releases. */
  mailboxes: ReadonlySet<string>
  /** Finds mailboxes that people may write for in only one of the releases. */
  rights: MailboxRights
  /** The ids of signatures with different recipients in the two releases. */
  otherRecipients: ReadonlySet<string>
  /** The blocks that never appear in the new release, by id, each with the block that always replaces it. */
  hidden: ReadonlyMap<string, Block>
  /** Compares the blocks from a moment on; null if neither release has blocks. */
  blocksFrom: (at: number) => BlockPlans | null
  /** Whether either release limits how many people a publish may change. */
  isLimited: boolean
}>

/** Lists of variables, each with its text for a plan. One variable in each list must have a value. */
type Required = readonly Readonly<{ paths: readonly string[]; text: string }>[]

/**
 * The maximum number of groups of people who see the same difference. Further people are grouped only by signature and
 * change.
 */
const MAX_LOOKS = 200
/** The maximum number of cached renditions. */
const MAX_RENDITIONS = 1000
/** The maximum length of the groups in each list of a plan, in characters of JSON without the html. */
const MAX_GROUPS_CHARACTERS = 2_000_000
/** The maximum length of all html in a plan, in characters. Further groups are not rendered. */
export const MAX_DRAWN_CHARACTERS = 5_000_000
/** The maximum number of missing variables that a plan lists for each of a person's signatures. */
export const MAX_MISSING_VARIABLES = 20

/**
 * Compares two releases in steps, one for each signature.
 *
 * @param before null before the first release
 * @param pictures the base URL of all pictures, without a trailing slash
 */
export function* comparingReleases(
  before: Release | null,
  after: Release,
  pictures: string,
): Steps<ReleaseComparison> {
  const former = new Map(before?.document.signatures.map((signature) => [signature.id, signature]))
  const texts = new Map<string, number>()
  const usedBefore = before && createUses(before, texts)
  const usedAfter = createUses(after, texts)
  const suspects = new Set<string>()
  const asked = new Map<string, ReadonlySet<string>>()
  const required = new Map<string, Required>()
  const otherRecipients = new Set<string>()
  // Signatures with the same templates share these results.
  const keyOf = createKeyBuilder()
  const keyOfUses = (uses: readonly (Use | null)[]) => uses.map((use) => keyOf([], use)).join()
  const askedBy = createShared(askedIn, keyOfUses)
  const requiredOf = createShared(requiredBy, keyOfUses)
  for (const signature of after.document.signatures) {
    const { id } = signature
    const old = former.get(id)
    const uses = usedAfter.ofSignature(signature)
    const oldUses = usedBefore && old ? usedBefore.ofSignature(old) : []
    if (old && oldUses.map(inputsOf).join() !== uses.map(inputsOf).join()) suspects.add(id)
    asked.set(id, askedBy([...uses, ...oldUses]))
    required.set(id, requiredOf(uses))
    if (
      before &&
      old &&
      !areSameDomains(recipientAudiences(before, old), recipientAudiences(after, signature))
    )
      otherRecipients.add(id)
    yield
  }
  const formerBlocks = new Map<string, Block>()
  for (const block of before?.document.blocks ?? []) {
    formerBlocks.set(block.id, block)
    // Caches the period's window now. Reading it is slow, and the first person's plan would have to wait.
    if (block.during) windowOf(block.during)
    yield
  }
  const blocks = new Set<string>()
  for (const block of after.document.blocks ?? []) {
    if (block.during) windowOf(block.during)
    const old = formerBlocks.get(block.id)
    if (old && usedBefore?.ofBlock(old) !== usedAfter.ofBlock(block)) blocks.add(block.id)
    yield
  }
  return {
    before,
    after,
    pictures,
    suspects,
    asked,
    required,
    hidden: yield* findingHiddenBlocks(after.document),
    mailboxes: yield* mailboxesThatDiffer(before?.document.mailboxes ?? [], after.document.mailboxes),
    rights: yield* comparingMailboxes(before?.document.mailboxes ?? [], after.document.mailboxes),
    otherRecipients,
    blocksFrom: blockPlansOf(before, after, { signatures: suspects, blocks }),
    isLimited: before?.document.limits !== undefined || after.document.limits !== undefined,
  }
}

/**
 * Returns a function that creates the block plans from a moment on. It creates them once, because all people of a plan
 * share its moment.
 */
function blockPlansOf(
  before: Release | null,
  after: Release,
  suspects: Parameters<typeof createBlockPlans>[2],
): ReleaseComparison['blocksFrom'] {
  if (!before?.document.blocks && !after.document.blocks) return () => null
  let last: Readonly<{ at: number; plans: BlockPlans }> | null = null
  return (at) => {
    last = last?.at === at ? last : { at, plans: createBlockPlans(before, after, suspects, at) }
    return last.plans
  }
}

/**
 * A person's plan. `reached` has the ids of all blocks that the person gets in the new release, changed or not. `due`
 * is the default in the new release. `rights` has all mailboxes that the person may write for in only one of the
 * releases, even those that the plan does not list. `isChanged`: publishing changes something for the person at the
 * plan's moment, or at any later moment if either release has a limit.
 */
export type PlannedPerson = Readonly<{
  person: PersonState
  plan: PersonPlan
  reached: readonly string[]
  due: CurrentDefault | null
  rights: readonly MailboxChange[]
  isChanged: boolean
}>

const NO_BLOCKS: Readonly<{ gets: readonly string[]; changes: readonly BlockChange[] }> = {
  gets: [],
  changes: [],
}

/**
 * Plans the changes for one person, in steps, one for each signature.
 *
 * @param owners the mailboxes of both releases that are known as people, by id
 * @param at the time for checking periods, in milliseconds since 1970
 */
export function* planningPerson(
  comparison: ReleaseComparison,
  person: PersonState,
  owners: Owners,
  at: number,
): Steps<PlannedPerson> {
  const { before, after } = comparison
  const had = before ? assignedSignatures(before, person, at) : []
  const gets = assignedSignatures(after, person, at)
  const hadById = new Map(had.map((signature) => [signature.id, signature]))
  const getsIds = new Set(gets.map(({ id }) => id))
  const renderer = createPersonRenderer(comparison.pictures, person)
  const isWrittenFor = comparison.mailboxes.size > 0 && isMailbox(after, person)
  const hasOtherValues = isWrittenFor || person.addresses.some((each) => comparison.mailboxes.has(each))
  yield
  const signatures: SignatureChange[] = []
  for (const signature of gets) {
    const { id, name } = signature
    const old = hadById.get(id)
    if (!before || !old) {
      signatures.push({ kind: 'added', signature: id, name, aspects: [] })
      continue
    }
    const isSuspect = hasOtherValues || comparison.suspects.has(id)
    const aspects = aspectsThatDiffer(comparison, before, old, signature, person, renderer, isSuspect)
    if (aspects.length > 0) signatures.push({ kind: 'changed', signature: id, name, aspects })
    yield
  }
  for (const { id, name } of had)
    if (!getsIds.has(id)) signatures.push({ kind: 'removed', signature: id, name, aspects: [] })
  const rights = yield* comparison.rights.changing(person)
  const couldChoose = before !== null && mayChooseDefault(before, person)
  const mayChoose = mayChooseDefault(after, person)
  const touched = new Set(signatures.map(({ signature }) => signature))
  yield
  const blockPlans = comparison.blocksFrom(at)
  const blocks = blockPlans
    ? yield* blockPlans.planning(person, had, gets, renderer, hasOtherValues)
    : NO_BLOCKS
  const due = defaultChoice(after, person, at, owners)
  const none = gets.length > 0 ? null : whyNoSignature(after, person, at, due)
  const plan: PersonPlan = {
    person: person.id,
    address: person.addresses[0] ?? person.id,
    signatures,
    default: defaultChange(comparison, person, owners, at, due),
    losesAll: had.length > 0 && gets.length === 0,
    reordered: !isEqual(
      had.flatMap(({ id }) => (getsIds.has(id) ? id : [])),
      gets.flatMap(({ id }) => (hadById.has(id) ? id : [])),
    ),
    mayChoose: couldChoose === mayChoose ? null : mayChoose,
    mailboxes: namedMailboxes(rights, person),
    missing: missingOf(
      comparison,
      gets.filter(({ id }) => touched.has(id)),
      person,
    ),
    ...(blocks.changes.length > 0 && { blocks: blocks.changes }),
    ...askedOf(before && guardFor(before, person), guardFor(after, person)),
    ...(none && { none }),
  }
  const isChanged =
    changesAnything(plan) ||
    (comparison.isLimited && (yield* changingLater(comparison, person, owners, at, renderer, hasOtherValues)))
  return { person, plan, reached: blocks.gets, due, rights, isChanged }
}

/**
 * Whether publishing changes a person's signatures, their days or order, or the times of a chosen default, at any time
 * from a moment on. Runs in steps, one for each signature. Everything else is planned for all times (`blockPlan.ts`) or
 * does not depend on the time.
 */
function* changingLater(
  comparison: ReleaseComparison,
  person: PersonState,
  owners: Owners,
  at: number,
  renderer: PersonRenderer,
  hasOtherValues: boolean,
): Steps<boolean> {
  const { before, after } = comparison
  const gets = signaturesFrom(after, person, at)
  if (!before) return gets.length > 0
  const had = signaturesFrom(before, person, at)
  yield
  if (had.length !== gets.length) return true
  for (const [index, signature] of gets.entries()) {
    const old = had[index]
    if (old?.id !== signature.id || windowText(timeFrom(old, at)) !== windowText(timeFrom(signature, at)))
      return true
    const isSuspect = hasOtherValues || comparison.suspects.has(signature.id)
    if (aspectsThatDiffer(comparison, before, old, signature, person, renderer, isSuspect).length > 0)
      return true
    yield
  }
  return !isEqual(chosenTimes(before, person, owners, at), chosenTimes(after, person, owners, at))
}

/** A person's signatures that are open at a moment or later, in the order of `assignedSignatures`. */
const signaturesFrom = ({ document }: Release, person: PersonState, at: number): readonly Signature[] =>
  pinnedFirst(
    document.signatures.filter(
      (signature) => timeFrom(signature, at) !== null && isSignatureFor(signature, person),
    ),
    person,
    ({ id }) => id,
  )

/** The part of a signature's period from a moment on; null if there is none. */
function timeFrom({ during }: Signature, at: number): PeriodWindow | null {
  if (during === null) return { opens: at, closes: Infinity }
  const window = windowOf(during)
  const opens = Math.max(window?.opens ?? 0, at)
  return window !== null && opens < window.closes ? { opens, closes: window.closes } : null
}

/**
 * When the signatures chosen for new messages and for replies apply to the person, from a moment on, as texts to compare
 * with a release in which the person has the same signatures. The choice for replies applies only together with a
 * default: the choice for new messages, or one of the person's signatures.
 */
function chosenTimes(release: Release, person: PersonState, owners: Owners, at: number): readonly string[] {
  const { defaultSignature: chosen } = visibleMetadata(release, person)
  const seenFrom = (ids = ''): PeriodWindow | null => {
    const named = parseCombinedIds(ids)
    const signature = named && release.signatureOf(named.signature)
    const time = signature ? timeFrom(signature, at) : null
    return time && visibleSignature(release, person, ids, time.opens, owners) ? time : null
  }
  const [master, reply] = [seenFrom(chosen?.master), seenFrom(chosen?.reply)]
  const defaults = [master, ...signaturesFrom(release, person, at).map((each) => timeFrom(each, at))]
  const replies = defaults.map((each) => {
    const both = each && reply && overlap(each, reply)
    return both && both.opens < both.closes ? both : null
  })
  return [master, ...replies].map(windowText)
}

function askedOf(before: Guard | null, after: Guard | null): Pick<PersonPlan, 'asked'> {
  if (before === null || after === null)
    return before === after ? {} : { asked: before === null ? 'added' : 'removed' }
  const isSame =
    before.signature.length === after.signature.length &&
    before.signature.every((domains, index) => areSameDomains(domains, after.signature[index] ?? [])) &&
    isEqual(before.blocks, after.blocks)
  return isSame ? {} : { asked: 'changed' }
}

/**
 * Caches the comparisons of domain lists. Few are needed, because all rules with an organisation's domains share one
 * list.
 */
const compared = new WeakMap<readonly string[], WeakMap<readonly string[], boolean>>()

function areSameDomains(one: readonly string[], other: readonly string[]): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  const ofOne = compared.get(one) ?? new WeakMap<readonly string[], boolean>()
  compared.set(one, ofOne)
  const known = ofOne.get(other) ?? one.every((domain, index) => domain === other[index])
  ofOne.set(other, known)
  return known
}

/** Whether publishing changes anything for the person. Ignores missing values. */
export const changesAnything = (plan: PersonPlan): boolean =>
  plan.signatures.length > 0 ||
  plan.default !== null ||
  plan.reordered ||
  plan.mayChoose !== null ||
  plan.mailboxes.added.length > 0 ||
  plan.mailboxes.removed.length > 0 ||
  plan.blocks !== undefined ||
  plan.asked !== undefined

/** Creates a function that calls `draw`, or returns null if the plan already has enough html. */
function createDrawing() {
  let drawn = 0
  return function <Drawn>(draw: () => Drawn, lengthOf: (drawing: Drawn) => number): Drawn | null {
    if (drawn >= MAX_DRAWN_CHARACTERS) return null
    const drawing = draw()
    drawn += lengthOf(drawing)
    return drawing
  }
}
type DrawnOnce = ReturnType<typeof createDrawing>

/** Groups signature changes by change and appearance. */
function createSignatureGroups(comparison: ReleaseComparison, drawnOnce: DrawnOnce) {
  const groups = new Groups<SignatureGroup>()
  const renditions = createRenditions(comparison)

  function* adding(changes: readonly SignatureChange[], person: PersonState, one: PeopleCount): Steps<void> {
    const values = changes.some(({ kind }) => kind === 'changed') ? renditions.valuesOf(person) : null
    for (const change of changes) {
      const isFull = groups.size >= MAX_LOOKS
      const rendition = change.kind === 'changed' && values ? renditions.keyOf(change, values, isFull) : ''
      addSignature(change, rendition, person, one)
      yield
    }
  }
  const addSignature = (
    change: SignatureChange,
    rendition: string,
    person: PersonState,
    one: PeopleCount,
  ) => {
    const coarse = JSON.stringify([change.kind, change.signature, change.aspects])
    const key = coarse + rendition
    const kept = groups.has(key) || groups.size < MAX_LOOKS ? key : coarse
    groups.add(kept, () => {
      const of = (release: Release | null) =>
        drawnOnce(() => renditionFor(comparison, release, change, person), lengthOfRendition)
      const before = change.kind === 'added' ? null : of(comparison.before)
      const after = change.kind === 'removed' ? null : of(comparison.after)
      // Shows both sides or neither, because a missing side would look as if there were no signature.
      const isRenderedGroup = (change.kind === 'added' || before) && (change.kind === 'removed' || after)
      if (!isRenderedGroup) return { ...change, ...one, before: null, after: null }
      const releases = [before && comparison.before, after && comparison.after]
      const sampleWriter = releases.some((each) => each && hasSampleWriter(comparison, each, change, person))
      return { ...change, ...one, before, after, ...(sampleWriter && { sampleWriter }) }
    })
  }

  return { groups, adding }
}

/** Groups people by change, each group with a sample. People are added one by one, so few are in memory. */
export function groupPlans(comparison: ReleaseComparison, at: number) {
  let people = 0
  let unchanged = 0
  const defaults = new Groups<PlanSummary['defaults'][number]>()
  const losing = new Groups<PeopleCount>()
  const reordered = new Groups<PeopleCount>()
  const choosing = new Groups<PlanSummary['choosing'][number]>()
  const asked = new Groups<NonNullable<PlanSummary['asked']>[number]>()
  const mailboxes = countMailboxes()
  const missing = new Groups<PlanSummary['missing'][number]>()
  const blocks = new Groups<BlockGroup>()
  const reached = new Map<string, number>()

  const covered = createCoverage(comparison.after, comparison.hidden)
  const keyOf = createKeyBuilder()
  const drawnOnce = createDrawing()
  const signatures = createSignatureGroups(comparison, drawnOnce)

  function addBlock(change: BlockChange, person: PersonState, one: PeopleCount): void {
    blocks.add(JSON.stringify([change.kind, change.block, change.aspects]), () => {
      const { before = null, after = null } =
        drawnOnce(
          () =>
            comparison
              .blocksFrom(at)
              ?.sample(change, person, createPersonRenderer(comparison.pictures, person)),
          (sample) => (sample?.before?.html.length ?? 0) + (sample?.after?.html.length ?? 0),
        ) ?? {}
      return {
        ...change,
        ...one,
        before: change.kind === 'added' ? null : before,
        after: change.kind === 'removed' ? null : after,
      }
    })
  }

  /** Adds a person to the groups, in steps, one for each signature and block. */
  function* adding({ plan, person, reached: ids, due, rights }: PlannedPerson): Steps<void> {
    const one: PeopleCount = { people: 1, sample: { person: plan.person, address: plan.address } }
    people += 1
    if (!changesAnything(plan)) unchanged += 1
    yield* signatures.adding(plan.signatures, person, one)
    yield* covered.adding(person, due, plan.none ?? null)
    if (plan.default) {
      const line = {
        from: plan.default.from?.name ?? null,
        to: plan.default.to?.name ?? null,
        because: plan.default.because,
      }
      defaults.add(keyOf([line.from, line.to], line.because), () => ({ ...line, ...one }))
    }
    if (plan.losesAll) losing.add('', () => one)
    if (plan.reordered) reordered.add('', () => one)
    const { mayChoose, asked: question } = plan
    if (question) asked.add(question, () => ({ kind: question, ...one }))
    if (mayChoose !== null) choosing.add(String(mayChoose), () => ({ mayChoose, ...one }))
    mailboxes.add(rights, person)
    yield
    for (const each of plan.missing) missing.add(JSON.stringify(each), () => ({ ...each, ...one }))
    for (const id of ids) reached.set(id, (reached.get(id) ?? 0) + 1)
    for (const change of plan.blocks ?? []) {
      addBlock(change, person, one)
      yield
    }
  }

  const more = () =>
    [signatures.groups, defaults, missing, blocks].reduce((sum, groups) => sum + groups.more, 0)

  return {
    adding,
    summary: (): PlanSummary => ({
      people,
      unchanged,
      signatures: signatures.groups.list(),
      defaults: defaults.list(),
      losing: losing.list(),
      reordered: reordered.list(),
      choosing: choosing.list(),
      ...(asked.size > 0 && { asked: asked.list() }),
      mailboxes: mailboxes.list(),
      missing: missing.list(),
      ...(blocks.size > 0 && { blocks: blocks.list() }),
      ...(comparison.after.document.blocks && {
        reach: comparison.after.document.blocks.map((block): ReachedBlock => ({
          block: block.id,
          name: block.name,
          slot: block.slot,
          people: reached.get(block.id) ?? 0,
          ...blockRuleOf(block),
          share: block.share,
          ...(block.turns && { turns: block.turns }),
        })),
      }),
      coverage: covered.summary(reached),
      ...(more() > 0 && { more: more() }),
    }),
  }
}

/** Lists the changed variables in the order of the new release, then the removed variables. */
export function variableChanges(
  before: ReleaseDocument | null,
  after: ReleaseDocument,
): readonly VariableChange[] {
  const former = new Map(before?.variables.map((variable) => [variable.path, variable]))
  const paths = new Set(after.variables.map(({ path }) => path))
  return [
    ...after.variables.flatMap((variable): VariableChange[] => {
      const old = former.get(variable.path)
      if (!old) return [{ path: variable.path, kind: 'added' }]
      return isEqual(old, variable) ? [] : [{ path: variable.path, kind: 'changed' }]
    }),
    ...[...former.keys()]
      .filter((path) => !paths.has(path))
      .map((path): VariableChange => ({ path, kind: 'removed' })),
  ]
}

/** Groups people by key. Beyond `MAX_GROUPS_CHARACTERS`, no groups are added, and their people are only counted. */
class Groups<Group extends PeopleCount> {
  readonly #byKey = new Map<string, { group: Group; people: number }>()
  #characters = 0
  #more = 0

  /** How often a person was left out because there were too many groups. */
  get more(): number {
    return this.#more
  }

  get size(): number {
    return this.#byKey.size
  }

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  /** Calls `create` only for the first person of a group. */
  add(key: string, create: () => Group): void {
    const counted = this.#byKey.get(key)
    if (counted) counted.people += 1
    else if (this.#characters >= MAX_GROUPS_CHARACTERS) this.#more += 1
    else {
      const group = create()
      this.#characters += key.length + JSON.stringify({ ...group, before: null, after: null }).length
      this.#byKey.set(key, { group, people: 1 })
    }
  }

  list(): readonly Group[] {
    return [...this.#byKey.values()]
      .map(({ group, people }) => ({ ...group, people }))
      .sort((one, other) => other.people - one.people)
  }
}

/** Whether a picture comes in one way now, and came only in the other way before. */
const hasNewWay = (
  was: SentPictures,
  is: SentPictures,
  now: keyof SentPictures,
  before: keyof SentPictures,
) => [...is[now]].some((picture) => was[before].has(picture) && !was[now].has(picture))

/** The pictures of all uses of a signature. */
const sentPicturesOf = (
  { pictures }: ReleaseComparison,
  release: Release,
  signature: Signature,
  renderer: PersonRenderer,
): SentPictures =>
  sentPictures(
    SIGNATURE_USES.map((use) => renderer.frame(release, signature, use)?.html ?? '').join(''),
    pictures,
  )

/** @param isSuspect whether the html may differ for another reason than other senders, whose main one it may show */
function aspectsThatDiffer(
  comparison: ReleaseComparison,
  before: Release,
  old: Signature,
  signature: Signature,
  person: PersonState,
  renderer: PersonRenderer,
  isSuspect: boolean,
): readonly SignatureAspect[] {
  const aspects: SignatureAspect[] = []
  const hasOtherSenders = !isEqual(sendersFor(old, person) ?? null, sendersFor(signature, person) ?? null)
  if (isSuspect || hasOtherSenders)
    for (const use of SIGNATURE_USES)
      if (
        renderer.frame(before, old, use)?.compared !==
        renderer.frame(comparison.after, signature, use)?.compared
      )
        aspects.push(use)
  if (aspects.length > 0) {
    const [had, gets] = [
      sentPicturesOf(comparison, before, old, renderer),
      sentPicturesOf(comparison, comparison.after, signature, renderer),
    ]
    if (hasNewWay(had, gets, 'linked', 'attached')) aspects.push('linked')
    if (hasNewWay(had, gets, 'attached', 'linked')) aspects.push('attached')
  }
  if (old.name !== signature.name) aspects.push('name')
  if (comparison.otherRecipients.has(signature.id)) aspects.push('recipients')
  if (hasOtherSenders) aspects.push('senders')
  if (old.thread !== signature.thread) aspects.push('thread')
  if (old.collection !== signature.collection) aspects.push('collection')
  return aspects
}

function defaultChange(
  { before, after }: ReleaseComparison,
  person: PersonState,
  owners: Owners,
  at: number,
  to: CurrentDefault | null,
): DefaultChange | null {
  const from = before ? defaultChoice(before, person, at, owners) : null
  if (isEqual(from?.choice ?? null, to?.choice ?? null)) return null
  return {
    from: before && from ? { choice: from.choice, name: nameOf(before, from.choice) } : null,
    to: to ? { choice: to.choice, name: nameOf(after, to.choice) } : null,
    because: to ? (to.by === 'user' ? 'user' : whyDefault(after, to.choice, person)) : null,
  }
}

const masterOf = (release: Release, { master }: CurrentDefault['choice']): Signature | null => {
  const named = parseCombinedIds(master)
  return named && release.signatureOf(named.signature)
}

const nameOf = (release: Release, choice: CurrentDefault['choice']): string =>
  masterOf(release, choice)?.name ?? choice.master

const whyDefault = (release: Release, choice: CurrentDefault['choice'], person: PersonState) => {
  const signature = masterOf(release, choice)
  if (signature !== null && signature.id === person.corrections?.pinned?.signature) return 'pinned'
  return signature ? fittingConditions(signature.selection, person) : null
}

function missingOf(
  { after, required }: ReleaseComparison,
  signatures: readonly Signature[],
  person: PersonState,
): readonly MissingValues[] {
  if (signatures.length === 0) return []
  const values = valuesFor(after, person)
  // Signatures with the same templates share their variables.
  const withoutValue = createShared((all: Required) => {
    const paths = all.filter((each) => each.paths.every((path) => (values[path] ?? '') === ''))
    const more = paths.length - MAX_MISSING_VARIABLES
    const variables = paths.slice(0, MAX_MISSING_VARIABLES).map((each) => each.text)
    return more > 0 ? { variables, more } : { variables }
  }, itself)
  return signatures.flatMap(({ id, name }): MissingValues[] => {
    const found = withoutValue(required.get(id) ?? NONE_REQUIRED)
    return found.variables.length === 0 ? [] : [{ signature: id, name, ...found }]
  })
}

const NONE_REQUIRED: Required = []
const itself = (given: unknown): unknown => given

/** What a template and its parts use. */
type Used = Readonly<{
  /** Variables that `{{#if}}` tests for a value. */
  guarded: ReadonlySet<string>
  /** Variables that `{{#if}}` or `{{first}}` tests for a value. */
  asked: ReadonlySet<string>
  /**
   * The shown variables, by their joined names. Of several variables, the template shows the first that has a value.
   */
  shown: ReadonlyMap<string, readonly string[]>
  /** All variables that the template shows or tests. */
  values: ReadonlySet<string>
  parts: ReadonlySet<string>
  pictures: ReadonlySet<string>
  /** Whether it has links whose clicks may be counted. */
  hasCounted: boolean
  /** Whether every variable may affect its html, as in a postal address or a card. */
  isFormatted: boolean
  /** Whether it has numbers to dial, whose country may come from a variable. */
  isDialling: boolean
}>

/** `inputs` identifies everything in the release that affects the html of this use, except mailbox values. */
type Use = Used & Readonly<{ inputs: string }>

const inputsOf = (use: Use | null): string => use?.inputs ?? ''

function usedBy(placeholders: readonly Placeholder[]): Used {
  const named = (wanted: (kind: string) => boolean) =>
    new Set(placeholders.filter(({ kind }) => wanted(kind)).flatMap(({ names }) => names))
  return {
    guarded: named((kind) => kind === 'if'),
    asked: named((kind) => kind === 'if' || kind === 'first'),
    shown: new Map(
      placeholders
        .filter(({ kind }) => SHOWS.includes(kind))
        .map(({ names }) => [names.join(' '), names] as const),
    ),
    values: new Set(placeholders.flatMap(variablesIn)),
    parts: named((kind) => kind === 'part'),
    pictures: named((kind) => kind === 'picture'),
    hasCounted: placeholders.some(({ kind }) => kind === 'counted'),
    isFormatted: placeholders.some(
      ({ kind, names }) => kind === 'phone' || kind === 'qr' || names.includes(POSTAL_ADDRESS),
    ),
    isDialling: placeholders.some(({ kind }) => kind === 'tel'),
  }
}

/**
 * Finds what the templates of signatures use. Each template is read once.
 *
 * @param texts numbers each distinct text, so that equal texts have the same number in both releases
 */
function createUses(release: Release, texts: Map<string, number>) {
  const { templates, pictures, variables, counting, cards, linked } = release.document
  const known = new Map<string, Use>()
  /** Numbers for the texts of variables, so that the inputs contain no long texts. */
  const variableTexts = new Map(
    variables.map((variable) => [
      variable,
      numberOf(JSON.stringify([variable.path, variable.from, variable.value, variable.edit])),
    ]),
  )
  let allVariables: number | null = null
  const numbersOf = (used: readonly Variable[]) => used.map((each) => variableTexts.get(each)).sort()
  function numberOf(text: string | undefined): number {
    const found = texts.get(text ?? '')
    if (found === undefined) texts.set(text ?? '', texts.size)
    return found ?? texts.size - 1
  }
  const useOf = (path: string): Use | null => {
    const template = release.templateOf(path)
    if (!template) return null
    const found = known.get(path)
    if (found) return found
    const used = usedBy(placeholdersIn(template))
    const values = new Set([...used.values, ...NAME_PARTS])
    const inputs = JSON.stringify([
      numberOf(templates[path]),
      [...used.parts].map((part) => numberOf(templates[`templates/${part}.part.html`])),
      [...used.pictures].map((picture) => pictures[picture]),
      used.pictures.size > 0 && linked === true,
      used.isFormatted
        ? (allVariables ??= numberOf(JSON.stringify(numbersOf(variables))))
        : numbersOf(
            variables.filter(
              ({ path, from }) =>
                values.has(path) ||
                values.has(`${MANAGER_PREFIX}${path}`) ||
                values.has(`${WRITER_PREFIX}${path}`) ||
                (used.isDialling && from === COUNTRY_FIELD),
            ),
          ),
      used.hasCounted && counting === true,
      used.values.has(CARD_ADDRESS) &&
        cards !== undefined &&
        numberOf(JSON.stringify([cards.unless, release.variableOf(cards.unless)])),
    ])
    const use = { ...used, inputs }
    known.set(path, use)
    return use
  }
  return {
    /** Identifies everything in the release that affects a block's html and own days, except mailbox values. */
    ofBlock: ({ template, ownDays }: Block): string => {
      const entered = variables.filter(({ path }) => path === ownDays?.from || path === ownDays?.to)
      return JSON.stringify([inputsOf(useOf(template)), numbersOf(entered)])
    },
    ofSignature: (signature: Signature): readonly (Use | null)[] =>
      SIGNATURE_USES.map((use) => templatePath(signature, use)).map((path) =>
        path === null ? null : useOf(path),
      ),
  }
}

/** Caches the results of a function by a key of its argument. */
function createShared<Given, Found>(
  find: (given: Given) => Found,
  keyOf: (given: Given) => unknown,
): (given: Given) => Found {
  const known = new Map<unknown, Found>()
  return (given) => {
    const key = keyOf(given)
    const found = known.get(key) ?? find(given)
    known.set(key, found)
    return found
  }
}

const askedIn = (uses: readonly (Use | null)[]): ReadonlySet<string> =>
  new Set(uses.flatMap((use) => [...(use?.asked ?? [])]))

/**
 * Returns the lists of variables of which one must have a value. Omits a list if a condition tests one of its
 * variables.
 */
function requiredBy(uses: readonly (Use | null)[]): Required {
  const used = uses.flatMap((use) => use ?? [])
  const guarded = new Set(used.flatMap((use) => [...use.guarded]))
  const shown = new Map(used.flatMap((use) => [...use.shown]))
  return [...shown.values()]
    .filter((names) => !names.some((name) => guarded.has(name)))
    .map((paths) => ({ paths, text: paths.join(' or ') }))
}

const SHOWS: readonly string[] = ['text', 'tel', 'web', 'phone', 'first']

function* mailboxesThatDiffer(
  before: ReleaseDocument['mailboxes'],
  after: ReleaseDocument['mailboxes'],
): Steps<ReadonlySet<string>> {
  const valuesOf = (mailboxes: ReleaseDocument['mailboxes']) =>
    new Map(mailboxes.map(({ address, values }) => [address, values]))
  const [old, now] = [valuesOf(before), valuesOf(after)]
  const different = new Set<string>()
  for (const address of new Set([...old.keys(), ...now.keys()])) {
    if (!isEqual(sorted(old.get(address)), sorted(now.get(address)))) different.add(address)
    yield
  }
  return different
}

/**
 * Sorts a mailbox's values by name. A mailbox without values differs from a missing one: it hides mailbox values at the
 * person's other addresses.
 */
const sorted = (values: Readonly<Record<string, string>> | undefined) =>
  values && Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))

function renditionFor(
  comparison: ReleaseComparison,
  release: Release | null,
  { signature: id }: SignatureChange,
  person: PersonState,
): Rendition | null {
  const signature = release?.signatureOf(id)
  if (!release || !signature) return null
  const renderer = createPersonRenderer(comparison.pictures, person)
  const render = (use: SignatureKind) => renderer.frame(release, signature, use)?.html ?? null
  return {
    signature: render('signature'),
    reply: render('reply'),
    mobile: render('mobile'),
    meeting: render('meeting'),
  }
}

/** Whether a release shows this signature of a mailbox with a sample of the person who writes. */
function hasSampleWriter(
  { pictures }: ReleaseComparison,
  release: Release,
  { signature: id }: SignatureChange,
  person: PersonState,
): boolean {
  const signature = release.signatureOf(id)
  if (!signature || !isMailbox(release, person)) return false
  const renderer = createPersonRenderer(pictures, person)
  return SIGNATURE_USES.some((use) => renderer.frame(release, signature, use)?.hasSampleWriter === true)
}

const lengthOfRendition = (rendition: Rendition | null): number =>
  SIGNATURE_USES.reduce((sum, use) => sum + (rendition?.[use]?.length ?? 0), 0)

/** Whether a group has its html. Groups beyond the plan's limit are not rendered. */
export const isRenderedGroup = ({ before, after }: Readonly<{ before: unknown; after: unknown }>): boolean =>
  before !== null || after !== null

/** The uses to show for a group: all that have html, or in a changed signature only those that differ. */
export const shownUses = ({ before, after, aspects, kind }: SignatureGroup): readonly SignatureKind[] =>
  SIGNATURE_USES.filter(
    (use) =>
      ((before?.[use] ?? null) !== null || (after?.[use] ?? null) !== null) &&
      (kind !== 'changed' || aspects.includes(use)),
  )

/** Finds a rendition key for each person. It is equal for all people who see the same difference. */
function createRenditions(comparison: ReleaseComparison) {
  const { before, after, asked } = comparison
  /** Renditions by their inputs, so that people with equal inputs share one computation. */
  const known = new Map<string, string>()

  /**
   * Hashes the difference that a person sees. If the templates differ: the differing text, with marks in place of
   * values, so that it is the same for everyone. If only values differ: the names of the variables.
   */
  function renditionOf(
    from: Release,
    { signature: id, aspects }: SignatureChange,
    values: ValuesOfBoth,
  ): string {
    const { old, now, paths } = values
    const conditions = asked.get(id)
    // Marks survive every filter: `tel` keeps a mark's digits, and `web` accepts a mark as an address. Empty values get
    // marks too, unless a template tests the value.
    const marks = (own: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        paths.map((path, index) => [
          path,
          isEmpty(own, path) && conditions?.has(path) ? '' : `https://${FIRST_MARK + index}`,
        ]),
      )
    const [oldMarks, nowMarks] = [marks(old), marks(now)]
    const texts = SIGNATURE_USES.filter((use) => aspects.includes(use)).map((use) => {
      const [one, other] = [marked(from, id, use, oldMarks), marked(after, id, use, nowMarks)]
      return one === other ? values.differ : differing(one, other)
    })
    return contentHash(JSON.stringify(texts))
  }

  return {
    valuesOf(person: PersonState): ValuesOfBoth {
      const now = valuesFor(after, person)
      const old = before ? valuesFor(before, person) : now
      const paths = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
      return { old, now, paths, differ: paths.filter((path) => old[path] !== now[path]) }
    },

    /**
     * Returns the key of the difference that a person sees.
     *
     * @param isFull whether there are enough groups; if so, returns an empty text for a difference that is not cached
     */
    keyOf(change: SignatureChange, values: ValuesOfBoth, isFull: boolean): string {
      if (!before) return ''
      const conditions = [...(asked.get(change.signature) ?? [])]
      const inputs = JSON.stringify([
        change.signature,
        change.aspects,
        conditions.filter((path) => isEmpty(values.old, path)),
        conditions.filter((path) => isEmpty(values.now, path)),
        values.differ,
      ])
      const found = known.get(inputs)
      if (found !== undefined || isFull) return found ?? ''
      const rendition = renditionOf(before, change, values)
      if (known.size < MAX_RENDITIONS) known.set(inputs, rendition)
      return rendition
    },
  }
}

/** A person's values in both releases. `paths` names all variables, `differ` the variables with different values. */
type ValuesOfBoth = Readonly<{
  old: Readonly<Record<string, string>>
  now: Readonly<Record<string, string>>
  paths: readonly string[]
  differ: readonly string[]
}>

/** The number of the first mark, large enough to give all marks the same number of digits. */
const FIRST_MARK = 1000

const isEmpty = (values: Readonly<Record<string, string>>, path: string): boolean =>
  (values[path] ?? '') === ''

/** The person's values, with the picture's name in place of its address. */
const valuesFor = (release: Release, person: PersonState): Readonly<Record<string, string>> =>
  templateValues(release, person, { pictureUrl: person.picture ?? '' })

function marked(
  release: Release,
  id: string,
  use: SignatureKind,
  values: Readonly<Record<string, string>>,
): string {
  const signature = release.signatureOf(id)
  const path = signature && templatePath(signature, use)
  const template = path === null ? null : release.templateOf(path)
  if (!template) return ''
  return renderTemplate(template, {
    values,
    pictureUrl: (picture, isLinked) => releasePictureAddress(release, '', picture, isLinked),
  })
}

/** Two texts without their common beginning and end. */
function differing(one: string, other: string): readonly [string, string] {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)]
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
