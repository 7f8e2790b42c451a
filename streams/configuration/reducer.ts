import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import { ask, failed, type Load, neverLoaded } from '../kernel/load.ts'
import type { Configuration, ConfigurationEvent } from './events.ts'

export type ConfigurationState = Load & Configuration

export const defaultConfiguration: Configuration = { allowDefaultSignature: false }
export const initialConfiguration: ConfigurationState = { ...neverLoaded, ...defaultConfiguration }

export function evolveConfiguration(
  state: ConfigurationState,
  event: Recorded<ConfigurationEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): ConfigurationState {
  switch (event.type) {
    case 'configuration/loadRequested':
      return ask(state, event.meta.seq)
    case 'configuration/loaded':
      return withChanges(state, { status: 'success', failure: null, ...event.data.configuration })
    case 'configuration/loadFailed':
      return withChanges(failed(state, event.data.failure), defaultConfiguration)
    case 'auth/signedOut':
      return initialConfiguration
    default:
      return assertNever(event)
  }
}
