import { type ReactNode, useId } from 'react'
import type { SignatureEntry } from '../../../streams/message/signatures/entry.ts'
import { splitAudiences } from '../../../streams/message/signatures/rules.ts'
import type { ListedEntry } from '../../../streams/pane/signatures/selectors.ts'
import { useAppState } from '../app.tsx'
import { useElementSeen } from '../../shared/seen.ts'
import { namesWithin } from '../text/blocks.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Icon } from '../../shared/Icon.tsx'
import { signatureName } from '../text/signatureName.ts'
import { entriesOf, type Versions } from './listRows.ts'
import { Excerpt, useBodyType } from '../preview/Preview.tsx'
import * as css from './Option.module.css'
import * as textCss from '../../shared/Text.module.css'

/** The text while a signature is being made a default, by use. */
export const MAKING_DEFAULT_TEXTS = {
  master: 'entry.settingDefault',
  reply: 'entry.settingDefaultReply',
  sender: 'entry.settingSender',
  organisation: 'entry.settingOrganisation',
} as const

const roleText = ({ role, by }: ListedEntry): TextKey | null => {
  if (role === 'default' && by === 'organisation') return 'entry.organisationDefault'
  return role && `entry.${role}`
}

/**
 * An option's place in the list. `isCurrent`: the Tab key reaches the option. `isReached`: the search box points to it.
 * `isWaiting`: it cannot be chosen yet. `whyId` is the id of the reason why choosing does not insert; null where
 * choosing inserts.
 */
type OptionProps = Readonly<{
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
  shown: OptionProps
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
        // Only for the keyboard: if a press scrolled the list, the option would move, and the click would miss it.
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

function OtherAudience({ audiences }: Pick<SignatureEntry, 'audiences'>) {
  const t = useTexts()
  const { outside } = splitAudiences(audiences)
  const within = namesWithin(audiences, t)
  return (
    <>
      <span className={`${css['badge']} ${css['caution']}`}>{t('entry.otherAudience')}</span>
      {within.length > 0 && (
        <span className={textCss['small']}>{t('entry.audience', { domains: within })}</span>
      )}
      {outside.length > 0 && (
        <span className={textCss['small']}>{t('entry.audienceOutside', { domains: outside })}</span>
      )}
    </>
  )
}

/**
 * A signature: its name, states and the top of it. It also shows the states of the versions that are folded into it.
 * `owner` is the person who shares it; null if a heading above names them.
 */
export function SignatureOption({
  listed,
  versions,
  owner,
  onMenu,
  ...shown
}: OptionProps & {
  listed: ListedEntry
  versions: Versions | null
  owner: string | null
  onMenu: () => void
}) {
  const t = useTexts()
  const factsId = useId()
  const [place, isSeen] = useElementSeen<HTMLDivElement>()
  const { entry, fits } = listed
  const told = entriesOf({ listed, versions })
  // The default of its signature for replies, too, unless another signature says that it is.
  const role = told.map(roleText).find((text) => text !== null)
  const inUse = told.some((each) => each.inUse)
  const isPending = told.some(({ status }) => status === 'pending')
  const insertion = told.find((each) => each.insertion !== null)?.insertion ?? null
  const bodyType = useBodyType()
  const isCopied = useAppState(
    ({ signatures: { copy } }) =>
      copy?.attempt.status === 'success' && told.some((each) => each.entry.entryId === copy.entryId),
  )
  const becomes = useAppState(({ defaults }) => defaults.pending)
    .filter(({ combinedIds }) => combinedIds === entry.combinedIds && entry.type === 'master')
    .map(({ use }) => MAKING_DEFAULT_TEXTS[use])
  return (
    <OptionFrame
      shown={shown}
      looks={[entry.type === 'variant' && css['variant'], versions !== null && css['folds']]}
      isBusy={isPending}
      inUse={inUse}
      factsId={factsId}
      onMenu={onMenu}
    >
      <div className={css['title']}>
        <span className={css['name']}>{signatureName(listed.entry, t)}</span>
        {/* These facts are the accessible description. The accessible name is only the signature's name. */}
        <span id={factsId} aria-hidden="true" className={css['facts']}>
          {role && <span className={css['badge']}>{t(role)}</span>}
          {[...new Set(becomes)].map((text) => (
            <span key={text} className={css['badge']}>
              {t(text)}
            </span>
          ))}
          {isPending && (
            <span className={css['badge']}>
              {insertion && insertion.imagesTotal > 0
                ? t('message.pictures', { done: insertion.imagesDone, count: insertion.imagesTotal })
                : t('entry.inserting')}
            </span>
          )}
          {insertion?.attempt.status === 'fail' && (
            <span className={`${css['badge']} ${css['failed']}`}>{t('entry.failed')}</span>
          )}
          {isCopied && <span className={css['badge']}>{t('entry.copied')}</span>}
          {inUse && <InUse />}
          {owner !== null && <span className={textCss['owner']}>{owner}</span>}
          {!fits && <OtherAudience {...entry} />}
          {versions && (
            <span className={textCss['unseen']}>{t('entry.versions', { count: versions.all.length })}</span>
          )}
        </span>
      </div>
      <div ref={place} className={css['preview']} aria-hidden="true">
        {isSeen && <Excerpt planned={entry} bodyType={bodyType} />}
      </div>
    </OptionFrame>
  )
}

export function NoSignatureOption({ inUse, ...shown }: OptionProps & { inUse: boolean }) {
  const t = useTexts()
  const factsId = useId()
  const insertion = useAppState(({ insertion: { latest } }) => latest)
  const isPending = insertion?.target.kind === 'none' && insertion.attempt.status === 'pending'
  const hasFailed = insertion?.target.kind === 'none' && insertion.attempt.status === 'fail'
  return (
    <OptionFrame shown={shown} looks={[css['none']]} isBusy={isPending} inUse={inUse} factsId={factsId}>
      <span className={css['name']}>{t('list.none')}</span>
      <span id={factsId} aria-hidden="true" className={css['facts']}>
        {isPending && <span className={css['badge']}>{t('entry.inserting')}</span>}
        {hasFailed && <span className={`${css['badge']} ${css['failed']}`}>{t('entry.failed')}</span>}
        {inUse && <InUse />}
        <span className={textCss['small']}>{t('list.noneMeaning')}</span>
      </span>
    </OptionFrame>
  )
}
