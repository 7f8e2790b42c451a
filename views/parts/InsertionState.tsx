import type { LatestInsertion } from '../../streams/insertion/reducer.ts'
import { selectEntryToRetry, selectInsertionName } from '../../streams/insertion/selectors.ts'
import { Insertion } from '../../streams/insertion/events.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useTexts } from '../text/texts.ts'
import { Button } from './Button.tsx'
import { FailureNotice, Notice } from './Notice.tsx'
import * as css from './InsertionState.module.css'

/** That the mail client altered the user's text, and the button that restores it. */
export function BodyAltered() {
  const t = useTexts()
  const record = useRecord()
  const hasBodyBefore = useAppState(({ insertion }) => insertion.bodyBefore !== null)
  const restoring = useAppState(({ insertion }) => insertion.bodyRestore)
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  if (!hasBodyBefore || itemKey === undefined) return null
  const restore = () => {
    record(Insertion.bodyRestoreRequested({ itemKey }))
  }
  if (restoring.status === 'fail')
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
        restoring.status === 'idle' && (
          <Button look="secondary" small onPress={restore}>
            {t('body.restore')}
          </Button>
        )
      }
    >
      <p>{t(restoring.status === 'idle' ? 'body.offer' : 'body.restoring')}</p>
    </Notice>
  )
}

/** How far the insertion is. */
export function Progress({ insertion: { target, imagesDone, imagesTotal } }: { insertion: LatestInsertion }) {
  const t = useTexts()
  const name = useAppState(selectInsertionName)
  const doing = {
    none: t('message.removing'),
    previous: t('message.undoing'),
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
export function InsertionFailed({ insertion: { target, attempt, itemKey } }: { insertion: LatestInsertion }) {
  const t = useTexts()
  const record = useRecord()
  const entry = useAppState(selectEntryToRetry)
  if (attempt.status !== 'fail') return null
  const retry =
    target.kind === 'none'
      ? Insertion.noneChosen({ itemKey })
      : target.kind === 'previous'
        ? Insertion.undoRequested({ itemKey })
        : entry && Insertion.chosen({ uuid: entry.uuid, itemKey })
  return (
    <FailureNotice
      title="notice.notInserted"
      failure={attempt.failure}
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
