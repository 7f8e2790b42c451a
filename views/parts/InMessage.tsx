import {
  selectMayUndo,
  selectSendersSignature,
  selectShownInMessage,
  selectWhy,
  type ShownInMessage,
} from '../../streams/insertion/selectors.ts'
import { selectSender } from '../../streams/mailbox/selectors.ts'
import { Insertion } from '../../streams/insertion/events.ts'
import { type ReactNode, useId } from 'react'
import { selectDestination } from '../../streams/mailbox/selectors.ts'
import { defaultSignatureOf } from '../../streams/defaults/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useMessageArrival } from '../hooks/dom/arrival.ts'
import { useTexts } from '../text/texts.ts'
import { whyText } from '../text/why.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { BodyAltered, InsertionFailed, Progress } from './InsertionState.tsx'
import { FailureNotice, Notice } from './Notice.tsx'
import { Preview, useBodyType } from './Preview.tsx'
import { SkeletonSignature } from './Skeleton.tsx'
import * as css from './InMessage.module.css'

/** The sheet has this height and its padding in every state, so that what is below never moves. */
const PREVIEW_HEIGHT_PX = 120

/** Which signature is in the open message, and why. */
export function InMessage() {
  const t = useTexts()
  const headingId = useId()
  const destination = useAppState(selectDestination)
  const isInterrupted = useAppState(({ insertion }) => insertion.interrupted)
  useMessageArrival()
  const isUnknown = destination === 'looking' || destination === 'reading'
  return (
    <section aria-labelledby={headingId} aria-busy={isUnknown} className={css['section']}>
      <div className={css['head']}>
        <h1 id={headingId}>{t('message.heading')}</h1>
        {destination === 'ready' && <Undo />}
      </div>
      {isInterrupted && (
        <FailureNotice
          title="notice.notInserted"
          failure={{ kind: 'itemGone' }}
          purpose="insert"
          onRetry={null}
        />
      )}
      {isUnknown && (
        <>
          <div className={css['words']}>
            <p className={css['quiet']}>{t('message.looking')}</p>
          </div>
          <Loading />
        </>
      )}
      {destination === 'none' && (
        <NoDestination icon={<Icon name="noMessage" />}>
          <p>{t('message.noItem')}</p>
          <p>{t('message.noItemAction')}</p>
        </NoDestination>
      )}
      {destination === 'read' && (
        <NoDestination icon={<Icon name="readMessage" />}>
          <p>{t('message.read')}</p>
          <p>{t('message.readAction')}</p>
        </NoDestination>
      )}
      {destination === 'ready' && <Ready />}
    </section>
  )
}

function NoDestination({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={css['noDestination']}>
      {icon}
      {children}
    </div>
  )
}

function Undo() {
  const t = useTexts()
  const record = useRecord()
  const mayUndo = useAppState(selectMayUndo)
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  if (!mayUndo || itemKey === undefined) return null
  return (
    <Button
      look="subtle"
      small
      icon={<Icon name="undo" size={16} />}
      onPress={() => {
        record(Insertion.undoRequested({ itemKey }))
      }}
    >
      {t('message.undo')}
    </Button>
  )
}

/** A message that can take a signature: the one in it, the insertion under way, the insertion that failed. */
function Ready() {
  const t = useTexts()
  const shown = useAppState(selectShownInMessage)
  const insertion = useAppState(({ insertion: { latest } }) => latest)
  const hasChoice = useAppState(({ signatures }) => signatures.own.entries.length > 0)
  const isDefaultLoading = useAppState(
    ({ auth, defaults }) =>
      defaultSignatureOf(defaults) === null &&
      (auth.status !== 'success' || defaults.load.status === 'pending' || defaults.load.status === 'idle'),
  )
  const status = insertion?.attempt.status
  const isInserting = status === 'pending'
  return (
    <>
      <BodyAltered />
      {insertion && status === 'fail' && <InsertionFailed insertion={insertion} />}
      <div className={css['words']}>
        {insertion && isInserting ? (
          <Progress insertion={insertion} />
        ) : shown ? (
          <NameAndWhy inMessage={shown.inMessage} />
        ) : isDefaultLoading && insertion === null ? (
          <p className={css['quiet']}>{t('message.defaultLoading')}</p>
        ) : (
          <p>
            {t('message.none')} {hasChoice && t('message.choose')}
          </p>
        )}
      </div>
      {shown ? (
        <Sheet shown={shown} />
      ) : isInserting || (isDefaultLoading && insertion === null) ? (
        <Loading />
      ) : (
        <NoSheet />
      )}
      {status === 'success' && insertion?.replacesOlder && (
        <Notice tone="info">
          <p>{t('message.newVersion')}</p>
        </Notice>
      )}
      <Sender />
    </>
  )
}

function NameAndWhy({ inMessage: { combinedIds, name, reason } }: Pick<ShownInMessage, 'inMessage'>) {
  const t = useTexts()
  const why = useAppState(selectWhy)
  return (
    <>
      <p className={css['name']}>
        {combinedIds === ''
          ? t('list.none')
          : reason.origin === 'manual' && reason.reply
            ? t('entry.variantName', { name, variant: t('entry.reply') })
            : name}
      </p>
      {why && <p className={css['quiet']}>{whyText(why, t)}</p>}
    </>
  )
}

/** The signature that is in the message, as it looks there. */
function Sheet({ shown: { inMessage, content } }: { shown: ShownInMessage }) {
  const t = useTexts()
  const bodyType = useBodyType()
  const { combinedIds, name } = inMessage
  if (!content || combinedIds === '') return <NoSheet />
  return (
    <>
      <div className={css['sheet']}>
        <Preview
          planned={{ ...content, combinedIds }}
          bodyType={bodyType}
          title={t('preview.title', { name })}
          maxHeight={PREVIEW_HEIGHT_PX}
        />
      </div>
      {bodyType === 'text' && <p className={css['quiet']}>{t('preview.asText')}</p>}
    </>
  )
}

/** In the place of the sheet while it is not known what belongs there. */
function Loading() {
  return (
    <div className={css['place']}>
      <SkeletonSignature />
    </div>
  )
}

/** In the place of the sheet when there is nothing to show. */
const NoSheet = () => <div className={`${css['place']} ${css['empty']}`} aria-hidden="true" />

/** The sender, when it is not the user, with a button that inserts that sender's signature. */
function Sender() {
  const t = useTexts()
  const record = useRecord()
  const from = useAppState(selectSender)
  const signature = useAppState(selectSendersSignature)
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  if (!from) return null
  const sender = t('message.writingAs', { sender: from.name || from.address })
  if (!signature || itemKey === undefined) return <p className={css['quiet']}>{sender}</p>
  return (
    <Notice
      tone="sender"
      title={sender}
      act={
        <Button
          look="secondary"
          small
          onPress={() => {
            record(Insertion.chosen({ uuid: signature.uuid, itemKey }))
          }}
        >
          {t('sender.use', { name: signature.name })}
        </Button>
      }
    >
      <p>{t('sender.question')}</p>
    </Notice>
  )
}
