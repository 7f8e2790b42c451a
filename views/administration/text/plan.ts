/** The sentences that describe a plan. */
import { openTimesTexts } from './hours.ts'
import type { FolderRefusal } from '../../../streams/administration/plan/folder.ts'
import type { SampleRefusal } from '../../../streams/administration/plan/samples.ts'
import type { PlanHeadline } from '../../../streams/administration/plan/selectors.ts'
import type { BlockChange, BlockSample } from '../../../streams/organisation/plan/blockChange.ts'
import type {
  DefaultChange,
  MissingValues,
  PersonPlan,
  PlanSummary,
  SignatureChange,
} from '../../../streams/organisation/plan/plan.ts'
import type { PlaceholderProblem } from '../../../streams/organisation/release/placeholders.ts'
import { recipientsText } from './rules.ts'
import {
  groupByCover,
  type IdleRule,
  isCoveredSignature,
} from '../../../streams/organisation/rules/coverage.ts'
import type { NoSignatureReason } from '../../../streams/organisation/rules/why.ts'
import type { Translate } from './texts.ts'
import {
  reasonClauses,
  periodDatesOf,
  type FormatDay,
  hasSharedWording,
  type FieldNameOf,
  fieldTestClauses,
} from './why.ts'

/** The plan in one sentence: what changes, and for how many people. */
export function headlineText(headline: PlanHeadline, t: Translate): string {
  if (headline.kind !== 'people') return t(`plan.headline.${headline.kind}`)
  const { parts, changed, all, losing } = headline
  const values = {
    parts: parts.map((part) => t(`plan.headline.${part.kind}`, 'count' in part ? { count: part.count } : {})),
    people:
      changed === all
        ? t('plan.headline.all', { count: all })
        : t('plan.headline.of', { count: all, changed }),
    losing: t('plan.headline.losing', { count: losing }),
  }
  const kind = parts.length === 0 ? 'some' : 'parts'
  return t(losing > 0 ? `plan.headline.${kind}Losing` : `plan.headline.${kind}`, values)
}

/** A clause such as `because department is Sales and country is DE or AT`. */
export function becauseText(because: DefaultChange['because'], t: Translate): string {
  if (because === null) return t('plan.because.nothing')
  if (because === 'user') return t('plan.because.user')
  if (because === 'everyone') return t('plan.because.everyone')
  if (because === 'pinned') return t('plan.because.pinned')
  return t('plan.because.all', {
    conditions: because.flatMap((condition) =>
      hasSharedWording(condition)
        ? fieldTestClauses(condition, t, (field) => field)
        : t(`plan.because.${condition.by}`, { ...condition }),
    ),
  })
}

/** Describes the difference between the old and the new version of a signature. */
export function differenceText(
  { kind, aspects }: Pick<SignatureChange, 'kind' | 'aspects'>,
  t: Translate,
): string {
  return t(`plan.difference.${kind}`, { aspects: aspects.map((aspect) => t(`plan.aspect.${aspect}`)) })
}

/** Describes all differences of a signature or block together: each kind once, with all changed aspects. */
export const differencesText = <Group extends Readonly<{ kind: string; aspects: readonly string[] }>>(
  groups: readonly Group[],
  textOf: (group: Group) => string,
): string =>
  [...new Set(groups.map(({ kind }) => kind))]
    .map((kind) => {
      const alike = groups.filter((group) => group.kind === kind)
      const [first] = alike
      return first ? textOf({ ...first, aspects: [...new Set(alike.flatMap(({ aspects }) => aspects))] }) : ''
    })
    .join(' ')

/** Describes a block's differences, or that it is new or removed. */
export const blockDifferenceText = (
  { kind, aspects, slot }: Pick<BlockChange, 'kind' | 'aspects' | 'slot'>,
  t: Translate,
): string =>
  t(`plan.blocks.difference.${kind}`, {
    slot,
    aspects: aspects.map((each) => t(`plan.blocks.aspect.${each}`)),
  })

