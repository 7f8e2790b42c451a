import type { AppState } from '../app/state.ts'
import { createSelector } from '../kernel/selector.ts'
import type { UserSettings } from './settings.ts'
import { toSettings } from './rules.ts'

/** The eight switches. */
export const selectSettings: (state: AppState) => UserSettings = createSelector(
  [({ settings }: AppState) => settings],
  toSettings,
)

/** What the log shows: everything, or errors only (specification, section 4, settings). */
export const selectLogLevel = ({ settings }: AppState): 'trace' | 'error' =>
  settings.enableLogs ? 'trace' : 'error'
