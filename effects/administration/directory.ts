import { concat, distinctUntilChanged, EMPTY, filter, map, skip, startWith, switchMap } from 'rxjs'
import { DirectoryLoad, DirectorySync, SyncStop } from '../../streams/administration/directory/events.ts'
import { areaOf } from '../../streams/administration/place/areas.ts'
import type { AdministrationState } from '../../streams/administration/state.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { retryWaitOf } from '../../streams/kernel/failure.ts'
import { loadedValue } from '../../streams/kernel/load.ts'
import { growingIntervals, pauseFor } from '../../streams/kernel/time.ts'
import { type AdministrationEffect, createAttemptEffect, createLoadEffect } from './program.ts'

/** The first polling interval for a run's progress. Each later interval is `SYNC_CHECK_GROWTH_MS` longer. */
export const FIRST_SYNC_CHECK_MS = 1_000
export const SYNC_CHECK_GROWTH_MS = 500

const loadDirectory = createLoadEffect(
  (state) => state.directory,
  DirectoryLoad,
  ({ api }) => api.directory(),
)

const startSync = createAttemptEffect(
  (state) => state.sync.attempt,
  DirectorySync,
  ({ api }, { kind }) =>
    api.sync({ try: kind === 'try', retire: kind === 'deactivate' }).pipe(map((run) => ({ run }))),
)

const stopSync = createAttemptEffect(
  (state) => state.sync.stopping,
  SyncStop,
  ({ api }) => api.stopSync().pipe(map(() => ({}))),
)

/** Whether the administrator is in the directory's area while a run is under way. */
const isWatching = ({ session, place, directory }: AdministrationState): boolean =>
  session.status === 'in' && areaOf(place.path) === 'directory' && loadedValue(directory)?.isRunning === true

/**
 * Polls a run until it ends or the administrator leaves the area. After a failure, waits as long as the service asks.
 */
const watchRun: AdministrationEffect = (event$, state$, { time }) =>
  state$.pipe(
    map(isWatching),
    distinctUntilChanged(),
    switchMap((watches) =>
      watches
        ? event$.pipe(
            ofType(DirectoryLoad.loadFailed),
            map(({ data }) => retryWaitOf(data.failure)),
            filter((ms) => ms > 0),
            startWith(0),
            switchMap((ms) =>
              concat(
                pauseFor(ms, time),
                growingIntervals(FIRST_SYNC_CHECK_MS, SYNC_CHECK_GROWTH_MS, time).pipe(skip(1)),
              ),
            ),
            map(() => DirectorySync.checkDue()),
          )
        : EMPTY,
    ),
  )

export const directoryEffects = { loadDirectory, startSync, stopSync, watchRun }
