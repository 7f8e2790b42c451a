import type { ChoiceState } from '../choiceState.ts'
import { loadedValue } from '../../kernel/load.ts'
import { type AddinConfiguration, defaultConfiguration } from './events.ts'

/** What the organisation allows; the defaults apply until the configuration is loaded, and after a failure. */
export const selectConfiguration = ({ configuration }: ChoiceState): AddinConfiguration =>
  (configuration.status === 'fail' ? null : loadedValue(configuration)) ?? defaultConfiguration
