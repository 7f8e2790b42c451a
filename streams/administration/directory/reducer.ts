import {
  type Attempt,
  failed,
  idle,
  type Load,
  loadAgain,
  pending,
  retryFailed,
  success,
} from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Directory } from '../../organisation/answers.ts'
import type { AdministrationCreators } from '../events.ts'
import { areaOf } from '../place/areas.ts'
import { DirectoryLoad, type SyncKind } from './events.ts'
import { withRun } from './rules.ts'

/** Whether the service says that a run is under way already. */
const runsAlready = (load: Attempt): boolean =>
  load.status === 'fail' && load.failure.kind === 'http' && load.failure.code === 'sync_running'

export const directory = defineSlice<Load<Directory>, AdministrationCreators>()(idle as Load<Directory>, {
  ...DirectoryLoad.handlers,
  'place/entered': (state, event) =>
    areaOf(event.data.path) === 'directory' ? loadAgain(state, event) : state,
  'place/retryRequested': retryFailed,
  'sync/checkDue': (state, event) => (state.status === 'pending' ? state : loadAgain(state, event)),
  // Asked again, in place of a request that may not know the run yet.
  'sync/started': (state, event) =>
    'value' in state
      ? { ...pending(event), value: withRun(state.value, event.data.run) }
      : loadAgain(state, event),
  // Another administrator began one: it is shown.
  'sync/failed': (state, event) =>
    runsAlready(failed(event.data.failure)) ? loadAgain(state, event) : state,
})

/** `kind` is what was asked for last; `declined` is the run after which the administrator left everyone as they are. */
export type SyncState = Readonly<{ attempt: Attempt; kind: SyncKind | null; declined: string | null }>

const noSync: SyncState = { attempt: idle, kind: null, declined: null }

export const sync = defineSlice<SyncState, AdministrationCreators>()(noSync, {
  'sync/requested': (state, event) =>
    state.attempt.status === 'pending' ? state : { ...state, attempt: pending(event), kind: event.data.kind },
  'sync/started': (state) => ({ ...state, attempt: success }),
  'sync/failed': (state, { data: { failure } }) => ({ ...state, attempt: failed(failure) }),
  'sync/declined': (state, { data: { run } }) =>
    state.declined === run ? state : { ...state, declined: run },
  'place/entered': (state) =>
    state.attempt.status === 'pending' || state.attempt.status === 'idle'
      ? state
      : { ...state, attempt: idle },
})

/** The slices of the area, by their names in the state. */
export const directorySlices = { directory, sync }
