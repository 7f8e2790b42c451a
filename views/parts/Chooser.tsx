import { nextPage } from '../../streams/signatures/list.ts'
import { useId, useMemo } from 'react'
import type { AppState } from '../../streams/app/state.ts'
import { type ListName, Signatures } from '../../streams/signatures/events.ts'
import { selectListedEntries, selectOwnerGroups, selectQuery } from '../../streams/signatures/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useChoosing } from '../hooks/choosing.ts'
import { optionId, useActiveOption } from '../hooks/dom/activeOption.ts'
import { bringIntoSight } from '../hooks/seen.ts'
import { useTexts } from '../text/texts.ts'
import { type Choices, isOption, isRowInUse, type OptionRow, rowsOf } from './listRows.ts'
import { FailureNotice } from './Notice.tsx'
import { OptionList } from './OptionList.tsx'
import { SearchBox } from './SearchBox.tsx'
import { SearchStatus } from './SearchStatus.tsx'
import * as css from './Chooser.module.css'

/** With more signatures than this there is a search box. */
const MAX_WITHOUT_SEARCH = 5

const NO_ENTRIES: readonly never[] = []

/** How many pages of a list are loaded while it has more; null when all are, or when loading failed. */
const selectPages =
  (list: ListName) =>
  ({ signatures }: AppState): number | null => {
    const {
      load: { status },
      pages,
    } = signatures[list]
    if (pages.length === 0) return null
    return status === 'pending' || (status === 'success' && nextPage(signatures[list]) !== null)
      ? pages.length
      : null
  }

const selectOwnPages = selectPages('own')
const selectSharedPages = selectPages('delegated')

/** `shared` leaves the user's own signatures out, `hasNone` adds the option for no signature. */
function useChoices(isWaiting: boolean, shared: boolean, hasNone: boolean): Choices {
  const noneName = useTexts()('list.none')
  const own = useAppState(selectListedEntries)
  const ofOthers = useAppState(selectOwnerGroups)
  const ownPages = useAppState(selectOwnPages)
  const sharedPages = useAppState(selectSharedPages)
  const isNoneIn = useAppState(({ insertion: { inMessage } }) => inMessage?.combinedIds === '')
  return useMemo(
    () => ({
      isWaiting,
      own: shared ? NO_ENTRIES : own,
      shared: ofOthers,
      pages: { own: shared ? null : ownPages, delegated: sharedPages },
      none: hasNone ? { name: noneName, inUse: isNoneIn } : null,
    }),
    [isWaiting, shared, own, ofOthers, ownPages, sharedPages, hasNone, noneName, isNoneIn],
  )
}

const uuidOf = (row: OptionRow): string | null => (row.kind === 'entry' ? row.listed.entry.uuid : null)

/**
 * The signatures to choose from. Arrow keys and typing move, in the list or from the search box; Enter or a click
 * inserts into the open message, Escape undoes. Everything else is in the menu of a signature.
 */
export function Chooser({
  labelledBy,
  isWaiting,
  shared,
}: {
  labelledBy: string
  /** The first page is loading: its places are kept, above the option for no signature. */
  isWaiting: boolean
  shared: boolean
}) {
  const t = useTexts()
  const record = useRecord()
  const listId = useId()
  const whyId = useId()
  const choosing = useChoosing()
  const { does, why, choose, undo } = choosing
  const count = useAppState(({ signatures: { own, delegated } }) => own.total + delegated.total)
  const query = useAppState(selectQuery)
  const isSearching = query !== ''

  const choices = useChoices(isWaiting, shared, does !== 'copy')
  const rows = useMemo(() => rowsOf(choices, query), [choices, query])
  const options = useMemo(() => rows.filter(isOption), [rows])
  const keys = useMemo(() => options.map(({ key }) => key), [options])
  const active = useActiveOption(listId, keys, isSearching ? -1 : options.findIndex(isRowInUse), isSearching)

  const chooseRow = (row: OptionRow | undefined) => {
    if (row) choose(uuidOf(row))
  }
  return (
    <>
      {isWaiting && <div className={css['search']} aria-hidden="true" />}
      {(count > MAX_WITHOUT_SEARCH || isSearching) && (
        <SearchBox
          listId={listId}
          activeId={active.isFromBox && active.key !== null ? optionId(listId, active.key) : null}
          onType={active.clear}
          onSearch={(words) => {
            record(Signatures.searched({ query: words, shared }))
          }}
          onMove={(step) => {
            const next = Math.min(Math.max(active.index + step, 0), options.length - 1)
            active.moveTo(active.isFromBox ? next : active.index, 'box')
          }}
          onEnter={(typed) => {
            if (typed !== query) chooseRow(rowsOf(choices, typed).find(isOption))
            else if (active.isFromBox) chooseRow(options[active.index])
          }}
          onEscape={undo}
        />
      )}
      {why !== null && (
        <p id={whyId} className={css['quiet']}>
          {t(why)}
        </p>
      )}
      <CopyFailed />
      <SearchStatus query={query} shared={shared} found={options} />
      <OptionList
        id={listId}
        labelledBy={labelledBy}
        whyId={why === null ? null : whyId}
        isAlone={shared}
        rows={rows}
        options={options}
        active={active}
        choosing={choosing}
        onChoose={chooseRow}
      />
    </>
  )
}

/** Why a signature was not copied. */
function CopyFailed() {
  const record = useRecord()
  const copy = useAppState(({ signatures }) => signatures.copy)
  if (copy?.attempt.status !== 'fail') return null
  const { uuid, attempt } = copy
  return (
    <div ref={bringIntoSight}>
      <FailureNotice
        title="notice.notCopied"
        failure={attempt.failure}
        purpose="copy"
        onRetry={() => {
          record(Signatures.copyRequested({ uuid }))
        }}
      />
    </div>
  )
}