export const blockWindowText = (during: BlockSample['during'], t: Translate, dayText: FormatDay): string =>
  during === null
    ? t('plan.blocks.always')
    : t('plan.blocks.window', { ...during, ...periodDatesOf(during, dayText) })

/** Describes when a block is open: its days and hours, or the days that people enter. */
export function blockTimesText(
  { during, ...open }: Pick<BlockSample, 'during' | 'hours' | 'ownDays'>,
  t: Translate,
  dayText: FormatDay,
): string {
  const isAlways = during === null && !open.hours
  return openTimesTexts(
    open,
    during !== null || isAlways ? blockWindowText(during, t, dayText) : null,
    t,
  ).join(' · ')
}

/** Describes the days and messages in which a block is shown. */
export const blockRuleTexts = (
  { recipients, replies, thread, ...times }: Omit<BlockSample, 'html'>,
  t: Translate,
  dayText: FormatDay,
): readonly string[] => [
  blockTimesText(times, t, dayText),
  recipientsText(recipients, t),
  ...(thread ? [t(`signatures.thread.${thread}`)] : []),
  ...(replies ? [] : [t('plan.blocks.noReplies')]),
]

const blockText = (change: BlockChange, t: Translate): string =>
  `${change.name}: ${blockDifferenceText(change, t)}`

export function defaultChangeText(
  { from, to, because }: Pick<PlanSummary['defaults'][number], 'from' | 'to' | 'because'>,
  t: Translate,
): string {
  if (to === null) return t('plan.default.none', { from: from ?? '' })
  const why = becauseText(because, t)
  return from === null ? t('plan.default.first', { to, why }) : t('plan.default.other', { from, to, why })
}

const signatureText = (change: SignatureChange, t: Translate): string =>
  `${change.name}: ${differenceText(change, t)}`

const choosingText = (mayChoose: boolean, t: Translate): string =>
  t(mayChoose ? 'plan.change.mayChoose' : 'plan.change.mayNotChoose')

const ASKED = {
  added: 'plan.change.askedAdded',
  removed: 'plan.change.askedRemoved',
  changed: 'plan.change.askedChanged',
} as const

const mailboxText = (kind: 'added' | 'removed', address: string, t: Translate): string =>
  t(kind === 'added' ? 'plan.change.mailboxAdded' : 'plan.change.mailboxRemoved', { address })

const namesIn = ({ from, to, because }: DefaultChange) => ({
  from: from?.name ?? null,
  to: to?.name ?? null,
  because,
})

/** One sentence for each change for one person. */
export const personChangeTexts = (plan: PersonPlan, t: Translate): readonly string[] => [
  ...(plan.losesAll ? [t('plan.person.losesAll')] : plan.none ? [t('plan.person.none')] : []),
  ...plan.missing.map((each) =>
    t('plan.person.missing', { name: each.name, variables: missingVariableTexts(each, t) }),
  ),
  ...plan.signatures.map((change) => signatureText(change, t)),
  ...(plan.blocks ?? []).map((change) => blockText(change, t)),
  ...(plan.default ? [defaultChangeText(namesIn(plan.default), t)] : []),
  ...(plan.reordered ? [t('plan.change.reordered')] : []),
  ...(plan.mayChoose === null ? [] : [choosingText(plan.mayChoose, t)]),
  ...(plan.asked ? [t(ASKED[plan.asked])] : []),
  ...plan.mailboxes.added.map((address) => mailboxText('added', address, t)),
  ...plan.mailboxes.removed.map((address) => mailboxText('removed', address, t)),
  ...moreMailboxes(plan, t),
]

function moreMailboxes({ mailboxes: { more } }: PersonPlan, t: Translate): readonly string[] {
  if (!more) return []
  const { added, removed } = more
  return [
    ...(added > 0 ? [t('plan.change.mailboxesAdded', { count: added })] : []),
    ...(removed > 0 ? [t('plan.change.mailboxesRemoved', { count: removed })] : []),
  ]
}

