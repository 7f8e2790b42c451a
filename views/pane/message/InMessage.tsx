import {
  selectNewerVersion,
  selectSendersSignature,
  selectShownInMessage,
  selectUndoDirection,
  selectSignatureReason,
  type ShownInMessage,
} from '../../../streams/pane/insertion/selectors.ts'
import { selectItemStatus, selectOtherSender } from '../../../streams/pane/mailbox/selectors.ts'
import { type DefaultUse, Defaults } from '../../../streams/message/defaults/events.ts'
import { selectDefaultChange } from '../../../streams/pane/defaults/selectors.ts'
import { selectConfiguration } from '../../../streams/pane/configuration/selectors.ts'
import { selectIsInsertionComing } from '../../../streams/pane/insertion/coming.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { isReplyOrForward } from '../../../streams/message/mailbox/rules.ts'
import type { SignatureEntry } from '../../../streams/message/signatures/entry.ts'
import { selectMissingContent } from '../../../streams/pane/notifications/selectors.ts'
import { Fragment, useId, useState } from 'react'
import { useAppState, useRecording } from '../app.tsx'
import { useScrollToTopOnMessage } from '../dom/arrival.ts'
import { useScrollIntoSight } from '../dom/inSight.ts'
import { useBlocks } from '../blocks.ts'
import { useStickyEdge } from '../../shared/dom/edges.ts'
import { blockText, blocksText } from '../text/blocks.ts'
import { useTexts } from '../text/texts.ts'
import { presentSignatureName, signatureName } from '../text/signatureName.ts'
import { whyText } from '../text/why.ts'
import { Button } from '../../shared/Button.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { MessageFailures, InsertionProgress } from './InsertionState.tsx'
import { Preview, useBodyType } from '../preview/Preview.tsx'
import { SkeletonSignature } from '../frame/Skeleton.tsx'
import * as css from './InMessage.module.css'
import * as textCss from '../../shared/Text.module.css'

/** The sheet's height without its padding. It is the same in every state, so that the content below never moves. */
const PREVIEW_HEIGHT_PX = 120

/**
 * Shows which signature is in the open message, and why; unfolded, also the signature itself. The bar stays at the top
 * of the pane when the user scrolls, and failures are shown below it, over the page. Its parent is as high as the page
 * (Dashboard.module.css).
 */
export function MessageBar({ heading: Heading = 'h1' }: { heading?: 'h1' | 'h2' }) {
  const t = useTexts()
  const headingId = useId()
  const detailsId = useId()
  const bar = useStickyEdge<HTMLElement>('--bar-height')
  const destination = useAppState(selectItemStatus)
  const isComing = useAppState(selectIsInsertionComing)
  const isPending = useAppState(({ insertion: { latest } }) => latest?.attempt.status === 'pending')
  const hasSignature = useAppState(({ insertion: { inMessage } }) => !!inMessage?.combinedIds)
  const isReady = destination === 'ready'
  const [isUnfolded, setIsUnfolded] = useState(false)
  const details = t('message.details')
  useScrollToTopOnMessage()
  return (
    <>
      <section
        ref={bar}
        data-sticky
        aria-labelledby={headingId}
        aria-busy={isComing || isPending}
        className={css['bar']}
      >
        <div className={css['head']}>
          <Heading id={headingId}>{t('message.heading')}</Heading>
          {isReady && <Undo />}
          {isReady && hasSignature && (
            <button
              type="button"
              aria-label={details}
              title={details}
              aria-expanded={isUnfolded}
              aria-controls={isUnfolded ? detailsId : undefined}
              className={css['unfold']}
              onClick={() => setIsUnfolded(!isUnfolded)}
            >
              <Icon name="unfold" size={16} />
            </button>
          )}
        </div>
        <div className={css['words']}>
          <div className={css['lines']}>
            <Words />
          </div>
          {isReady && <Offer />}
        </div>
        <MessageFailures />
      </section>
      {isReady && hasSignature && isUnfolded && <Details id={detailsId} />}
    </>
  )
}

