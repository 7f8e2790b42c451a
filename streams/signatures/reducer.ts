import type { AuthEvent } from '../auth/events.ts'
import { withChanges, withEach } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { MailboxEvent } from '../mailbox/events.ts'
import type { CachedSignature, InMessage, InsertionId, SignaturesEvent, Target } from './events.ts'
import { type EntryStatus, type SignatureEntry, toEntries } from './entry.ts'

/** `offset` counts the objects that are loaded, of `total`; `pages` are the numbers of the loaded pages. */
export type Collection = Readonly<{
  status: 'idle' | 'pending' | 'success' | 'fail'
  entries: readonly SignatureEntry[]
  total: number
  offset: number
  pages: readonly number[]
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
  /** Names the content of a default; null for an entry. */
  hash: string | null
  status: 'pending' | 'success' | 'fail'
  imagesDone: number
  imagesTotal: number
  failure: Failure | null
}>

export type SignaturesState = Readonly<{
  own: Collection
  default: DefaultSignature
  insertion: Insertion | null
  /** What Signet put into the open message. */
  inMessage: InMessage | null
}>

const emptyCollection: Collection = {
  status: 'idle',
  entries: [],
  total: 0,
  offset: 0,
  pages: [],
  failure: null,
}

export const initialSignatures: SignaturesState = {
  own: emptyCollection,
  default: { status: 'idle', signature: null, fresh: false, failure: null },
  insertion: null,
  inMessage: null,
}

/** The events that concern signatures: their own, another item, and signing out. */
export type SignaturesInput =
  | SignaturesEvent
  | Extract<MailboxEvent, { type: 'mailbox/itemChanged' | 'mailbox/messageRead' }>
  | Extract<AuthEvent, { type: 'auth/signedOut' }>

const withOwn = (state: SignaturesState, changes: Partial<Collection>): SignaturesState =>
  withChanges(state, { own: withChanges(state.own, changes) })

const withDefault = (state: SignaturesState, changes: Partial<DefaultSignature>): SignaturesState =>
  withChanges(state, { default: withChanges(state.default, changes) })

const withInsertion = (state: SignaturesState, changes: Partial<Insertion>): SignaturesState =>
  withChanges(state, { insertion: state.insertion && withChanges(state.insertion, changes) })

/** The target of the latest insertion has this status; every other entry is idle. */
const withEntryStatus = (state: SignaturesState, target: Target, status: EntryStatus): SignaturesState =>
  withOwn(state, {
    entries: withEach(state.own.entries, (entry) =>
      withChanges(entry, {
        status: target.kind === 'entry' && entry.uuid === target.uuid ? status : 'idle',
      }),
    ),
  })

/** Every entry that still waits gives way to the latest insertion. */
const begin = (state: SignaturesState, insertion: Insertion): SignaturesState => ({
  ...withEntryStatus(state, insertion.target, 'pending'),
  insertion,
})

const end = (
  state: SignaturesState,
  { target }: Insertion,
  status: 'success' | 'fail',
  failure: Failure | null,
): SignaturesState => withInsertion(withEntryStatus(state, target, status), { status, failure })

const started = (id: InsertionId, itemKey: string, target: Target, hash: string | null): Insertion => ({
  id,
  itemKey,
  target,
  hash,
  status: 'pending',
  imagesDone: 0,
  imagesTotal: 0,
  failure: null,
})

export function evolveSignatures(state: SignaturesState, event: Recorded<SignaturesInput>): SignaturesState {
  switch (event.type) {
    case 'signatures/snapshotRestored':
      // The service's answer may be faster than the browser's storage.
      return state.default.fresh ? state : withDefault(state, { signature: event.data.signature })
    case 'signatures/cacheRequested':
      return withDefault(state, { status: 'pending', failure: null })
    case 'signatures/cacheLoaded':
      return withDefault(state, {
        status: 'success',
        signature: event.data.signature,
        fresh: true,
        failure: null,
      })
    case 'signatures/cacheFailed':
      return withDefault(state, { status: 'fail', failure: event.data.failure })

    case 'signatures/pageRequested':
      return withOwn(state, { status: 'pending', failure: null })
    case 'signatures/pageLoaded': {
      const { page, total, objects } = event.data.page
      // A page that comes twice is taken once.
      if (state.own.pages.includes(page)) return withOwn(state, { status: 'success' })
      return withOwn(state, {
        status: 'success',
        entries: [...state.own.entries, ...toEntries(page, objects)],
        total,
        offset: state.own.offset + objects.length,
        pages: [...state.own.pages, page],
        failure: null,
      })
    }
    case 'signatures/pageFailed':
      return withOwn(state, { status: 'fail', failure: event.data.failure })

    case 'signatures/chosen': {
      const { uuid, itemKey } = event.data
      return begin(state, started(event.meta.seq, itemKey, { kind: 'entry', uuid }, null))
    }
    case 'signatures/defaultDue': {
      const { itemKey, hash } = event.data
      return begin(state, started(event.meta.seq, itemKey, { kind: 'default' }, hash))
    }
    case 'signatures/insertionProgressed': {
      const { id, imagesDone, imagesTotal } = event.data
      return state.insertion?.id === id ? withInsertion(state, { imagesDone, imagesTotal }) : state
    }
    case 'signatures/insertionSucceeded': {
      const { id, itemKey, inMessage } = event.data
      // The item may have changed since: then this tells nothing about the message that is open.
      if (state.insertion?.itemKey !== itemKey) return state
      const told = withChanges(state, { inMessage })
      return state.insertion.id === id ? end(told, state.insertion, 'success', null) : told
    }
    case 'signatures/insertionFailed': {
      const { id, failure } = event.data
      return state.insertion?.id === id ? end(state, state.insertion, 'fail', failure) : state
    }
    case 'signatures/insertionSuperseded':
      return state
    case 'signatures/insertionSettled':
      return state.insertion?.id === event.data.id
        ? withEntryStatus(state, state.insertion.target, 'idle')
        : state

    case 'mailbox/itemChanged':
      return withChanges(state.insertion ? withEntryStatus(state, state.insertion.target, 'idle') : state, {
        insertion: null,
        inMessage: null,
      })
    case 'mailbox/messageRead': {
      const { inserted, composeType } = event.data.message
      if (inserted === null || state.inMessage !== null) return state
      const { combinedIds, hash, name, manual, reply } = inserted
      const reason = { origin: manual ? 'manual' : 'default', composeType, reply } as const
      return { ...state, inMessage: { combinedIds, hash, name, reason } }
    }
    case 'auth/signedOut':
      return withChanges(state, initialSignatures)
    default:
      return assertNever(event)
  }
}
