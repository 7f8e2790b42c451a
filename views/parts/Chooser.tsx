import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useObservableCallback, useSubscription } from 'observable-hooks'
import { scan } from 'rxjs'
import { settleDown } from '../../streams/kernel/time.ts'
import { type Destination, selectDestination } from '../../streams/mailbox/selectors.ts'
import { type ListName, Signatures } from '../../streams/signatures/events.ts'
import { nextPage, searchesOn } from '../../streams/signatures/rules.ts'
import {
  selectCollection,
  selectListedEntries,
  selectMayUndo,
  selectOwnerGroups,
} from '../../streams/signatures/selectors.ts'
import { useApp, useAppState, useRecord } from '../hooks/app.tsx'
import { bringIntoSight, whenNear } from '../hooks/seen.ts'
import { useVirtualRows } from '../hooks/virtual.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Icon } from './Icon.tsx'
import { type Choices, groupRows, isOption, type ListRow, MINE, type OptionRow, rowsOf } from './listRows.ts'
import { FailureNotice } from './Notice.tsx'
import { entryName, NoSignatureOption, SignatureOption } from './Option.tsx'
import type { Opened } from './PreviewDialog.tsx'
import { OpenedDialog, OptionMenu } from './OptionMenu.tsx'
import { SearchBox } from './SearchBox.tsx'
import { SkeletonSignature } from './Skeleton.tsx'
import { findTyped, type Typed, typeKey } from './typeAhead.ts'
import * as css from './Chooser.module.css'

/** Between two rows, in CSS pixels. */
const GAP = 8
/** With more signatures than this there is a search. */
const FEW = 5
/** The list follows the typing once the person paused for so long, in milliseconds. */
const SEARCH_PAUSE_MS = 120

/** What choosing a signature does, and where it is not inserting, why. */
const doings: Readonly<
  Record<Destination, Readonly<{ does: 'insert' | 'copy' | 'wait'; why: TextKey | null }>>
> = {
  looking: { does: 'wait', why: 'list.reading' },
  none: { does: 'copy', why: 'list.noItem' },
  read: { does: 'copy', why: 'list.read' },
  reading: { does: 'wait', why: 'list.reading' },
  ready: { does: 'insert', why: null },
}

/** How many pages of a list are there when more are to come; null when all are there, or when loading failed. */
const useComing = (list: ListName): number | null =>
  useAppState(({ signatures }) => {
    const { status, pages } = signatures[list]
    if (pages.length === 0) return null
    return status === 'pending' || (status === 'success' && nextPage(signatures[list]) !== null)
      ? pages.length
      : null
  })

const selectOwn = selectCollection('own')
const selectDelegated = selectCollection('delegated')
const none: readonly never[] = []

type Reached = Readonly<{ key: string; by: 'list' | 'box' | 'menu' }>

/**
 * The signatures to choose from. Arrow keys and typing move, in the list or from the search box; Enter or a click puts
 * one into the open message, Escape takes it back. What else can be done with a signature is in its menu.
 */
