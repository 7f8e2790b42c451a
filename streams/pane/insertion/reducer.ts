import type { Insertion } from '../../message/insertion/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Recorded } from '../../kernel/event.ts'
import { failedStatus, pendingStatus } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import {
  automaticInsertion,
  beginInsertion,
  initialInsertion,
  type InsertionState,
  isLatestInsertionIn,
  emptyInsertion,
} from '../../message/insertion/automatic.ts'

const beginPrevious = (
  state: InsertionState,
  event: Recorded<object> & Readonly<{ data: Readonly<{ itemKey: string }> }>,
): InsertionState =>
  beginInsertion(state, event, { itemKey: event.data.itemKey, target: { kind: 'previous' }, hash: null })

/** Whether an earlier body can be restored. If this pane inserted nothing, another runtime altered the body. */
const isRestorable = (state: InsertionState, itemKey: string): boolean =>
  state.bodyBefore !== null && (state.latest === null || isLatestInsertionIn(state, itemKey))

/** The handlers for user gestures, which launch events do not have. */
const gestures = defineSlice<InsertionState, typeof Auth | typeof Insertion>()(initialInsertion, {
  'insertion/chosen': (state, event) => {
    const { entryId, itemKey } = event.data
    return beginInsertion(state, event, { itemKey, target: { kind: 'entry', entryId }, hash: null })
  },
  'insertion/noneChosen': (state, event) =>
    beginInsertion(state, event, { itemKey: event.data.itemKey, target: { kind: 'none' }, hash: null }),
  'insertion/undoRequested': beginPrevious,
  'insertion/redoRequested': beginPrevious,
  'insertion/bodyRestoreRequested': (state, event) =>
    isRestorable(state, event.data.itemKey) ? { ...state, bodyRestore: pendingStatus(event) } : state,
  'insertion/bodyRestored': (state, { data: { itemKey } }) =>
    isRestorable(state, itemKey) ? withChanges(state, { ...emptyInsertion, latest: state.latest }) : state,
  'insertion/bodyRestoreFailed': (state, { data: { itemKey, failure } }) =>
    isRestorable(state, itemKey) ? { ...state, bodyRestore: failedStatus(failure) } : state,
  'auth/signedOut': () => initialInsertion,
})

/** The pane's slice of insertions: the slice of launch events plus user gestures. */
export const insertion = {
  initial: initialInsertion,
  handlers: { ...automaticInsertion.handlers, ...gestures.handlers },
} as const
