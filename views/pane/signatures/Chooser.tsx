import { nextPage, searchContinues } from '../../../streams/message/signatures/list.ts'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { AppState } from '../../../streams/pane/state.ts'
import { OWN_OWNER } from '../../../streams/message/signatures/entry.ts'
import { type ListName, Signatures } from '../../../streams/message/signatures/events.ts'
import {
  selectFolderEntries,
  selectListGroups,
  selectOwnerGroups,
  selectSearchQuery,
  selectSignatureCount,
} from '../../../streams/pane/signatures/selectors.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { useAppState, useRecording } from '../app.tsx'
import { useSignatureChoice } from './choosing.ts'
import { optionId, useActiveOption } from '../dom/activeOption.ts'
import type { UndoKey } from './undoKey.ts'
import { useTexts } from '../text/texts.ts'
import { type Folder, folderKey } from './folder.ts'
import { LIST_FAILURE_SELECTORS } from './ListFailure.tsx'
import {
  type ListContents,
  isOptionRow,
  isRowInUse,
  type ListEnd,
  type OptionRow,
  matchingRows,
} from './listRows.ts'
import { OptionList } from './OptionList.tsx'
import { SearchBox } from './SearchBox.tsx'
import { SearchStatus } from './SearchStatus.tsx'
import * as css from './Chooser.module.css'
import * as textCss from '../../shared/Text.module.css'

/** The number of signatures above which there is a search box. */
const MAX_WITHOUT_SEARCH = 5

/** The number of loaded pages of an incomplete list; null when all are loaded, or when loading failed. */
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

/** The end of a list: the next page or a failure; null when the list is loaded completely. */
function useEnd(list: ListName): ListEnd | null {
  const pages = useAppState(list === 'own' ? selectOwnPages : selectSharedPages)
  const hasFailed = useAppState((state) => LIST_FAILURE_SELECTORS[list](state) !== null)
  return useMemo(
    () => (hasFailed ? { kind: 'failed' } : pages === null ? null : { kind: 'nextPage', pages }),
    [hasFailed, pages],
  )
}

/** Whether both lists failed for the same cause, which is then shown only once. */
const selectIsSaidTwice = (state: AppState): boolean =>
  state.signatures.own.entries.length + state.signatures.delegated.entries.length === 0 &&
  LIST_FAILURE_SELECTORS.own(state)?.kind === LIST_FAILURE_SELECTORS.delegated(state)?.kind

/**
 * Whether the number of signatures is unknown, because the profile with its delegations or a list's first page is
 * missing.
 */
const selectIsCountOpen = ({ profile, signatures: { delegations, delegated } }: AppState): boolean =>
  (profile.status === 'pending' && loadedValue(profile) === undefined) ||
  (delegations.length > 0 && delegated.pages.length === 0 && delegated.load.status !== 'fail')

const selectIsGrowing = ({ signatures: { own, delegated } }: AppState): boolean =>
  [own, delegated].some((list) => list.load.status === 'pending' || searchContinues(list))

const nothing = () => null

/** The content of the list in this folder. `hasNone` adds the option for no signature. */
function useChoices(folder: Folder, isWaiting: boolean, hasNone: boolean): ListContents {
  const noneName = useTexts()('list.none')
  const groups = useAppState(selectListGroups)
  const shared = useAppState(selectOwnerGroups)
  const collection = typeof folder === 'string' ? null : folder.collection
  const ofFolder = useAppState(
    useMemo(() => (collection === null ? nothing : selectFolderEntries(collection)), [collection]),
  )
  const isGrowing = useAppState(selectIsGrowing) && ofFolder !== null
  const own = useEnd('own')
  const delegated = useEnd('delegated')
  const isSaidTwice = useAppState(selectIsSaidTwice)
  const isNoneIn = useAppState(({ insertion: { inMessage } }) => inMessage?.combinedIds === '')
  return useMemo(() => {
    const common = { isWaiting, isGrowing, none: hasNone ? { name: noneName, inUse: isNoneIn } : null }
    const failed = (end: ListEnd | null) => (end?.kind === 'failed' ? end : null)
    if (ofFolder)
      return {
        ...common,
        groups: ofFolder.own.length > 0 ? [{ kind: 'rest', entries: ofFolder.own }] : [],
        shared: ofFolder.shared,
        ends: { own: failed(own), delegated: isSaidTwice ? null : failed(delegated) },
      }
    if (folder !== 'shared')
      return { ...common, groups, shared, ends: { own, delegated: isSaidTwice ? null : delegated } }
    // A group may hold entries of both lists, so the user's own entries are left out.
    const ofOthers = groups.flatMap((group) => {
      const entries = group.entries.filter(({ entry }) => entry.owner !== OWN_OWNER)
      return entries.length > 0 ? [{ ...group, entries }] : []
    })
    return { ...common, groups: ofOthers, shared, ends: { own: null, delegated } }
  }, [
    folder,
    isWaiting,
    isGrowing,
    groups,
    shared,
    ofFolder,
    own,
    delegated,
    isSaidTwice,
    hasNone,
    noneName,
    isNoneIn,
  ])
}

