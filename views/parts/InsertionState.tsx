import { Signatures } from '../../streams/signatures/events.ts'
import type { Insertion } from '../../streams/signatures/reducer.ts'
import { selectEntryToRetry, selectInsertionName } from '../../streams/signatures/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useTexts } from '../text/texts.ts'
import { Button } from './Button.tsx'
import { FailureNotice, Notice } from './Notice.tsx'
import * as css from './InsertionState.module.css'

/** That the mail client altered the user's text, and the button that restores it. */
export function BodyAltered() {
  const t = useTexts()
  const record = useRecord()
  const hasBodyBefore = useAppState(({ signatures }) => signatures.wordsBefore !== null)
  const restoring = useAppState(({ signatures }) => signatures.wordsRestore)
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  if (!hasBodyBefore || itemKey === undefined) return null
  const restore = () => {
    record(Signatures.wordsRestoreRequested({ itemKey }))
  }
  if (restoring?.failure)
    return (
      <FailureNotice
        title="body.restoreFailed"
        failure={restoring.failure}
        purpose="restoreBody"
        onRetry={restore}
      />
    )
  return (
    <Notice
      tone="warning"
      urgent
      title={t('body.altered')}
      act={
        restoring === null && (
          <Button look="secondary" small onPress={restore}>
            {t('body.restore')}
          </Button>
        )
      }
    >
      <p>{t(restoring === null ? 'body.offer' : 'body.restoring')}</p>
    </Notice>
  )
}

/** How far the insertion is. */
export function Progress({ insertion: { target, imagesDone, imagesTotal } }: { insertion: Insertion }) {
  const t = useTexts()
  const name = useAppState(selectInsertionName)
  const doing = {
    none: t('message.removing'),
    former: t('message.undoing'),
    default: name === null ? t('entry.inserting') : t('message.inserting', { name }),
    entry: name === null ? t('entry.inserting') : t('message.inserting', { name }),
  }[target.kind]
  return (
    <div className={css['progress']}>
      <p className={css['quiet']}>
        {doing}
        {imagesTotal > 0 && ` · ${t('message.pictures', { done: imagesDone, count: imagesTotal })}`}
      </p>
      <div className={css['track']} aria-hidden="true">
        {/* The last step is setting the signature itself. */}
        <div
          className={css['done']}
          style={{ width: `${((imagesDone + 0.5) / (imagesTotal + 1)) * 100}%` }}
        />
      </div>
    </div>
  )
}

/** Why the insertion failed, with a retry, and the clipboard as a fallback. */
export function InsertionFailed({ insertion: { target, failure, itemKey } }: { insertion: Insertion }) {
  const t = useTexts()
  const record = useRecord()
  const entry = useAppState(selectEntryToRetry)
  if (!failure) return null
  const retry =
    target.kind === 'none'
      ? Signatures.noneChosen({ itemKey })
      : target.kind === 'former'
        ? Signatures.undoRequested({ itemKey })
        : entry && Signatures.chosen({ uuid: entry.uuid, itemKey })
  return (
    <FailureNotice
      title="notice.notInserted"
      failure={failure}
      purpose="insert"
      onRetry={
        retry &&
        (() => {
          record(retry)
        })
      }
      act={
        entry && (
          <Button
            look="secondary"
            small
            onPress={() => {
              record(Signatures.copyRequested({ uuid: entry.uuid }))
            }}
          >
            {t('notice.copyInstead')}
          </Button>
        )
      }
    />
  )
}
