import type { AppState } from '../app/state.ts'
import { createSelector } from '../kernel/selector.ts'
import {
  buildVariables,
  draftsToSend,
  type Group,
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

/** The variables as they are shown. Going back to the directory is offered only when the person's settings say so. */
export const selectVariables = createSelector(
  [definitions, states, values, drafts, offersResync],
  (all, directory, saved, edits, resync): readonly Variable[] =>
    buildVariables(all, directory, saved, edits).map((variable) =>
      variable.isResyncable && !resync ? { ...variable, isResyncable: false } : variable,
    ),
)

/** The same in their groups, each in order, without empty ones. */
export const selectVariableGroups = createSelector(
  [selectVariables],
  (variables): readonly Readonly<{ group: Group; variables: readonly Variable[] }>[] =>
    [...new Set(variables.map(({ group }) => group))].map((group) => ({
      group,
      variables: variables.filter((variable) => variable.group === group),
    })),
)

/** How many edits a save would send; what the save bar and the tab tell. */
export const selectUnsavedCount = createSelector(
  [definitions, drafts],
  (all, edits): number => Object.keys(draftsToSend(all, edits)).length,
)

/** Paths of shown, editable variables without a value, while the person wants them pointed out. */
export const selectMissing = createSelector(
  [selectVariables, pointsOutMissing],
  (variables, wanted): readonly string[] =>
    wanted
      ? variables.filter(({ value, isLocked }) => !isLocked && value.trim() === '').map(({ path }) => path)
      : [],
)

/** What went wrong with the last save, by its code in the error catalogue; null when nothing did. */
export const selectSaveError = ({ variables: { saving } }: AppState): VariablesError | null =>
  saving.failure && toVariablesError(saving.failure)
