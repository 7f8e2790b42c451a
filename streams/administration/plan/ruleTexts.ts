/** Converts a rule's conditions to form texts and back. */
import { isTestableField, isValueField, MANAGER_PREFIX } from '../../organisation/release/names.ts'
import { isSuggestedField, type SuggestedField } from '../../organisation/rules/fieldValues.ts'
import type { Condition, ManagerCondition, FieldTest } from '../../organisation/release/release.ts'
import {
  dayProblem,
  directoryFieldProblem,
  type FieldProblem,
  type LineKind,
  valueLinesOf,
  linesProblem,
} from './signatures.ts'

/** The subjects of a condition in a form: properties of the person or of the manager. */
export const CONDITION_KINDS = [
  'group',
  'person',
  'address',
  'field',
  'language',
  'managerField',
  'managerPerson',
  'managerAddress',
] as const
export type ConditionKind = (typeof CONDITION_KINDS)[number]

/** How a condition of a form compares a field. */
export const FIELD_COMPARISONS = ['is', 'starts', 'ends', 'contains', 'any', 'before', 'after'] as const
export type FieldComparison = (typeof FIELD_COMPARISONS)[number]

/** A condition on one property, with at most one test. */
type Piece = Exclude<Condition, { by: 'manager' }> | ManagerCondition

/**
 * A condition in a form. Each line of `lines` is one value. A condition on a field has the field's name and a
 * comparison; `day` is used by `before` and `after`.
 */
export type ConditionText = Readonly<{
  by: ConditionKind
  field: string
  is: FieldComparison
  lines: string
  day: string
  /** The draft's condition, until the form changes it: lines would lose the spaces around its values. */
  kept: Piece | null
}>
export type ConditionGroupText = readonly ConditionText[]

export const newCondition: ConditionText = {
  by: 'group',
  field: '',
  is: 'is',
  lines: '',
  day: '',
  kept: null,
}

/** Whether a condition tests a field of the person or of the manager. */
export const testsField = (by: ConditionKind): boolean => by === 'field' || by === 'managerField'

/** Whether a comparison uses a day. */
export const comparesDay = (is: FieldComparison): is is 'before' | 'after' =>
  is === 'before' || is === 'after'

const MANAGER_KINDS = {
  person: 'managerPerson',
  address: 'managerAddress',
  field: 'managerField',
  test: 'managerField',
} as const satisfies Readonly<Record<ManagerCondition['by'], ConditionKind>>

/** Splits a condition for a form: one entry for each field test and each test of the manager. */
export function conditionTextsOf(condition: Condition): readonly ConditionText[] {
  if (condition.by !== 'manager') return piecesOf(condition).map((piece) => textOf(piece, kindOf(piece)))
  return condition.conditions.flatMap((each) =>
    piecesOf(each).map((piece) => textOf(piece, MANAGER_KINDS[each.by])),
  )
}

const kindOf = ({ by }: Piece): ConditionKind => (by === 'test' ? 'field' : by)

const piecesOf = (condition: Piece): readonly Piece[] =>
  condition.by === 'test' ? condition.tests.map((test) => ({ ...condition, tests: [test] })) : [condition]

function textOf(piece: Piece, by: ConditionKind): ConditionText {
  if (piece.by !== 'test')
    return {
      ...newCondition,
      by,
      field: piece.by === 'field' ? piece.field : '',
      lines: piece.values.join('\n'),
      kept: piece,
    }
  const [test] = piece.tests
  return {
    ...newCondition,
    by,
    field: piece.field,
    is: test?.is ?? 'is',
    kept: piece,
    lines: test && 'values' in test ? test.values.join('\n') : '',
    day: test && 'day' in test ? test.day : '',
  }
}

/** The problems of a condition, by form field; null for a valid field. */
export type ConditionProblems = Readonly<{
  field: FieldProblem | Readonly<{ code: 'twice' }> | null
  lines: FieldProblem | null
  day: FieldProblem | null
}>

export const NO_CONDITION_PROBLEMS: ConditionProblems = { field: null, lines: null, day: null }

const isOfManager = ({ by }: ConditionText): boolean => by.startsWith('manager')
const isFieldManager = ({ by, field }: ConditionText): boolean => by === 'field' && field === 'manager'

/** Whether a folder would write two conditions of a group under the same key. */
function isSameKey(one: ConditionText, other: ConditionText): boolean {
  if ((isOfManager(one) && isFieldManager(other)) || (isFieldManager(one) && isOfManager(other))) return true
  if (one.by !== other.by) return false
  if (!testsField(one.by)) return true
  const isOneTest = one.is === other.is || one.is === 'is' || other.is === 'is'
  return one.field === other.field && isOneTest
}

