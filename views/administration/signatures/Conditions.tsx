import { useId, useState } from 'react'
import {
  FIELD_COMPARISONS,
  type FieldComparison,
  CONDITION_KINDS,
  type ConditionKind,
  type ConditionText,
  conditionGroupsOf,
  type ConditionGroupText,
  hasValueLines,
  testsField,
  comparesDay,
  LINE_KINDS,
  newCondition,
  conditionProblemsOf,
  conditionTextsOf,
} from '../../../streams/administration/plan/ruleTexts.ts'
import { withValueLine } from '../../../streams/administration/plan/suggestions.ts'
import { suggestedFieldOf } from '../../../streams/administration/plan/ruleTexts.ts'
import type { Condition } from '../../../streams/organisation/release/release.ts'
import { SUGGESTED_FIELDS } from '../../../streams/organisation/rules/fieldValues.ts'
import { Button } from '../../shared/Button.tsx'
import { ChoiceField, Field, LinesField } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import { fieldProblemText } from '../text/rules.ts'
import { ValueSearch } from './ValueSearch.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/**
 * Groups of conditions. A rule matches if all conditions of at least one group hold.
 *
 * @param needsOne whether the rule needs at least one group
 * @param onChange receives the groups; null while one of them is invalid
 */
export function Conditions({
  groups: given,
  needsOne,
  onChange,
}: {
  groups: readonly (readonly Condition[])[]
  needsOne: boolean
  onChange: (groups: readonly (readonly Condition[])[] | null) => void
}) {
  const t = useTexts()
  const [groups, setGroups] = useState<readonly ConditionGroupText[]>(() => {
    const shown = given.map((group) => group.flatMap(conditionTextsOf))
    return needsOne && shown.length === 0 ? [[newCondition]] : shown
  })
  const set = (after: readonly ConditionGroupText[]) => {
    setGroups(after)
    const read = conditionGroupsOf(after)
    onChange(read !== null && (read.length > 0 || !needsOne) ? read : null)
  }
  const setGroup = (index: number, group: ConditionGroupText) => {
    set(
      group.length === 0
        ? groups.filter((_, place) => place !== index)
        : groups.map((each, place) => (place === index ? group : each)),
    )
  }
  return (
    <div className={stack['gapM']}>
      {groups.map((group, index) => (
        <Group
          key={index}
          number={index + 1}
          group={group}
          isLast={needsOne && groups.length === 1}
          onChange={(after) => setGroup(index, after)}
        />
      ))}
      {groups.length === 0 && <p className={textCss['quiet']}>{t('signatures.rules.leavesOutNone')}</p>}
      <div>
        <Button look="secondary" onPress={() => set([...groups, [newCondition]])}>
          {t(groups.length === 0 ? 'signatures.rules.addFirst' : 'signatures.rules.addGroup')}
        </Button>
      </div>
    </div>
  )
}

function Group({
  number,
  group,
  isLast,
  onChange,
}: {
  number: number
  group: ConditionGroupText
  /** Whether this is the only group of a rule that needs one. Its last condition then cannot be removed. */
  isLast: boolean
  onChange: (group: ConditionGroupText) => void
}) {
  const t = useTexts()
  const fieldsId = useId()
  const replace = (index: number, condition: ConditionText) => {
    onChange(group.map((each, place) => (place === index ? condition : each)))
  }
  return (
    <fieldset className={css['group']}>
      <legend>{t('signatures.rules.group', { number })}</legend>
      <datalist id={fieldsId}>
        {SUGGESTED_FIELDS.map((field) => (
          <option key={field} value={field} label={t(`signatures.field.${field}`)} />
        ))}
      </datalist>
      {group.map((condition, index) => {
        const { by, field, is, lines, day } = condition
        const problems = conditionProblemsOf(group, index)
        const suggested = suggestedFieldOf(condition)
        const change = (changes: Partial<ConditionText>) =>
          replace(index, { ...condition, ...changes, kept: null })
        return (
          <div key={index} className={css['condition']}>
            <ChoiceField
              label={t('signatures.rules.condition')}
              value={by}
              options={CONDITION_KINDS.map((kind) => [kind, t(`signatures.condition.${kind}`)])}
              problem={testsField(by) ? null : fieldProblemText(problems.field, t)}
              onChange={({ currentTarget: { value } }) => change({ by: value as ConditionKind })}
            />
            {testsField(by) && (
              <>
                <Field
                  label={t('signatures.rules.field')}
                  hint={t('signatures.rules.fieldHint')}
                  type="text"
                  maxLength={MAX_FIELD_CHARACTERS}
                  list={fieldsId}
                  value={field}
                  problem={fieldProblemText(problems.field, t)}
                  onChange={({ currentTarget: { value } }) => change({ field: value.trim() })}
                />
                <ChoiceField
                  label={t('signatures.rules.comparison')}
                  value={is}
                  options={FIELD_COMPARISONS.map((each) => [each, t(`signatures.comparison.${each}`)])}
                  onChange={({ currentTarget: { value } }) => change({ is: value as FieldComparison })}
                />
                {comparesDay(is) && (
                  <Field
                    label={t('signatures.rules.day')}
                    hint={t('signatures.rules.dayHint')}
                    type="date"
                    value={day}
                    problem={fieldProblemText(problems.day, t)}
                    onChange={({ currentTarget: { value } }) => change({ day: value })}
                  />
                )}
              </>
            )}
            {hasValueLines(condition) && (
              <LinesField
                label={t(`signatures.values.${testsField(by) && is !== 'is' ? 'texts' : LINE_KINDS[by]}`)}
                hint={t('signatures.rules.linesHint')}
                value={lines}
                problem={fieldProblemText(problems.lines, t)}
                onChange={({ currentTarget: { value } }) => change({ lines: value })}
              />
            )}
            {suggested !== null && (
              <ValueSearch
                // Values of another field are another search.
                key={suggested}
                field={suggested}
                lines={lines}
                onAdd={(value) => change({ lines: withValueLine(lines, value) })}
              />
            )}
            {!(isLast && group.length === 1) && (
              <div>
                <Button
                  look="subtle"
                  small
                  onPress={() => onChange(group.filter((_, place) => place !== index))}
                >
                  {t('signatures.rules.removeCondition')}
                </Button>
              </div>
            )}
          </div>
        )
      })}
      <div>
        <Button look="subtle" small onPress={() => onChange([...group, newCondition])}>
          {t('signatures.rules.addCondition')}
        </Button>
      </div>
    </fieldset>
  )
}

const MAX_FIELD_CHARACTERS = 100
