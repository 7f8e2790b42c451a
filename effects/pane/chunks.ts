import { EMPTY, filter, map, merge, mergeMap, switchMap, take, takeUntil } from 'rxjs'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { emitAfter, timeLimit } from '../../streams/kernel/time.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { routeAt } from '../../streams/pane/router/routes.ts'
import { Chunks } from '../../streams/pane/chunks/events.ts'
import type { AppEffect } from '../message/app.ts'

/** How long a page may load before the loading page is shown (specification, section 9). */
export const SLOW_PAGE_MS = 200
/** The time limit for loading a page, the same as for an API request (specification, section 2). */
export const CHUNK_LIMIT_MS = 5000

/** Loads the visited page after the screen. Reports slow loading, and fails after the time limit. */
export const loadChunk: AppEffect = (event$, state$, { chunks, time }) =>
  event$.pipe(
    ofType(Router.navigated),
    // Pages load in parallel, so that navigation does not cancel a load.
    mergeMap(({ data: { path }, meta }) => {
      const page = routeAt(path)?.page ?? null
      const chunk = page && state$.value.chunks[page]
      if (page === null || !chunk || !('asked' in chunk) || chunk.asked !== meta.seq) return EMPTY
      const over$ = event$.pipe(
        ofType(Chunks.loaded, Chunks.timedOut),
        filter(({ data }) => data.page === page),
      )
      const loading$ = merge(
        emitAfter(SLOW_PAGE_MS, time).pipe(
          map(() => Chunks.slow({ page })),
          takeUntil(over$),
        ),
        chunks.load(page).pipe(
          map(() => page),
          timeLimit(CHUNK_LIMIT_MS, time, () => new Failed({ kind: 'timeout' })),
          settle(
            () => Chunks.loaded({ page }),
            () => Chunks.timedOut({ page }),
          ),
        ),
      )
      return state$.pipe(
        filter(({ screen }) => screen.load.status === 'success'),
        take(1),
        switchMap(() => loading$),
      )
    }),
  )
