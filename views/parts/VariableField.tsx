import { useId } from 'react'
import { Variables } from '../../streams/variables/events.ts'
import type { Variable } from '../../streams/variables/rules.ts'
import { fromShown, toShown } from '../../streams/variables/sanitizeText.ts'
import { useRecord } from '../hooks/app.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Button } from './Button.tsx'
import * as css from './VariableField.module.css'

/** The variables that have a translated name. */
const NAMES: Readonly<Record<string, TextKey>> = {
  'variable.first_name': 'variable.first_name',
  'variable.last_name': 'variable.last_name',
  'variable.job_title': 'variable.job_title',
  'variable.department': 'variable.department',
  'variable.phone': 'variable.phone',
  'variable.mobile_phone': 'variable.mobile_phone',
  'variable.office': 'variable.office',
  'variable.company': 'variable.company',
  'variable.website': 'variable.website',
  'variable.network_page': 'variable.network_page',
  'variable.legal_line': 'variable.legal_line',
}

const PATH_KEY = 'variable.'

/**
 * A name that Signet has no words for. That of the organisation stays as it is; a path becomes words, as `cost_center`
 * becomes `Cost center`, unless its capitals say more, as in `iOS_device`.
 */
const visibleTextOf = (key: string): string => {
  const path = key.startsWith(PATH_KEY) ? key.slice(PATH_KEY.length) : null
  if (path === null) return key
  if (path !== path.toLocaleLowerCase()) return path
  const words = path.replaceAll('_', ' ')
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

const inputType = (path: string): 'url' | 'tel' | 'text' => {
  if (/(?:^|_)(?:website|link|page|url)$/.test(path)) return 'url'
  return path.endsWith('phone') ? 'tel' : 'text'
}

/** A detail of the user, with the value of the directory where that is another one. */
export function VariableField({ variable, isMissing }: { variable: Variable; isMissing: boolean }) {
  const t = useTexts()
  const record = useRecord()
  const id = useId()
  const { path, value, savedValue, directoryValue, isDraft, isLocked, isResyncable, isMarked } = variable
  const { translationKey } = variable
  const key = Object.hasOwn(NAMES, translationKey) ? NAMES[translationKey] : undefined
  const name = key ? t(key) : toShown(visibleTextOf(translationKey))
  return (
    <div className={css['field']}>
      <label htmlFor={id}>
        {name}
        {isDraft && <span className={css['mark']}>{t('details.edited')}</span>}
      </label>
      <input
        id={id}
        type={inputType(path)}
        value={toShown(value)}
        readOnly={isLocked}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => {
          record(Variables.edited({ path, value: fromShown(currentTarget.value, value) }))
        }}
      />
      <div id={`${id}-about`} className={css['about']}>
        {isLocked && <p>{t('details.locked')}</p>}
        {isMissing && <p>{t('details.noValue')}</p>}
        {isDraft && !isResyncable && (
          <p>
            {savedValue === ''
              ? t('details.savedEmpty')
              : t('details.savedIs', { value: toShown(savedValue) })}{' '}
            <RevertButton path={path} name={name} fieldId={id} />
          </p>
        )}
      </div>
      {isResyncable && directoryValue !== null && (
        <div className={css['choice']} role="group" aria-label={t('details.differs', { name })}>
          <p>{t('details.differsHint')}</p>
          <dl>
            <dt>{t('details.mine')}</dt>
            <dd>{toShown(value) || t('details.nothing')}</dd>
            <dt>{t('details.directory')}</dt>
            <dd>{toShown(directoryValue) || t('details.nothing')}</dd>
            <dt>{t('details.saved')}</dt>
            <dd>{toShown(savedValue) || t('details.nothing')}</dd>
          </dl>
          <div className={css['buttons']}>
            {isMarked ? (
              <Button
                look="secondary"
                small
                onPress={() => {
                  record(Variables.unmarked({ path }))
                }}
              >
                {t('details.keepMine')}
              </Button>
            ) : (
              <Button
                look="secondary"
                small
                onPress={() => {
                  record(Variables.marked({ path }))
                }}
              >
                {t('details.useDirectory')}
              </Button>
            )}
            {isDraft && !isMarked && <RevertButton path={path} name={name} fieldId={id} />}
          </div>
        </div>
      )}
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
        // The button disappears with the edit.
        document.getElementById(fieldId)?.focus()
        record(Variables.discarded({ path }))
      }}
    >
      {t('details.revert')}
    </button>
  )
}
