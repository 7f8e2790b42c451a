import { type ReactNode, useId } from 'react'
import { selectDestination } from '../../streams/mailbox/selectors.ts'
import { type Reason, Signatures } from '../../streams/signatures/events.ts'
import type { Insertion } from '../../streams/signatures/reducer.ts'
import {
  selectEntryToRetry,
  selectInsertionName,
  selectShownInMessage,
  type ShownInMessage,
} from '../../streams/signatures/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import { FailureNotice } from './Notice.tsx'
import { Preview } from './Preview.tsx'
import { SkeletonSignature } from './Skeleton.tsx'
import { Icon } from './Icon.tsx'
import * as css from './InMessage.module.css'

/** As high as the preview gets, in CSS pixels. */
const PREVIEW_HEIGHT = 200

/** Why this signature stands in the message. */
function reasonText({ origin, composeType, reply }: Reason): TextKey {
  if (origin === 'manual') return 'reason.chosen'
  if (composeType !== 'reply' && composeType !== 'forward') return 'reason.default'
  if (!reply) return 'reason.noReplyVersion'
  return composeType === 'reply' ? 'reason.inReply' : 'reason.inForward'
}

/** The first thing a person wants to know: which signature is in the message, and why. */
export function InMessage() {
  const t = useTexts()
  const headingId = useId()
  const destination = useAppState(selectDestination)
  const isUnknown = destination === 'looking' || destination === 'reading'
  return (
    <section aria-labelledby={headingId} aria-busy={isUnknown} className={css['section']}>
      <h1 id={headingId}>{t('message.heading')}</h1>
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
    </>
  )
}

function Shown({ shown: { inMessage, content } }: { shown: ShownInMessage }) {
  const t = useTexts()
  const { name, reason } = inMessage
  return (
    <>
      <div className={css['words']}>
        <p className={css['name']}>
          {reason.origin === 'manual' && reason.reply
            ? t('entry.variantName', { name, variant: t('entry.reply') })
            : name}
        </p>
        <p className={css['quiet']}>{t(reasonText(reason))}</p>
      </div>
      {content && (
        <div className={css['sheet']}>
          <Preview content={content} title={t('preview.title', { name })} maxHeight={PREVIEW_HEIGHT} />
        </div>
      )}
    </>
  )
}

function Progress({ insertion: { imagesDone, imagesTotal } }: { insertion: Insertion }) {
  const t = useTexts()
  const name = useAppState(selectInsertionName)
  return (
    <div className={css['progress']}>
      <p className={css['quiet']}>
        {name === null ? t('entry.inserting') : t('message.inserting', { name })}
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

function NotInserted({ insertion: { failure, itemKey } }: { insertion: Insertion }) {
  const record = useRecord()
  const entry = useAppState(selectEntryToRetry)
  if (!failure) return null
  return (
    <FailureNotice
      title="notice.notInserted"
      failure={failure}
      purpose="insert"
      onTryAgain={
        entry &&
        (() => {
          record(Signatures.chosen({ uuid: entry.uuid, itemKey }))
        })
      }
    />
  )
}
