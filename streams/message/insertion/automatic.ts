import type { Mailbox } from '../mailbox/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Attempt, failed, idle, pending, success } from '../../kernel/load.ts'
import type { Recorded } from '../../kernel/event.ts'
import type { Secret } from '../../kernel/secret.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { hasSameBlocks } from '../signatures/blocks.ts'
import type { InMessage } from '../signatures/signature.ts'
import type { Content } from '../../html/content.ts'
import type { InsertionId, Target, Insertion } from './events.ts'

/** The latest insertion. It is shown until the next insertion, or until another item opens. */
export type LatestInsertion = Readonly<{
  id: InsertionId
  itemKey: string
  target: Target
  /** The content hash of a default; null for other targets. */
  hash: string | null
  /**
   * Before success: whether the insertion replaces a signature automatically. After success: whether it replaced an
   * older version of the same signature, with the same blocks.
   */
  replacesOlder: boolean
  /** Nothing was written, so the message is unchanged. */
  isLeftAsIs?: boolean
  imagesDone: number
  imagesTotal: number
  attempt: Attempt
  /** Whether the outcome of the insertion was shown, so that its list entry is idle again. */
  settled: boolean
}>

/**
 * The previous signature, and the button that restores it: Redo if Undo removed it, otherwise Undo. `content` is null
 * when it is unknown. If `inMessage` is null too, there was no signature.
 */
export type Previous = Readonly<{
  inMessage: InMessage | null
  content: Content | null
  by: 'undo' | 'redo'
}>

/** Everything except `interrupted` concerns the open message. */
export type InsertionState = Readonly<{
  latest: LatestInsertion | null
  /** The signature that Signet inserted. `content` is null when it is unknown. */
  inMessage: InMessage | null
  content: Content | null
  /** The signature before the last insertion; null without an insertion, or if it cannot be undone. */
  previous: Previous | null
  /** The body as it was before an insertion altered the author's text. */
  bodyBefore: Secret | null
  bodyRestore: Attempt
  /** Until when a plain-text signature from another runtime may still arrive, in milliseconds since the epoch. */
  awaitedUntil: number | null
  /** Whether the user opened another message before their choice was inserted. */
  interrupted: boolean
}>

export const emptyInsertion = {
  latest: null,
  inMessage: null,
  content: null,
  previous: null,
  bodyBefore: null,
  bodyRestore: idle,
  awaitedUntil: null,
} as const

export const initialInsertion: InsertionState = { ...emptyInsertion, interrupted: false }

/** Whether only the blocks change with the recipients, because the user chose or restored the signature. */
export const followsRecipients = ({ kind }: Target, { reason }: Pick<InMessage, 'reason'>): boolean =>
  kind === 'default' && reason.origin !== 'default'

/** Whether Signet inserted this signature automatically. */
const isAutomatic = (inMessage: InMessage | null): boolean =>
  inMessage !== null && inMessage.combinedIds !== '' && inMessage.reason.origin === 'default'

type Begun = Pick<LatestInsertion, 'itemKey' | 'target' | 'hash'>

export const beginInsertion = (
  state: InsertionState,
  event: Recorded<object>,
  begun: Begun,
): InsertionState => ({
  ...state,
  interrupted: begun.target.kind === 'default' && state.interrupted,
  latest: {
    ...begun,
    id: event.meta.seq,
    replacesOlder: begun.target.kind === 'default' && state.inMessage !== null,
    imagesDone: 0,
    imagesTotal: 0,
    attempt: pending(event),
    settled: false,
  },
})

const withLatest = (
  state: InsertionState,
  id: InsertionId,
  change: Partial<LatestInsertion>,
): InsertionState =>
  state.latest?.id === id ? withChanges(state, { latest: withChanges(state.latest, change) }) : state

/** Whether the latest insertion is in this item. */
export const isCurrent = (state: InsertionState, itemKey: string): boolean =>
  state.latest?.itemKey === itemKey

