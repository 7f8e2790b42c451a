import { concat, filter, map, merge, of, switchMap, take } from 'rxjs'
import { App } from '../../streams/pane/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { emitAt, timeLimit } from '../../streams/kernel/time.ts'
import { Screen } from '../../streams/pane/screen/events.ts'
import { MAX_SCREEN_WAIT_MS, screenReasonOf } from '../../streams/pane/screen/rules.ts'
import type { AppEffect } from '../message/app.ts'

/**
 * The time limit for loading the screen's code. It is long, because the code is large and the pane is empty without it.
 */
export const SCREEN_LOAD_LIMIT_MS = 30_000

/** Loads the screen as soon as loading delays no signature, at the latest after `MAX_SCREEN_WAIT_MS`. */
export const loadScreen: AppEffect = (event$, state$, { screen, time }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() =>
      merge(
        state$.pipe(
          map(screenReasonOf),
          filter((reason) => reason !== null),
        ),
        emitAt(screen.openedAt + MAX_SCREEN_WAIT_MS, time).pipe(map(() => 'late' as const)),
      ).pipe(
        take(1),
        switchMap((reason) =>
          concat(
            of(Screen.due({ reason })),
            screen.load().pipe(
              timeLimit(SCREEN_LOAD_LIMIT_MS, time, () => new Failed({ kind: 'timeout' })),
              settle(() => Screen.loaded(), Screen.loadFailed),
            ),
          ),
        ),
      ),
    ),
  )
