import type { AppState } from '../state.ts'
import { createSelector } from '../../kernel/selector.ts'
import {
  buildVariables,
  draftsToSend,
  type VariableGroup,
  toVariablesError,
  type Variable,
  type VariablesError,
} from './rules.ts'

const definitions = ({ variables }: AppState) => variables.definitions
const states = ({ variables }: AppState) => variables.states
const values = ({ variables }: AppState) => variables.values
const drafts = ({ variables }: AppState) => variables.drafts
const offersResync = ({ settings }: AppState) => settings.enableVariablesResync
const pointsOutMissing = ({ settings }: AppState) => settings.enableVariablesMissing

/** The variables to draw. Following the directory again is offered only when the user's settings allow it. */
export const selectVariables = createSelector(
  [definitions, states, values, drafts, offersResync],
  (all, directory, saved, edits, resync): readonly Variable[] =>
    buildVariables(all, directory, saved, edits).map((variable) =>
      variable.isResyncable && !resync ? { ...variable, isResyncable: false, standing: null } : variable,
    ),
)

/** The variables by group, in the order of the list. There are no empty groups. */
export const selectVariableGroups = createSelector(
  [selectVariables],
  (variables): readonly Readonly<{ group: VariableGroup; variables: readonly Variable[] }>[] =>
    [...new Set(variables.map(({ group }) => group))].map((group) => ({
      group,
      variables: variables.filter((variable) => variable.group === group),
    })),
)

/** The number of edits that a save would send; the save bar and the tab show it. */
export const selectUnsavedCount = createSelector(
  [definitions, drafts],
  (all, edits): number => Object.keys(draftsToSend(all, edits)).length,
)

/** The paths of shown, editable variables without a value; empty unless the user's settings ask to mark them. */
export const selectMissingPaths = createSelector(
  [selectVariables, pointsOutMissing],
  (variables, wanted): readonly string[] =>
    wanted
      ? variables.filter(({ value, isLocked }) => !isLocked && value.trim() === '').map(({ path }) => path)
      : [],
)

/** The variables that others changed before the last save of this pane. */
export const selectChangedByOthers = createSelector(
  [selectVariables, ({ variables }: AppState) => variables.changedByOthers],
  (variables, paths): readonly Variable[] => variables.filter(({ path }) => paths.includes(path)),
)

/** The error code of the last save; null without a failure. */
export const selectSaveError = ({ variables: { save } }: AppState): VariablesError | null =>
  save.status === 'fail' ? toVariablesError(save.failure) : null
