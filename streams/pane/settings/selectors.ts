import type { ChoiceState } from '../choiceState.ts'
import { createSelector } from '../../kernel/selector.ts'
import type { UserSettings } from '../../message/settings/settings.ts'
import { toUserSettings } from './rules.ts'
import { isProtection } from './persistent.ts'

/** The eight switches. */
export const selectSettings: (state: ChoiceState) => UserSettings = createSelector(
  [({ settings }: ChoiceState) => settings],
  toUserSettings,
)

/** Whether a change of this switch outlives the pane: in production, only if the switch protects the user. */
export const selectSwitchOutlivesPane = ({ settings }: ChoiceState, name: keyof UserSettings): boolean =>
  settings.lasting && (!settings.stage.production || isProtection(name))

/** The level of the log: everything, or errors only (specification, section 4, settings). */
export const selectLogLevel = ({ settings }: ChoiceState): 'trace' | 'error' =>
  settings.enableLogs ? 'trace' : 'error'
