import type { Variables } from '../variables/events.ts'
import type { Router } from '../router/events.ts'
import type { Profile } from '../../message/profile/events.ts'
import type { Picture } from '../picture/events.ts'
import type { Mailbox } from '../../message/mailbox/events.ts'
import type { Insertion } from '../../message/insertion/events.ts'
import type { Defaults } from '../../message/defaults/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { isSignatureGone } from '../../message/auth/rules.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Recorded } from '../../kernel/event.ts'
import {
  type Attempt,
  type FailureEvent,
  failedStatus,
  idleStatus,
  pendingStatus,
  successStatus,
} from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Arrangement } from './arrangement.ts'
import {
  DELEGATIONS_FOLDER,
  MAIN_COLLECTION,
  type SignatureEntry,
  toEntries,
} from '../../message/signatures/entry.ts'
import type { ListName, Signatures } from '../../message/signatures/events.ts'
import type { SignaturePage } from '../../wire/signatures.ts'
import {
  emptyList,
  nextPage,
  PAGE_SIZE,
  searchContinues,
  type SignatureList,
} from '../../message/signatures/list.ts'
import { areListsAwaited, withFavourite } from '../../message/signatures/rules.ts'
import { collectionAt } from '../router/routes.ts'

/** The latest copy to the clipboard. If an earlier copy ends first, its outcome is shown until the latest one ends. */
export type SignatureCopy = Readonly<{ entryId: string; attempt: Attempt }>

/** The user's search, and the lists that it covers. Without a search, the query is empty. */
export type SignatureSearch = Readonly<{ query: string; lists: readonly ListName[] }>

export type SignaturesState = Readonly<{
  own: SignatureList
  delegated: SignatureList
  /** The ids of users who delegate signatures to the user, from the profile. */
  delegations: readonly string[]
  /**
   * The `seq` of the event that showed that another user no longer shares signatures; null again when another message
   * is opened.
   */
  unshared: number | null
  /** When the first page of the own list was last loaded, in milliseconds since the epoch. */
  checkedAt: number | null
  /** The last reload of the lists that began while they were shown. */
  refresh: Attempt
  /** Whether the own list is reloading, because the user changed their variables or picture. */
  reloading: boolean
  /** `combinedIds` of the recently used signatures, latest first. */
  recent: readonly string[]
  /** `combinedIds` of the favourites, in the order in which they were marked. */
  favourites: readonly string[]
  /** Whether the signatures that an earlier pane stored are still being read from storage. */
  restoring: Readonly<{ recent: boolean; favourites: boolean }>
  /** The signatures at the top of the list; null until the list can be drawn. */
  arrangement: Arrangement | null
  /** The collections of the loaded entries besides the main one, in the order in which they were first seen. */
  collections: readonly string[]
  search: SignatureSearch
  /**
   * The collection whose folder is open; null if no folder is open. While one is open, the missing pages of both lists
   * are loaded as in a search.
   */
  folder: string | null
  copy: SignatureCopy | null
}>

/** The number of recently used signatures that are stored. */
const RECENT_COUNT = 5

const latestFirst = (recent: readonly string[], latest: string): readonly string[] =>
  recent[0] === latest ? recent : [latest, ...recent.filter((ids) => ids !== latest)].slice(0, RECENT_COUNT)

const noSearch: SignatureSearch = { query: '', lists: [] }
const SHARED_LIST: readonly ListName[] = ['delegated']
const ALL_LISTS: readonly ListName[] = ['own', 'delegated']

const initial: SignaturesState = {
  own: emptyList,
  delegated: emptyList,
  delegations: [],
  unshared: null,
  checkedAt: null,
  refresh: idleStatus,
  reloading: false,
  recent: [],
  favourites: [],
  restoring: { recent: false, favourites: false },
  arrangement: null,
  collections: [],
  search: noSearch,
  folder: null,
  copy: null,
}

const reset = ({ epoch }: SignatureList): SignatureList => ({ ...emptyList, epoch: epoch + 1 })

const withList = (state: SignaturesState, list: ListName, change: Partial<SignatureList>): SignaturesState =>
  withChanges(state, { [list]: withChanges(state[list], change) })

type Asking = Recorded<object>

/** Loads a list's next page, unless a page is loading, all pages are loaded, or nobody delegates to the user. */
export const loadNextPage = (state: SignaturesState, list: ListName, event: Asking): SignaturesState =>
  nextPage(state[list]) === null || (list === 'delegated' && state.delegations.length === 0)
    ? state
    : withList(state, list, { load: pendingStatus(event) })

const loadFirstPage = (state: SignaturesState, list: ListName, event: Asking): SignaturesState =>
  state[list].load.status === 'idle' ? loadNextPage(state, list, event) : state