export function Chooser({ labelledBy, shared }: { labelledBy: string; shared: boolean }) {
  const t = useTexts()
  const record = useRecord()
  const { time } = useApp()
  const listId = useId()
  const whyId = useId()
  const list = useRef<HTMLDivElement>(null)

  const allOwn = useAppState(selectListedEntries)
  const allShared = useAppState(selectOwnerGroups)
  const own = useAppState(selectOwn)
  const delegated = useAppState(selectDelegated)
  const { does, why } = doings[useAppState(selectDestination)]
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  const mayUndo = useAppState(selectMayUndo)
  const insertion = useAppState(({ signatures }) => signatures.insertion)
  const isNoneIn = useAppState(({ signatures }) => signatures.inMessage?.combinedIds === '')
  const ownComing = useComing('own')
  const sharedComing = useComing('delegated')

  const [text, setText] = useState('')
  const [query, setQuery] = useState('')
  const [reached, setReached] = useState<Reached | null>(null)
  const [menu, setMenu] = useState<string | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)

  const noneName = t('list.none')
  const choices = useMemo(
    (): Choices => ({
      own: shared ? none : allOwn,
      shared: allShared,
      coming: { own: shared ? null : ownComing, delegated: sharedComing },
      noneName: does === 'copy' ? null : noneName,
    }),
    [shared, allOwn, allShared, ownComing, sharedComing, does, noneName],
  )
  const rows = useMemo(() => rowsOf(choices, query), [choices, query])
  const options = useMemo(() => rows.filter(isOption), [rows])

  // One option is in the order of the Tab key: the one last reached, or else the one in the message.
  const isInUse = (row: OptionRow) => (row.kind === 'none' ? isNoneIn : row.listed.inUse)
  const last = reached ? options.findIndex(({ key }) => key === reached.key) : -1
  const inUse = query === '' ? options.findIndex(isInUse) : -1
  const current = last >= 0 ? last : Math.max(0, inUse)
  const currentKey = options[current]?.key ?? null
  const pinned = rows.findIndex(({ key }) => key === currentKey)
  const { tops, total, drawn } = useVirtualRows(list, rows, pinned < 0 ? null : pinned, GAP)
  const isReachedFromBox = query !== '' || reached?.by === 'box'

  const idOf = (key: string) => `${listId}-${key}`
  useLayoutEffect(() => {
    if (!reached || reached.by === 'menu') return
    const row = document.getElementById(`${listId}-${reached.key}`)
    if (reached.by === 'list') row?.focus()
    else row?.scrollIntoView({ block: 'nearest' })
  }, [reached, listId])

  const moveTo = (index: number, by: 'list' | 'box') => {
    const target = options[index]
    if (target) setReached({ key: target.key, by })
  }
  const choose = (row: OptionRow | undefined) => {
    if (!row || does === 'wait') return
    if (does === 'copy') {
      if (row.kind === 'entry') record(Signatures.copyRequested({ uuid: row.listed.entry.uuid }))
    } else if (itemKey !== undefined)
      record(
        row.kind === 'none'
          ? Signatures.noneChosen({ itemKey })
          : Signatures.chosen({ uuid: row.listed.entry.uuid, itemKey }),
      )
  }
  /** Whether there was something to take back: else Escape is the mail client's, which leaves the pane with it. */
  const undo = (): boolean => {
    if (!mayUndo || itemKey === undefined) return false
    record(Signatures.undoRequested({ itemKey }))
    return true
  }

  const [search, query$] = useObservableCallback<string>((text$) =>
    text$.pipe(settleDown(SEARCH_PAUSE_MS, time)),
  )
  useSubscription(query$, setQuery)
  const write = (words: string) => {
    setText(words)
    setReached(null)
    setMenu(null)
    search(words.trim())
  }

  // A search is through all that there is, also what nobody has scrolled to yet.
  const searched = shared ? [delegated] : [own, delegated]
  const isSearching = query !== ''
  useEffect(() => {
    if (!isSearching) return
    if (!shared && searchesOn(own)) record(Signatures.nextPageWanted({ list: 'own' }))
    if (searchesOn(delegated)) record(Signatures.nextPageWanted({ list: 'delegated' }))
  }, [record, isSearching, shared, own, delegated])
  const isLooking = isSearching && searched.some((list) => list.status === 'pending' || searchesOn(list))

  const [type, typed$] = useObservableCallback<Typed, Readonly<{ key: string; at: number }>>((key$) =>
    key$.pipe(scan((before, { key, at }) => typeKey(before, key, at), { text: '', at: -Infinity })),
  )
  const optionName = (row: OptionRow) => (row.kind === 'none' ? t('list.none') : entryName(row.listed, t))
  // A word is looked for from where its first letter was typed: who types the name of the option that they stand on
  // stays there.
  const wordFrom = useRef(0)
  useSubscription(typed$, (typed) => {
    if (typed.text.length === 1) wordFrom.current = current
    const isOneLetter = new Set(typed.text).size === 1
    const found = findTyped(options.map(optionName), isOneLetter ? current : wordFrom.current, typed)
    if (found !== null) moveTo(found, 'list')
  })

  const openMenu = (key: string) => {
    setReached({ key, by: 'menu' })
    setMenu(key)
  }
  const pressInList = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, timeStamp } = event
    if (altKey || ctrlKey || metaKey) return
    // A program that reads the screen may set the focus to an option that nobody reached by a key.
    const focused = options.findIndex((row) => idOf(row.key) === document.activeElement?.id)
    const here = focused < 0 ? current : focused
    if (key === 'ArrowDown') moveTo(Math.min(here + 1, options.length - 1), 'list')
    else if (key === 'ArrowUp') moveTo(Math.max(here - 1, 0), 'list')
    else if (key === 'Home') moveTo(0, 'list')
    else if (key === 'End') moveTo(options.length - 1, 'list')
    else if (key === 'Enter') choose(options[here])
    else if (key.length === 1) type({ key, at: timeStamp })
    else if (key !== 'Escape' || !undo()) return
    event.preventDefault()
    event.stopPropagation()
  }
  const pressInBox = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, nativeEvent } = event
    if (altKey || ctrlKey || metaKey || nativeEvent.isComposing) return
    if (key === 'ArrowDown')
      moveTo(isReachedFromBox ? Math.min(current + 1, options.length - 1) : current, 'box')
    else if (key === 'ArrowUp') moveTo(isReachedFromBox ? Math.max(current - 1, 0) : current, 'box')
    else if (key === 'Enter') {
      // Who types fast and presses Enter means what they typed, not what the list still shows.
      if (text.trim() !== query) choose(rowsOf(choices, text.trim()).find(isOption))
      else if (isReachedFromBox) choose(options[current])
    } else if (key === 'Escape' && text !== '') write('')
    else if (key !== 'Escape' || !undo()) return
    event.preventDefault()
    event.stopPropagation()
  }

  const entriesFound = options.filter(({ kind }) => kind === 'entry').length
  const positions = new Map(options.map(({ key }, index) => [key, index + 1]))
  const drawRow = (index: number) => {
    const row = rows[index]
    if (!row) return null
    const style = { top: tops[index] }
    if (row.kind === 'head') return <GroupHead key={row.key} row={row} isAlone={shared} style={style} />
    if (row.kind === 'coming') return <Coming key={row.key} list={row.list} rowKey={row.key} style={style} />
    const shown = {
      id: idOf(row.key),
      rowKey: row.key,
      style,
      isCurrent: row.key === currentKey,
      isReached: row.key === currentKey && isReachedFromBox,
      position: positions.get(row.key) ?? 1,
      count: options.length,
      isWaiting: does === 'wait',
      whyId: why === null ? null : whyId,
      // By the Tab key as well: whatever goes into the message meanwhile, arrow keys go on from there.
      onReach: () => {
        setReached((before) =>
          before?.key === row.key && before.by !== 'box' ? before : { key: row.key, by: 'list' },
        )
      },
      onChoose: () => {
        setReached({ key: row.key, by: 'list' })
        choose(row)
      },
    }
    return row.kind === 'none' ? (
      <NoSignatureOption key={row.key} {...shown} inUse={isNoneIn} insertion={insertion} />
    ) : (
      <SignatureOption
        key={row.key}
        {...shown}
        listed={row.listed}
        onMenu={() => {
          openMenu(row.key)
        }}
      />
    )
  }

  const groups = groupRows(rows, drawn)
  const groupName = (group: string) =>
    group === MINE ? t('list.mine') : t('list.sharedBy', { owner: group })
  return (
    <>
      {(own.total + delegated.total > FEW || text !== '') && (
        <SearchBox
          text={text}
          listId={listId}
          activeId={isReachedFromBox && currentKey !== null ? idOf(currentKey) : null}
          onType={write}
          onKeyDown={pressInBox}
        />
      )}
      <p role="status" className={css['unseen']}>
        {isSearching && !isLooking && t('search.found', { count: entriesFound })}
      </p>
      {why !== null && (
        <p id={whyId} className={css['quiet']}>
          {t(why)}
        </p>
      )}
      <CopyFailed />
      {isLooking && (
        <p className={css['quiet']}>
          {t('search.looking', {
            shown: searched.reduce((sum, { offset }) => sum + offset, 0),
            total: searched.reduce((sum, list) => sum + list.total, 0),
          })}
        </p>
      )}
      {isSearching && !isLooking && options.length === 0 && (
        <p className={css['quiet']}>{t('search.nothing', { query })}</p>
      )}
      <div className={css['frame']}>
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-labelledby={labelledBy}
          className={css['list']}
          style={{ height: total }}
          onKeyDown={pressInList}
        >
          {/* A group is the same one whether it has a name yet or not: whoever stands in it keeps the focus. */}
          {groups.map(({ group, indices }) => {
            const isNamed = rows.some((row) => row.kind === 'head' && row.group === group)
            return (
              <div
                key={group}
                role={isNamed ? 'group' : 'presentation'}
                aria-label={isNamed ? groupName(group) : undefined}
              >
                {indices.map(drawRow)}
              </div>
            )
          })}
        </div>
        <div className={css['layer']}>
          {drawn.map((index) => {
            const row = rows[index]
            if (row?.kind !== 'entry') return null
            const isCurrent = row.key === currentKey
            return (
              <button
                key={row.key}
                type="button"
                aria-label={t('menu.open', { name: entryName(row.listed, t) })}
                aria-haspopup="menu"
                aria-expanded={menu === row.key}
                // By keyboard there is one: that of the option that was reached.
                aria-hidden={!isCurrent}
                tabIndex={isCurrent ? 0 : -1}
                className={css['more']}
                style={{ top: (tops[index] ?? 0) + 4 }}
                onClick={() => {
                  if (menu === row.key) setMenu(null)
                  else openMenu(row.key)
                }}
              >
                <Icon name="more" />
              </button>
            )
          })}
          <OptionMenu
            row={options.find(({ key }) => key === menu)}
            top={(tops[rows.findIndex(({ key }) => key === menu)] ?? 0) + 36}
            mayInsert={does === 'insert'}
            onOpen={(what, listed) => {
              setOpened({ what, listed, itemKey })
            }}
            onClose={() => {
              setMenu(null)
            }}
          />
        </div>
      </div>
      {opened && opened.itemKey === itemKey && (
        <OpenedDialog
          opened={opened}
          mayInsert={does === 'insert'}
          onClose={() => {
            setOpened(null)
          }}
        />
      )}
    </>
  )
}

