import type { Settings } from '../../message/settings/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Failure } from '../../kernel/failure.ts'
import type { FailureEvent } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { defaultSettings, type BuildStage, type UserSettings } from '../../message/settings/settings.ts'
import { allProtectionsOff, persistentChoicesIn } from './persistent.ts'

/** The switches, their status, and all errors until they are cleared, as the specification requires (section 3). */
export type SettingsState = UserSettings &
  Readonly<{
    stage: BuildStage
    status: 'idle' | 'pending' | 'success' | 'fail'
    loaded: boolean
    /** The user who stored these switches. That user's next load returns them unchanged. */
    userId: string | null
    /** Whether the browser stored the last change; true before the first change. */
    lasting: boolean
    errors: readonly Failure[]
  }>

export const initialSettings = (stage: BuildStage): SettingsState => ({
  ...defaultSettings(stage),
  stage,
  status: 'idle',
  loaded: false,
  userId: null,
  lasting: true,
  errors: [],
})

const pending = (state: SettingsState): SettingsState => withChanges(state, { status: 'pending' })
const fail = (state: SettingsState, { data: { failure } }: FailureEvent): SettingsState => ({
  ...state,
  status: 'fail',
  errors: [...state.errors, failure],
})
const withoutErrors = ({ errors }: SettingsState): readonly Failure[] => (errors.length === 0 ? errors : [])

export const settings = defineSlice<SettingsState, typeof App | typeof Auth | typeof Settings>()(
  initialSettings({ production: true, beta: false }),
  {
    'app/started': pending,
    'auth/verified': pending,
    'auth/sessionRecovered': pending,
    'settings/loaded': (state, { data }) =>
      withChanges(state, { ...data.settings, userId: data.userId, status: 'success', loaded: true }),
    // It is unknown which protecting switches the user turned off, so all of them count as off.
    'settings/loadFailed': (state, event) => ({
      ...fail(state, event),
      ...defaultSettings(state.stage),
      ...allProtectionsOff,
      userId: null,
    }),
    'settings/updateRequested': pending,
    'settings/resetRequested': pending,
    'settings/updated': (state, { data: { changes, lasting } }) =>
      withChanges(state, { ...changes, lasting, status: 'success' }),
    'settings/updateFailed': fail,
    'settings/errorsCleared': (state) => withChanges(state, { errors: withoutErrors(state) }),
    // Switches that the user turned off persistently stay off, so a message that is opened now is not changed.
    'auth/signedOut': (state) =>
      withChanges(state, {
        ...initialSettings(state.stage),
        ...persistentChoicesIn(state),
        errors: withoutErrors(state),
      }),
  },
)
