import { type ReactNode, useId } from 'react'
import { selectDestination } from '../../streams/mailbox/selectors.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import type { Insertion } from '../../streams/signatures/reducer.ts'
import {
  selectEntryToRetry,
  selectInsertionName,
  selectMayUndo,
  selectSender,
  selectSendersSignature,
  selectShownInMessage,
  selectWhy,
  type ShownInMessage,
} from '../../streams/signatures/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useMessageArrival } from '../hooks/dom/arrival.ts'
import { useTexts } from '../text/texts.ts'
import { whyText } from '../text/why.ts'
import { Button } from './Button.tsx'
import { FailureNotice, Notice } from './Notice.tsx'
import { Preview, useBodyType } from './Preview.tsx'
import { SkeletonSignature } from './Skeleton.tsx'
import { Icon } from './Icon.tsx'
import * as css from './InMessage.module.css'

/** As high as the preview gets, in CSS pixels. */
const PREVIEW_HEIGHT = 200

/** The first thing a person wants to know: which signature is in the message, and why. */
export function InMessage() {
  const t = useTexts()
  const headingId = useId()
  const destination = useAppState(selectDestination)
  const isInterrupted = useAppState(({ signatures }) => signatures.interrupted)
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
          onTryAgain={null}
        />
      )}
      {isUnknown && (
        <>
          <p className={css['quiet']}>{t('message.looking')}</p>
          <SkeletonSignature />
        </>
      )}
      {destination === 'none' && (
        <Nowhere icon={<Icon name="noMessage" />}>
          <p>{t('message.noItem')}</p>
          <p>{t('message.noItemAction')}</p>
        </Nowhere>
      )}
      {destination === 'read' && (
        <Nowhere icon={<Icon name="readMessage" />}>
          <p>{t('message.read')}</p>
          <p>{t('message.readAction')}</p>
        </Nowhere>
      )}
      {destination === 'ready' && <Ready />}
    </section>
  )
}

function Nowhere({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={css['nowhere']}>
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
        record(Signatures.undoRequested({ itemKey }))
      }}
    >
      {t('message.undo')}
    </Button>
  )
}

/** A message that can take a signature: what is in it, what is on its way, what did not get in. */
function Ready() {
  const t = useTexts()
  const shown = useAppState(selectShownInMessage)
  const insertion = useAppState(({ signatures }) => signatures.insertion)
  const hasChoice = useAppState(({ signatures }) => signatures.own.entries.length > 0)
  const isDefaultComing = useAppState(
    ({ auth, signatures }) =>
      signatures.default.signature === null &&
      (auth.status !== 'success' ||
        signatures.default.status === 'pending' ||
        signatures.default.status === 'idle'),
  )
  const isInserting = insertion?.status === 'pending'
  return (
    <>
      <WordsChanged />
      {insertion?.status === 'fail' && <NotInserted insertion={insertion} />}
      {isInserting && <Progress insertion={insertion} />}
      {shown && <Shown shown={shown} />}
      {!shown && isInserting && <SkeletonSignature />}
      {!shown &&
        !isInserting &&
        (isDefaultComing && insertion === null ? (
          <>
            <p className={css['quiet']}>{t('message.defaultComing')}</p>
            <SkeletonSignature />
          </>
        ) : (
          <p>
            {t('message.none')} {hasChoice && t('message.choose')}
          </p>
        ))}
      {insertion?.status === 'success' && insertion.replacesOlder && (
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
            maxHeight={PREVIEW_HEIGHT}
          />
        </div>
      )}
      {content && combinedIds !== '' && bodyType === 'text' && (
        <p className={css['quiet']}>{t('preview.asText')}</p>
      )}
    </>
  )
}

/** As whom the person writes when it is not themselves, and that sender's signature. */
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
            record(Signatures.chosen({ uuid: signature.uuid, itemKey }))
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

/** That the mail client changed what the person wrote, and the way to have it back. */
function WordsChanged() {
  const t = useTexts()
  const record = useRecord()
  const hasFormer = useAppState(({ signatures }) => signatures.wordsBefore !== null)
  const restore = useAppState(({ signatures }) => signatures.wordsRestore)
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  if (!hasFormer || itemKey === undefined) return null
  const putBack = () => {
    record(Signatures.wordsRestoreRequested({ itemKey }))
  }
  if (restore?.failure)
    return (
      <FailureNotice
        title="words.notBack"
        failure={restore.failure}
        purpose="restoreWords"
        onTryAgain={putBack}
      />
    )
  return (
    <Notice
      tone="warning"
      urgent
      title={t('words.changed')}
      act={
        restore === null && (
          <Button look="secondary" small onPress={putBack}>
            {t('words.back')}
          </Button>
        )
      }
    >
      <p>{t(restore === null ? 'words.offer' : 'words.puttingBack')}</p>
    </Notice>
  )
}

function Progress({ insertion: { target, imagesDone, imagesTotal } }: { insertion: Insertion }) {
  const t = useTexts()
  const name = useAppState(selectInsertionName)
  const doing = {
    none: t('message.takingOut'),
    former: t('message.puttingBack'),
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
        {/* The last part of the way is setting the signature itself. */}
        <div
          className={css['done']}
          style={{ width: `${((imagesDone + 0.5) / (imagesTotal + 1)) * 100}%` }}
        />
      </div>
    </div>
  )
}

/** Why something did not get in, the way to try again, and the clipboard as another way. */
function NotInserted({ insertion: { target, failure, itemKey } }: { insertion: Insertion }) {
  const t = useTexts()
  const record = useRecord()
  const entry = useAppState(selectEntryToRetry)
  if (!failure) return null
  const again =
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
      onTryAgain={
        again &&
        (() => {
          record(again)
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
