import {
  catchError,
  concat,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  map,
  merge,
  mergeMap,
  of,
  switchMap,
} from 'rxjs'
import { Work } from '../../streams/administration/work/events.ts'
import {
  workRequestSeq,
  type WorkKind,
  workKinds,
  workName,
} from '../../streams/administration/work/rules.ts'
import { wasBegunBy, idleStatus } from '../../streams/kernel/load.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { growingIntervals, pauseFor } from '../../streams/kernel/time.ts'
import type { AdministrationPorts } from './ports.ts'
import type { AdministrationEffect } from './program.ts'

/** Jobs that take longer than this show their progress. */
export const SHOW_PROGRESS_AFTER_MS = 2_000
/** The first polling interval for progress. Each later interval is `POLL_GROWTH_MS` longer. */
export const FIRST_POLL_MS = 1_000
export const POLL_GROWTH_MS = 100

/** Polls one job until unsubscribed. Ignores failed requests, because the next one may succeed. */
const following = ({ api, time, visit }: AdministrationPorts, kind: WorkKind, asked: number) =>
  concat(
    pauseFor(SHOW_PROGRESS_AFTER_MS, time),
    of(Work.lasted({ kind, asked })),
    growingIntervals(FIRST_POLL_MS, POLL_GROWTH_MS, time).pipe(
      exhaustMap(() => api.work(workName(visit, asked)).pipe(catchError(() => EMPTY))),
      map((progress) => Work.counted({ kind, asked, progress })),
    ),
  )

/** Polls the progress of a long job until it ends. */
const watchWork: AdministrationEffect = (_event$, state$, ports) =>
  merge(
    ...workKinds.map((kind) =>
      state$.pipe(
        map((state) => workRequestSeq(state, kind)),
        distinctUntilChanged(),
        switchMap((asked) => (asked === null ? EMPTY : following(ports, kind, asked))),
      ),
    ),
  )

const stopWork: AdministrationEffect = (event$, state$, { api, visit }) =>
  event$.pipe(
    ofType(Work.stopRequested),
    filter((event) => wasBegunBy(state$.value.work[event.data.kind]?.stopping ?? idleStatus, event)),
    mergeMap(({ data: { kind, asked } }) =>
      api.stopWork(workName(visit, asked)).pipe(
        settle(
          () => Work.stopTaken({ kind, asked }),
          ({ failure }) => Work.stopFailed({ kind, asked, failure }),
        ),
      ),
    ),
  )

export const workEffects = { watchWork, stopWork }
