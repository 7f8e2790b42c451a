import { useId, useState } from 'react'
import type { AppState } from '../../streams/app/state.ts'
import { createSelector } from '../../streams/kernel/selector.ts'
import type { Planned } from '../../streams/html/plan.ts'
import { selectShownInMessage } from '../../streams/signatures/selectors.ts'
import { Variables } from '../../streams/variables/events.ts'
import { selectEditsPreview } from '../../streams/variables/preview.ts'
import type { Group, Variable, VariablesError } from '../../streams/variables/rules.ts'
import {
  selectMissing,
  selectSaveError,
  selectUnsavedCount,
  selectVariableGroups,
} from '../../streams/variables/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useFocusInSight } from '../hooks/dom/focusInSight.ts'
import { Button } from '../parts/Button.tsx'
import { AtFoot } from '../parts/Foot.tsx'
import { FailureNotice, Notice } from '../parts/Notice.tsx'
import { PictureChoice } from '../parts/PictureChoice.tsx'
import { Preview } from '../parts/Preview.tsx'
import { SkeletonField } from '../parts/Skeleton.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import * as css from './Variables.module.css'

const groupTexts = {
  NULL: 'details.groupPerson',
  default: 'details.groupDirectory',
  product: 'details.groupProduct',
  custom: 'details.groupOrganisation',
} as const satisfies Record<Group, TextKey>

const names: Readonly<Record<string, TextKey>> = {
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

/** A path that Signet has no words for, as words: `cost_center` becomes `Cost center`. */
const visibleTextOf = (key: string): string => {
  const words = key.replace(/^variable\./, '').replaceAll('_', ' ')
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

const errors = {
  VARIABLES_UPDATE_LOCKED_ERROR: 'details.errorLocked',
  VARIABLES_UPDATE_RESYNC_ERROR: 'details.errorResync',
  VARIABLES_UPDATE_GENERIC_ERROR: 'details.errorGeneric',
} as const satisfies Record<VariablesError, TextKey>

/** What the person's signatures say of them: their picture and their variables. */
export function View() {
  const t = useTexts()
  const record = useRecord()
  const groups = useAppState(selectVariableGroups)
  const { status, failure } = useAppState(({ variables }) => variables)
  const missing = useAppState(selectMissing)
  return (
    <div className={css['page']}>
      <h1>{t('place.details')}</h1>
      <PictureChoice />
      {missing.length > 0 && (
        <Notice tone="info">
          <p>{t('details.missing', { count: missing.length })}</p>
        </Notice>
      )}
      {groups.map(({ group, variables }) => (
        <fieldset key={group} className={css['group']}>
          <legend>{t(groupTexts[group])}</legend>
          {variables.map((variable) => (
            <Field key={variable.path} variable={variable} isMissing={missing.includes(variable.path)} />
          ))}
        </fieldset>
      ))}
      {groups.length === 0 && (status === 'pending' || status === 'idle') && (
        <div aria-busy="true" className={css['coming']}>
          <SkeletonField />
          <SkeletonField />
          <SkeletonField />
        </div>
      )}
      {groups.length === 0 && status === 'success' && <p>{t('details.empty')}</p>}
      {status === 'fail' && failure && (
        <FailureNotice
          title="details.loadFailed"
          failure={failure}
          purpose="load"
          onTryAgain={() => {
            record(Variables.reloadRequested())
          }}
        />
      )}
      <AtFoot>
        <SaveBar />
      </AtFoot>
    </div>
  )
}

function Field({ variable, isMissing }: { variable: Variable; isMissing: boolean }) {
  const t = useTexts()
  const record = useRecord()
  const id = useId()
  const { path, value, savedValue, directoryValue, isDraft, isLocked, isResyncable, isMarked } = variable
  const key = names[variable.translationKey]
  const name = key ? t(key) : visibleTextOf(variable.translationKey)
  return (
    <div className={css['field']}>
      <label htmlFor={id}>
        {name}
        {isDraft && <span className={css['mark']}>{t('details.edited')}</span>}
      </label>
      <input
        id={id}
        type={
          /(?:^|_)(?:website|link|page|url)$/.test(path) ? 'url' : path.endsWith('phone') ? 'tel' : 'text'
        }
        value={value}
        readOnly={isLocked}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => {
          record(Variables.edited({ path, value: currentTarget.value }))
        }}
      />
      <div id={`${id}-about`} className={css['about']}>
        {isLocked && <p>{t('details.locked')}</p>}
        {isMissing && <p>{t('details.isMissing')}</p>}
        {isDraft && !isResyncable && (
          <p>
            {savedValue === '' ? t('details.savedEmpty') : t('details.savedIs', { value: savedValue })}{' '}
            <PutBack path={path} name={name} fieldId={id} />
          </p>
        )}
      </div>
      {isResyncable && directoryValue !== null && (
        <div className={css['ways']} role="group" aria-label={t('details.differs', { name })}>
          <p>{t('details.differsHint')}</p>
          <dl>
            <dt>{t('details.mine')}</dt>
            <dd>{value || t('details.nothing')}</dd>
            <dt>{t('details.directory')}</dt>
            <dd>{directoryValue || t('details.nothing')}</dd>
            <dt>{t('details.saved')}</dt>
            <dd>{savedValue || t('details.nothing')}</dd>
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
                {t('details.unmark')}
              </Button>
            ) : (
              <Button
                look="secondary"
                small
                onPress={() => {
                  record(Variables.marked({ path }))
                }}
              >
                {t('details.takeDirectory')}
              </Button>
            )}
            {isDraft && !isMarked && <PutBack path={path} name={name} fieldId={id} />}
          </div>
        </div>
      )}
    </div>
  )
}

