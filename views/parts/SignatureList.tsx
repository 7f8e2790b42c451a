import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useObservableCallback, useSubscription } from 'observable-hooks'
import { scan } from 'rxjs'
import { type Destination, selectDestination } from '../../streams/mailbox/selectors.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import { nextPage, REPLY } from '../../streams/signatures/rules.ts'
import { type ListedEntry, selectListedEntries } from '../../streams/signatures/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useLoadAgain } from '../hooks/loading.ts'
import { useSeen, whenNear } from '../hooks/seen.ts'
import { type TextKey, type Translate, useTexts } from '../text/texts.ts'
import { FailureNotice } from './Notice.tsx'
import { Preview } from './Preview.tsx'
import { SkeletonSignature } from './Skeleton.tsx'
import { findTyped, type Typed, typeKey } from './type-ahead.ts'
import { Icon } from './Icon.tsx'
import * as css from './SignatureList.module.css'

/** As high as the small preview of an option gets, in CSS pixels. */
const PREVIEW_HEIGHT = 64

/** Why nothing can be inserted; null where something can. */
const obstacles: Readonly<Record<Destination, TextKey | null>> = {
  looking: 'list.reading',
  none: 'list.noItem',
  read: 'list.read',
  reading: 'list.reading',
  ready: null,
}

const standings = { default: 'entry.default', defaultReply: 'entry.defaultReply' } as const

/** What assistive technology calls an entry: its name, and for a variant what sets it apart. */
const nameOf = ({ entry: { name, type, code } }: ListedEntry, t: Translate): string =>
  type === 'variant'
    ? t('entry.variantName', { name, variant: code === REPLY ? t('entry.reply') : code })
    : name

/** The person's signatures. Arrow keys and typing move, Enter or a click puts one into the open message. */
export function SignatureList({ heading: Heading }: { heading: 'h1' | 'h2' }) {
  const t = useTexts()
  const loadAgain = useLoadAgain()
  const headingId = useId()
  const { status, offset, total, failure, entries, pages } = useAppState(({ signatures }) => signatures.own)
  const isSignedIn = useAppState(({ auth }) => auth.status === 'success')

  const hasEntries = entries.length > 0
  const isEmpty = status === 'success' && !hasEntries
  const isWaiting = status === 'pending' || !isSignedIn || (status === 'idle' && !hasEntries)
  const next = useAppState(({ signatures }) => nextPage(signatures.own))

  return (
    <section aria-labelledby={headingId} aria-busy={isWaiting} className={css['section']}>
      <div className={css['head']}>
        <Heading id={headingId}>{t('list.heading')}</Heading>
        {offset < total && <span className={css['count']}>{t('list.count', { shown: offset, total })}</span>}
      </div>
      {hasEntries && <Options labelledBy={headingId} />}
      {isEmpty && (
        <div className={css['empty']}>
          <p>{t('list.empty')}</p>
          <p className={css['quiet']}>{t('list.emptyAction')}</p>
        </div>
      )}
      {isWaiting && (
        <div className={css['coming']}>
          <span className={css['unseen']}>{t('list.loading')}</span>
          <SkeletonSignature />
          {!hasEntries && (
            <>
              <SkeletonSignature />
              <SkeletonSignature />
            </>
          )}
        </div>
      )}
      {status === 'fail' && failure && (
        <FailureNotice
          title={hasEntries ? 'notice.moreFailed' : 'notice.listFailed'}
          failure={failure}
          purpose="load"
          onTryAgain={loadAgain}
        />
      )}
      {status === 'success' && next !== null && <NextPage key={pages.length} />}
    </section>
  )
}

/** The end of what is loaded: when it comes into view, the next page is asked for. */
function NextPage() {
  const record = useRecord()
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current) return
    return whenNear(end.current, () => {
      record(Signatures.nextPageWanted({ list: 'own' }))
    })
  }, [record])
  return <div ref={end} className={css['end']} />
}