const entryIdOf = (row: OptionRow): string | null => (row.kind === 'entry' ? row.listed.entry.entryId : null)

/**
 * Whether there is a search box. While the number of signatures is unknown, its space is reserved. Once shown, the box
 * stays, so that the clickable rows below do not move.
 */
function useHasSearch(isWaiting: boolean, isSearching: boolean): 'box' | 'place' | null {
  const count = useAppState(selectSignatureCount)
  const isOpen = useAppState(selectIsCountOpen)
  const isWanted = isSearching || (!isWaiting && (count > MAX_WITHOUT_SEARCH || isOpen))
  const [hasBox, setHasBox] = useState(isWanted)
  if (isWanted && !hasBox) setHasBox(true)
  if (isWanted || hasBox) return 'box'
  return isWaiting ? 'place' : null
}

/**
 * The signatures to choose from. Arrow keys and typing move through the list, also from the search box. Enter or a
 * click inserts into the open message; a hint shows when Escape undoes this. All other actions are in the menu of a
 * signature.
 */
export function Chooser({
  labelledBy,
  hintId,
  isWaiting,
  folder,
  folders,
  undoKey,
}: {
  labelledBy: string
  /** The id of the hint that Escape undoes the insertion; null if Escape undoes nothing. */
  hintId: string | null
  /** True while the first signatures are unknown. Placeholder rows are then above the option for no signature. */
  isWaiting: boolean
  folder: Folder
  /** The links to the folders, drawn beside the search box. */
  folders: ReactNode
  undoKey: UndoKey
}) {
  const t = useTexts()
  const recording = useRecording()
  const listId = useId()
  const whyId = useId()
  const choosing = useSignatureChoice()
  const { does, why, choose, undo } = choosing
  const query = useAppState(selectSearchQuery)
  const isSearching = query !== ''
  const shared = folder === 'shared'
  const search = useHasSearch(isWaiting, isSearching)

  const choices = useChoices(folder, isWaiting, does !== 'copy')
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => matchingRows(choices, query, unfolded), [choices, query, unfolded])
  const options = useMemo(() => rows.filter(isOptionRow), [rows])
  const keys = useMemo(() => options.map(({ key }) => key), [options])
  const active = useActiveOption(listId, keys, isSearching ? -1 : options.findIndex(isRowInUse), isSearching)

  const chooseRow = (row: OptionRow | undefined) => {
    if (row) choose(entryIdOf(row))
  }
  // An Escape without anything to undo goes to the mail client, unless it was meant for a menu.
  const escape = () => (hintId === null ? undoKey.isResting : undo())
  return (
    <>
      <div className={css['tools']}>
        {search === 'place' && <div className={css['search']} aria-hidden="true" />}
        {search === 'box' && (
          <SearchBox
            listId={listId}
            hintId={hintId}
            activeId={active.isFromBox && active.key !== null ? optionId(listId, active.key) : null}
            onType={(words) => {
              undoKey.onType(words)
              active.clear()
            }}
            onSearch={recording((words) => Signatures.searched({ query: words, shared }))}
            onMove={(step) => {
              const next = Math.min(Math.max(active.index + step, 0), options.length - 1)
              active.moveTo(active.isFromBox ? next : active.index, 'box')
            }}
            onEnter={(typed) => {
              if (typed !== query) chooseRow(matchingRows(choices, typed, unfolded).find(isOptionRow))
              else if (active.isFromBox) chooseRow(options[active.index])
            }}
            onEscape={escape}
          />
        )}
        {folders}
      </div>
      {why !== null && (
        // While Signet is still reading the message, this sentence is only for screen readers. If it were visible, the
        // options would move when it disappears.
        <p id={whyId} className={does === 'wait' ? textCss['unseen'] : textCss['small']}>
          {t(why)}
        </p>
      )}
      <SearchStatus query={query} shared={shared} found={options} />
      <OptionList
        id={listId}
        labelledBy={labelledBy}
        whyId={why === null ? null : whyId}
        hintId={hintId}
        scope={`${folderKey(folder)} ${query}`}
        isAlone={shared}
        rows={rows}
        options={options}
        active={active}
        choosing={choosing}
        onChoose={chooseRow}
        onUnfold={(key, isUnfolded) => {
          setUnfolded(
            (before) => new Set(isUnfolded ? [...before, key] : [...before].filter((it) => it !== key)),
          )
        }}
        onEscape={escape}
      />
    </>
  )
}
