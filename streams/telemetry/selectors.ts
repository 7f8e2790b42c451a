import type { AppState } from '../app/state.ts'
import { createSelector } from '../kernel/selector.ts'
import { selectSettings } from '../settings/selectors.ts'
import type { TelemetryPayload } from './events.ts'

/** What goes to the service word for word, sent or not; null until this pane knows what it runs in. */
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

/** Whether it is sent at all: the person may have switched it off. */
export const selectSendsTelemetry = ({ settings }: AppState): boolean => settings.enableTelemetry
