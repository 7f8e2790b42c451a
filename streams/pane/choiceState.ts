import type { AddinConfiguration } from './configuration/events.ts'
import type { AuthState } from './auth/reducer.ts'
import type { MessageState } from '../message/state.ts'
import type { SettingsState } from './settings/reducer.ts'
import type { SignaturesState } from './signatures/reducer.ts'
import type { Load } from '../kernel/load.ts'

/** The state that decides about one message, with the lists that the user sees and chooses from. */
export type ChoiceState = Omit<MessageState, 'settings' | 'signatures'> &
  Readonly<{
    auth: AuthState
    configuration: Load<AddinConfiguration>
    settings: SettingsState
    signatures: SignaturesState
  }>
