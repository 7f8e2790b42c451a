import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { listField, openField, redactedField } from '../../kernel/field.ts'
import type { VariableDefinition, SavedVariables, VariableValues, VariableStates } from '../../wire/user.ts'

/**
 * An unsaved edit. With `resync`, the value comes from the directory, and saving makes the variable follow the
 * directory again.
 */
export type VariableDraft = Readonly<{ value: string; resync: boolean }>

/** The unsaved edits, by the path of the variable. */
export type VariableDrafts = Readonly<Record<string, VariableDraft>>

/** The trigger of a save: the user, or a pause in typing. */
export type SaveOccasion = 'person' | 'pause'

const path = openField<string>()
const drafts = redactedField<VariableDrafts>()('drafts')
const values = redactedField<VariableValues>()('variableValues')
const states = redactedField<VariableStates>()('variableStates')

export const Variables = defineEvents('variables', {
  /** A signed-in user opened the page of their details, so the variables and the picture are loaded. */
  opened: fact({}),
  /** `asked` is the `seq` of the event that began the load. */
  loaded: fact({
    asked: openField<number>(),
    definitions: listField(redactedField<VariableDefinition>()('definition')),
    states,
    values,
  }),
  loadFailed: fact({ failure: failureField }),

  /** The edits of an earlier pane, from private storage; an empty record when there are none. */
  draftsRestored: fact({ drafts }),
  /** Storing the edits in the browser became possible (`lasting`) or impossible. */
  draftsWritten: fact({ lasting: openField<boolean>() }),
  edited: gesture({ path, value: redactedField<string>()('text') }),
  /** The user chose the directory's value for a variable. */
  marked: gesture({ path }),
  unmarked: gesture({ path }),
  discarded: gesture({ path }),
  allDiscarded: gesture({}),

  saveRequested: gesture({ occasion: openField<SaveOccasion>() }),
  /** A request to save these edits was sent. */
  saveStarted: fact({ sent: drafts }),
  saved: fact({ sent: drafts, saved: redactedField<SavedVariables>()('savedVariables') }),
  saveFailed: fact({ failure: failureField }),
  /** The directory's values, read after a save. */
  statesLoaded: fact({ states }),
  statesFailed: fact({ failure: failureField }),
})
