import { useMemo, useState } from 'react'
import { firstDraftParts } from '../../../streams/administration/plan/first.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { DraftBeginning } from '../../../streams/administration/plan/reducer.ts'
import { wasWorkStopped } from '../../../streams/administration/work/rules.ts'
import type { Handle } from '../../../streams/kernel/handle.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { DropZone, FileField } from '../parts/FileField.tsx'
import { Progress } from '../parts/Progress.tsx'
import { Section } from '../parts/Section.tsx'
import { Gallery } from './Gallery.tsx'
import { useTexts } from '../text/texts.ts'
import { chosenFilesHandle, droppedHandle } from './dropped.ts'
import { Findings } from './Findings.tsx'
import { folderRefusalText } from '../text/plan.ts'
import * as stack from '../../shared/Stack.module.css'
import * as css from './Plan.module.css'

/** Begins a draft from the published release, a folder or an archive. Choosing a folder replaces an unchanged draft. */
export function BeginDraft() {
  const t = useTexts()
  const hasDraft = useAdministrationState(({ plan }) => plan.draft !== null)
  const recording = useRecording()
  const beginning = useAdministrationState(({ plan }) => plan.beginning)
  const choose = recording((folder: Handle) => Planning.folderChosen({ folder }))
  /** The field of the last choice; null if something was dropped. */
  const [field, setField] = useState<'folder' | 'archive' | null>(null)
  const chooseIn = (chosen: 'folder' | 'archive') => (files: FileList) => {
    setField(chosen)
    choose(chosenFilesHandle(files))
  }
  const isFirst = isNothing(beginning)
  return (
    <Section title={t(hasDraft ? 'signatures.folder.title' : 'plan.begin.title')}>
      {!hasDraft && (
        <>
          <p data-goes-on>{t('plan.begin.intro')}</p>
          <div className={stack['buttons']}>
            {isFirst ? (
              <Button look="primary" onPress={recording(Planning.firstChosen({ template: null }))}>
                {t('plan.begin.first')}
              </Button>
            ) : (
              <Button look="primary" onPress={recording(Planning.publishedChosen())}>
                {t('plan.begin.published')}
              </Button>
            )}
          </div>
        </>
      )}
      <DropZone
        onDrop={(data) => {
          setField(null)
          choose(droppedHandle(data))
        }}
      >
        <p>{t(hasDraft ? 'signatures.folder.drop' : 'plan.begin.drop')}</p>
        <div className={css['row']}>
          <FileField
            label={t('plan.begin.folder')}
            isFolder
            isCurrent={field === 'folder'}
            onChoose={chooseIn('folder')}
          />
          <FileField
            label={t('plan.begin.archive')}
            accept=".zip,application/zip"
            isCurrent={field === 'archive'}
            onChoose={chooseIn('archive')}
          />
        </div>
      </DropZone>
      <Answer
        status={beginning.status === 'refused' || beginning.status === 'notRead' ? 'fail' : beginning.status}
        pending={t(
          beginning.status === 'pending' && beginning.from === 'folder'
            ? 'plan.begin.checking'
            : 'load.loading',
        )}
        success={null}
        failure={<NotBegun beginning={beginning} />}
      />
      <Progress kind="check" label={t('plan.begin.checking')} />
      {!hasDraft && isFirst && <FirstGallery />}
    </Section>
  )
}

/** The gallery templates for the first signature. */
function FirstGallery() {
  const t = useTexts()
  const record = useGesture()
  const owner = useAdministrationState((state) => state.owner)
  const first = useMemo(() => firstDraftParts(owner, null), [owner])
  return (
    <>
      <h3>{t('signatures.gallery.title')}</h3>
      <Gallery
        draft={first}
        heading="h4"
        onChoose={({ template, pictures }) =>
          record(Planning.firstChosen({ template: { template, pictures } }))
        }
      />
    </>
  )
}

/** Whether the draft could not begin because nothing is published. */
const isNothing = (beginning: DraftBeginning): boolean =>
  beginning.status === 'fail' && beginning.failure.kind === 'http' && beginning.failure.status === 404

/** Explains why no draft began. */
function NotBegun({ beginning }: { beginning: DraftBeginning }) {
  const t = useTexts()
  switch (beginning.status) {
    case 'fail':
      if (wasWorkStopped(beginning.failure)) return <p role="status">{t('plan.begin.stopped')}</p>
      return isNothing(beginning) ? (
        <Notice tone="info" title={t('plan.begin.nothing')} urgent>
          <p>{t('plan.begin.nothingAction')}</p>
        </Notice>
      ) : (
        <Failure title="plan.begin.failed" failure={beginning.failure} onRetry={null} />
      )
    case 'refused':
      return (
        <Notice tone="warning" title={t('plan.begin.refused')} urgent>
          <p>{folderRefusalText(beginning.refusal, t)}</p>
        </Notice>
      )
    case 'notRead':
      return (
        <>
          <Notice tone="warning" title={t('plan.begin.notRead')} urgent>
            <p>{t('plan.begin.notReadAction')}</p>
          </Notice>
          <Findings findings={beginning.findings} />
        </>
      )
    default:
      return null
  }
}
