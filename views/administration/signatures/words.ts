/** The sentences that describe the rules of a signature. */
import type { FieldProblem } from '../../../streams/administration/plan/signatures.ts'
import type { Condition, Selection, Signature } from '../../../streams/organisation/release.ts'
import type { DayText, NameOf } from '../text/why.ts'
import type { Translate } from '../text/texts.ts'

const groupText = (conditions: readonly Condition[], t: Translate, nameOf: NameOf): string =>
  t('plan.because.all', {
    conditions: conditions.map((condition) =>
      t(`signatures.those.${condition.by}`, {
        ...condition,
        ...(condition.by === 'field' ? { field: nameOf(condition.field) } : {}),
      }),
    ),
  })

const groupsText = (groups: readonly (readonly Condition[])[], t: Translate, nameOf: NameOf): string =>
  t('signatures.rules.either', { groups: groups.map((group) => groupText(group, t, nameOf)) })

/** For whom a signature is, and for whom it is not. */
export function selectionText({ for: wanted, not }: Selection, t: Translate, nameOf: NameOf): string {
  const whom = wanted === 'everyone' ? t('signatures.rules.everyone') : groupsText(wanted, t, nameOf)
  return not.length === 0 ? whom : t('signatures.rules.except', { whom, others: groupsText(not, t, nameOf) })
}

export const periodText = (during: Signature['during'], t: Translate, dayText: DayText): string =>
  during === null
    ? t('signatures.rules.always')
    : t('signatures.rules.during', { from: dayText(during.from), to: dayText(during.to) })

export const recipientsText = (recipients: Signature['recipients'], t: Translate): string =>
  typeof recipients === 'string'
    ? t(`signatures.recipients.${recipients}`)
    : t('signatures.recipients.domains', { domains: recipients })

/** The versions of a signature: new message, and reply and mobile when it has them. */
export const versionsText = ({ reply, mobile }: Signature, t: Translate): string =>
  t('signatures.card.uses', {
    uses: [
      t('plan.use.signature'),
      ...(reply === null ? [] : [t('plan.use.reply')]),
      ...(mobile === null ? [] : [t('plan.use.mobile')]),
    ],
  })

export const fieldProblemText = (
  problem: FieldProblem | Readonly<{ code: 'twice' }> | null,
  t: Translate,
): string | null =>
  problem === null
    ? null
    : t(`signatures.problem.${problem.code}`, 'value' in problem ? { value: problem.value } : {})
