import { withChanges } from '../../kernel/changes.ts'
import type { Failure } from '../../kernel/failure.ts'
import { idle, type Load } from '../../kernel/load.ts'
import type { CachedSignature } from '../../wire/signatures.ts'
import type { Defaults } from './events.ts'
import type { WantedDefault } from './rules.ts'

/** A change of a default that the user asked for. */
export type DefaultChange = Readonly<{ id: number }> & WantedDefault

/** `snapshot` is the default that an earlier pane stored; it is the fallback until the service answers. */
export type DefaultsState = Readonly<{
  load: Load<CachedSignature>
  snapshot: CachedSignature | null
  /** The changes that the service has not answered yet, oldest first. They are sent one after the other. */
  pending: readonly DefaultChange[]
  /** The latest successful change, until the user requests another change. */
  made: DefaultChange | null
  /** The failed changes: only the latest change of each default, until the user requests another change of it. */
  refused: readonly Readonly<{ change: DefaultChange; failure: Failure }>[]
}>

export const initialDefaults: DefaultsState = {
  load: idle,
  snapshot: null,
  pending: [],
  made: null,
  refused: [],
}

/** The state with the default that an earlier pane stored. */
export const restored = (
  state: DefaultsState,
  { data: { signature } }: ReturnType<(typeof Defaults)['restored']>,
): DefaultsState => withChanges(state, { snapshot: signature })
