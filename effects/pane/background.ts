import { ignoreElements, tap } from 'rxjs'
import { toCatalogueError } from '../../streams/pane/catalogue.ts'
import { failureIn } from '../../streams/pane/events.ts'
import type { FailureEvent } from '../../streams/pane/sessionEnds.ts'
import type { AppEffect } from '../message/app.ts'

/** The log name of each failure; null if another effect or the host adapter logs it, or if it is not logged. */
const ACTIONS: Readonly<Record<FailureEvent['type'], string | null>> = {
  'auth/renewalFailed': 'renewal_failed',
  'configuration/loadFailed': 'configuration_failed',
  'defaults/changeFailed': 'default_not_changed',
  'defaults/loadFailed': 'default_failed',
  'defaults/replyNameFailed': 'reply_name_failed',
  'maintenance/loadFailed': 'maintenance_failed',
  'picture/changeFailed': 'picture_not_changed',
  'picture/loadFailed': 'picture_failed',
  'profile/loadFailed': 'profile_failed',
  'senders/loadFailed': 'senders_failed',
  'signatures/pageFailed': 'signatures_failed',
  'signatures/refreshFailed': 'signatures_not_refreshed',
  'subscription/loadFailed': 'subscription_failed',
  'telemetry/sendFailed': 'telemetry_failed',
  'variables/loadFailed': 'variables_failed',
  'variables/saveFailed': 'variables_not_saved',
  'variables/statesFailed': 'variable_states_failed',
  'auth/signInFailed': null,
  'settings/loadFailed': null,
  'settings/updateFailed': null,
  'launch/refreshFailed': null,
  'insertion/failed': null,
  'insertion/bodyRestoreFailed': null,
  // Not calls to the service: loading texts or code, saving the log, and copying.
  'locale/languageFailed': null,
  'logExport/failed': null,
  'screen/loadFailed': null,
  'preview/copyFailed': null,
  'selfTest/copyFailed': null,
  'signatures/copyFailed': null,
}

/** Logs failed calls to the service, even if a view shows them (specification, section 8). */
export const logFailures: AppEffect = (event$, _state$, { log }) =>
  event$.pipe(
    tap((event) => {
      const failure = failureIn(event)
      const action = failure && ACTIONS[event.type as FailureEvent['type']]
      if (action) log.error(action, { code: toCatalogueError(failure).code, kind: failure.kind })
    }),
    ignoreElements(),
  )
