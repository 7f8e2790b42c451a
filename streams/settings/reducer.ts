import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { SettingsEvent } from './events.ts'
import { defaultSettings, type Settings, type Stage } from './settings.ts'

/** The switches as they are in force, with what was tried with them. `errors` grow until they are cleared. */
export type SettingsState = Settings &
  Readonly<{
    stage: Stage
    status: 'idle' | 'pending' | 'success' | 'fail'
    loaded: boolean
    errors: readonly Failure[]
  }>

export const initialSettings = (stage: Stage): SettingsState => ({
  ...defaultSettings(stage),
  stage,
  status: 'idle',
  loaded: false,
  errors: [],
})

const withError = (state: SettingsState, failure: Failure): SettingsState => ({
  ...state,
  status: 'fail',
  errors: [...state.errors, failure],
})

export function evolveSettings(
  state: SettingsState,
  event: Recorded<SettingsEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): SettingsState {
  switch (event.type) {
    case 'settings/loadRequested':
      // What is there is returned as it is (memoised); in production a load resets.
      return state.loaded && !state.stage.production ? state : withChanges(state, { status: 'pending' })
    case 'settings/reloadRequested':
    case 'settings/updateRequested':
    case 'settings/resetRequested':
      return withChanges(state, { status: 'pending' })
    case 'settings/loaded':
      return withChanges(state, { ...event.data.settings, status: 'success', loaded: true })
    case 'settings/updated':
      return withChanges(state, { ...event.data.changes, status: 'success' })
    case 'settings/loadFailed':
    case 'settings/updateFailed':
      return withError(state, event.data.failure)
    case 'settings/errorsCleared':
      return withChanges(state, { errors: state.errors.length === 0 ? state.errors : [] })
    case 'auth/signedOut':
      return withChanges(state, {
        ...defaultSettings(state.stage),
        status: 'idle',
        loaded: false,
        errors: state.errors.length === 0 ? state.errors : [],
      })
    default:
      return assertNever(event)
  }
}
