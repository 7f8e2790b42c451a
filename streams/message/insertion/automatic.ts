import type { Mailbox } from '../mailbox/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Attempt, failedStatus, idleStatus, pendingStatus, successStatus } from '../../kernel/load.ts'
import type { Recorded } from '../../kernel/event.ts'
import type { Secret } from '../../kernel/secret.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { hasSameBlocks } from '../signatures/blocks.ts'
import type { SignatureInMessage } from '../signatures/signature.ts'
import type { SignatureContent } from '../../html/content.ts'
import type { InsertionId, InsertionTarget, Insertion } from './events.ts'

/** The latest insertion. It is shown until the next insertion, or until another item opens. */
export type LatestInsertion = Readonly<{
  id: InsertionId
  itemKey: string
  target: InsertionTarget
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
export type PreviousSignature = Readonly<{
  inMessage: SignatureInMessage | null
  content: SignatureContent | null
  by: 'undo' | 'redo'
}>

/** Everything except `interrupted` concerns the open message. */
export type InsertionState = Readonly<{
  latest: LatestInsertion | null
  /** The signature that Signet inserted. `content` is null when it is unknown. */
  inMessage: SignatureInMessage | null
  content: SignatureContent | null
  /** The signature before the last insertion; null without an insertion, or if it cannot be undone. */
  previous: PreviousSignature | null
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
  bodyRestore: idleStatus,
  awaitedUntil: null,
} as const

export const initialInsertion: InsertionState = { ...emptyInsertion, interrupted: false }

/** Whether only the blocks change with the recipients, because the user chose or restored the signature. */
export const changesOnlyBlocks = (
  { kind }: InsertionTarget,
  { reason }: Pick<SignatureInMessage, 'reason'>,
): boolean => kind === 'default' && reason.origin !== 'default'

/** Whether Signet inserted this signature automatically. */
const isAutomatic = (inMessage: SignatureInMessage | null): boolean =>
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
    attempt: pendingStatus(event),
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
export const isLatestInsertionIn = (state: InsertionState, itemKey: string): boolean =>
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
      if (!isLatestInsertionIn(state, itemKey)) return state
      const isSame = state.inMessage
        ? state.inMessage.hash === inMessage.hash && state.inMessage.combinedIds === inMessage.combinedIds
        : inMessage.combinedIds === ''
      const by = target.kind === 'previous' && state.previous?.by === 'undo' ? 'redo' : 'undo'
      // When blocks follow the recipients, Undo still restores the signature before the user's choice. When a default
      // replaces a signature of unknown content, Undo can only remove the signature.
      const isOfOther = target.kind === 'default' && isAutomatic(state.inMessage) && state.content === null
      const keepsPrevious =
        isSame || ((changesOnlyBlocks(target, inMessage) || isOfOther) && state.previous?.by === 'undo')
      const previous: PreviousSignature | null = keepsPrevious
        ? state.previous
        : { inMessage: state.inMessage, content: state.content, by }
      const replacesOlder =
        state.latest?.replacesOlder === true &&
        state.inMessage?.combinedIds === inMessage.combinedIds &&
        hasSameBlocks(state.inMessage, inMessage)
      return withLatest({ ...state, inMessage, content, previous }, id, {
        attempt: successStatus,
        replacesOlder,
      })
    },
    'insertion/failed': (state, { data: { id, target, failure } }) => {
      // The insertion was cancelled because another item was opened; only the interruption is shown.
      if (failure.kind === 'itemGone' && target.kind !== 'default' && state.latest?.id !== id)
        return withChanges(state, { interrupted: true })
      return withLatest(state, id, { attempt: failedStatus(failure) })
    },
    'insertion/skipped': (state, { data: { id } }) =>
      state.latest?.id === id
        ? withChanges(withLatest(state, id, { attempt: successStatus }), {
            inMessage: null,
            content: null,
            previous: null,
          })
        : state,
    'insertion/leftAsIs': (state, { data: { id } }) =>
      withLatest(state, id, { attempt: successStatus, isLeftAsIs: true }),
    'insertion/superseded': (state, { data: { id } }) =>
      // Nothing was written. The rules decide again which signature is due.
      state.latest?.id === id ? { ...state, latest: null } : state,
    'insertion/settled': (state, { data: { id } }) => withLatest(state, id, { settled: true }),
    'insertion/textAwaited': (state, { data: { itemKey, until } }) =>
      isLatestInsertionIn(state, itemKey) ? withChanges(state, { awaitedUntil: until }) : state,
    'insertion/bodyAltered': (state, { data: { itemKey, before } }) =>
      // If several insertions altered the text, only the body before the first one has the whole text.
      isLatestInsertionIn(state, itemKey)
        ? withChanges(state, { bodyBefore: state.bodyBefore ?? before })
        : state,
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
      const previous: PreviousSignature | null = isAutomatic(known)
        ? { inMessage: null, content: null, by: 'undo' }
        : state.previous
      return { ...told, inMessage: known, previous }
    },
  },
)
