import { exhaustMap, filter, map, switchMap } from 'rxjs'
import { failureIn } from '../../streams/pane/events.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { growingIntervals } from '../../streams/kernel/time.ts'
import { Maintenance } from '../../streams/pane/maintenance/events.ts'
import { type AppEffect, onSignIn, whileSignedIn } from '../message/app.ts'

const MINUTE_MS = 60_000
/** The first polling interval: 3 minutes. Each later interval is one minute longer (specification, section 9). */
export const FIRST_STATUS_POLL_MS = 3 * MINUTE_MS
export const STATUS_POLL_GROWTH_MS = MINUTE_MS

/** Emits at sign-in, after 3 minutes, after 4 more, after 5 more, … A new sign-in restarts the timer. */
export const scheduleStatusPolls: AppEffect = (event$, _state$, { time }) =>
  onSignIn(event$).pipe(
    switchMap(() =>
      growingIntervals(FIRST_STATUS_POLL_MS, STATUS_POLL_GROWTH_MS, time).pipe(whileSignedIn(event$)),
    ),
    map((tick) => Maintenance.ticked({ tick })),
  )

/**
 * Fetches the status at each tick, and after any 503 while the status is unknown (specification, section 4). Runs one
 * fetch at a time, and only while a user is signed in. A failed fetch does not trigger another.
 */
export const fetchMaintenanceStatus: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    filter((event) => {
      if (event.type === 'maintenance/ticked') return true
      const failure = event.type === 'maintenance/loadFailed' ? null : failureIn(event)
      return failure?.kind === 'http' && failure.status === 503 && !state$.value.maintenance.known
    }),
    filter(() => isSignedIn(state$.value.auth)),
    exhaustMap(() =>
      api.maintenance().pipe(
        settle((status) => Maintenance.loaded({ status }), Maintenance.loadFailed),
        whileSignedIn(event$),
      ),
    ),
  )
