import { concat, EMPTY, filter, ignoreElements, map, merge, mergeMap, of, takeUntil } from 'rxjs'
import { ofType } from '../streams/kernel/event.ts'
import { Failed } from '../streams/kernel/failure.ts'
import { settle } from '../streams/kernel/settle.ts'
import { after, timeLimit } from '../streams/kernel/time.ts'
import { Router } from '../streams/router/events.ts'
import { routeAt } from '../streams/router/routes.ts'
import { Views } from '../streams/views/events.ts'
import type { AppEffect } from './app.ts'

/** Specification, section 9: a view that takes longer shows that it is loading. */
export const SLOW_MS = 200
/** A view that takes longer is given up; equals the API's limit (specification, section 2). */
export const VIEW_LIMIT_MS = 5000

/** A route brings its view; one that is there, or on its way, is not loaded again, one that failed is. */
export const wantViewOfRoute: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Router.navigated),
    mergeMap(({ data: { path } }) => {
      const view = routeAt(path)?.view ?? null
      if (view === null) return EMPTY
      const status = state$.value.views[view]
      return status === undefined || status === 'timedOut' ? of(Views.wanted({ view })) : EMPTY
    }),
  )

/** Loads a view, says when it is slow, and gives it up after its limit. */
export const loadView: AppEffect = (event$, _state$, { views, time }) =>
  event$.pipe(
    ofType(Views.wanted),
    // Views load side by side: going on to another must not cancel one that is nearly there.
    mergeMap(({ data: { view } }) => {
      const over$ = event$.pipe(
        ofType(Views.loaded, Views.timedOut),
        filter(({ data }) => data.view === view),
      )
      return merge(
        concat(after(SLOW_MS, time).pipe(ignoreElements()), of(Views.slow({ view }))).pipe(takeUntil(over$)),
        views.load(view).pipe(
          map(() => view),
          timeLimit(VIEW_LIMIT_MS, time, () => new Failed({ kind: 'timeout' })),
          settle(
            () => Views.loaded({ view }),
            () => Views.timedOut({ view }),
          ),
        ),
      )
    }),
  )
