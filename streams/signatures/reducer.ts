import type { AuthEvent } from '../auth/events.ts'
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

const withEntryStatus = (state: SignaturesState, target: Target, status: EntryStatus): SignaturesState =>
  target.kind === 'entry'
    ? {
        ...state,
        own: {
          ...state.own,
          entries: state.own.entries.map((entry) =>
            entry.uuid === target.uuid && entry.status !== status ? { ...entry, status } : entry,
          ),
        },
      }
    : state

/** Every entry that still waits gives way to the latest choice. */
const withOnlyPending = (state: SignaturesState, uuid: string): SignaturesState => ({
  ...state,
  own: {
    ...state.own,
    entries: state.own.entries.map((entry) => {
      const status = entry.uuid === uuid ? 'pending' : 'idle'
      return entry.status === status ? entry : { ...entry, status }
    }),
  },
})

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
      return state.default.fresh
        ? state
        : { ...state, default: { ...state.default, signature: event.data.signature } }
    case 'signatures/cacheRequested':
      return { ...state, default: { ...state.default, status: 'pending', failure: null } }
    case 'signatures/cacheLoaded':
      return {
        ...state,
        default: { status: 'success', signature: event.data.signature, fresh: true, failure: null },
      }
    case 'signatures/cacheFailed':
      return { ...state, default: { ...state.default, status: 'fail', failure: event.data.failure } }

    case 'signatures/pageRequested':
      return { ...state, own: { ...state.own, status: 'pending', failure: null } }
    case 'signatures/pageLoaded': {
      const { page, total, objects } = event.data.page
      // A page that comes twice is taken once.
      if (state.own.pages.includes(page)) return { ...state, own: { ...state.own, status: 'success' } }
      return {
        ...state,
        own: {
          status: 'success',
          entries: [...state.own.entries, ...toEntries(page, objects)],
          total,
          offset: state.own.offset + objects.length,
          pages: [...state.own.pages, page],
          failure: null,
        },
      }
    }
    case 'signatures/pageFailed':
      return { ...state, own: { ...state.own, status: 'fail', failure: event.data.failure } }

    case 'signatures/chosen': {
      const { uuid, itemKey } = event.data
      const target: Target = { kind: 'entry', uuid }
      return { ...withOnlyPending(state, uuid), insertion: started(event.meta.seq, itemKey, target, null) }
    }
    case 'signatures/defaultDue': {
      const { itemKey, hash } = event.data
      return { ...state, insertion: started(event.meta.seq, itemKey, { kind: 'default' }, hash) }
    }
    case 'signatures/insertionProgressed': {
      const { id, imagesDone, imagesTotal } = event.data
      if (state.insertion?.id !== id) return state
      return { ...state, insertion: { ...state.insertion, imagesDone, imagesTotal } }
    }
    case 'signatures/insertionSucceeded': {
      const { id, target, inMessage } = event.data
      // The item may have changed since: then this tells nothing about the message that is open.
      if (state.insertion?.itemKey !== event.data.itemKey) return withEntryStatus(state, target, 'idle')
      if (state.insertion.id !== id) return { ...state, inMessage }
      return {
        ...withEntryStatus(state, target, 'success'),
        insertion: { ...state.insertion, status: 'success' },
        inMessage,
      }
    }
    case 'signatures/insertionFailed': {
      const { id, target, failure } = event.data
      if (state.insertion?.id !== id) return state
      return {
        ...withEntryStatus(state, target, 'fail'),
        insertion: { ...state.insertion, status: 'fail', failure },
      }
    }
    case 'signatures/insertionSuperseded':
      return state
    case 'signatures/insertionSettled':
      return state.insertion?.id === event.data.id
        ? withEntryStatus(state, state.insertion.target, 'idle')
        : state

    case 'mailbox/itemChanged':
      return state.insertion
        ? { ...withEntryStatus(state, state.insertion.target, 'idle'), insertion: null, inMessage: null }
        : { ...state, inMessage: null }
    case 'mailbox/messageRead': {
      const { inserted, composeType } = event.data.message
      if (inserted === null || state.inMessage !== null) return state
      const { combinedIds, hash, name, manual, reply } = inserted
      const reason = { origin: manual ? 'manual' : 'default', composeType, reply } as const
      return { ...state, inMessage: { combinedIds, hash, name, reason } }
    }
    case 'auth/signedOut':
      // What stands in the message stays there; everything of the person goes.
      return { ...initialSignatures, inMessage: null }
    default:
      return assertNever(event)
  }
}
