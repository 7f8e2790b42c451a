import type { Condition, Period } from '../../../streams/organisation/release.ts'
import type { Fitting, Reason } from '../../../streams/organisation/why.ts'
import type { Translate } from './texts.ts'

/** Formats a day of a period, such as `2026-09-01`, in the administrator's language. */
export type DayText = (day: string) => string

/** One clause for each condition. The sentence joins the clauses with "and". */
const clausesOf = (because: Fitting, t: Translate): readonly string[] =>
  because === 'everyone' ? [t('people.why.everyone')] : because.map((condition) => clauseOf(condition, t))

function clauseOf(condition: Condition, t: Translate): string {
  const values = condition.values.map((value) => (value === '' ? t('people.why.empty') : value))
  return t(`people.why.${condition.by}`, { ...condition, values })
}

const datesOf = ({ from, to }: Period, dayText: DayText) => ({ from: dayText(from), to: dayText(to) })

/** One sentence about why a person has, or does not have, the signature of this name. */
export function reasonText(name: string, reason: Reason, t: Translate, dayText: DayText): string {
  switch (reason.kind) {
    case 'default': {
      const clauses =
        reason.by === 'user'
          ? [t('people.why.chosen'), ...clausesOf(reason.because, t)]
          : [...clausesOf(reason.because, t), t(reason.isFirst ? 'people.why.first' : 'people.why.noneAbove')]
      return reason.during
        ? t('people.why.defaultDuring', { name, clauses, ...datesOf(reason.during, dayText) })
        : t('people.why.default', { name, clauses })
    }
    case 'has': {
      const clauses = clausesOf(reason.because, t)
      return reason.during
        ? t('people.why.hasDuring', { name, clauses, ...datesOf(reason.during, dayText) })
        : t('people.why.has', { name, clauses })
    }
    case 'notOpen':
      return t('people.why.notOpen', { name, ...datesOf(reason.during, dayText) })
    case 'leftOut':
      return reason.by.every(({ by }) => by === 'person')
        ? t('people.why.leftOutByName', { name })
        : t('people.why.leftOut', { name, clauses: clausesOf(reason.by, t) })
    case 'nothingFits':
      return t('people.why.nothingFits', { name })
  }
}
