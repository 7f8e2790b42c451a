import type { SignatureList as LoadedList } from '../../../streams/message/signatures/list.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { selectRefusedChanges } from '../../../streams/pane/defaults/selectors.ts'
import { useId, useState } from 'react'
import { selectUndoDirection } from '../../../streams/pane/insertion/selectors.ts'
import { type Failure, isTemporary } from '../../../streams/kernel/failure.ts'
import { selectItemStatus } from '../../../streams/pane/mailbox/selectors.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import {
  selectIsArranging,
  selectList,
  selectSearchQuery,
  selectRefreshFailure,
  selectSignatureCount,
} from '../../../streams/pane/signatures/selectors.ts'
import { useAppState, useRecord, useRecording } from '../app.tsx'
import { useCollectionTitle } from '../collectionTitle.ts'
import { useUndoKey } from './undoKey.ts'
import { explainFailure } from '../text/failure.ts'
import { useTexts } from '../text/texts.ts'
import { AskAdministrator } from '../frame/AskAdministrator.tsx'
import { Button } from '../../shared/Button.tsx'
import { Chooser } from './Chooser.tsx'
import { Folders } from './Folders.tsx'
import { type Folder, FOLDER_HEADINGS } from './folder.ts'
import { AtFoot } from '../frame/Foot.tsx'
import { FailureNotice } from '../frame/FailureNotice.tsx'
import { Notice } from '../../shared/Notice.tsx'
import * as css from './SignatureList.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../../shared/Text.module.css'

const selectOwn = selectList('own')
const selectDelegated = selectList('delegated')

/** True for an empty list that is loading, or waits for the sign-in. */
const isLoading = ({ load: { status }, entries }: LoadedList, isSignedIn: boolean): boolean =>
  entries.length === 0 && (status === 'pending' || (status === 'idle' && !isSignedIn))

/** The user's own and shared signatures, to choose from. */
export function SignatureList({ folder }: { folder: Folder }) {
  const Heading = folder === 'mine' ? 'h2' : 'h1'
  const t = useTexts()
  const headingId = useId()
  const hintId = useId()
  const own = useAppState(selectOwn)
  const delegated = useAppState(selectDelegated)
  const isArranging = useAppState(selectIsArranging)
  const isSignedIn = useAppState(({ auth }) => auth.status === 'success')
  const mayHaveNone = useAppState(selectItemStatus) === 'ready'
  const hasStale = useAppState(selectRefreshFailure)
  const ofFolder = useAppState(selectSignatureCount)
  // The list below the message also has shared signatures, grouped below a heading for each owner.
  const total = folder === 'mine' ? own.total : ofFolder
  const titleOf = useCollectionTitle()
  const mayUndo = useAppState(selectUndoDirection) === 'undo'
  const undoKey = useUndoKey(useAppState(selectSearchQuery))
  const isHinted = mayUndo && mayHaveNone && undoKey.isMeant

  const lists = folder === 'shared' ? [delegated] : [own, delegated]
  const hasEntries = lists.some(({ entries }) => entries.length > 0)
  const isWaiting =
    folder === 'shared'
      ? isLoading(delegated, isSignedIn)
      : own.load.status !== 'fail' &&
        (isArranging ||
          isLoading(own, isSignedIn) ||
          (own.entries.length === 0 && own.load.status === 'idle'))
  const isEmpty =
    !hasEntries &&
    !isWaiting &&
    !hasStale &&
    lists.every(({ load: { status } }) => status !== 'fail' && status !== 'pending')

  const folders = <Folders folder={folder} />
  return (
    <section
      aria-labelledby={headingId}
      aria-busy={isWaiting || lists.some(({ load }) => load.status === 'pending')}
      className={stack['gapS']}
      {...undoKey.over}
    >
      <div className={css['head']}>
        <Heading id={headingId}>
          {typeof folder === 'string' ? t(FOLDER_HEADINGS[folder]) : titleOf(folder.collection)}
        </Heading>
        {total > 0 && <span className={textCss['small']}>{t('list.count', { total })}</span>}
        <span id={hintId} className={css[isHinted ? 'hint' : 'noHint']}>
          {t('list.escapeUndoes')}
        </span>
      </div>
      {isEmpty && (
        <>
          {folders}
          <div className={css['empty']}>
            <p className={css['title']}>{t('list.empty')}</p>
            <p className={textCss['small']}>{t('list.emptyMeaning')}</p>
            <AskAdministrator />
          </div>
        </>
      )}
      {isWaiting && <span className={textCss['unseen']}>{t('list.loading')}</span>}
      {(isWaiting || !isEmpty || mayHaveNone) && (
        <Chooser
          labelledBy={headingId}
          hintId={isHinted ? hintId : null}
          isWaiting={isWaiting}
          folder={folder}
          folders={isEmpty ? null : folders}
          undoKey={undoKey}
        />
      )}
      <AtFoot>
        {hasStale && own.entries.length > 0 && <StaleList failure={hasStale} />}
        <Unshared />
        <DefaultsNotChanged />
        <CopyFailed />
      </AtFoot>
    </section>
  )
}

