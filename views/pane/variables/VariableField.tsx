import { useId, useState } from 'react'
import { Variables } from '../../../streams/pane/variables/events.ts'
import type { DirectoryStanding, Variable } from '../../../streams/pane/variables/rules.ts'
import { fromShownText, toShownText } from '../../../streams/pane/variables/sanitizeText.ts'
import { useRecord } from '../app.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import { variableName } from '../text/variableName.ts'
import { Button } from '../../shared/Button.tsx'
import * as css from './VariableField.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../../shared/Text.module.css'

const inputType = (path: string): 'url' | 'tel' | 'text' => {
  if (/(?:^|_)(?:website|link|page|url)$/.test(path)) return 'url'
  return path.endsWith('phone') ? 'tel' : 'text'
}

/**
 * The field for one of the user's details. If the detail may follow the directory again, also shows the directory's
 * value.
 */
export function VariableField({ variable, isMissing }: { variable: Variable; isMissing: boolean }) {
  const t = useTexts()
  const record = useRecord()
  const id = useId()
  const { path, value, savedValue, isDraft, isLocked, standing } = variable
  const name = variableName(variable, t)
  return (
    <div className={css['field']}>
      <label htmlFor={id}>
        {name}
        {isDraft && <span className={textCss['mark']}>{t('details.edited')}</span>}
      </label>
      <input
        id={id}
        type={inputType(path)}
        value={toShownText(value)}
        readOnly={isLocked}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) =>
          record(Variables.edited({ path, value: fromShownText(currentTarget.value, value) }))
        }
      />
      <div id={`${id}-about`} className={textCss['small']}>
        {isLocked && <p>{t('details.locked')}</p>}
        {isMissing && <p>{t('details.noValue')}</p>}
        {isDraft && standing === null && (
          <p>
            {savedValue === ''
              ? t('details.savedEmpty')
              : t('details.savedIs', { value: toShownText(savedValue) })}{' '}
            <RevertButton path={path} name={name} fieldId={id} />
          </p>
        )}
      </div>
      <DirectoryChoice variable={variable} name={name} fieldId={id} />
    </div>
  )
}

const STANDINGS = {
  differs: ['details.differsHint', 'details.useDirectory'],
  same: ['details.same', 'details.follow'],
  willFollow: ['details.willFollow', 'details.keepMine'],
} as const satisfies Record<DirectoryStanding, readonly [hint: TextKey, act: TextKey]>

/**
 * Shows the user's value and the directory's value, and lets the user choose between them. While it has the focus, it
 * stays, even after a save: a focused element must not disappear, and the user can still undo the choice.
 */
function DirectoryChoice({
  variable: { path, value, savedValue, directoryValue, isDraft, isOutOfSync, standing },
  name,
  fieldId,
}: {
  variable: Variable
  name: string
  fieldId: string
}) {
  const t = useTexts()
  const record = useRecord()
  const [hasFocus, setFocus] = useState(false)
  /** The value that the user had before they chose the directory's value here. */
  const [own, setOwn] = useState<string | null>(null)
  if (standing === null && !hasFocus) return null
  const [hint, act] =
    standing === null
      ? ([isDraft || isOutOfSync ? null : 'details.follows', 'details.keepMine'] as const)
      : STANDINGS[standing]
  const mine = standing === null ? (own ?? value) : standing === 'willFollow' ? savedValue : value
  const choose = () => {
    if (standing === 'willFollow') return record(Variables.unmarked({ path }))
    if (standing === null) {
      document.getElementById(fieldId)?.focus()
      if (own !== null && own !== value) record(Variables.edited({ path, value: own }))
      return
    }
    setOwn(savedValue)
    record(Variables.marked({ path }))
  }
  return (
    <div
      className={css['choice']}
      data-differs={standing === 'differs'}
      role="group"
      aria-label={t('details.choice', { name })}
      onFocus={() => setFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocus(false)
      }}
    >
      <p aria-live="polite">{hint && t(hint)}</p>
      <dl>
        <dt>{t('details.mine')}</dt>
        <dd>{toShownText(mine) || t('details.nothing')}</dd>
        <dt>{t('details.directory')}</dt>
        <dd>{toShownText(directoryValue ?? savedValue) || t('details.nothing')}</dd>
        <dt>{t('details.saved')}</dt>
        <dd>{toShownText(savedValue) || t('details.nothing')}</dd>
      </dl>
      <div className={stack['buttons']}>
        <Button look="secondary" small onPress={choose}>
          {t(act)}
        </Button>
        {isDraft && standing !== 'willFollow' && <RevertButton path={path} name={name} fieldId={fieldId} />}
      </div>
    </div>
  )
}

function RevertButton({ path, name, fieldId }: { path: string; name: string; fieldId: string }) {
  const t = useTexts()
  const record = useRecord()
  return (
    <button
      type="button"
      className={css['link']}
      aria-label={t('details.revertNamed', { name })}
      onClick={() => {
        // The button disappears with the edit, so the field takes the focus.
        document.getElementById(fieldId)?.focus()
        record(Variables.discarded({ path }))
      }}
    >
      {t('details.revert')}
    </button>
  )
}
