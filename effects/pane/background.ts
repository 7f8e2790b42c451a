import { ignoreElements, tap } from 'rxjs'
import { toCatalogue } from '../../streams/pane/catalogue.ts'
import { Configuration } from '../../streams/message/configuration/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Maintenance } from '../../streams/pane/maintenance/events.ts'
import { Subscription } from '../../streams/pane/subscription/events.ts'
import { Telemetry } from '../../streams/pane/telemetry/events.ts'
import type { AppEffect } from '../message/app.ts'

/** The names in the log for failures of calls that no user waits for. */
const ACTIONS = {
  'configuration/loadFailed': 'configuration_failed',
  'subscription/loadFailed': 'subscription_failed',
  'maintenance/loadFailed': 'maintenance_failed',
  'telemetry/sendFailed': 'telemetry_failed',
} as const

/** Logs the failures that no view shows: the pane goes on without the answer. */
export const logBackgroundFailures: AppEffect = (event$, _state$, { log }) =>
  event$.pipe(
    ofType(Configuration.loadFailed, Subscription.loadFailed, Maintenance.loadFailed, Telemetry.sendFailed),
    tap(({ type, data: { failure } }) => {
      log.error(ACTIONS[type], { code: toCatalogue(failure).code, kind: failure.kind })
    }),
    ignoreElements(),
  )
