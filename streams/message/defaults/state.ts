import { withChanges } from '../../kernel/changes.ts'
import type { Failure } from '../../kernel/failure.ts'
import { idleStatus, type Load } from '../../kernel/load.ts'
import type { CachedSignature } from '../../wire/signatures.ts'
import type { Defaults } from './events.ts'
import type { RequestedDefault } from './rules.ts'

/** A change of a default, requested by the user. */
export type DefaultChange = Readonly<{ id: number }> & RequestedDefault

/** `snapshot` is the default that an earlier pane stored; it is the fallback until the service answers. */
export type DefaultsState = Readonly<{
  load: Load<CachedSignature>
  snapshot: CachedSignature | null
  /** The changes that the service has not answered yet, oldest first. They are sent one at a time. */
  pending: readonly DefaultChange[]
  /** The latest successful change; cleared when the user requests another change. */
  made: DefaultChange | null
  /** The latest failed change of each default; cleared when the user requests another change of that default. */
  refused: readonly Readonly<{ change: DefaultChange; failure: Failure }>[]
}>

export const initialDefaults: DefaultsState = {
  load: idleStatus,
  snapshot: null,
  pending: [],
  made: null,
  refused: [],
}

/** The state with the default that an earlier pane stored. */
export const withRestoredDefault = (
  state: DefaultsState,
  { data: { signature } }: ReturnType<(typeof Defaults)['restored']>,
): DefaultsState => withChanges(state, { snapshot: signature })