/** The bar, and what to do where no message can take a signature. */
export function InMessage() {
  const t = useTexts()
  const destination = useAppState(selectItemStatus)
  return (
    <>
      <MessageBar />
      {(destination === 'none' || destination === 'read') && (
        <div className={css['away']}>
          <Icon name={AWAY[destination].icon} />
          <p>{t(AWAY[destination].action)}</p>
        </div>
      )}
    </>
  )
}

function Undo() {
  const t = useTexts()
  const recording = useRecording()
  const does = useAppState(selectUndoDirection)
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  if (does === null || itemKey === undefined) return null
  return (
    <Button
      look="subtle"
      small
      icon={<Icon name={does} size={16} />}
      onPress={recording(
        does === 'undo' ? Insertion.undoRequested({ itemKey }) : Insertion.redoRequested({ itemKey }),
      )}
    >
      {t(does === 'undo' ? 'message.undo' : 'message.redo')}
    </Button>
  )
}

/** The bar's text if no message can take a signature. */
const AWAY = {
  none: { says: 'message.noItem', action: 'message.noItemAction', icon: 'noMessage' },
  read: { says: 'message.read', action: 'message.readAction', icon: 'readMessage' },
} as const

/** Two lines in every state: the signature and the reason, or the current activity. */
function Words() {
  const t = useTexts()
  const destination = useAppState(selectItemStatus)
  const isComing = useAppState(selectIsInsertionComing)
  const inMessage = useAppState(selectShownInMessage)?.inMessage
  const insertion = useAppState(({ insertion: { latest } }) => latest)
  const hasChoice = useAppState(({ signatures }) => signatures.own.entries.length > 0)
  const isExisting = useAppState(({ mailbox }) => mailbox.message?.isExisting === true)
  const { missing, sender } = useNotes()
  if (destination === 'none' || destination === 'read')
    return <p className={css['name']}>{t(AWAY[destination].says)}</p>
  if (insertion?.attempt.status === 'pending') return <InsertionProgress insertion={insertion} />
  if (inMessage) return <NameAndWhy inMessage={inMessage} />
  if (isComing || destination !== 'ready')
    return (
      <>
        <p className={css['coming']}>{t('message.coming')}</p>
        <Line parts={[missing ?? sender]} />
      </>
    )
  const advice = hasChoice ? t(isExisting ? 'message.existing' : 'message.choose') : null
  return (
    <>
      <p className={css['name']}>{t('message.none')}</p>
      <Line parts={[missing ?? sender, advice]} />
    </>
  )
}

/** The name, and one line: what is missing or who sends, or else the reason; and the blocks. */
function NameAndWhy({ inMessage }: Pick<ShownInMessage, 'inMessage'>) {
  const t = useTexts()
  const why = useAppState(selectSignatureReason)
  const isUpdated = useAppState(({ insertion: { latest } }) => latest?.replacesOlder === true)
  const shown = presentSignatureName(inMessage, t)
  const isOlder = useAppState(selectNewerVersion) !== null
  const blocks = useBlocks(inMessage)
  const { missing, sender } = useNotes()
  const because = isOlder ? t('message.older') : isUpdated ? t('message.updated') : why && whyText(why, t)
  // If the signature's name is unknown, the reason replaces it.
  const title = shown || (because ?? '')
  return (
    <>
      <p className={css['name']} title={title}>
        {title}
      </p>
      <Line
        parts={[
          // The reason may name the sender already.
          missing ?? (why && 'sender' in why ? null : sender),
          missing === null && shown !== '' ? because : null,
          blocks.length > 0 ? blocksText(blocks, t) : null,
        ]}
      />
    </>
  )
}

/** One line below the name; nothing where there are no parts. */
function Line({ parts }: { parts: readonly (string | null)[] }) {
  const said = parts.filter((each) => each !== null)
  return (
    said.length > 0 && (
      <p className={textCss['small']} title={said.join(' · ')}>
        {said.map((each, index) => (
          <Fragment key={each}>
            {index > 0 && ' · '}
            <span>{each}</span>
          </Fragment>
        ))}
      </p>
    )
  )
}

