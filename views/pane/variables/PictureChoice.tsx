import { type ClipboardEvent, useId } from 'react'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { App } from '../../../streams/pane/events.ts'
import { Picture, type PictureRefusal } from '../../../streams/pane/picture/events.ts'
import { pictureTypes } from '../../../streams/pane/picture/rules.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { useAppState, useRecord, useRecording } from '../app.tsx'
import { useDropArea } from '../../shared/dom/dropping.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { CropChoice } from './CropChoice.tsx'
import { ConfirmFirstButton } from '../../shared/Confirm.tsx'
import { FailureNotice } from '../frame/FailureNotice.tsx'
import { Notice } from '../../shared/Notice.tsx'
import * as css from './PictureChoice.module.css'
import * as textCss from '../../shared/Text.module.css'

const REFUSALS = {
  type: 'picture.notAPicture',
  size: 'picture.tooLarge',
  empty: 'picture.empty',
  unreadable: 'picture.unreadable',
  notLoaded: 'picture.notLoaded',
} as const satisfies Record<PictureRefusal['reason'], TextKey>

const BYTES_PER_MEGABYTE = 1024 * 1024

/** Lets the user choose, drop or paste a picture, crop and save it, or delete the saved picture. */
export function PictureChoice() {
  const t = useTexts()
  const record = useRecord()
  const id = useId()
  const { url: load, offer, change } = useAppState(({ picture }) => picture)
  const url = loadedValue(load)
  const isKnown = load.status === 'success'

  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) record(Picture.offered({ file: createHandle(file) }))
  }
  const { isOver, dropping } = useDropArea(({ files }) => {
    take(files)
  })
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length > 0) take(event.clipboardData.files)
  }

  return (
    <section
      aria-labelledby={`${id}-title`}
      aria-busy={change?.attempt.status === 'pending' || offer?.status === 'preparing'}
      className={css['section']}
      data-over={isOver}
      {...dropping}
      onPaste={paste}
    >
      <h2 id={`${id}-title`}>{t('picture.title')}</h2>
      {offer?.status === 'ready' && <CropChoice key={offer.id} picture={offer.picture} crop={offer.crop} />}
      <div className={css['row']}>
        {offer?.status === 'ready' ? null : url ? (
          <img src={url} alt={t('picture.alt')} width={72} height={72} className={css['picture']} />
        ) : (
          <span className={css['none']}>{isKnown && t('picture.none')}</span>
        )}
        <div className={css['acts']}>
          {offer?.status === 'ready' ? (
            <OfferButtons />
          ) : (
            <>
              <FileButton onChoose={take} />
              {url && <DeleteButton />}
            </>
          )}
        </div>
      </div>
      <p className={textCss['small']}>{t('picture.hint')}</p>
      <Outcome />
    </section>
  )
}

function OfferButtons() {
  const t = useTexts()
  const recording = useRecording()
  return (
    <>
      <Button look="primary" onPress={recording(Picture.saveRequested())}>
        {t('picture.save')}
      </Button>
      <Button look="secondary" onPress={recording(Picture.dropped())}>
        {t('picture.keep')}
      </Button>
    </>
  )
}

function FileButton({ onChoose }: { onChoose: (files: FileList | null) => void }) {
  const t = useTexts()
  return (
    <label className={css['choose']}>
      {t('picture.choose')}
      <input
        type="file"
        className={textCss['unseen']}
        accept={pictureTypes.join(',')}
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files)
          // Clears the field, so that the user can choose the same file again.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

function DeleteButton() {
  const t = useTexts()
  const recording = useRecording()
  return (
    <ConfirmFirstButton
      look="danger"
      title={t('picture.deleteTitle')}
      meaning={t('picture.deleteMeaning')}
      confirm={t('picture.delete')}
      cancel={t('picture.cancelDelete')}
      onConfirm={recording(Picture.deleteRequested())}
    />
  )
}

/** The outcome of choosing, saving or deleting a picture. */
function Outcome() {
  const t = useTexts()
  const recording = useRecording()
  const { url: load, offer, change } = useAppState(({ picture }) => picture)
  const saving = change?.attempt
  return (
    <>
      {offer?.status === 'refused' && (
        <Notice tone="warning" urgent>
          <p>
            {t(REFUSALS[offer.refusal.reason], {
              limit: offer.refusal.reason === 'size' ? offer.refusal.limit / BYTES_PER_MEGABYTE : 0,
            })}
          </p>
        </Notice>
      )}
      {change && (
        <FailureNotice
          title={`picture.${change.kind}Failed`}
          failure={failureOf(change.attempt)}
          purpose="savePicture"
          onRetry={recording(change.kind === 'save' ? Picture.saveRequested() : Picture.deleteRequested())}
        />
      )}
      <FailureNotice
        title="picture.loadFailed"
        failure={change ? null : failureOf(load)}
        purpose="loadPicture"
        onRetry={recording(App.retryRequested())}
      />
      <p role="status">
        {offer?.status === 'preparing' && t('picture.preparing')}
        {offer?.status === 'ready' && !change && t('picture.ready')}
        {change &&
          saving?.status === 'pending' &&
          t(change.kind === 'save' ? 'picture.saving' : 'picture.deleting')}
        {change &&
          saving?.status === 'success' &&
          t(change.kind === 'save' ? 'picture.saved' : 'picture.deleted')}
      </p>
    </>
  )
}