const loadOwn = (state: SignaturesState, event: Asking): SignaturesState => loadFirstPage(state, 'own', event)

/** Loads the next page that a search or the open folder of a collection needs. */
const searchOn = (state: SignaturesState, event: Asking): SignaturesState =>
  (state.folder === null ? state.search.lists : ALL_LISTS)
    .filter((list) => searchContinues(state[list]))
    .reduce((result, list) => loadNextPage(result, list, event), state)

const retry = (
  state: SignaturesState,
  event: Asking,
  isWanted: (attempt: Attempt) => boolean,
): SignaturesState => {
  const lists = (['own', 'delegated'] as const).filter((list) => isWanted(state[list].load))
  return lists.reduce((result, list) => loadNextPage(result, list, event), state)
}

const lacks = (ids: readonly string[], wanted: readonly string[]): boolean =>
  wanted.some((id) => !ids.includes(id))

const refresh = (state: SignaturesState, event: Asking): SignaturesState =>
  state.refresh.status === 'pending' ? state : { ...state, refresh: pendingStatus(event) }

/** The list after a reload. The answer contains all pages from the first to `page`, and replaces the loaded pages. */
function fromBeginning(
  { pages: before, epoch }: SignatureList,
  { page: last, total, objects }: SignaturePage,
): SignatureList {
  const pages = Array.from({ length: last }, (_, index) => index + 1)
  return {
    load: successStatus,
    entries: pages.flatMap((page) =>
      toEntries(page, objects.slice((page - 1) * PAGE_SIZE, page === last ? undefined : page * PAGE_SIZE)),
    ),
    total,
    offset: objects.length,
    pages: pages.length === before.length && pages.every((page) => before.includes(page)) ? before : pages,
    epoch: epoch + 1,
  }
}

const refreshAfterMissing = (state: SignaturesState, event: FailureEvent): SignaturesState =>
  isSignatureGone(event.data.failure) ? refresh(state, event) : state

/** The names of folders that are not collections. */
const NOT_COLLECTIONS: readonly string[] = [MAIN_COLLECTION, DELEGATIONS_FOLDER]

const withCollections = (state: SignaturesState, entries: readonly SignatureEntry[]): SignaturesState => {
  const found = new Set(entries.map(({ collection }) => collection))
  const added = [...found].filter(
    (each) => !NOT_COLLECTIONS.includes(each) && !state.collections.includes(each),
  )
  return added.length === 0 ? state : { ...state, collections: [...state.collections, ...added] }
}

const endOfReload = (state: SignaturesState, list: ListName): SignaturesState =>
  list === 'own' ? withChanges(state, { reloading: false }) : state

const resetAll = (state: SignaturesState): SignaturesState => ({
  ...state,
  own: reset(state.own),
  delegated: reset(state.delegated),
  reloading: true,
})

const RESTORING = { recent: true, favourites: true }

/** Starts the loads of a new session. */
const begin = (state: SignaturesState, event: Asking): SignaturesState =>
  loadOwn(withChanges(state, { restoring: RESTORING }), event)

export const signatures = defineSlice<
  SignaturesState,
  | typeof App
  | typeof Auth
  | typeof Defaults
  | typeof Insertion
  | typeof Mailbox
  | typeof Picture
  | typeof Profile
  | typeof Router
  | typeof Signatures
  | typeof Variables
