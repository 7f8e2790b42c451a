import type { AppState } from '../state.ts'
import { createSelector } from '../../kernel/selector.ts'
import { selectSettings } from '../settings/selectors.ts'
import type { TelemetryPayload } from './events.ts'

/** The exact telemetry for the service, even if it is switched off; null until the platform is known. */
export const selectTelemetryPayload: (state: AppState) => TelemetryPayload | null = createSelector(
  [
    ({ telemetry }: AppState) => telemetry.platform,
    ({ telemetry }: AppState) => telemetry.context,
    selectSettings,
  ],
  (platform, context, settings): TelemetryPayload | null =>
    platform && {
      package: platform.package,
      context,
      settings,
      beta: platform.beta,
      navigator: platform.navigator,
    },
)

/** Whether telemetry and analytics are sent: the user can switch them off. */
export const selectSendsTelemetry = ({ settings }: AppState): boolean => settings.enableTelemetry

/** Whether telemetry and analytics may be sent. Null until the settings are loaded, so nothing is sent before that. */
export const selectMaySendTelemetry = ({ settings }: AppState): boolean | null =>
  settings.status === 'pending' ? null : settings.enableTelemetry
