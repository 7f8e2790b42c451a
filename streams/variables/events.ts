import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'

/** Values by path. */
export type Values = Readonly<Record<string, string>>

/**
 * What a variable is (specification, section 3). `lookups` lead from a source's name, such as `azure`, to the field
 * of the directory that the variable follows.
 */
export type Definition = Readonly<{
  path: string
  lookups: Readonly<Record<string, string>>
  /** null, `mapped`, `rest`, or a name of the organisation's own. */
  customType: string | null
  displayName: string | null
  hidden: boolean
  nonEditable: boolean
  resettable: boolean
}>

/** Where the person's variables left the directory: its changed fields, and what it says in them. */
export type VariableStates = Readonly<{
  id: string
  changedFields: readonly string[]
  originalData: Values
}>

/** An edit that is not saved. `resync`: the value is the directory's, and the service is to follow it again. */
export type Draft = Readonly<{ value: string; resync: boolean }>

/** Edits by path. */
export type Drafts = Readonly<Record<string, Draft>>

/** What the service answers to a save: every value, and the fields that now differ from the directory. */
export type SavedVariables = Readonly<{ values: Values; changedFields: readonly string[] }>

/** Who asked for a save: the person, or the pause in their typing. */
export type SaveOccasion = 'person' | 'pause'

export const Variables = defineEvents('variables', {
  /** Definitions, states and values are wanted; what is there is not loaded again. */
  loadRequested: data(),
  /** They are wanted anew. */
  reloadRequested: data(),
  /** `asked` is the `seq` of the event that began the load. */
  loaded: data<{
    asked: number
    definitions: readonly Definition[]
    states: VariableStates
    values: Values
  }>(),
  loadFailed: data<{ failure: Failure }>(),

  /** The edits of an earlier pane, from private storage; none is an empty record. */
  draftsRestored: data<{ drafts: Drafts }>(),
  edited: data<{ path: string; value: string }>(),
  /** The directory's value was chosen. */
  marked: data<{ path: string }>(),
  unmarked: data<{ path: string }>(),
  discarded: data<{ path: string }>(),
  allDiscarded: data(),

  saveRequested: data<{ occasion: SaveOccasion }>(),
  /** The save is on its way with these edits. */
  saveStarted: data<{ sent: Drafts }>(),
  saved: data<{ sent: Drafts; saved: SavedVariables }>(),
  saveFailed: data<{ failure: Failure }>(),
  /** What the directory says after a save. */
  statesLoaded: data<{ states: VariableStates }>(),
  statesFailed: data<{ failure: Failure }>(),
  errorsCleared: data(),
})
export type VariablesEvent = EventOf<typeof Variables>
