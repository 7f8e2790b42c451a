import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Recorded } from '../../kernel/event.ts'
import {
  type Attempt,
  hasFailedTemporarily,
  failedStatus,
  idleStatus,
  pendingStatus,
  successStatus,
} from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { VariableDraft, VariableDrafts, Variables } from './events.ts'
import type { VariableDefinition, VariableValues, VariableStates } from '../../wire/user.ts'
import {
  draftsAfterSave,
  pathsChangedByOthers,
  isResyncable,
  isSameDraft,
  areVariablesOutdated,
  isSaveUncertain,
  directoryValueOf,
  variableValueOf,
  withoutSavedDrafts,
} from './rules.ts'

/**
 * `values` are the saved values; `drafts` are the unsaved edits. `draftsRead`: whether an earlier pane's edits have
 * been read from private storage. `settledAt` is the `seq` of the event that ended the last save.
 */
export type VariablesState = Readonly<{
  load: Attempt
  definitions: readonly VariableDefinition[]
  states: VariableStates
  values: VariableValues
  drafts: VariableDrafts
  draftsRead: boolean
  /** Whether the browser stores the edits. True until a write fails. */
  draftsLast: boolean
  save: Attempt
  /** The edits in the pending save. */
  sent: VariableDrafts
  /** The edits of failed saves. The service may have saved them; the next load shows whether it did. */
  unsure: VariableDrafts
  /** Paths of variables that others changed before the last save. The response to the save had the new values. */
  changedByOthers: readonly string[]
  settledAt: number
}>

const noDrafts: VariableDrafts = {}
const noPaths: readonly string[] = []

const initial: VariablesState = {
  load: idleStatus,
  definitions: [],
  states: { id: '', changedFields: [], originalData: {} },
  values: {},
  drafts: noDrafts,
  draftsRead: false,
  draftsLast: true,
  save: idleStatus,
  sent: noDrafts,
  unsure: noDrafts,
  changedByOthers: noPaths,
  settledAt: -1,
}

/** Whether the variables are loaded. All edits stay until then, because the saved values are unknown. */
const isKnown = ({ definitions }: VariablesState): boolean => definitions.length > 0

const withDrafts = (state: VariablesState, drafts: VariableDrafts): VariablesState => {
  const left = isKnown(state)
    ? withoutSavedDrafts(drafts, state.values, { ...state.unsure, ...state.sent })
    : drafts
  const paths = Object.keys(left)
  const isSame =
    paths.length === Object.keys(state.drafts).length &&
    paths.every((path) => Object.hasOwn(state.drafts, path) && left[path] === state.drafts[path])
  return isSame ? state : { ...state, drafts: left }
}

/**
 * Sets one edit. A value that equals the saved value is not an edit, except while a save of this variable is pending,
 * because the answer will change the saved value.
 */
const withDraft = (state: VariablesState, path: string, draft: VariableDraft): VariablesState =>
  Object.hasOwn(state.drafts, path) && isSameDraft(state.drafts[path], draft)
    ? state
    : withDrafts(state, { ...state.drafts, [path]: draft })

/** Discards the edit of a variable, which gets its saved value again, without a mark to follow the directory. */
const restored = (state: VariablesState, path: string): VariablesState =>
  Object.hasOwn(state.drafts, path)
    ? withDraft(state, path, { value: variableValueOf(state.values, path), resync: false })
    : state

const definitionOf = (state: VariablesState, path: string): VariableDefinition | undefined =>
  state.definitions.find((each) => each.path === path)

type Asking = Recorded<object>
const loadAgain = (state: VariablesState, event: Asking): VariablesState => ({
  ...state,
  load: pendingStatus(event),
})

export const variables = defineSlice<VariablesState, typeof App | typeof Auth | typeof Variables>()(initial, {
  'variables/opened': (state, event) =>
    state.load.status === 'success' || state.load.status === 'pending' ? state : loadAgain(state, event),
  'app/retryRequested': (state, event) => (state.load.status === 'fail' ? loadAgain(state, event) : state),
  'app/serviceReachable': (state, event) =>
    hasFailedTemporarily(state.load) ? loadAgain(state, event) : state,
  'variables/loaded': (state, { data: { asked, definitions, states, values } }) => {
    // If the request was sent before the last save ended, the values in its answer are outdated.
    const isCurrent = asked >= state.settledAt
    const loaded = withChanges(state, {
      load: successStatus,
      definitions,
      ...(isCurrent ? { values, states, unsure: noDrafts } : {}),
    })
    return withDrafts(loaded, loaded.drafts)
  },
  'variables/loadFailed': (state, { data }) => ({ ...state, load: failedStatus(data.failure) }),

  'variables/draftsRestored': (state, { data }) => {
    // An edit that the user typed meanwhile wins over a stored one.
    const drafts = { ...data.drafts, ...state.drafts }
    const isNew = Object.keys(drafts).length > Object.keys(state.drafts).length
    return withDrafts(withChanges(state, { draftsRead: true }), isNew ? drafts : state.drafts)
  },
  'variables/draftsWritten': (state, { data }) => withChanges(state, { draftsLast: data.lasting }),
  'variables/edited': (state, { data: { path, value } }) =>
    // Typing removes the mark to follow the directory. With the mark, the service would replace the typed value.
    definitionOf(state, path)?.nonEditable ? state : withDraft(state, path, { value, resync: false }),
  'variables/marked': (state, { data: { path } }) => {
    const definition = definitionOf(state, path)
    if (!definition || !isResyncable(definition, state.states)) return state
    const value = directoryValueOf(definition, state.states)
    return value === null ? state : withDraft(state, path, { value, resync: true })
  },
  'variables/unmarked': (state, { data: { path } }) =>
    state.drafts[path]?.resync === true ? restored(state, path) : state,
  'variables/discarded': (state, { data: { path } }) => restored(state, path),
  'variables/allDiscarded': (state) => Object.keys(state.drafts).reduce(restored, state),

  'variables/saveStarted': (state, event) => ({
    ...state,
    save: pendingStatus(event),
    sent: event.data.sent,
    changedByOthers: noPaths,
  }),
  'variables/saved': (state, { data: { sent, saved }, meta }) => {
    const { changedFields } = saved
    const values = withChanges(state.values, saved.values)
    return {
      ...state,
      values,
      states: withChanges(state.states, { changedFields }),
      drafts: draftsAfterSave(state.drafts, sent, values),
      save: successStatus,
      sent: noDrafts,
      unsure: noDrafts,
      changedByOthers: pathsChangedByOthers(state.definitions, state.values, sent, saved.values),
      settledAt: meta.seq,
    }
  },
  'variables/saveFailed': (state, event) => {
    const { failure } = event.data
    const ended: VariablesState = {
      ...state,
      // Reloads the variables after a refusal (they are outdated) and after an unanswered save (its result is unknown).
      load: areVariablesOutdated(failure) ? pendingStatus(event) : state.load,
      save: failedStatus(failure),
      sent: noDrafts,
      unsure: isSaveUncertain(failure) ? withChanges(state.unsure, state.sent) : state.unsure,
      settledAt: event.meta.seq,
    }
    return withDrafts(ended, state.drafts)
  },
  'variables/statesLoaded': (state, { data: { states } }) => withChanges(state, { states }),
  'auth/signedOut': () => initial,
})
