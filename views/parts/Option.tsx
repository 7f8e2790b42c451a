import { type ReactNode, useId } from 'react'
import type { ListedEntry } from '../../streams/signatures/selectors.ts'
import { useAppState } from '../hooks/app.tsx'
import { useSeen } from '../hooks/seen.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Icon } from './Icon.tsx'
import { entryName } from '../text/entryName.ts'
import { isLow } from './listRows.ts'
import { Preview, useBodyType } from './Preview.tsx'
import * as css from './Option.module.css'

/** As high as the small preview of an option gets, in CSS pixels. */
const PREVIEW_HEIGHTS = { high: 64, low: 40 } as const

const standings = { default: 'entry.default', defaultReply: 'entry.defaultReply' } as const

/** How an entry goes in by itself, in a word or two. */
const standingText = ({ standing, by }: ListedEntry): TextKey | null => {
  if (standing === 'default' && by === 'organisation') return 'entry.organisationDefault'
  return standing && standings[standing]
}

/**
 * How an option stands in its list. `isCurrent`: the Tab key leads to it; `isReached`: the search box leads to it;
 * `isWaiting`: it cannot be chosen yet; `whyId` names what says what choosing does, where that is not inserting.
 */
type Shown = Readonly<{
  id: string
  rowKey: string
  style: Readonly<{ top: number | undefined }>
  isCurrent: boolean
  isReached: boolean
  position: number
  count: number
  isWaiting: boolean
  whyId: string | null
  onReach: () => void
  onChoose: () => void
}>

function OptionFrame({
  shown,
  looks,
  isBusy,
  inUse,
  factsId,
  onMenu,
  children,
}: {
  shown: Shown
  looks: readonly (string | false | undefined)[]
  isBusy: boolean
  inUse: boolean
  factsId: string
  onMenu?: () => void
  children: ReactNode
}) {
  const { id, rowKey, style, isCurrent, isReached, position, count, isWaiting, whyId, onReach, onChoose } =
    shown
  const look = [
    css['option'],
    inUse && css['inUse'],
    isReached && css['reached'],
    isWaiting && css['waiting'],
    ...looks,
  ]
  return (
    <div
      id={id}
      data-row={rowKey}
      role="option"
      aria-selected={inUse}
      aria-disabled={isWaiting}
      aria-busy={isBusy}
      aria-posinset={position}
      aria-setsize={count}
      aria-describedby={whyId === null ? factsId : `${factsId} ${whyId}`}
      tabIndex={isCurrent ? 0 : -1}
      className={look.filter(Boolean).join(' ')}
      style={style}
      onFocus={({ currentTarget }) => {
        // A press focuses as well; what moved under it would not be clicked.
        if (currentTarget.matches(':focus-visible')) onReach()
      }}
      onClick={onChoose}
      onContextMenu={
        onMenu &&
        ((event) => {
          event.preventDefault()
          onMenu()
        })
      }
    >
      {children}
    </div>
  )
}

function InUse() {
  const t = useTexts()
  return (
    <span className={`${css['badge']} ${css['used']}`}>
      <Icon name="inUse" size={12} />
      {t('entry.inUse')}
    </span>
  )
}

/** One signature: its name, how it stands in the person's work, and what it looks like. */
export function SignatureOption({
  listed,
  onMenu,
  ...shown
}: Shown & { listed: ListedEntry; onMenu: () => void }) {
  const t = useTexts()
  const factsId = useId()
  const [place, isSeen] = useSeen<HTMLDivElement>()
  const { entry, inUse, fits, insertion } = listed
  const standing = standingText(listed)
  const bodyType = useBodyType()
  const isCopied = useAppState(
    ({ signatures: { copy } }) => copy?.uuid === entry.uuid && copy.status === 'success',
  )
  const isBecomingDefault = useAppState(
    ({ signatures: { defaultChange } }) =>
      defaultChange?.combinedIds === entry.combinedIds &&
      defaultChange.status === 'pending' &&
      entry.type === 'master',
  )
  const isPending = entry.status === 'pending'
  const height = isLow(entry) ? 'low' : 'high'
  return (
    <OptionFrame
      shown={shown}
      looks={[entry.type === 'variant' && css['variant'], height === 'low' && css['low']]}
      isBusy={isPending}
      inUse={inUse}
      factsId={factsId}
      onMenu={onMenu}
    >
      <div className={css['title']}>
        <span className={css['name']}>{entryName(listed, t)}</span>
        {/* What is said besides is the description, and the name alone the name. */}
        <span id={factsId} aria-hidden="true" className={css['facts']}>
          {standing && <span className={css['badge']}>{t(standing)}</span>}
          {isBecomingDefault && <span className={css['badge']}>{t('entry.settingDefault')}</span>}
          {isPending && (
            <span className={css['badge']}>
              {insertion && insertion.imagesTotal > 0
                ? t('message.pictures', { done: insertion.imagesDone, count: insertion.imagesTotal })
                : t('entry.inserting')}
            </span>
          )}
          {insertion?.status === 'fail' && (
            <span className={`${css['badge']} ${css['failed']}`}>{t('entry.failed')}</span>
          )}
          {isCopied && <span className={css['badge']}>{t('entry.copied')}</span>}
          {inUse && <InUse />}
          {!fits && (
            <>
              <span className={`${css['badge']} ${css['caution']}`}>{t('entry.notFor')}</span>
              <span className={css['audience']}>{t('entry.audience', { domains: entry.audiences })}</span>
            </>
          )}
        </span>
      </div>
      <div ref={place} className={css['preview']} aria-hidden="true">
        {isSeen && (
          <Preview planned={entry} bodyType={bodyType} title={null} maxHeight={PREVIEW_HEIGHTS[height]} />
        )}
      </div>
    </OptionFrame>
  )
}

/** To send the message without a signature. */
export function NoSignatureOption({ inUse, ...shown }: Shown & { inUse: boolean }) {
  const t = useTexts()
  const factsId = useId()
  const insertion = useAppState(({ signatures }) => signatures.insertion)
  const isPending = insertion?.target.kind === 'none' && insertion.status === 'pending'
  const hasFailed = insertion?.target.kind === 'none' && insertion.status === 'fail'
  return (
    <OptionFrame shown={shown} looks={[css['none']]} isBusy={isPending} inUse={inUse} factsId={factsId}>
      <span className={css['name']}>{t('list.none')}</span>
      <span id={factsId} aria-hidden="true" className={css['facts']}>
        <span className={css['audience']}>{t('list.noneMeaning')}</span>
        {isPending && <span className={css['badge']}>{t('entry.inserting')}</span>}
        {hasFailed && <span className={`${css['badge']} ${css['failed']}`}>{t('entry.failed')}</span>}
        {inUse && <InUse />}
      </span>
    </OptionFrame>
  )
}
