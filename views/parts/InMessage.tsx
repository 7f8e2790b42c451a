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

const PREVIEW_HEIGHT_PX = 200

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
          <p className={css['quiet']}>{t('message.looking')}</p>
          <SkeletonSignature />
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
      {insertion && isInserting && <Progress insertion={insertion} />}
      {shown && <Shown shown={shown} />}
      {!shown && isInserting && <SkeletonSignature />}
      {!shown &&
        !isInserting &&
        (isDefaultLoading && insertion === null ? (
          <>
            <p className={css['quiet']}>{t('message.defaultLoading')}</p>
            <SkeletonSignature />
          </>
        ) : (
          <p>
            {t('message.none')} {hasChoice && t('message.choose')}
          </p>
        ))}
      {status === 'success' && insertion?.replacesOlder && (
        <Notice tone="info">
          <p>{t('message.newVersion')}</p>
        </Notice>
      )}
      <Sender />
    </>
  )
}

function Shown({ shown: { inMessage, content } }: { shown: ShownInMessage }) {
  const t = useTexts()
  const why = useAppState(selectWhy)
  const bodyType = useBodyType()
  const { combinedIds, name, reason } = inMessage
  return (
    <>
      <div className={css['words']}>
        <p className={css['name']}>
          {combinedIds === ''
            ? t('list.none')
            : reason.origin === 'manual' && reason.reply
              ? t('entry.variantName', { name, variant: t('entry.reply') })
              : name}
        </p>
        {why && <p className={css['quiet']}>{whyText(why, t)}</p>}
      </div>
      {content && combinedIds !== '' && (
        <div className={css['sheet']}>
          <Preview
            planned={{ ...content, combinedIds }}
            bodyType={bodyType}
            title={t('preview.title', { name })}
            maxHeight={PREVIEW_HEIGHT_PX}
          />
        </div>
      )}
      {content && combinedIds !== '' && bodyType === 'text' && (
        <p className={css['quiet']}>{t('preview.asText')}</p>
      )}
    </>
  )
}

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
