import { selectShownInMessage } from '../../../streams/pane/insertion/selectors.ts'
import { useState } from 'react'
import { selectDefaultSignature } from '../../../streams/message/defaults/selectors.ts'
import type { PlanInput } from '../../../streams/html/plan.ts'
import { createSelector } from '../../../streams/kernel/selector.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { selectEditsPreview } from '../../../streams/pane/variables/preview.ts'
import type { VariablesError } from '../../../streams/pane/variables/rules.ts'
import {
  selectChangedByOthers,
  selectSaveError,
  selectUnsavedCount,
} from '../../../streams/pane/variables/selectors.ts'
import { useAppState, useRecording } from '../app.tsx'
import { useFocusInSight } from '../dom/focusInSight.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { variableName } from '../text/variableName.ts'
import { Button } from '../../shared/Button.tsx'
import { FailureNotice } from '../frame/FailureNotice.tsx'
import { Preview } from '../preview/Preview.tsx'
import * as css from './SaveBar.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../../shared/Text.module.css'

const PREVIEW_HEIGHT_PX = 96

const ERRORS = {
  VARIABLES_UPDATE_LOCKED_ERROR: 'details.errorLocked',
  VARIABLES_UPDATE_RESYNC_ERROR: 'details.errorResync',
  VARIABLES_UPDATE_GENERIC_ERROR: 'details.errorGeneric',
} as const satisfies Record<VariablesError, TextKey>

const selectPreviewed = createSelector(
  [selectShownInMessage, selectDefaultSignature],
  (shown, signature): PlanInput | null =>
    shown?.content ? { ...shown.content, combinedIds: shown.inMessage.combinedIds } : signature,
)

/** An estimate of the signature with the edits. The service renders the actual signature after the save. */
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
        maxHeight={PREVIEW_HEIGHT_PX}
      />
      <p className={textCss['small']}>{t('details.previewHint')}</p>
    </section>
  )
}

/**
 * The bar at the foot of the pane. It is shown while there are edits, or while the last save has an outcome to report.
 */
export function SaveBar() {
  const t = useTexts()
  const recording = useRecording()
  const unsaved = useAppState(selectUnsavedCount)
  const error = useAppState(selectSaveError)
  const save = useAppState(({ variables }) => variables.save)
  const settledAt = useAppState(({ variables }) => variables.settledAt)
  const [openedAt] = useState(settledAt)
  const changed = useAppState(selectChangedByOthers)
  const isKept = useAppState(({ variables }) => variables.draftsLast)
  const isAutomatic = useAppState(({ settings }) => settings.enableVariablesAutosave)
  // A save that ended before the view was opened is not reported.
  const isDone = save.status === 'success' && settledAt !== openedAt
  const isSaved = isDone && unsaved === 0
  const isShown = unsaved > 0 || save.status === 'pending' || isSaved || error !== null
  // The bar must not cover the field that the user edits.
  useFocusInSight(isShown)
  return (
    <div role="group" aria-label={t('tab.details')} className={css['bar']} data-shown={isShown}>
      {/* A failed save needs the preview's space for its reason. */}
      {unsaved > 0 && error === null && <EditsPreview />}
      {error && save.status === 'fail' && (
        <FailureNotice title={ERRORS[error]} failure={save.failure} purpose="saveDetails" onRetry={null} />
      )}
      <p role="status">
        {save.status === 'pending' && t('details.saving')}
        {isSaved && t('details.savedNow')}
        {isDone &&
          changed.length > 0 &&
          ` ${t('details.changedByOthers', { names: changed.map((each) => variableName(each, t)).join(', ') })}`}
      </p>
      {unsaved > 0 && (
        <div className={stack['buttons']}>
          <Button look="primary" onPress={recording(Variables.saveRequested({ occasion: 'person' }))}>
            {t('details.save', { count: unsaved })}
          </Button>
          <Button look="secondary" onPress={recording(Variables.allDiscarded())}>
            {t('unsaved.discard')}
          </Button>
        </div>
      )}
      {unsaved > 0 && !isKept && <p role="alert">{t('details.notKept')}</p>}
      {unsaved > 0 && isAutomatic && <p className={textCss['small']}>{t('details.autosave')}</p>}
    </div>
  )
}
