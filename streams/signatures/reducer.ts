import type { AuthEvent } from '../auth/events.ts'
import { withChanges, withEach } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Secret } from '../kernel/secret.ts'
import type { MailboxEvent } from '../mailbox/events.ts'
import { type EntryStatus, type SignatureEntry, toEntries } from './entry.ts'
import type {
  CachedSignature,
  Content,
  DefaultUse,
  InMessage,
  InsertionId,
  ListName,
  SignaturePage,
  SignaturesEvent,
  Target,
} from './events.ts'

/**
 * `offset` counts the objects that are loaded, of `total`; `pages` are the numbers of the loaded pages. `epoch` grows
 * with every reset: an answer that belongs to an earlier one is ignored.
 */
export type Collection = Readonly<{
  status: 'idle' | 'pending' | 'success' | 'fail'
  entries: readonly SignatureEntry[]
  total: number
  offset: number
  pages: readonly number[]
  epoch: number
  failure: Failure | null
}>

/** `fresh` is false while the default is what an earlier pane left in private storage. */
export type DefaultSignature = Readonly<{
  status: 'idle' | 'pending' | 'success' | 'fail'
  signature: CachedSignature | null
  fresh: boolean
  failure: Failure | null
}>

/** The latest insertion; it is told until the next one, or until another item opens. */
export type Insertion = Readonly<{
  id: InsertionId
  itemKey: string
  target: Target
  /** Names the content of a default; null for everything else. */
  hash: string | null
  /** A default that takes the place of an older version of itself. */
  replacesOlder: boolean
  status: 'pending' | 'success' | 'fail'
  imagesDone: number
  imagesTotal: number
  failure: Failure | null
}>

/** What a message had; `content` is null where Signet does not know it. Both null: it had no signature. */
export type Former = Readonly<{ inMessage: InMessage | null; content: Content | null }>

/** A change of the default that was asked for; told until the next one. */
export type DefaultChange = Readonly<{
  combinedIds: string
  use: DefaultUse
  status: 'pending' | 'success' | 'fail'
  failure: Failure | null
}>

/** The latest entry that was to be copied. */
export type Copy = Readonly<{
  uuid: string
  status: 'pending' | 'success' | 'fail'
  failure: Failure | null
}>

/** The author's words are being put back, as they asked, or could not be. */
export type WordsRestore = Readonly<{ status: 'pending' | 'fail'; failure: Failure | null }>

/** What became of the last wish to look for the lists again. */
export type Refresh = Readonly<{
  status: 'idle' | 'pending' | 'success' | 'fail'
  failure: Failure | null
}>

export type SignaturesState = Readonly<{
  own: Collection
  delegated: Collection
  /** When the service last told the beginning of the person's list, in milliseconds since the epoch. */
  checkedAt: number | null
  refresh: Refresh
  /** The person's collection was reset and is on its way. */
  reloading: boolean
  default: DefaultSignature
  defaultChange: DefaultChange | null
  insertion: Insertion | null
  /** What Signet put into the open message, and its content as far as it is known. */
  inMessage: InMessage | null
  content: Content | null
  /** What the open message had before the last insertion; null when there was none, or when it cannot be put back. */
  former: Former | null
  /** The open message's body from before an insertion that changed the author's words. */
  wordsBefore: Secret | null
  wordsRestore: WordsRestore | null
  /** `combinedIds` of what was used last, latest first: as it was at the start, and as it is. */
  recentAtStart: readonly string[]
  recent: readonly string[]
  /** The person went to another message before what they had chosen was in. */
  interrupted: boolean
  copy: Copy | null
}>

/** How many recently used signatures are remembered. */
const RECENT = 5

const latestFirst = (recent: readonly string[], latest: string): readonly string[] =>
  recent[0] === latest ? recent : [latest, ...recent.filter((ids) => ids !== latest)].slice(0, RECENT)

const emptyCollection: Collection = {
  status: 'idle',
  entries: [],
  total: 0,
  offset: 0,
  pages: [],
  epoch: 0,
  failure: null,
}

const noRefresh: Refresh = { status: 'idle', failure: null }

const ofOpenMessage = {
  insertion: null,
  inMessage: null,
  content: null,
  former: null,
  wordsBefore: null,
  wordsRestore: null,
  copy: null,
} as const

