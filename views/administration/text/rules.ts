/** The sentences that describe the rules of signatures and blocks. */
import type { BlockStatus } from '../../../streams/administration/plan/blockPreview.ts'
import type { PeriodState } from '../../../streams/organisation/rules/rules.ts'
import type { FieldProblem } from '../../../streams/administration/plan/signatures.ts'
import type { Block, Condition, Selection, Signature } from '../../../streams/organisation/release/release.ts'
import type { SignatureKind } from '../../../streams/organisation/rendering/render.ts'
import {
  recipientNames,
  periodDatesOf,
  type FormatDay,
  hasSharedWording,
  type FieldNameOf,
  fieldTestClauses,
} from './why.ts'
import { openTimesTexts } from './hours.ts'
import type { Translate } from './texts.ts'

const groupText = (conditions: readonly Condition[], t: Translate, nameOf: FieldNameOf): string =>
  t('plan.because.all', {
    conditions: conditions.flatMap((condition) =>
      hasSharedWording(condition)
        ? fieldTestClauses(condition, t, nameOf)
        : t(`signatures.those.${condition.by}`, {
            ...condition,
            ...(condition.by === 'field' ? { field: nameOf(condition.field) } : {}),
          }),
    ),
  })

const groupsText = (groups: readonly (readonly Condition[])[], t: Translate, nameOf: FieldNameOf): string =>
  t('signatures.rules.either', { groups: groups.map((group) => groupText(group, t, nameOf)) })

/** Describes who gets a signature and who does not. */
export function selectionText({ for: wanted, not }: Selection, t: Translate, nameOf: FieldNameOf): string {
  const whom = wanted === 'everyone' ? t('signatures.rules.everyone') : groupsText(wanted, t, nameOf)
  return not.length === 0 ? whom : t('signatures.rules.except', { whom, others: groupsText(not, t, nameOf) })
}

export const periodText = (during: Signature['during'], t: Translate, dayText: FormatDay): string =>
  during === null
    ? t('signatures.rules.always')
    : t('signatures.rules.during', periodDatesOf(during, dayText))

export const recipientsText = (recipients: Signature['recipients'], t: Translate): string =>
  typeof recipients === 'string'
    ? t(`signatures.recipients.${recipients}`)
    : t('signatures.recipients.domains', { domains: recipientNames(recipients, t) })

/** Lists a signature's versions: new message, and any others. */
export const versionsText = ({ reply, mobile, meeting }: Signature, t: Translate): string =>
  t('signatures.card.uses', {
    uses: [
      t('plan.use.signature'),
      ...(reply === null ? [] : [t('plan.use.reply')]),
      ...(mobile === null ? [] : [t('plan.use.mobile')]),
      ...(meeting === undefined ? [] : [t('plan.use.meeting')]),
    ],
  })

export const fieldProblemText = (
  problem: FieldProblem | Readonly<{ code: 'twice' }> | null,
  t: Translate,
): string | null =>
  problem === null
    ? null
    : t(`signatures.problem.${problem.code}`, 'value' in problem ? { value: problem.value } : {})

/** Describes a block's period, and whether the period has begun or ended. */
export function blockPeriodText(
  during: Block['during'],
  state: PeriodState,
  t: Translate,
  dayText: FormatDay,
): string {
  return during === null || state === 'always' || state === 'later'
    ? periodText(during, t, dayText)
    : t(`signatures.blocks.period.${state}`, periodDatesOf(during, dayText))
}

/** Describes when a block is open: its period, and whether it has begun or ended, its hours, or the days that people enter. */
export function blockOpenText(
  { during, hours, ownDays }: Pick<Block, 'during' | 'hours' | 'ownDays'>,
  state: PeriodState,
  t: Translate,
  dayText: FormatDay,
): string {
  const days = during === null && hours ? null : blockPeriodText(during, state, t, dayText)
  return openTimesTexts({ ...(hours && { hours }), ...(ownDays && { ownDays }) }, days, t).join(' · ')
}

/** Explains which share of the selected people, or of their messages, gets a block. */
export const shareText = ({ share, turns }: Pick<Block, 'share' | 'turns'>, t: Translate): string =>
  share === 100
    ? t('signatures.blocks.shareOf.all')
    : turns === 'mail'
      ? t('signatures.blocks.shareOf.mails', { share: share / 100 })
      : share === 50
        ? t('signatures.blocks.shareOf.half')
        : t('signatures.blocks.shareOf.some', { share: share / 100 })

/** Explains why a message in the preview shows a block or not. */
export const blockStandingText = (
  standing: BlockStatus,
  { signature, use, day }: Readonly<{ signature: string; use: SignatureKind; day: string }>,
  t: Translate,
): string =>
  standing.code === 'stands' && standing.share !== undefined
    ? t('signatures.blocks.standing.standsInShare', {
        name: signature,
        use: t(`plan.use.${use}`),
        share: standing.share / 100,
      })
    : t(`signatures.blocks.standing.${standing.code}`, {
        name: standing.code === 'before' ? standing.name : signature,
        use: t(`plan.use.${use}`),
        day,
      })