/** Whether a condition has a list of values, one per line. */
export const hasValueLines = ({ by, is }: ConditionText): boolean =>
  !testsField(by) || (is !== 'any' && !comparesDay(is))

/** The kind of values that the lines of each kind of condition contain. */
export const LINE_KINDS: Readonly<Record<ConditionKind, Exclude<LineKind, 'domain'>>> = {
  group: 'group',
  person: 'person',
  address: 'address',
  field: 'field',
  language: 'language',
  managerField: 'field',
  managerPerson: 'person',
  managerAddress: 'address',
}

/** The problems of one condition in a group. A group allows each kind of condition, and each field, only once. */
export function conditionProblemsOf(group: ConditionGroupText, index: number): ConditionProblems {
  const text = group[index]
  if (text === undefined) return NO_CONDITION_PROBLEMS
  const isTwice = group.slice(0, index).some((before) => isSameKey(before, text))
  const field = isTwice ? ({ code: 'twice' } as const) : null
  if (text.kept !== null) return { ...NO_CONDITION_PROBLEMS, field }
  const { by, is } = text
  const isOne = by === 'field' && is === 'is' ? isValueField : isTestableField
  return {
    field: field ?? (testsField(by) ? directoryFieldProblem(text.field, isOne) : null),
    lines: hasValueLines(text) ? linesProblem(LINE_KINDS[by], valueLinesOf(text.lines)) : null,
    day: testsField(by) && comparesDay(is) ? dayProblem(text.day) : null,
  }
}

function pieceOf(text: ConditionText): Piece {
  const { by, field, is, kept } = text
  if (kept !== null) return kept
  const values = valueLinesOf(text.lines)
  switch (by) {
    case 'group':
    case 'person':
    case 'address':
    case 'language':
      return { by, values }
    case 'managerPerson':
      return { by: 'person', values }
    case 'managerAddress':
      return { by: 'address', values }
    case 'field':
    case 'managerField':
      return is === 'is' ? { by: 'field', field, values } : { by: 'test', field, tests: [testOf(is, text)] }
  }
}

function testOf(is: FieldTest['is'], { lines, day }: ConditionText): FieldTest {
  switch (is) {
    case 'any':
      return { is }
    case 'before':
    case 'after':
      return { is, day }
    case 'starts':
    case 'ends':
    case 'contains':
      return { is, values: valueLinesOf(lines) }
  }
}

/** Adds a condition. Merges tests of the same field into one condition. */
function added<Of extends Condition>(conditions: readonly Of[], piece: Of): readonly Of[] {
  const isTestOf = (each: Condition) =>
    each.by === 'test' && piece.by === 'test' && each.field === piece.field
  if (!conditions.some(isTestOf)) return [...conditions, piece]
  return conditions.map((each) =>
    isTestOf(each) && each.by === 'test' && piece.by === 'test'
      ? { ...each, tests: [...each.tests, ...piece.tests] }
      : each,
  )
}

/** Whether a condition can apply to the manager. */
const isAboutManager = (piece: Piece): piece is ManagerCondition => Object.hasOwn(MANAGER_KINDS, piece.by)

/** The conditions of a group. Merges the conditions on the manager into one, at the place of the first. */
function conditionsOf(group: ConditionGroupText): readonly Condition[] {
  let conditions: readonly Condition[] = []
  for (const text of group) {
    const piece = pieceOf(text)
    if (!isOfManager(text) || !isAboutManager(piece)) {
      conditions = added<Condition>(conditions, piece)
      continue
    }
    if (!conditions.some(({ by }) => by === 'manager'))
      conditions = [...conditions, { by: 'manager', conditions: [] }]
    conditions = conditions.map((each) =>
      each.by === 'manager' ? { ...each, conditions: added<ManagerCondition>(each.conditions, piece) } : each,
    )
  }
  return conditions
}

/** The condition groups of a form; null if a group has a problem or no condition. */
export function conditionGroupsOf(
  groups: readonly ConditionGroupText[],
): readonly (readonly Condition[])[] | null {
  const isWrong = groups.some(
    (group) =>
      group.length === 0 ||
      group.some((_, index) =>
        Object.values(conditionProblemsOf(group, index)).some((problem) => problem !== null),
      ),
  )
  return isWrong ? null : groups.map(conditionsOf)
}

/** What values are suggested for a condition; null if none are, as for addresses and people. */
export function suggestedFieldOf(condition: ConditionText): SuggestedField | null {
  const { by, field } = condition
  if (by === 'group') return by
  if (!hasValueLines(condition) || !isSuggestedField(field)) return null
  return by === 'field' ? field : by === 'managerField' ? `${MANAGER_PREFIX}${field}` : null
}
