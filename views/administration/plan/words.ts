/** What a plan tells, in sentences. */
import type { FolderRefusal } from '../../../streams/administration/plan/folder.ts'
import type {
  DefaultChange,
  PersonPlan,
  PlanSummary,
  SignatureGroup,
} from '../../../streams/organisation/plan.ts'
import type { PlaceholderProblem } from '../../../streams/organisation/placeholders.ts'
import type { TextKey, Translate } from '../text/texts.ts'

/** `because department is Sales and country is DE or AT` */
export function becauseText(because: DefaultChange['because'], t: Translate): string {
  if (because === null) return t('plan.because.nothing')
  if (because === 'user') return t('plan.because.user')
  if (because === 'everyone') return t('plan.because.everyone')
  return t('plan.because.all', {
    conditions: because.map((condition) => {
      const values = condition.values
      switch (condition.by) {
        case 'group':
          return t('plan.because.group', { values })
        case 'person':
          return t('plan.because.person', { values })
        case 'address':
          return t('plan.because.address', { values })
        case 'field':
          return t('plan.because.field', { field: condition.field, values })
      }
    }),
  })
}

const ASPECTS = {
  signature: 'plan.aspect.signature',
  reply: 'plan.aspect.reply',
  mobile: 'plan.aspect.mobile',
  name: 'plan.aspect.name',
  recipients: 'plan.aspect.recipients',
  collection: 'plan.aspect.collection',
} as const satisfies Readonly<Record<SignatureGroup['aspects'][number], TextKey>>

/** What differs in a signature. */
export function differenceText(
  { kind, aspects }: Pick<SignatureGroup, 'kind' | 'aspects'>,
  t: Translate,
): string {
  switch (kind) {
    case 'added':
      return t('plan.difference.added')
    case 'removed':
      return t('plan.difference.removed')
    case 'changed':
      return t('plan.difference.changed', { aspects: aspects.map((aspect) => t(ASPECTS[aspect])) })
  }
}

export function defaultText(
  { from, to, because }: Pick<PlanSummary['defaults'][number], 'from' | 'to' | 'because'>,
  t: Translate,
): string {
  if (to === null) return t('plan.default.none', { from: from ?? '' })
  const why = becauseText(because, t)
  return from === null ? t('plan.default.first', { to, why }) : t('plan.default.other', { from, to, why })
}

/** Everything that changes for one person, one sentence each. */
export const personTexts = (plan: PersonPlan, t: Translate): readonly string[] => [
  ...(plan.losesAll ? [t('plan.person.losesAll')] : []),
  ...plan.missing.map(({ name, variables }) => t('plan.person.missing', { name, variables })),
  ...plan.signatures.map((change) => `${change.name}: ${differenceText(change, t)}`),
  ...(plan.default
    ? [
        defaultText(
          {
            from: plan.default.from?.name ?? null,
            to: plan.default.to?.name ?? null,
            because: plan.default.because,
          },
          t,
        ),
      ]
    : []),
  ...(plan.reordered ? [t('plan.change.reordered')] : []),
  ...(plan.mayChoose === null
    ? []
    : [t(plan.mayChoose ? 'plan.change.mayChoose' : 'plan.change.mayNotChoose')]),
  ...plan.mailboxes.added.map((address) => t('plan.change.mailboxAdded', { address })),
  ...plan.mailboxes.removed.map((address) => t('plan.change.mailboxRemoved', { address })),
]

const PROBLEMS = {
  unclosed: 'plan.problem.unclosed',
  unexpectedElse: 'plan.problem.unexpectedElse',
  unexpectedClose: 'plan.problem.unexpectedClose',
  unknownPart: 'plan.problem.unknownPart',
  partInPart: 'plan.problem.partInPart',
  unknownPlaceholder: 'plan.problem.unknownPlaceholder',
  braces: 'plan.problem.braces',
  tooLong: 'plan.problem.tooLong',
  unknownPicture: 'plan.problem.unknownPicture',
  unknownVariable: 'plan.problem.unknownVariable',
} as const satisfies Readonly<Record<PlaceholderProblem['code'], TextKey>>

export const problemText = ({ code, name }: PlaceholderProblem, t: Translate): string =>
  t(PROBLEMS[code], { name })

const MEGABYTE = 1_000_000

export function refusalText(refusal: FolderRefusal, t: Translate): string {
  switch (refusal.reason) {
    case 'noFolder':
      return t('plan.refusal.noFolder')
    case 'tooMany':
      return t('plan.refusal.tooMany', { count: refusal.limit })
    case 'tooLarge':
      return t('plan.refusal.tooLarge', { megabytes: refusal.limit / MEGABYTE })
    case 'unreadable':
      return t('plan.refusal.unreadable')
  }
}