/**
 * Reports that a refresh failed and that the list shows the earlier signatures. It is beside the list's age, so that no
 * row moves.
 */
function StaleList({ failure }: { failure: Failure }) {
  const t = useTexts()
  const { what, action, values } = explainFailure(failure, 'load')
  return (
    <div role="alert" className={css['stale']}>
      <p className={css['title']}>{t('notice.listStale')}</p>
      <p>
        {t(what, values)} {isTemporary(failure) ? t('notice.refreshesItself') : t(action, values)}
      </p>
    </div>
  )
}

const NOT_CHANGED = {
  master: 'notice.defaultNotChanged',
  reply: 'notice.replyDefaultNotChanged',
  sender: 'notice.senderChoiceNotChanged',
  organisation: 'notice.organisationNotUsed',
} as const

/** Which notices the user has read, and the button that marks a notice as read. */
function useReading() {
  const t = useTexts()
  const [read, setRead] = useState<readonly unknown[]>([])
  return {
    isRead: (it: unknown) => read.includes(it),
    close: (it: unknown) => (
      <Button look="subtle" small onPress={() => setRead([...read, it])}>
        {t('dialog.close')}
      </Button>
    ),
  }
}

/**
 * The failed changes of a default, until the user has read them: one for new messages, one for replies, and one for
 * each sender. They are at the foot, so that no row moves.
 */
function DefaultsNotChanged() {
  const record = useRecord()
  const refused = useAppState(selectRefusedChanges)
  const { isRead, close } = useReading()
  return refused
    .filter(({ change }) => !isRead(change.id))
    .map(({ change, failure }) => (
      <div key={change.id} className={css['refused']}>
        <FailureNotice
          title={NOT_CHANGED[change.use]}
          failure={failure}
          purpose={change.use === 'sender' ? 'setSender' : 'setDefault'}
          onRetry={() => {
            if (change.use === 'organisation') record(Defaults.organisationRequested())
            else if (change.use === 'sender') {
              const { address, combinedIds } = change
              record(Defaults.senderChoiceRequested({ address, combinedIds }))
            } else {
              const { use, combinedIds } = change
              record(Defaults.changeRequested({ use, combinedIds }))
            }
          }}
          act={close(change.id)}
        />
      </div>
    ))
}

/** Reports that a person stopped sharing signatures. Appears once the list is reloaded, until the user has read it. */
function Unshared() {
  const t = useTexts()
  const told = useAppState(({ signatures: { unshared, refresh, delegated } }) =>
    [refresh, delegated.load].some(({ status }) => status === 'fail' || status === 'pending')
      ? null
      : unshared,
  )
  const { isRead, close } = useReading()
  if (told === null || isRead(told)) return null
  return (
    <div className={css['refused']}>
      <Notice tone="info" urgent act={close(told)}>
        <p>{t('list.unshared')}</p>
      </Notice>
    </div>
  )
}

/** The reason why a signature could not be copied, until the user has read the notice. */
function CopyFailed() {
  const recording = useRecording()
  const copy = useAppState(({ signatures }) => signatures.copy)
  const { isRead, close } = useReading()
  if (copy?.attempt.status !== 'fail' || isRead(copy)) return null
  const { entryId, attempt } = copy
  return (
    <div className={css['refused']}>
      <FailureNotice
        title="notice.notCopied"
        failure={attempt.failure}
        purpose="copy"
        onRetry={recording(Signatures.copyRequested({ entryId }))}
        act={close(copy)}
      />
    </div>
  )
}