>()(initial, {
  'auth/verified': begin,
  'auth/sessionRecovered': begin,
  'profile/loaded': (state, event) => {
    const { delegations } = event.data.value
    const isWithdrawn = lacks(delegations, state.delegations)
    if (!isWithdrawn && !lacks(state.delegations, delegations))
      return loadFirstPage(state, 'delegated', event)
    const shared = {
      ...state,
      delegations,
      unshared: isWithdrawn ? event.meta.seq : state.unshared,
      delegated: delegations.length === 0 ? reset(state.delegated) : state.delegated,
    }
    // The list is reloaded, because it was loaded for other owners. The reload cancels a pending request.
    return state.delegated.load.status === 'idle'
      ? loadFirstPage(shared, 'delegated', event)
      : { ...shared, refresh: pendingStatus(event) }
  },
  'app/retryRequested': (state, event) => {
    const retried = retry(state, event, ({ status }) => status === 'fail')
    return state.refresh.status === 'fail' ? refresh(retried, event) : retried
  },
  // The shown lists stay until the reload has its answer.
  'app/serviceReachable': (state, event) => (areListsAwaited(state) ? refresh(state, event) : state),
  // Sign-in and retry load the first page; scrolling does not. During its reload the own list is empty, so the other
  // list appears to be scrolled to its end although the user did not scroll.
  'signatures/nextPageRequested': (state, event) =>
    state.reloading || state[event.data.list].pages.length === 0
      ? state
      : loadNextPage(state, event.data.list, event),

  'signatures/searched': (state, event) => {
    const { query, shared } = event.data
    if (query === '') return withChanges(state, { search: noSearch })
    const search = withChanges(state.search, { query, lists: shared ? SHARED_LIST : ALL_LISTS })
    return searchOn(withChanges(state, { search }), event)
  },
  // A search ends when the user goes to another page, because each page of the pane has its own search.
  'router/navigated': (state, event) =>
    searchOn(withChanges(state, { search: noSearch, folder: collectionAt(event.data.path) }), event),

  'signatures/pageLoaded': (state, event) => {
    const { data, meta } = event
    const { list, epoch } = data
    const { page, total, objects } = data.page
    const before = state[list]
    // The list was reset after this request, so it waits for a newer answer.
    if (epoch !== before.epoch) return state
    const ended = endOfReload(state, list)
    // Ignores a page that is loaded already.
    if (before.pages.includes(page)) return withList(ended, list, { load: successStatus })
    const isFirst = list === 'own' && page === 1
    const entries = toEntries(page, objects)
    const known = withCollections(
      isFirst ? { ...ended, checkedAt: meta.at, refresh: idleStatus } : ended,
      entries,
    )
    const longer = withList(known, list, {
      load: successStatus,
      entries: [...before.entries, ...entries],
      total,
      offset: before.offset + objects.length,
      pages: [...before.pages, page],
    })
    return searchOn(longer, event)
  },
  'signatures/pageFailed': (state, { data: { list, epoch, failure } }) =>
    epoch === state[list].epoch
      ? withList(endOfReload(state, list), list, { load: failedStatus(failure) })
      : state,

  // Resets the lists that may show the change: own signatures show variables and picture, shared signatures only the
  // picture.
  'variables/saved': (state) => ({ ...state, own: reset(state.own), reloading: true }),
  'picture/saved': resetAll,
  'picture/deleted': resetAll,
  // The lists are reloaded even if they were loaded after the change, because the service may have rendered the change
  // later.
  'signatures/reloadDue': (state, event) => {
    const { status } = state.own.load
    if (status === 'success' || status === 'fail') return refresh(state, event)
    return loadFirstPage(loadOwn(state, event), 'delegated', event)
  },

  'signatures/refreshRequested': refresh,
  'signatures/refreshed': (state, event) => {
    const { data, meta } = event
    const { epoch, own, delegated } = data
    // The list was reset after this request, so it waits for a newer answer.
    if (epoch !== state.own.epoch) return withChanges(state, { refresh: successStatus })
    const refreshed = {
      ...state,
      refresh: successStatus,
      reloading: false,
      own: fromBeginning(state.own, own),
      delegated: delegated ? fromBeginning(state.delegated, delegated) : state.delegated,
      checkedAt: meta.at,
    }
    const entries = [...refreshed.own.entries, ...refreshed.delegated.entries]
    return searchOn(withCollections(refreshed, entries), event)
  },
  'signatures/refreshFailed': (state, { data: { failure } }) => ({
    ...state,
    refresh: failedStatus(failure),
  }),
  // If a signature no longer exists, the reload removes it from the lists.
  'defaults/changeFailed': refreshAfterMissing,
  'insertion/failed': refreshAfterMissing,

  'signatures/recentRestored': (state, { data: { recent } }) =>
    withChanges(state, { recent, restoring: withChanges(state.restoring, { recent: false }) }),
  'signatures/favouritesRestored': (state, { data: { favourites } }) =>
    withChanges(state, { favourites, restoring: withChanges(state.restoring, { favourites: false }) }),
  'signatures/favouriteChanged': (state, { data }) =>
    withChanges(state, { favourites: withFavourite(state.favourites, data) }),
  'insertion/succeeded': (state, { data: { target, inMessage } }) =>
    target.kind === 'entry'
      ? withChanges(state, { recent: latestFirst(state.recent, inMessage.combinedIds) })
      : state,

  'signatures/copyRequested': (state, event) => ({
    ...state,
    copy: { entryId: event.data.entryId, attempt: pendingStatus(event) },
  }),
  'signatures/copied': (state, { data: { entryId } }) =>
    state.copy
      ? withChanges(state, { copy: withChanges(state.copy, { entryId, attempt: successStatus }) })
      : state,
  'signatures/copyFailed': (state, { data: { entryId, failure } }) =>
    state.copy ? { ...state, copy: { entryId, attempt: failedStatus(failure) } } : state,
  'mailbox/itemChanged': (state) => withChanges(state, { copy: null, unshared: null }),

  // The epochs keep counting, so that pending answers from the ended session are ignored.
  'auth/signedOut': (state) => ({ ...initial, own: reset(state.own), delegated: reset(state.delegated) }),
})
