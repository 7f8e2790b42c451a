import type { Mailbox } from '../message/mailbox/events.ts'
import type { Session } from '../message/auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import { type Attempt, failedStatus, idleStatus, pendingStatus, successStatus } from '../kernel/load.ts'
import { defineSlice } from '../kernel/slice.ts'
import type { LaunchId, LaunchKind, Launch, MissingContent } from './events.ts'

/** A launch event that is not completed; `seq` and `at` come from its `launch/raised`. */
export type PendingLaunch = Readonly<{
  id: LaunchId
  kind: LaunchKind
  seq: number
  at: number
  isLate: boolean
}>

export type LaunchState = Readonly<{
  /** The launch events that are not completed, oldest first. */
  raised: readonly PendingLaunch[]
  /** Whether the cached default was read. */
  isCacheRead: boolean
  /** When the service sent the cached default, in milliseconds since the epoch; null without a usable copy. */
  cachedAt: number | null
  refresh: Attempt
  session: Session | null
  /** Whether the new default is being stored. */
  isStoring: boolean
  /** The signature and blocks that are missing before sending; null until known. */
  missing: readonly MissingContent[] | null
  /** The changed parts of the message that are still unread. */
  unread: readonly ('sender' | 'recipients')[]
  /** `current` while the message is read, `outdated` if the sender changes meanwhile, `idle` otherwise. */
  reading: 'idle' | 'current' | 'outdated'
}>

const initial: LaunchState = {
  raised: [],
  isCacheRead: false,
  cachedAt: null,
  refresh: idleStatus,
  session: null,
  isStoring: false,
  missing: null,
  unread: [],
  reading: 'idle',
}

const CHANGED: Readonly<Record<LaunchKind, LaunchState['unread'][number] | null>> = {
  newMessage: null,
  fromChanged: 'sender',
  recipientsChanged: 'recipients',
  send: null,
}

const withRead = (state: LaunchState, ...read: LaunchState['unread'][number][]): LaunchState =>
  state.unread.some((part) => read.includes(part))
    ? { ...state, unread: state.unread.filter((part) => !read.includes(part)) }
    : state

export const launch = defineSlice<LaunchState, typeof Launch | typeof Mailbox>()(initial, {
  'launch/raised': (state, { data: { id, kind }, meta: { seq, at } }) => {
    const changed = CHANGED[kind]
    const isUnread = changed === null || state.unread.includes(changed)
    return {
      ...state,
      raised: [...state.raised, { id, kind, seq, at, isLate: false }],
      unread: isUnread ? state.unread : [...state.unread, changed],
      reading: changed === 'sender' && state.reading === 'current' ? 'outdated' : state.reading,
    }
  },
  'mailbox/itemChanged': (state) => withChanges(state, { reading: 'current' }),
  // The sender is read together with the message. Changed recipients are read separately, once they stop changing.
  'mailbox/messageRead': (state) =>
    withChanges(state.reading === 'outdated' ? state : withRead(state, 'sender'), { reading: 'idle' }),
  'mailbox/senderChanged': (state) => withRead(state, 'sender'),
  'mailbox/recipientsChanged': (state) => withRead(state, 'recipients'),
  'launch/keptRead': (state, { data: { at } }) => withChanges(state, { cachedAt: at, isCacheRead: true }),
  'launch/refreshBegan': (state, event) => ({ ...state, refresh: pendingStatus(event) }),
  'launch/signedIn': (state, { data: { session } }) => ({ ...state, session }),
  'launch/refreshed': (state, { data: { kept } }) => ({
    ...state,
    refresh: successStatus,
    cachedAt: kept.at,
    isCacheRead: true,
    isStoring: true,
  }),
  'launch/stored': (state) => withChanges(state, { isStoring: false }),
  'launch/refreshFailed': (state, { data: { failure } }) => ({ ...state, refresh: failedStatus(failure) }),
  'launch/looked': (state, { data: { missing } }) => ({ ...state, missing }),
  'launch/timeUp': (state, { data }) =>
    state.raised.some(({ id, isLate }) => id === data.id && !isLate)
      ? {
          ...state,
          raised: state.raised.map((each) => (each.id === data.id ? { ...each, isLate: true } : each)),
        }
      : state,
  'launch/completed': (state, { data }) =>
    state.raised.some(({ id }) => id === data.id)
      ? { ...state, raised: state.raised.filter(({ id }) => id !== data.id) }
      : state,
})
