import { useState } from 'react'
import {
  type ConditionText,
  groupsOf,
  type GroupText,
  newCondition,
  problemsOf,
  textOf,
} from '../../../streams/administration/plan/ruleTexts.ts'
import type { Condition } from '../../../streams/organisation/release.ts'
import { Button } from '../../parts/Button.tsx'
import { ChoiceField, Field, LinesField } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import { fieldProblemText } from './words.ts'
import * as stack from '../../parts/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

const KINDS = ['group', 'person', 'address', 'field'] as const satisfies readonly Condition['by'][]

/**
 * Groups of conditions. One group that holds is enough; in it, each condition must hold.
 *
 * @param needsOne whether the rule needs at least one group
 * @param onChange called with the groups when all of them are right
 */
export function Conditions({
  groups: given,
  needsOne,
  onChange,
}: {
  groups: readonly (readonly Condition[])[]
  needsOne: boolean
  onChange: (groups: readonly (readonly Condition[])[]) => void
}) {
  const t = useTexts()
  const [groups, setGroups] = useState<readonly GroupText[]>(() => {
    const shown = given.map((group) => group.map(textOf))
    return needsOne && shown.length === 0 ? [[newCondition]] : shown
  })
  const set = (after: readonly GroupText[]) => {
    setGroups(after)
    const read = groupsOf(after)
    if (read !== null && (read.length > 0 || !needsOne)) onChange(read)
  }
  const setGroup = (index: number, group: GroupText) => {
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
      {groups.length === 0 && <p className={textCss['quiet']}>{t('signatures.rules.nobody')}</p>}
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
  group: GroupText
  /** Whether it is the last group of a rule that needs one, so that its last condition cannot go. */
  isLast: boolean
  onChange: (group: GroupText) => void
}) {
  const t = useTexts()
  const replace = (index: number, condition: ConditionText) => {
    onChange(group.map((each, place) => (place === index ? condition : each)))
  }
  return (
    <fieldset className={css['group']}>
      <legend>{t('signatures.rules.group', { number })}</legend>
      {group.map((condition, index) => {
        const { by, field, lines } = condition
        const problems = problemsOf(group, index)
        return (
          <div key={index} className={css['condition']}>
            <ChoiceField
              label={t('signatures.rules.condition')}
              value={by}
              options={KINDS.map((kind) => [kind, t(`signatures.condition.${kind}`)])}
              problem={by === 'field' ? null : fieldProblemText(problems.field, t)}
              onChange={({ currentTarget: { value } }) =>
                replace(index, { ...condition, by: value as Condition['by'], kept: null })
              }
            />
            {by === 'field' && (
              <Field
                label={t('signatures.rules.field')}
                hint={t('signatures.rules.fieldHint')}
                type="text"
                maxLength={MAX_FIELD_CHARACTERS}
                value={field}
                problem={fieldProblemText(problems.field, t)}
                onChange={({ currentTarget: { value } }) =>
                  replace(index, { ...condition, field: value.trim(), kept: null })
                }
              />
            )}
            <LinesField
              label={t(`signatures.values.${by}`)}
              hint={t('signatures.rules.linesHint')}
              value={lines}
              problem={fieldProblemText(problems.lines, t)}
              onChange={({ currentTarget: { value } }) =>
                replace(index, { ...condition, lines: value, kept: null })
              }
            />
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