export const initialSignatures: SignaturesState = {
  own: emptyCollection,
  delegated: emptyCollection,
  checkedAt: null,
  refresh: noRefresh,
  reloading: false,
  default: { status: 'idle', signature: null, fresh: false, failure: null },
  defaultChange: null,
  recentAtStart: [],
  recent: [],
  interrupted: false,
  ...ofOpenMessage,
}

/** The events that concern signatures: their own, another item, and signing out. */
export type SignaturesInput =
  | SignaturesEvent
  | Extract<MailboxEvent, { type: 'mailbox/itemChanged' | 'mailbox/messageRead' }>
  | Extract<AuthEvent, { type: 'auth/signedOut' }>

const lists = ['own', 'delegated'] as const satisfies readonly ListName[]

const withList = (state: SignaturesState, list: ListName, change: Partial<Collection>): SignaturesState =>
  withChanges(state, { [list]: withChanges(state[list], change) })

const withRefresh = (state: SignaturesState, refresh: Refresh): SignaturesState =>
  withChanges(state, { refresh: withChanges(state.refresh, refresh) })

const withDefault = (state: SignaturesState, change: Partial<DefaultSignature>): SignaturesState =>
  withChanges(state, { default: withChanges(state.default, change) })

/** The part as it becomes; the same reference when it is so already. */
const becoming = <Part extends object>(before: Part | null, after: Part): Part =>
  before ? withChanges(before, after) : after

/** The same state with every entry in the status that `statusOf` says. */
function withStatuses(
  state: SignaturesState,
  statusOf: (entry: SignatureEntry) => EntryStatus,
): SignaturesState {
  let changed = state
  for (const list of lists) {
    const entries = withEach(changed[list].entries, (entry) =>
      withChanges(entry, { status: statusOf(entry) }),
    )
    changed = withList(changed, list, { entries })
  }
  return changed
}

const withTargetStatus = (state: SignaturesState, target: Target, status: EntryStatus): SignaturesState =>
  withStatuses(state, (entry) =>
    target.kind === 'entry' && entry.uuid === target.uuid ? status : entry.status,
  )

/** An insertion begins: every entry that still waits gives way to it. */
function starting(
  state: SignaturesState,
  insertion: Pick<Insertion, 'id' | 'itemKey' | 'target' | 'hash'>,
): SignaturesState {
  const { target } = insertion
  return {
    ...withStatuses(state, (entry) =>
      target.kind === 'entry' && entry.uuid === target.uuid ? 'pending' : 'idle',
    ),
    interrupted: insertion.target.kind === 'default' ? state.interrupted : false,
    insertion: {
      ...insertion,
      replacesOlder: target.kind === 'default' && state.inMessage !== null,
      status: 'pending',
      imagesDone: 0,
      imagesTotal: 0,
      failure: null,
    },
  }
}

const withInsertion = (state: SignaturesState, change: Partial<Insertion>): SignaturesState =>
  state.insertion ? withChanges(state, { insertion: withChanges(state.insertion, change) }) : state

/** The list from its beginning, in place of what was there. */
const anew = (collection: Collection, { total, objects }: SignaturePage): Collection => {
  const { pages } = collection
  return {
    status: 'success',
    entries: toEntries(1, objects),
    total,
    offset: objects.length,
    pages: pages.length === 1 && pages[0] === 1 ? pages : [1],
    epoch: collection.epoch + 1,
    failure: null,
  }
}

const withWordsRestore = (state: SignaturesState, wordsRestore: WordsRestore): SignaturesState =>
  withChanges(state, { wordsRestore: becoming(state.wordsRestore, wordsRestore) })

const reset = (collection: Collection): Collection => ({ ...emptyCollection, epoch: collection.epoch + 1 })

/** A reload is over when the default and the first page came to an end, well or not. */
const endOfReload = (state: SignaturesState): SignaturesState =>
  state.reloading &&
  state.own.status !== 'pending' &&
  state.own.status !== 'idle' &&
  state.default.status !== 'pending'
    ? { ...state, reloading: false }
    : state

