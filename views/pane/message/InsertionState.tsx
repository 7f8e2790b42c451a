import type { LatestInsertion } from '../../../streams/message/insertion/automatic.ts'
import { selectEntryToRetry, selectInsertedVersion } from '../../../streams/pane/insertion/selectors.ts'
import { Insertion, type InsertionTarget } from '../../../streams/message/insertion/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { type ReactNode, useState } from 'react'
import { useAppState, useRecording } from '../app.tsx'
import { useFocusReturn } from '../../shared/dom/focus.ts'
import type { FailurePurpose } from '../text/failure.ts'
import { signatureName } from '../text/signatureName.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { FailureNotice } from '../frame/FailureNotice.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { NotLoaded, selectLoadFailure } from '../frame/NotLoaded.tsx'
import * as css from './InsertionState.module.css'
import * as textCss from '../../shared/Text.module.css'

/**
 * The failures that concern the open message. They are shown below the bar and over the page until they end or the user
 * closes them.
 */
export function MessageFailures() {
  const [closed, setClosed] = useState<readonly object[]>([])
  const item = useAppState(({ mailbox }) => mailbox.item)
  const { interrupted, latest, bodyBefore, bodyRestore } = useAppState(({ insertion }) => insertion)
  const notLoaded = useAppState(selectLoadFailure)
  const failed = latest?.attempt.status === 'fail' ? latest : null
  // A closed notice stays closed. A new failure is another object, so its notice is open.
  const closable = (of: object | null, notice: ReactNode) =>
    of !== null &&
    !closed.includes(of) && <Closable onClose={() => setClosed([...closed, of])}>{notice}</Closable>
  return (
    <div className={css['hanging']}>
      {closable(interrupted && item ? item : null, <Interrupted />)}
      {failed && closable(failed.attempt, <InsertionFailed insertion={failed} />)}
      {closable(notLoaded, <NotLoaded />)}
      {closable(bodyRestore.status === 'fail' ? bodyRestore : bodyBefore, <BodyAltered />)}
    </div>
  )
}

/**
 * A notice that the user can close with a button or Escape. The focus then returns to the element that had it before.
 */
function Closable({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const t = useTexts()
  const { giveFocusBack, ...fromWhere } = useFocusReturn()
  const close = () => {
    onClose()
    giveFocusBack()
  }
  return (
    <div
      className={css['closable']}
      {...fromWhere}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      {children}
      <button type="button" className={css['close']} aria-label={t('message.close')} onClick={close}>
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}

/** Reports that the user opened another message before their choice was inserted. */
const Interrupted = () => (
  <FailureNotice title="notice.notDone" failure={{ kind: 'itemGone' }} purpose="insert" onRetry={null} />
)

/** Reports that the mail client altered the user's text, and offers a button that restores it. */
function BodyAltered() {
  const t = useTexts()
  const recording = useRecording()
  const restoring = useAppState(({ insertion }) => insertion.bodyRestore)
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  if (itemKey === undefined) return null
  const restore = recording(Insertion.bodyRestoreRequested({ itemKey }))
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

/** The progress of the insertion: lines describe the step and count the pictures; a track fills at the bar's edge. */
export function InsertionProgress({
  insertion: { target, imagesDone, imagesTotal },
}: {
  insertion: LatestInsertion
}) {
  const t = useTexts()
  const version = useAppState(selectInsertedVersion)
  const takesOut = useAppState(({ insertion: { previous } }) => !previous?.inMessage?.combinedIds)
  const inserting =
    version === null ? t('entry.inserting') : t('message.inserting', { name: signatureName(version, t) })
  const doing = {
    none: t('message.removing'),
    previous: t(takesOut ? 'message.removing' : 'message.undoing'),
    default: inserting,
    entry: inserting,
  }[target.kind]
  return (
    <>
      <p title={doing} className={css['doing']}>
        {doing}
      </p>
      {imagesTotal > 0 && (
        <p className={textCss['small']}>{t('message.pictures', { done: imagesDone, count: imagesTotal })}</p>
      )}
      <div className={css['track']} aria-hidden="true">
        {/* The last step is setting the signature itself. */}
        <div
          className={css['done']}
          style={{ width: `${((imagesDone + 0.5) / (imagesTotal + 1)) * 100}%` }}
        />
      </div>
    </>
  )
}

/** For each target of a failed insertion: the title of the notice, and the purpose that explains the failure. */
const FAILED = {
  none: ['notice.notTakenOut', 'takeOut'],
  previous: ['notice.notUndone', 'undo'],
  default: ['notice.notInserted', 'insert'],
  entry: ['notice.notInserted', 'insert'],
} as const satisfies Record<InsertionTarget['kind'], readonly [title: TextKey, purpose: FailurePurpose]>

/** The reason why the insertion failed, with a retry, and the clipboard as a fallback. */
function InsertionFailed({ insertion: { target, attempt, itemKey } }: { insertion: LatestInsertion }) {
  const t = useTexts()
  const recording = useRecording()
  const entry = useAppState(selectEntryToRetry)
  const isRedo = useAppState(({ insertion: { previous } }) => previous?.by === 'redo')
  if (attempt.status !== 'fail') return null
  const retry =
    target.kind === 'none'
      ? Insertion.noneChosen({ itemKey })
      : target.kind === 'previous'
        ? (isRedo ? Insertion.redoRequested : Insertion.undoRequested)({ itemKey })
        : entry && Insertion.chosen({ entryId: entry.entryId, itemKey })
  const [title, purpose] = FAILED[target.kind]
  return (
    <FailureNotice
      title={title}
      failure={attempt.failure}
      purpose={purpose}
      onRetry={retry && recording(retry)}
      act={
        entry && (
          <Button
            look="secondary"
            small
            onPress={recording(Signatures.copyRequested({ entryId: entry.entryId }))}
          >
            {t('notice.copyInstead')}
          </Button>
        )
      }
    />
  )
}
