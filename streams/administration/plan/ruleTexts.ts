/** The conditions of a rule as the texts of a form, and back. */
import { type Condition, keyOf } from '../../organisation/release.ts'
import { directoryFieldProblem, type FieldProblem, linesOf, linesProblem } from './signatures.ts'

/** A condition in a form: one value in each line of `lines`, and the name of the field for a condition by field. */
export type ConditionText = Readonly<{
  by: Condition['by']
  field: string
  lines: string
  /** The condition as the draft has it, until the form changes it: its values may have blanks that lines do not keep. */
  kept: Condition | null
}>
export type GroupText = readonly ConditionText[]

export const newCondition: ConditionText = { by: 'group', field: '', lines: '', kept: null }

export const textOf = (condition: Condition): ConditionText => ({
  by: condition.by,
  field: condition.by === 'field' ? condition.field : '',
  lines: condition.values.join('\n'),
  kept: condition,
})

/** What is wrong with a condition, each problem at its field; nulls when the draft can have it. */
export type ConditionProblems = Readonly<{
  field: FieldProblem | Readonly<{ code: 'twice' }> | null
  lines: FieldProblem | null
}>

export const NO_PROBLEMS: ConditionProblems = { field: null, lines: null }

const keyOfText = ({ by, field, kept }: ConditionText): string =>
  kept === null ? (by === 'field' ? field : by) : keyOf(kept)

/** The problems of one condition of a group. A group has each kind of condition, and each field, only once. */
export function problemsOf(group: GroupText, index: number): ConditionProblems {
  const text = group[index]
  if (text === undefined) return NO_PROBLEMS
  const isTwice = group.slice(0, index).some((before) => keyOfText(before) === keyOfText(text))
  const field = isTwice ? ({ code: 'twice' } as const) : null
  if (text.kept !== null) return { field, lines: null }
  return {
    field: field ?? (text.by === 'field' ? directoryFieldProblem(text.field) : null),
    lines: linesProblem(text.by, linesOf(text.lines)),
  }
}

function conditionOf({ by, field, lines, kept }: ConditionText): Condition {
  if (kept !== null) return kept
  const values = linesOf(lines)
  return by === 'field' ? { by, field, values } : { by, values }
}

/** The groups of conditions of a form; null while one of them has a problem or no condition. */
export function groupsOf(groups: readonly GroupText[]): readonly (readonly Condition[])[] | null {
  const isWrong = groups.some(
    (group) =>
      group.length === 0 ||
      group.some((_, index) => {
        const { field, lines } = problemsOf(group, index)
        return field !== null || lines !== null
      }),
  )
  return isWrong ? null : groups.map((group) => group.map(conditionOf))
}
