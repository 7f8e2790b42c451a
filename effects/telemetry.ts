import { filter, switchMap } from 'rxjs'
import { Auth } from '../streams/auth/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import { settle } from '../streams/kernel/settle.ts'
import { Telemetry } from '../streams/telemetry/events.ts'
import type { AppEffect } from './app.ts'

/** Tells the service about this pane after each sign-in, unless the person switched it off. */
export const sendTelemetry: AppEffect = (event$, state$, { api, platform }) =>
  event$.pipe(
    ofType(Auth.verified),
    filter(() => state$.value.settings.enableTelemetry),
    switchMap(() =>
      api.sendTelemetry({ ...platform, settings: state$.value.settings }).pipe(
        settle(
          () => Telemetry.sent(),
          (failure) => Telemetry.sendFailed({ failure }),
        ),
      ),
    ),
  )
