import type { Defaults } from '../defaults/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Attempt, idleStatus } from '../../kernel/load.ts'
import type { Senders } from './senders.ts'

/** `known` may come from an earlier pane. `isStaleEvent`: `known` may have changed on the service since it was read. */
export type SendersState = Readonly<{ known: Senders | null; load: Attempt; isStale: boolean }>

export const initialSenders: SendersState = { known: null, load: idleStatus, isStale: false }

/** The state with the data that an earlier pane stored, unless newer data are known. */
export const withRestoredSenders = (
  state: SendersState,
  { data }: ReturnType<(typeof Defaults)['restored']>,
): SendersState => withChanges(state, { known: state.known ?? data.senders })