/**
 * What a group has above it, for the eye: for the ear the group itself carries the name. `isAlone`: the list has
 * nothing but what others share, and is called so.
 */
function GroupHead({
  row: { key, owner, isFirstShared },
  isAlone,
  style,
}: {
  row: Extract<ListRow, { kind: 'head' }>
  isAlone: boolean
  style: { top: number | undefined }
}) {
  const t = useTexts()
  return (
    <div data-row={key} aria-hidden="true" className={`${css['row']} ${css['group']}`} style={style}>
      {owner === MINE ? (
        t('list.mine')
      ) : (
        <>
          {isFirstShared && !isAlone && <span>{t('list.shared')}</span>}
          <span className={css['owner']}>{owner}</span>
        </>
      )}
    </div>
  )
}

/** Stands where the next page will be. When it comes into view, the page is asked for. */
function Coming({
  list,
  rowKey,
  style,
}: {
  list: ListName
  rowKey: string
  style: { top: number | undefined }
}) {
  const record = useRecord()
  const place = useRef<HTMLDivElement>(null)
  const isWanted = useAppState(({ signatures }) => signatures[list].status === 'success')
  useEffect(() => {
    if (!place.current || !isWanted) return
    return whenNear(place.current, () => {
      record(Signatures.nextPageWanted({ list }))
    })
  }, [record, list, isWanted])
  return (
    <div ref={place} data-row={rowKey} aria-hidden="true" className={css['row']} style={style}>
      <SkeletonSignature />
    </div>
  )
}

/** Why a signature was not copied. */
function CopyFailed() {
  const record = useRecord()
  const copy = useAppState(({ signatures }) => signatures.copy)
  if (!copy?.failure) return null
  const { uuid, failure } = copy
  return (
    <div ref={bringIntoSight}>
      <FailureNotice
        title="notice.notCopied"
        failure={failure}
        purpose="copy"
        onTryAgain={() => {
          record(Signatures.copyRequested({ uuid }))
        }}
      />
    </div>
  )
}
