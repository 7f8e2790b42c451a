import type { Condition, Period } from '../../../streams/organisation/release.ts'
import type { Fitting, NoSignature, Reason } from '../../../streams/organisation/why.ts'
import type { Translate } from './texts.ts'

/** Formats a day of a period, such as `2026-09-01`, in the administrator's language. */
export type DayText = (day: string) => string

/** The name of a field of the directory, for the reader. */
export type NameOf = (field: string) => string

/** One clause for each condition. The sentence joins the clauses with "and". */
const clausesOf = (because: Fitting, t: Translate, nameOf: NameOf): readonly string[] =>
  because === 'everyone'
    ? [t('people.why.everyone')]
    : because.map((condition) => clauseOf(condition, t, nameOf))

function clauseOf(condition: Condition, t: Translate, nameOf: NameOf): string {
  const values = condition.values.map((value) => (value === '' ? t('people.why.empty') : value))
  const field = condition.by === 'field' ? { field: nameOf(condition.field) } : {}
  return t(`people.why.${condition.by}`, { ...field, values })
}

const datesOf = ({ from, to }: Period, dayText: DayText) => ({ from: dayText(from), to: dayText(to) })

/** One sentence about why a person has, or does not have, the signature of this name. */
export function reasonText(
  name: string,
  reason: Reason,
  t: Translate,
  dayText: DayText,
  nameOf: NameOf,
): string {
  switch (reason.kind) {
    case 'default': {
      const clauses =
        reason.by === 'user'
          ? [t('people.why.chosen'), ...clausesOf(reason.because, t, nameOf)]
          : [
              ...clausesOf(reason.because, t, nameOf),
              t(reason.isFirst ? 'people.why.first' : 'people.why.noneAbove'),
            ]
      return reason.during
        ? t('people.why.defaultDuring', { name, clauses, ...datesOf(reason.during, dayText) })
        : t('people.why.default', { name, clauses })
    }
    case 'has': {
      const clauses = clausesOf(reason.because, t, nameOf)
      return reason.during
        ? t('people.why.hasDuring', { name, clauses, ...datesOf(reason.during, dayText) })
        : t('people.why.has', { name, clauses })
    }
    case 'notOpen':
      return t('people.why.notOpen', { name, ...datesOf(reason.during, dayText) })
    case 'leftOut':
      return reason.by.every(({ by }) => by === 'person')
        ? t('people.why.leftOutByName', { name })
        : t('people.why.leftOut', { name, clauses: clausesOf(reason.by, t, nameOf) })
    case 'nothingFits':
      return t('people.why.nothingFits', { name })
  }
}

/** One short sentence about why a person has no signature at all. */
export function noSignatureText(none: NoSignature, t: Translate, dayText: DayText, nameOf: NameOf): string {
  switch (none.kind) {
    case 'notOpen':
      return t('people.none.notOpen', { name: none.name, ...datesOf(none.during, dayText) })
    case 'leftOut':
      return none.by.every(({ by }) => by === 'person')
        ? t('people.none.leftOutByName', { name: none.name })
        : t('people.none.leftOut', { name: none.name, clauses: clausesOf(none.by, t, nameOf) })
    case 'nothingFits':
      return t('people.none.nothingFits', { asked: none.asked.map(nameOf) })
    case 'hasLeft':
    case 'nothingPublished':
    case 'noneInRelease':
      return t(`people.none.${none.kind}`)
  }
}