export function evolveSignatures(state: SignaturesState, event: Recorded<SignaturesInput>): SignaturesState {
  switch (event.type) {
    case 'signatures/snapshotRestored':
      // The service's answer may be faster than the browser's storage.
      return state.default.fresh ? state : withDefault(state, { signature: event.data.signature })
    case 'signatures/cacheRequested':
      return withDefault(state, { status: 'pending', failure: null })
    case 'signatures/cacheLoaded': {
      const { signature } = event.data
      return endOfReload(withDefault(state, { status: 'success', signature, fresh: true, failure: null }))
    }
    case 'signatures/cacheFailed':
      return endOfReload(withDefault(state, { status: 'fail', failure: event.data.failure }))

    case 'signatures/pageRequested':
      return event.data.epoch === state[event.data.list].epoch
        ? withList(state, event.data.list, { status: 'pending', failure: null })
        : state
    case 'signatures/pageLoaded': {
      const { list, epoch } = event.data
      const { page, total, objects } = event.data.page
      const collection = state[list]
      // A list that was reset meanwhile waits for its own answer.
      if (epoch !== collection.epoch) return state
      // A page that comes twice is taken once.
      if (collection.pages.includes(page)) return endOfReload(withList(state, list, { status: 'success' }))
      const isChecked = list === 'own' && page === 1
      return endOfReload(
        withList(
          isChecked ? withRefresh(withChanges(state, { checkedAt: event.meta.at }), noRefresh) : state,
          list,
          {
            status: 'success',
            entries: [...collection.entries, ...toEntries(page, objects)],
            total,
            offset: collection.offset + objects.length,
            pages: [...collection.pages, page],
            failure: null,
          },
        ),
      )
    }
    case 'signatures/pageFailed': {
      const { list, epoch, failure } = event.data
      return epoch === state[list].epoch
        ? endOfReload(withList(state, list, { status: 'fail', failure }))
        : state
    }
    case 'signatures/reloadRequested': {
      const { lists: wanted } = event.data
      return withChanges(state, {
        own: wanted.includes('own') ? reset(state.own) : state.own,
        delegated: wanted.includes('delegated') ? reset(state.delegated) : state.delegated,
        reloading: state.reloading || wanted.includes('own'),
      })
    }
    case 'signatures/refreshRequested':
      return withRefresh(state, { status: 'pending', failure: null })
    case 'signatures/refreshed': {
      const { epoch, own, delegated } = event.data
      const refreshed = withRefresh(state, { status: 'success', failure: null })
      // A list that was reset meanwhile waits for its own answer.
      if (epoch !== state.own.epoch) return refreshed
      return {
        ...refreshed,
        own: anew(state.own, own),
        delegated: delegated ? anew(state.delegated, delegated) : state.delegated,
        checkedAt: event.meta.at,
      }
    }
    case 'signatures/refreshFailed':
      return withRefresh(state, { status: 'fail', failure: event.data.failure })
    case 'signatures/recentRestored':
      return { ...state, recentAtStart: event.data.recent, recent: event.data.recent }

    case 'signatures/chosen': {
      const { uuid, itemKey } = event.data
      return starting(state, { id: event.meta.seq, itemKey, target: { kind: 'entry', uuid }, hash: null })
    }
    case 'signatures/noneChosen':
      return starting(state, {
        id: event.meta.seq,
        itemKey: event.data.itemKey,
        target: { kind: 'none' },
        hash: null,
      })
    case 'signatures/undoRequested':
      return starting(state, {
        id: event.meta.seq,
        itemKey: event.data.itemKey,
        target: { kind: 'former' },
        hash: null,
      })
    case 'signatures/defaultDue': {
      const { itemKey, hash } = event.data
      return starting(state, { id: event.meta.seq, itemKey, target: { kind: 'default' }, hash })
    }
    case 'signatures/insertionProgressed': {
      const { id, imagesDone, imagesTotal } = event.data
      if (state.insertion?.id !== id) return state
      return withInsertion(state, { imagesDone, imagesTotal })
    }
    case 'signatures/insertionSucceeded': {
      const { id, target, inMessage, content } = event.data
      // The item may have changed since: then this tells nothing about the message that is open.
      if (state.insertion?.itemKey !== event.data.itemKey) return state
      const isSame = state.inMessage?.hash === inMessage.hash
      const { inMessage: before, content: contentBefore } = state
      const present = withChanges(state, {
        inMessage,
        content,
        former: isSame ? state.former : becoming(state.former, { inMessage: before, content: contentBefore }),
        recent: target.kind === 'entry' ? latestFirst(state.recent, inMessage.combinedIds) : state.recent,
      })
      if (state.insertion.id !== id) return present
      return withInsertion(withTargetStatus(present, target, 'success'), { status: 'success' })
    }
    case 'signatures/insertionFailed': {
      const { id, target, failure } = event.data
      // The insertion went with its item; only that it was interrupted is told.
      if (failure.kind === 'itemGone' && target.kind !== 'default' && state.insertion?.id !== id)
        return withChanges(state, { interrupted: true })
      if (state.insertion?.id !== id) return state
      return withInsertion(withTargetStatus(state, target, 'fail'), { status: 'fail', failure })
    }
    case 'signatures/insertionSkipped':
      return state.insertion?.id === event.data.id
        ? withChanges(withInsertion(state, { status: 'success' }), { inMessage: null, content: null })
        : state
    case 'signatures/insertionSuperseded':
      return state
    case 'signatures/insertionSettled':
      return state.insertion?.id === event.data.id
        ? withTargetStatus(state, state.insertion.target, 'idle')
        : state

    case 'signatures/wordsChanged':
      // Of several losses the body from before the first has all the words.
      return state.insertion?.itemKey === event.data.itemKey
        ? withChanges(state, { wordsBefore: state.wordsBefore ?? event.data.former })
        : state
    case 'signatures/wordsRestored':
      return state.insertion?.itemKey === event.data.itemKey
        ? withChanges(state, {
            wordsBefore: null,
            wordsRestore: null,
            inMessage: null,
            content: null,
            former: null,
          })
        : state
    case 'signatures/wordsRestoreRequested':
      return state.wordsBefore && state.insertion?.itemKey === event.data.itemKey
        ? withWordsRestore(state, { status: 'pending', failure: null })
        : state
    case 'signatures/wordsRestoreFailed':
      return state.wordsBefore && state.insertion?.itemKey === event.data.itemKey
        ? withWordsRestore(state, { status: 'fail', failure: event.data.failure })
        : state
    case 'signatures/nextPageWanted':
      return state

    case 'signatures/defaultChangeRequested':
      return withChanges(state, {
        defaultChange: becoming(state.defaultChange, { ...event.data, status: 'pending', failure: null }),
      })
    case 'signatures/defaultChanged':
      return withChanges(state, {
        defaultChange: becoming(state.defaultChange, { ...event.data, status: 'success', failure: null }),
      })
    case 'signatures/defaultChangeFailed':
      return withChanges(state, {
        defaultChange: becoming(state.defaultChange, { ...event.data, status: 'fail' }),
      })

    case 'signatures/copyRequested':
      return withChanges(state, {
        copy: becoming<Copy>(state.copy, { uuid: event.data.uuid, status: 'pending', failure: null }),
      })
    case 'signatures/copied':
      return state.copy?.uuid === event.data.uuid
        ? withChanges(state, { copy: withChanges(state.copy, { status: 'success', failure: null }) })
        : state
    case 'signatures/copyFailed':
      return state.copy?.uuid === event.data.uuid
        ? withChanges(state, {
            copy: withChanges(state.copy, { status: 'fail', failure: event.data.failure }),
          })
        : state

    case 'mailbox/itemChanged':
      return withChanges(
        withStatuses(state, () => 'idle'),
        // Going away ends what was told; arriving somewhere is where it is read.
        { ...ofOpenMessage, interrupted: event.data.item !== null && state.interrupted },
      )
    case 'mailbox/messageRead': {
      const { inserted, composeType } = event.data.message
      if (inserted === null || state.inMessage !== null) return state
      const { combinedIds, hash, name, manual, reply } = inserted
      const reason = { origin: manual ? 'manual' : 'default', composeType, reply } as const
      return { ...state, inMessage: { combinedIds, hash, name, reason } }
    }
    case 'auth/signedOut':
      // Answers that are still on their way belong to nobody: the epochs go on.
      return { ...initialSignatures, own: reset(state.own), delegated: reset(state.delegated) }
    default:
      return assertNever(event)
  }
}
