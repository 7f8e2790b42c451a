import { concat, distinctUntilChanged, EMPTY, filter, map, skip, startWith, switchMap } from 'rxjs'
import { DirectoryLoad, Sync, SyncStop } from '../../streams/administration/directory/events.ts'
import { areaOf } from '../../streams/administration/place/areas.ts'
import type { AdministrationState } from '../../streams/administration/state.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { waitOf } from '../../streams/kernel/failure.ts'
import { valueOf } from '../../streams/kernel/load.ts'
import { growingIntervals, pause } from '../../streams/kernel/time.ts'
import { type AdministrationEffect, createAttempt, createLoad } from './program.ts'

/** The first polling interval for a run's progress. Each later interval is `CHECK_INTERVAL_GROWTH_MS` longer. */
export const FIRST_CHECK_MS = 1_000
export const CHECK_INTERVAL_GROWTH_MS = 500

const loadDirectory = createLoad(
  (state) => state.directory,
  DirectoryLoad,
  ({ api }) => api.directory(),
)

const startSync = createAttempt(
  (state) => state.sync.attempt,
  Sync,
  ({ api }, { kind }) =>
    api.sync({ try: kind === 'try', retire: kind === 'deactivate' }).pipe(map((run) => ({ run }))),
)

const stopSync = createAttempt(
  (state) => state.sync.stopping,
  SyncStop,
  ({ api }) => api.stopSync().pipe(map(() => ({}))),
)

/** Whether the administrator is in the directory's area while a run is under way. */
const isWatching = ({ session, place, directory }: AdministrationState): boolean =>
  session.status === 'in' && areaOf(place.path) === 'directory' && valueOf(directory)?.isRunning === true

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
            map(({ data }) => waitOf(data.failure)),
            filter((ms) => ms > 0),
            startWith(0),
            switchMap((ms) =>
              concat(
                pause(ms, time),
                growingIntervals(FIRST_CHECK_MS, CHECK_INTERVAL_GROWTH_MS, time).pipe(skip(1)),
              ),
            ),
            map(() => Sync.checkDue()),
          )
        : EMPTY,
    ),
  )

export const directoryEffects = { loadDirectory, startSync, stopSync, watchRun }