/** The slice of insertions for launch events, without user gestures. */
export const automaticInsertion = defineSlice<InsertionState, typeof Insertion | typeof Mailbox>()(
  initialInsertion,
  {
    'insertion/defaultDue': (state, event) => {
      const { itemKey, hash } = event.data
      return beginInsertion(state, event, { itemKey, target: { kind: 'default' }, hash })
    },
    'insertion/progressed': (state, { data: { id, imagesDone, imagesTotal } }) =>
      withLatest(state, id, { imagesDone, imagesTotal }),
    'insertion/succeeded': (state, { data: { id, itemKey, target, inMessage, content } }) => {
      // The insertion may belong to an item that is no longer open.
      if (!isCurrent(state, itemKey)) return state
      const isSame = state.inMessage
        ? state.inMessage.hash === inMessage.hash && state.inMessage.combinedIds === inMessage.combinedIds
        : inMessage.combinedIds === ''
      const by = target.kind === 'previous' && state.previous?.by === 'undo' ? 'redo' : 'undo'
      // When blocks follow the recipients, Undo still restores the signature before the user's choice. When a default
      // replaces a signature of unknown content, Undo can only remove the signature.
      const isOfOther = target.kind === 'default' && isAutomatic(state.inMessage) && state.content === null
      const keepsPrevious =
        isSame || ((followsRecipients(target, inMessage) || isOfOther) && state.previous?.by === 'undo')
      const previous: Previous | null = keepsPrevious
        ? state.previous
        : { inMessage: state.inMessage, content: state.content, by }
      const replacesOlder =
        state.latest?.replacesOlder === true &&
        state.inMessage?.combinedIds === inMessage.combinedIds &&
        hasSameBlocks(state.inMessage, inMessage)
      return withLatest({ ...state, inMessage, content, previous }, id, { attempt: success, replacesOlder })
    },
    'insertion/failed': (state, { data: { id, target, failure } }) => {
      // The insertion was cancelled because another item was opened; only the interruption is shown.
      if (failure.kind === 'itemGone' && target.kind !== 'default' && state.latest?.id !== id)
        return withChanges(state, { interrupted: true })
      return withLatest(state, id, { attempt: failed(failure) })
    },
    'insertion/skipped': (state, { data: { id } }) =>
      state.latest?.id === id
        ? withChanges(withLatest(state, id, { attempt: success }), {
            inMessage: null,
            content: null,
            previous: null,
          })
        : state,
    'insertion/leftAsIs': (state, { data: { id } }) =>
      withLatest(state, id, { attempt: success, isLeftAsIs: true }),
    'insertion/superseded': (state, { data: { id } }) =>
      // Nothing was written. The rules decide again which signature is due.
      state.latest?.id === id ? { ...state, latest: null } : state,
    'insertion/settled': (state, { data: { id } }) => withLatest(state, id, { settled: true }),
    'insertion/textAwaited': (state, { data: { itemKey, until } }) =>
      isCurrent(state, itemKey) ? withChanges(state, { awaitedUntil: until }) : state,
    'insertion/bodyAltered': (state, { data: { itemKey, before } }) =>
      // If several insertions altered the text, only the body before the first one has the whole text.
      isCurrent(state, itemKey) ? withChanges(state, { bodyBefore: state.bodyBefore ?? before }) : state,
    'mailbox/itemChanged': (state, { data: { item } }) =>
      // Everything about the old item is reset. The interruption stays, because it is shown in the next item.
      withChanges(state, { ...emptyInsertion, interrupted: item !== null && state.interrupted }),
    'mailbox/messageRead': (state, { data: { message } }) => {
      const { inserted, composeType, altered = null } = message
      const told = withChanges(state, { bodyBefore: state.bodyBefore ?? altered })
      if (inserted === null || state.inMessage !== null) return told
      const { origin, reply, trace: _, ...signature } = inserted
      const known = { ...signature, reason: { origin, composeType, reply } }
      // Another runtime or an earlier pane inserted it automatically, so Undo removes it, as for an insertion of this
      // pane.
      const previous: Previous | null = isAutomatic(known)
        ? { inMessage: null, content: null, by: 'undo' }
        : state.previous
      return { ...told, inMessage: known, previous }
    },
  },
)
