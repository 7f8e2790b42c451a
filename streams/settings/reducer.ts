import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { SettingsEvent } from './events.ts'

/** The person's eight switches (specification, section 3). */
export type Settings = Readonly<{
  enableLogs: boolean
  enableTelemetry: boolean
  enableSilentSSO: boolean
  /** The default signature goes into a message by itself. */
  enableSignaturePush: boolean
  /** The directory's values are offered for variables that left it. */
  enableVariablesResync: boolean
  /** The lists are asked for with the images' contents. */
  enableEmbedImages: boolean
  /** Empty variables are pointed out. */
  enableVariablesMissing: boolean
  /** Edits are saved after a pause. */
  enableVariablesAutosave: boolean
}>

/** The build's two flags. */
export type Stage = Readonly<{ production: boolean; beta: boolean }>

export const defaultSettings = ({ production, beta }: Stage): Settings => ({
  enableLogs: !production || beta,
  enableTelemetry: true,
  enableSilentSSO: true,
  enableSignaturePush: true,
  enableVariablesResync: true,
  enableEmbedImages: false,
  enableVariablesMissing: false,
  enableVariablesAutosave: false,
})

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
