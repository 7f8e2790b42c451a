import { filter, ignoreElements, map, switchMap, takeUntil, tap } from 'rxjs'
import { toCatalogue } from '../streams/app/catalogue.ts'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ConfigurationEvents } from '../streams/configuration/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import { began } from '../streams/kernel/load.ts'
import { settle } from '../streams/kernel/settle.ts'
import type { AppEffect } from './app.ts'

export const loadConfigurationOnSignIn: AppEffect = (event$) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered),
    map(() => ConfigurationEvents.loadRequested()),
  )

/** Loads what the organisation allows. */
export const loadConfiguration: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(ConfigurationEvents.loadRequested),
    filter((event) => isSignedIn(state$.value.auth) && began(state$.value.configuration, event)),
    switchMap(() =>
      api.configuration().pipe(
        settle(
          (configuration) => ConfigurationEvents.loaded({ configuration }),
          (failure) => ConfigurationEvents.loadFailed({ failure }),
        ),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      ),
    ),
  )

/** The defaults are in use then; nobody sees it, so it is logged. */
export const logMissingConfiguration: AppEffect = (event$, _state$, { log }) =>
  event$.pipe(
    ofType(ConfigurationEvents.loadFailed),
    tap(({ data: { failure } }) => {
      log.error('configuration_failed', { code: toCatalogue(failure).code, kind: failure.kind })
    }),
    ignoreElements(),
  )