/** The variables without a value. If there are more, the last text gives their number. */
export const missingVariableTexts = (
  { variables, more = 0 }: Pick<MissingValues, 'variables' | 'more'>,
  t: Translate,
): readonly string[] => (more > 0 ? [...variables, t('plan.person.more', { left: more })] : variables)

/** One sentence for each change of something other than signatures and blocks, with the number of people. */
export const otherChangeTexts = (
  { defaults, reordered, choosing, asked = [], mailboxes }: PlanSummary,
  t: Translate,
): readonly (readonly [people: number, text: string])[] => [
  ...defaults.map((each) => [each.people, defaultChangeText(each, t)] as const),
  ...reordered.map(({ people }) => [people, t('plan.change.reordered')] as const),
  ...choosing.map(({ people, mayChoose }) => [people, choosingText(mayChoose, t)] as const),
  ...asked.map(({ people, kind }) => [people, t(ASKED[kind])] as const),
  ...mailboxes.map(({ people, kind, address }) => [people, mailboxText(kind, address, t)] as const),
]

/** The reason why a group of people has no signature, as one sentence. */
export function uncoveredText(
  why: NoSignatureReason,
  t: Translate,
  dayText: FormatDay,
  nameOf: FieldNameOf,
): string {
  switch (why.kind) {
    case 'notOpen':
      return t('plan.coverage.notOpen', { name: why.name, ...periodDatesOf(why.during, dayText) })
    case 'leftOut':
      return why.by.every(({ by }) => by === 'person')
        ? t('plan.coverage.leftOutByName', { name: why.name })
        : t('plan.coverage.leftOut', { name: why.name, clauses: reasonClauses(why.by, t, nameOf) })
    case 'nothingFits':
      return t('plan.coverage.nothingFits', { asked: why.asked.map(nameOf) })
    case 'excluded':
      return t('plan.coverage.excluded')
    case 'hasLeft':
    case 'nothingPublished':
    case 'noneInRelease':
      return t('plan.coverage.noneInRelease')
  }
}

/**
 * Explains why signatures and blocks never decide: one sentence each, but only one for all signatures that are behind
 * the same signature.
 */
export function idleRuleTexts(idle: readonly IdleRule[], t: Translate): readonly string[] {
  return [
    ...idle.flatMap((each) => (isCoveredSignature(each) ? [] : [idleText(each, t)])),
    ...groupByCover(idle).map(({ behind, names }) =>
      behind === null
        ? t('plan.coverage.behindOthers', { names, count: names.length })
        : t('plan.coverage.behind', { behind, names, count: names.length }),
    ),
  ]
}

function idleText({ kind, name, behind }: IdleRule, t: Translate): string {
  if (kind === 'signature') return t('plan.coverage.forNobody', { name })
  return behind === null
    ? t('plan.coverage.blockForNobody', { name })
    : t('plan.coverage.blockBehind', { name, behind })
}

export const placeholderProblemText = ({ code, name }: PlaceholderProblem, t: Translate): string =>
  t(`plan.problem.${code}`, { name })

const MEGABYTE = 1_000_000

export const folderRefusalText = (refusal: FolderRefusal, t: Translate): string =>
  t(
    `plan.refusal.${refusal.reason}`,
    'limit' in refusal ? { count: refusal.limit, megabytes: refusal.limit / MEGABYTE } : {},
  )

/** Why files were not read. `isForResult`: they were given as the pictures of a result. */
export const sampleRefusalText = (refusal: SampleRefusal, isForResult: boolean, t: Translate): string =>
  t(
    `signatures.adopt.refusal.${isForResult && refusal.reason === 'noSignature' ? 'noPicture' : refusal.reason}`,
    'limit' in refusal ? { most: refusal.limit, megabytes: refusal.limit / MEGABYTE } : {},
  )
