import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import { ask, askAgain, type Load, neverLoaded } from '../kernel/load.ts'
import type { Definition, Draft, Drafts, Values, VariablesEvent, VariableStates } from './events.ts'
import {
  afterSave,
  isResyncable,
  isSameDraft,
  isUncertain,
  valueFromSync,
  valueOf,
  withoutSaved,
} from './rules.ts'

/**
 * `values` are as the service has them; `drafts` are the edits that it has not. `draftsRead`: what an earlier pane
 * left in private storage was looked for. `settledAt` is the `seq` of the last end of a save. `errors` grow until they
 * are cleared.
 */
export type VariablesState = Load &
  Readonly<{
    definitions: readonly Definition[]
    states: VariableStates
    values: Values
    drafts: Drafts
    draftsRead: boolean
    saving: Readonly<{
      status: 'idle' | 'pending' | 'success' | 'fail'
      /** What the save under way carries. */
      sent: Drafts
      /** What failed saves carried that may have been done all the same; the next load tells. */
      unsure: Drafts
      failure: Failure | null
    }>
    settledAt: number
    errors: readonly Failure[]
  }>

const noDrafts: Drafts = {}
const idle: VariablesState['saving'] = { status: 'idle', sent: noDrafts, unsure: noDrafts, failure: null }

export const initialVariables: VariablesState = {
  ...neverLoaded,
  definitions: [],
  states: { id: '', changedFields: [], originalData: {} },
  values: {},
  drafts: noDrafts,
  draftsRead: false,
  saving: idle,
  settledAt: -1,
  errors: [],
}

const withError = (state: VariablesState, failure: Failure): VariablesState => ({
  ...state,
  errors: [...state.errors, failure],
})

/** Nothing is known of what is saved until it was loaded: then every edit stays. */
const isKnown = ({ definitions }: VariablesState): boolean => definitions.length > 0

const withDrafts = (state: VariablesState, drafts: Drafts): VariablesState => {
  const left = isKnown(state)
    ? withoutSaved(drafts, state.values, { ...state.saving.unsure, ...state.saving.sent })
    : drafts
  const paths = Object.keys(left)
  const isSame =
    paths.length === Object.keys(state.drafts).length &&
    paths.every((path) => Object.hasOwn(state.drafts, path) && left[path] === state.drafts[path])
  return isSame ? state : { ...state, drafts: left }
}

/**
 * One edit in place. What equals the saved value is no edit any more; but while a save that carries this variable is
 * under way, it is one: the answer will change what is saved.
 */
const withDraft = (state: VariablesState, path: string, draft: Draft): VariablesState =>
  Object.hasOwn(state.drafts, path) && isSameDraft(state.drafts[path], draft)
    ? state
    : withDrafts(state, { ...state.drafts, [path]: draft })

/** The saved value again, and no wish to follow the directory. */
const restored = (state: VariablesState, path: string): VariablesState =>
  Object.hasOwn(state.drafts, path)
    ? withDraft(state, path, { value: valueOf(state.values, path), resync: false })
    : state

const definitionOf = (state: VariablesState, path: string): Definition | undefined =>
  state.definitions.find((each) => each.path === path)

export function evolveVariables(
  state: VariablesState,
  event: Recorded<VariablesEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): VariablesState {
  switch (event.type) {
    case 'variables/loadRequested':
      return ask(state, event.meta.seq)
    case 'variables/reloadRequested':
      return askAgain(state, event.meta.seq)
    case 'variables/loaded': {
      const { asked, definitions, states, values } = event.data
      // An answer that was asked for before a save tells nothing of what was saved.
      const isCurrent = asked > state.settledAt
      const loaded = withChanges(state, {
        status: 'success',
        failure: null,
        definitions,
        ...(isCurrent ? { values, states, saving: withChanges(state.saving, { unsure: noDrafts }) } : {}),
      })
      return withDrafts(loaded, loaded.drafts)
    }
    case 'variables/loadFailed':
      return withError(
        withChanges(state, { status: 'fail', failure: event.data.failure }),
        event.data.failure,
      )

    case 'variables/draftsRestored': {
      // What is typed already is newer.
      const drafts = { ...event.data.drafts, ...state.drafts }
      const isNew = Object.keys(drafts).length > Object.keys(state.drafts).length
      return withDrafts(withChanges(state, { draftsRead: true }), isNew ? drafts : state.drafts)
    }
    case 'variables/edited': {
      const { path, value } = event.data
      // A value of one's own is not the directory's: the service would put the directory's in its place.
      return definitionOf(state, path)?.nonEditable ? state : withDraft(state, path, { value, resync: false })
    }
    case 'variables/marked': {
      const definition = definitionOf(state, event.data.path)
      if (!definition || !isResyncable(definition, state.states)) return state
      const value = valueFromSync(definition, state.states)
      return value === null ? state : withDraft(state, definition.path, { value, resync: true })
    }
    case 'variables/unmarked':
      return state.drafts[event.data.path]?.resync === true ? restored(state, event.data.path) : state
    case 'variables/discarded':
      return restored(state, event.data.path)
    case 'variables/allDiscarded':
      return Object.keys(state.drafts).reduce(restored, state)

    case 'variables/saveRequested':
      return state
    case 'variables/saveStarted':
      return withChanges(state, {
        saving: withChanges(state.saving, { status: 'pending', sent: event.data.sent, failure: null }),
      })
    case 'variables/saved': {
      const { sent, saved } = event.data
      const { changedFields } = saved
      const values = withChanges(state.values, saved.values)
      return {
        ...state,
        values,
        states: withChanges(state.states, { changedFields }),
        drafts: afterSave(state.drafts, sent, values),
        saving: withChanges(state.saving, {
          status: 'success',
          sent: noDrafts,
          unsure: noDrafts,
          failure: null,
        }),
        settledAt: event.meta.seq,
      }
    }
    case 'variables/saveFailed': {
      const { failure } = event.data
      const { sent, unsure } = state.saving
      const stillUnsure = isUncertain(failure) ? { ...unsure, ...sent } : unsure
      const ended = {
        ...state,
        saving: withChanges(state.saving, {
          status: 'fail',
          sent: noDrafts,
          unsure: stillUnsure,
          failure,
        }),
        settledAt: event.meta.seq,
      }
      return withError(withDrafts(ended, state.drafts), failure)
    }
    case 'variables/statesLoaded':
      return withChanges(state, { states: event.data.states })
    case 'variables/statesFailed':
      return withError(state, event.data.failure)
    case 'variables/errorsCleared':
      return withChanges(state, {
        errors: state.errors.length === 0 ? state.errors : [],
        saving:
          state.saving.failure === null
            ? state.saving
            : withChanges(state.saving, { status: 'idle', failure: null }),
      })
    case 'auth/signedOut':
      return initialVariables
    default:
      return assertNever(event)
  }
}