function PutBack({ path, name, fieldId }: { path: string; name: string; fieldId: string }) {
  const t = useTexts()
  const record = useRecord()
  return (
    <button
      type="button"
      className={css['link']}
      aria-label={t('details.putBackNamed', { name })}
      onClick={() => {
        // With nothing left to put back the button goes; the person is then where the value is.
        document.getElementById(fieldId)?.focus()
        record(Variables.discarded({ path }))
      }}
    >
      {t('details.putBack')}
    </button>
  )
}

const selectPreviewed = createSelector(
  [selectShownInMessage, ({ signatures }: AppState) => signatures.default.signature],
  (shown, signature): Planned | null =>
    shown?.content ? { ...shown.content, combinedIds: shown.inMessage.combinedIds } : signature,
)

/** What the signature would look like with the edits; the service renders it anew when they are saved. */
function EditsPreview() {
  const t = useTexts()
  const content = useAppState(selectPreviewed)
  const withEdits = useAppState(selectEditsPreview)
  if (!content) return null
  return (
    <section className={css['preview']}>
      <h2>{t('details.preview')}</h2>
      <Preview
        planned={{ ...content, html: withEdits(content.html) }}
        bodyType="html"
        title={t('details.preview')}
        maxHeight={96}
      />
      <p className={css['hint']}>{t('details.previewHint')}</p>
    </section>
  )
}

/** Stands at the foot only while there is something to save, or something to tell of the last save. */
function SaveBar() {
  const t = useTexts()
  const record = useRecord()
  const unsaved = useAppState(selectUnsavedCount)
  const error = useAppState(selectSaveError)
  const { status, failure } = useAppState(({ variables }) => variables.saving)
  const settledAt = useAppState(({ variables }) => variables.settledAt)
  const [openedAt] = useState(settledAt)
  const isAutomatic = useAppState(({ settings }) => settings.enableVariablesAutosave)
  // What was saved before the view was opened is no news.
  const isSaved = status === 'success' && unsaved === 0 && settledAt !== openedAt
  const isShown = unsaved > 0 || status === 'pending' || isSaved || error !== null
  // The bar must not cover the field that the user edits.
  useFocusInSight(isShown)
  return (
    <div role="group" aria-label={t('place.details')} className={css['bar']} data-shown={isShown}>
      {/* Where a save failed, why it did and the way to try again have the room. */}
      {unsaved > 0 && error === null && <EditsPreview />}
      {error && failure && (
        <FailureNotice
          title={errors[error]}
          failure={failure}
          purpose="load"
          onTryAgain={null}
          act={<span>{t('details.editsKept')}</span>}
        />
      )}
      <p role="status">
        {status === 'pending' && t('details.saving')}
        {isSaved && t('details.savedNow')}
      </p>
      {unsaved > 0 && (
        <div className={css['buttons']}>
          <Button
            look="primary"
            onPress={() => {
              record(Variables.saveRequested({ occasion: 'person' }))
            }}
          >
            {t('details.save', { count: unsaved })}
          </Button>
          <Button
            look="secondary"
            onPress={() => {
              record(Variables.allDiscarded())
            }}
          >
            {t('leave.discard')}
          </Button>
        </div>
      )}
      {unsaved > 0 && isAutomatic && <p className={css['hint']}>{t('details.autosave')}</p>}
    </div>
  )
}
