/** What a plan tells, in sentences. */
import type { FolderRefusal } from '../../../streams/administration/plan/folder.ts'
import type {
  DefaultChange,
  PersonPlan,
  PlanSummary,
  SignatureGroup,
} from '../../../streams/organisation/plan.ts'
import type { PlaceholderProblem } from '../../../streams/organisation/placeholders.ts'
import type { Translate } from '../text/texts.ts'

/** `because department is Sales and country is DE or AT` */
export function becauseText(because: DefaultChange['because'], t: Translate): string {
  if (because === null) return t('plan.because.nothing')
  if (because === 'user') return t('plan.because.user')
  if (because === 'everyone') return t('plan.because.everyone')
  return t('plan.because.all', {
    conditions: because.map((condition) => t(`plan.because.${condition.by}`, { ...condition })),
  })
}

/** What differs in a signature. */
export function differenceText(
  { kind, aspects }: Pick<SignatureGroup, 'kind' | 'aspects'>,
  t: Translate,
): string {
  return t(`plan.difference.${kind}`, { aspects: aspects.map((aspect) => t(`plan.aspect.${aspect}`)) })
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

export const problemText = ({ code, name }: PlaceholderProblem, t: Translate): string =>
  t(`plan.problem.${code}`, { name })

const MEGABYTE = 1_000_000

export const refusalText = (refusal: FolderRefusal, t: Translate): string =>
  t(
    `plan.refusal.${refusal.reason}`,
    'limit' in refusal ? { count: refusal.limit, megabytes: refusal.limit / MEGABYTE } : {},
  )