function Options({ labelledBy }: { labelledBy: string }) {
  const t = useTexts()
  const record = useRecord()
  const obstacleId = useId()
  const list = useRef<HTMLUListElement>(null)
  const listed = useAppState(selectListedEntries)
  const obstacle = obstacles[useAppState(selectDestination)]
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  const [reached, setReached] = useState<string | null>(null)

  // One option is in the order of the Tab key: the one last reached, or else the one in the message.
  const current = Math.max(
    0,
    listed.findIndex(({ entry, inUse }) => (reached === null ? inUse : entry.uuid === reached)),
  )

  const moveTo = (index: number) => {
    const target = listed[index]
    if (!target) return
    setReached(target.entry.uuid)
    list.current?.querySelectorAll<HTMLElement>('[role=option]')[index]?.focus()
  }
  const choose = (index: number) => {
    const target = listed[index]
    if (!target) return
    setReached(target.entry.uuid)
    if (obstacle === null && itemKey !== undefined)
      record(Signatures.chosen({ uuid: target.entry.uuid, itemKey }))
  }

  const [type, typed$] = useObservableCallback<Typed, Readonly<{ key: string; at: number }>>((key$) =>
    key$.pipe(scan((before, { key, at }) => typeKey(before, key, at), { text: '', at: -Infinity })),
  )
  useSubscription(typed$, (typed) => {
    const found = findTyped(
      listed.map((each) => nameOf(each, t)),
      current,
      typed,
    )
    if (found !== null) moveTo(found)
  })

  const press = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, timeStamp } = event
    if (altKey || ctrlKey || metaKey) return
    if (key === 'ArrowDown') moveTo(Math.min(current + 1, listed.length - 1))
    else if (key === 'ArrowUp') moveTo(Math.max(current - 1, 0))
    else if (key === 'Home') moveTo(0)
    else if (key === 'End') moveTo(listed.length - 1)
    else if (key === 'Enter') choose(current)
    else if (key.length === 1) type({ key, at: timeStamp })
    else return
    event.preventDefault()
  }

  return (
    <>
      {obstacle !== null && (
        <p id={obstacleId} className={css['quiet']}>
          {t(obstacle)}
        </p>
      )}
      <ul ref={list} role="listbox" aria-labelledby={labelledBy} className={css['list']} onKeyDown={press}>
        {listed.map((each, index) => (
          <Option
            key={each.entry.uuid}
            listed={each}
            isCurrent={index === current}
            obstacleId={obstacle === null ? null : obstacleId}
            onChoose={() => {
              choose(index)
            }}
          />
        ))}
      </ul>
    </>
  )
}

function Option({
  listed,
  isCurrent,
  obstacleId,
  onChoose,
}: {
  listed: ListedEntry
  isCurrent: boolean
  obstacleId: string | null
  onChoose: () => void
}) {
  const t = useTexts()
  const factsId = useId()
  const option = useRef<HTMLLIElement>(null)
  const isSeen = useSeen(option)
  const { entry, inUse, standing, insertion } = listed
  const name = nameOf(listed, t)
  const isPending = entry.status === 'pending'
  const look = [
    css['option'],
    inUse && css['inUse'],
    entry.type === 'variant' && css['variant'],
    obstacleId && css['unavailable'],
  ]
  return (
    <li
      ref={option}
      role="option"
      aria-selected={inUse}
      aria-disabled={obstacleId !== null}
      aria-busy={isPending}
      aria-describedby={obstacleId ? `${factsId} ${obstacleId}` : factsId}
      tabIndex={isCurrent ? 0 : -1}
      className={look.filter(Boolean).join(' ')}
      onClick={onChoose}
    >
      <div className={css['title']}>
        <span className={css['name']}>{name}</span>
        {/* What is said besides is the description, and the name alone the name. */}
        <span id={factsId} aria-hidden="true" className={css['facts']}>
          {standing && <span className={css['badge']}>{t(standings[standing])}</span>}
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
          {inUse && (
            <span className={`${css['badge']} ${css['used']}`}>
              <Icon name="inUse" size={12} />
              {t('entry.inUse')}
            </span>
          )}
        </span>
      </div>
      <div className={css['preview']} aria-hidden="true">
        {isSeen && <Preview content={entry} title={null} maxHeight={PREVIEW_HEIGHT} />}
      </div>
    </li>
  )
}
