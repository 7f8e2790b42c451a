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
import type { Candidate } from '../../../streams/html/slots.ts'
import type { SignatureEntry } from '../../../streams/message/signatures/entry.ts'
import {
  type MissingContentNotice,
  selectMissingContent,
} from '../../../streams/pane/notifications/selectors.ts'
import { useId } from 'react'
import { useAppState, useRecording } from '../app.tsx'
import { useScrollToTopOnMessage } from '../dom/arrival.ts'
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
import * as fold from '../frame/Fold.module.css'
import * as css from './InMessage.module.css'
import * as textCss from '../../shared/Text.module.css'

/** The sheet's height without its padding. It is the same in every state, so that the content below never moves. */
const PREVIEW_HEIGHT_PX = 120

/**
 * Shows which signature is in the open message, and why. The bar stays at the top of the pane when the user scrolls,
 * and failures are shown below it, over the page. Its parent is as high as the page (Dashboard.module.css).
 */
export function MessageBar({ heading: Heading = 'h1' }: { heading?: 'h1' | 'h2' }) {
  const t = useTexts()
  const headingId = useId()
  const bar = useStickyEdge<HTMLElement>('--bar-height')
  const destination = useAppState(selectItemStatus)
  const isComing = useAppState(selectIsInsertionComing)
  const isPending = useAppState(({ insertion: { latest } }) => latest?.attempt.status === 'pending')
  useScrollToTopOnMessage()
  return (
    <section
      ref={bar}
      data-sticky
      aria-labelledby={headingId}
      aria-busy={isComing || isPending}
      className={css['bar']}
    >
      <div className={css['head']}>
        <Heading id={headingId}>{t('message.heading')}</Heading>
        {destination === 'ready' && <Undo />}
      </div>
      <div className={css['words']}>
        <Words />
      </div>
      <MessageFailures />
    </section>
  )
}

/** The signature as it looks in the message, and the actions for it. */
export function InMessage() {
  const destination = useAppState(selectItemStatus)
  return (
    <>
      <MessageBar />
      <div className={css['place']}>
        <Place />
      </div>
      <div className={css['line']}>{destination === 'ready' && <Line />}</div>
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
  if (destination === 'none' || destination === 'read')
    return <p className={css['name']}>{t(AWAY[destination].says)}</p>
  if (insertion?.attempt.status === 'pending') return <InsertionProgress insertion={insertion} />
  if (inMessage) return <NameAndWhy inMessage={inMessage} />
  if (isComing || destination !== 'ready') return <p className={css['coming']}>{t('message.coming')}</p>
  return (
    <>
      <p className={css['name']}>{t('message.none')}</p>
      {hasChoice && (
        <p className={textCss['small']}>{t(isExisting ? 'message.existing' : 'message.choose')}</p>
      )}
    </>
  )
}

function NameAndWhy({ inMessage }: Pick<ShownInMessage, 'inMessage'>) {
  const t = useTexts()
  const why = useAppState(selectSignatureReason)
  const isUpdated = useAppState(({ insertion: { latest } }) => latest?.replacesOlder === true)
  const shown = presentSignatureName(inMessage, t)
  const isOlder = useAppState(selectNewerVersion) !== null
  const because = isOlder ? t('message.older') : isUpdated ? t('message.updated') : why && whyText(why, t)
  // If the signature's name is unknown, the reason replaces it.
  const title = shown || (because ?? '')
  return (
    <>
      <p className={css['name']} title={title}>
        {title}
      </p>
      {because !== null && shown !== '' && (
        <p className={textCss['small']} title={because}>
          {because}
        </p>
      )}
    </>
  )
}

/** The signature's sheet, or what replaces it. The height is the same in every state. */
function Place() {
  const t = useTexts()
  const destination = useAppState(selectItemStatus)
  const isComing = useAppState(selectIsInsertionComing)
  const isPending = useAppState(({ insertion: { latest } }) => latest?.attempt.status === 'pending')
  const shown = useAppState(selectShownInMessage)
  if (destination === 'none' || destination === 'read')
    return (
      <div className={css['noDestination']}>
        <Icon name={AWAY[destination].icon} />
        <p>{t(AWAY[destination].action)}</p>
      </div>
    )
  if (shown) return <Sheet shown={shown} />
  if (isComing || isPending || destination !== 'ready') return <SkeletonSignature />
  return <NoSheet />
}

function Sheet({ shown: { inMessage, content } }: { shown: ShownInMessage }) {
  const t = useTexts()
  const bodyType = useBodyType()
  const { combinedIds } = inMessage
  if (!content || combinedIds === '') return <NoSheet />
  return (
    <div className={css['sheet']}>
      <Preview
        planned={{ ...content, combinedIds }}
        bodyType={bodyType}
        title={t('preview.title', { name: presentSignatureName(inMessage, t) })}
        maxHeight={PREVIEW_HEIGHT_PX}
      />
    </div>
  )
}

const NoSheet = () => <div className={css['empty']} aria-hidden="true" />

/**
 * One line of text and one button. Their space is always reserved, so that nothing moves when either appears or
 * disappears.
 */
function Line() {
  const t = useTexts()
  const from = useAppState(selectOtherSender)
  const bodyType = useBodyType()
  const hasSignature = useAppState(({ insertion: { inMessage } }) => !!inMessage?.combinedIds)
  const senders = useAppState(selectSendersSignature)
  const newer = useAppState(selectNewerVersion)
  const sender = from && t('message.writingAs', { sender: from.name || from.address })
  const asked = useAppState(selectMissingContent)
  const missing = asked && t('message.missing', { names: asked.names.join(', ') })
  const says = missing ?? sender ?? (bodyType === 'text' && hasSignature ? t('preview.asText') : null)
  const blocks = useBlocks(useAppState(({ insertion }) => insertion.inMessage) ?? {})
  return (
    <>
      {blocks.length > 0 ? (
        <Blocks blocks={blocks} says={says} />
      ) : (
        says !== null && (
          <p className={`${textCss['small']} ${css['says']}`} title={says}>
            {says}
          </p>
        )
      )}
      <Offer asked={asked} senders={senders} newer={newer} />
    </>
  )
}

/** The signature's blocks in one line; unfolded, with the reason for each block. */
function Blocks({ blocks, says }: { blocks: readonly Candidate[]; says: string | null }) {
  const t = useTexts()
  const names = [...(says === null ? [] : [says]), blocksText(blocks, t)].join(' · ')
  return (
    <details className={`${textCss['small']} ${fold['fold']} ${css['blocks']}`}>
      {/* Microsoft's library handles the Tab key, and goes only to elements with a `tabindex`. */}
      <summary tabIndex={0} title={names}>
        <span>{names}</span>
        <Icon name="unfold" size={16} />
      </summary>
      <ul aria-label={t('blocks.summary')}>
        {says !== null && <li>{says}</li>}
        {blocks.map((block) => (
          <li key={block.id}>{blockText(block, t)}</li>
        ))}
      </ul>
    </details>
  )
}

/**
 * The line's only button. It inserts what is missing, or else the sender's signature, or else a newer version; or else
 * it makes the signature the default.
 */
function Offer({
  asked,
  senders,
  newer,
}: {
  asked: MissingContentNotice | null
  senders: SignatureEntry | null
  newer: SignatureEntry | null
}) {
  const t = useTexts()
  if (asked) return asked.entry && <Use signature={asked.entry} />
  if (senders) return <Use signature={senders} />
  return newer ? <Use signature={newer} text={t('message.useNewer')} /> : <MakeDefault />
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
