import { Link } from 'react-router-dom'
import { type Draft, isDraftChanged } from '../../../streams/administration/plan/draft.ts'
import { FolderExport, Planning } from '../../../streams/administration/plan/events.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import { Button } from '../../shared/Button.tsx'
import { ConfirmFirstButton } from '../../shared/Confirm.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { useReleaseNumber } from '../parts/ReleaseId.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './Plan.module.css'

/**
 * Shows what the draft is based on and whether the browser stores it. Can export the draft as a folder or discard it.
 */
export function DraftHead({ draft }: { draft: Draft }) {
  const t = useTexts()
  const { moment } = useFormats()
  const wasRestored = useAdministrationState(({ plan }) => plan.wasRestored === true)
  const kept = useAdministrationState(({ plan }) => plan.kept)
  const recording = useRecording()
  const numberOf = useReleaseNumber()
  const base = draft.base === null ? null : numberOf(draft.base)
  if (!isDraftChanged(draft))
    return (
      <Section title={t('plan.draft.title')}>
        <p data-goes-on>
          {t('plan.draft.untouched')}{' '}
          <Link to="/signatures" className={textCss['link']}>
            {t('frame.signatures')}
          </Link>
        </p>
      </Section>
    )
  return (
    <Section title={t('plan.draft.title')}>
      <p data-goes-on>
        {draft.folder === null
          ? t('plan.draft.fromPublished', { moment: moment(draft.begun), release: base ?? '' })
          : base === null
            ? t('plan.draft.fromFolderFirst', { moment: moment(draft.begun), folder: draft.folder })
            : t('plan.draft.fromFolder', {
                moment: moment(draft.begun),
                folder: draft.folder,
                release: base,
              })}{' '}
        {draft.edited.length > 0 && t('plan.draft.edited', { count: draft.edited.length })}{' '}
        {draft.hasNewRules && t('plan.draft.newRules')}
      </p>
      <p role="status">{wasRestored ? t('plan.draft.restored', { moment: moment(draft.changed) }) : ''}</p>
      {kept !== 'kept' && (
        <Notice tone="warning" title={t('plan.draft.notKept')} urgent>
          <p>{t('plan.draft.notKeptAction')}</p>
        </Notice>
      )}
      <div className={css['row']}>
        <ExportFolder source="draft" />
        <div data-discard>
          <ConfirmFirstButton
            look="danger"
            title={t('plan.draft.discardTitle')}
            meaning={t('plan.draft.discardMeaning')}
            confirm={t('plan.draft.discard')}
            cancel={t('plan.draft.keep')}
            onConfirm={recording(Planning.discarded())}
          />
        </div>
      </div>
    </Section>
  )
}

/** Exports the draft or the published release as an archive of its folder. */
export function ExportFolder({ source }: { source: 'draft' | 'published' }) {
  const t = useTexts()
  const recording = useRecording()
  const exporting = useAdministrationState(({ plan }) => plan.exporting)
  const save = recording(FolderExport.requested({ source }))
  const attempt = exporting?.source === source ? exporting.attempt : null
  return (
    <div className={sectionCss['section']}>
      <div>
        <Button look="secondary" onPress={save}>
          {t(source === 'draft' ? 'plan.export.draft' : 'plan.export.published')}
        </Button>
      </div>
      <Answer
        status={attempt?.status ?? 'idle'}
        pending={t('plan.export.writing')}
        success={t('plan.export.done')}
        failure={
          <Failure title="plan.export.failed" failure={attempt && failureOf(attempt)} onRetry={save} />
        }
      />
    </div>
  )
}
