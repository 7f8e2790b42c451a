import type { Place } from '../place/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { failureCodeOf } from '../../kernel/failure.ts'
import {
  type Attempt,
  forgetOutcome,
  idleStatus,
  type Load,
  loadAgain,
  pendingStatus,
  retryFailed,
} from '../../kernel/load.ts'
import { defineSlice, handlersWithin } from '../../kernel/slice.ts'
import type { DirectoryState } from '../../organisation/directory/directory.ts'
import { areaOf } from '../place/areas.ts'
import { DirectoryLoad, DirectorySync, type SyncKind, SyncStop } from './events.ts'
import { upsertRun } from './rules.ts'

export const directory = defineSlice<
  Load<DirectoryState>,
  typeof DirectoryLoad | typeof Place | typeof DirectorySync
>()(idleStatus as Load<DirectoryState>, {
  ...DirectoryLoad.handlers,
  'place/entered': (state, event) =>
    areaOf(event.data.path) === 'directory' ? loadAgain(state, event) : state,
  'place/retryRequested': retryFailed,
  'sync/checkDue': (state, event) => (state.status === 'pending' ? state : loadAgain(state, event)),
  // A pending response may be older than the run, so the directory is loaded again.
  'sync/done': (state, event) =>
    'value' in state
      ? { ...pendingStatus(event), value: upsertRun(state.value, event.data.run) }
      : loadAgain(state, event),
  // Another administrator has begun a run. The reloaded directory shows that run.
  'sync/failed': (state, event) =>
    failureCodeOf(event.data.failure) === 'sync_running' ? loadAgain(state, event) : state,
})

type Loaded = Readonly<{ data: Readonly<{ value: DirectoryState }> }>

/** `kind` is the kind of the latest request. `declined` is the id of the run whose deactivations were declined. */
export type SyncState = Readonly<{
  attempt: Attempt
  kind: SyncKind | null
  declined: string | null
  /** The request to stop the current run. */
  stopping: Attempt
}>

const noSync: SyncState = { attempt: idleStatus, kind: null, declined: null, stopping: idleStatus }

export const directorySync = defineSlice<
  SyncState,
  typeof DirectoryLoad | typeof Place | typeof DirectorySync | typeof SyncStop
>()(noSync, {
  ...handlersWithin('stopping', {
    ...SyncStop.handlers,
    // No sync is running any more, so the request to stop it is obsolete.
    'directory/loaded': (stopping: Attempt, { data: { value } }: Loaded) =>
      value.isRunning ? stopping : forgetOutcome(stopping),
  }),
  ...handlersWithin('attempt', { ...DirectorySync.handlers, 'place/entered': forgetOutcome }),
  'sync/requested': (state, event) =>
    state.attempt.status === 'pending'
      ? state
      : { ...state, attempt: pendingStatus(event), kind: event.data.kind, stopping: idleStatus },
  'sync/declined': (state, { data: { run } }) => withChanges(state, { declined: run }),
})

export const directorySlices = { directory, sync: directorySync }
