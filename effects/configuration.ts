import { ignoreElements, tap } from 'rxjs'
import { toCatalogue } from '../streams/app/catalogue.ts'
import { Configuration } from '../streams/configuration/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import type { AppEffect } from './app.ts'
import { createLoad } from './load.ts'

/** Loads what the organisation allows. */
export const loadConfiguration = createLoad(
  ({ configuration }) => configuration,
  Configuration,
  ({ api }) => api.configuration(),
)

/** Logs the failure, because no view shows it: the defaults apply. */
export const logMissingConfiguration: AppEffect = (event$, _state$, { log }) =>
  event$.pipe(
    ofType(Configuration.loadFailed),
    tap(({ data: { failure } }) => {
      log.error('configuration_failed', { code: toCatalogue(failure).code, kind: failure.kind })
    }),
    ignoreElements(),
  )