/** What the user may have to know about the message: what it lacks, another sender, and that it is plain text. */
function useNotes(): Readonly<Record<'missing' | 'sender' | 'plain', string | null>> {
  const t = useTexts()
  const asked = useAppState(selectMissingContent)
  const from = useAppState(selectOtherSender)
  const bodyType = useBodyType()
  return {
    missing: asked && t('message.missing', { names: asked.names.join(', ') }),
    sender: from && t('message.writingAs', { sender: from.name || from.address }),
    plain: bodyType === 'text' ? t('preview.asText') : null,
  }
}

/** The signature as it looks in the message, with each of its blocks and its reason. */
function Details({ id }: { id: string }) {
  const t = useTexts()
  const place = useScrollIntoSight<HTMLDivElement>()
  const shown = useAppState(selectShownInMessage)
  const blocks = useBlocks(useAppState(({ insertion }) => insertion.inMessage) ?? {})
  const notes = Object.values(useNotes()).filter((each) => each !== null)
  return (
    <div ref={place} id={id} role="group" aria-label={t('message.details')} className={css['details']}>
      <div className={css['place']}>{shown ? <Sheet shown={shown} /> : <SkeletonSignature />}</div>
      {notes.length > 0 && <p className={textCss['small']}>{notes.join(' · ')}</p>}
      {blocks.length > 0 && (
        <ul aria-label={t('blocks.summary')} className={`${textCss['small']} ${css['blocks']}`}>
          {blocks.map((block) => (
            <li key={block.id}>{blockText(block, t)}</li>
          ))}
        </ul>
      )}
      <MakeDefault />
    </div>
  )
}

function Sheet({ shown: { inMessage, content } }: { shown: ShownInMessage }) {
  const t = useTexts()
  const bodyType = useBodyType()
  if (!content) return <div className={css['empty']} aria-hidden="true" />
  return (
    <div className={css['sheet']}>
      <Preview
        planned={{ ...content, combinedIds: inMessage.combinedIds }}
        bodyType={bodyType}
        title={t('preview.title', { name: presentSignatureName(inMessage, t) })}
        maxHeight={PREVIEW_HEIGHT_PX}
      />
    </div>
  )
}

/** The bar's button. It inserts what is missing, or else the sender's signature, or else a newer version. */
function Offer() {
  const t = useTexts()
  const asked = useAppState(selectMissingContent)
  const senders = useAppState(selectSendersSignature)
  const newer = useAppState(selectNewerVersion)
  if (asked) return asked.entry && <Use signature={asked.entry} />
  if (senders) return <Use signature={senders} />
  return newer && <Use signature={newer} text={t('message.useNewer')} />
}

/** A button that inserts a signature, with its blocks. */
function Use({ signature, text }: { signature: SignatureEntry; text?: string }) {
  const t = useTexts()
  const recording = useRecording()
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  if (itemKey === undefined) return null
  return (
    <Button
      look="secondary"
      small
      onPress={recording(Insertion.chosen({ entryId: signature.entryId, itemKey }))}
    >
      {text ?? t('sender.use', { name: signatureName(signature, t) })}
    </Button>
  )
}

const MAKE = { master: 'message.makeDefault', reply: 'message.makeReplyDefault' } as const
const SETTING = { master: 'message.settingDefault', reply: 'message.settingReplyDefault' } as const

/**
 * A button that makes the message's signature the default for messages of this kind, unless it already is. The
 * signature for meetings is the organisation's choice.
 */
function MakeDefault() {
  const t = useTexts()
  const recording = useRecording()
  const use: DefaultUse = useAppState(({ mailbox }) => isReplyOrForward(mailbox.message?.composeType ?? null))
    ? 'reply'
    : 'master'
  const isAllowed = useAppState((state) => selectConfiguration(state).allowDefaultSignature)
  const combinedIds = useAppState(({ insertion: { inMessage } }) => inMessage?.combinedIds ?? '')
  const change = useAppState(selectDefaultChange(combinedIds, use))
  const isMeeting = useAppState(({ mailbox }) => mailbox.item?.isMeeting === true)
  if (combinedIds === '' || isMeeting) return null
  if (change === 'pending') return <p className={textCss['small']}>{t(SETTING[use])}</p>
  if (change !== 'offered' || !isAllowed) return null
  return (
    <Button look="subtle" small onPress={recording(Defaults.changeRequested({ combinedIds, use }))}>
      {t(MAKE[use])}
    </Button>
  )
}
