import type { AddinConfiguration } from './configuration/events.ts'
import type { AuthState } from './auth/reducer.ts'
import type { DefaultsState } from './defaults/state.ts'
import type { InsertionState } from './insertion/reducer.ts'
import type { MailboxState } from './mailbox/reducer.ts'
import type { UserProfile } from '../wire/user.ts'
import type { SendersState } from './senders/state.ts'
import type { SettingsState } from './settings/reducer.ts'
import type { SignaturesState } from './signatures/reducer.ts'
import type { Load } from '../kernel/load.ts'

/** The part of the state that decides about one message. The pane and launch events have it. */
export type MessageState = Readonly<{
  defaults: DefaultsState
  insertion: InsertionState
  mailbox: MailboxState
  profile: Load<UserProfile>
  senders: SendersState
  settings: Pick<SettingsState, 'status' | 'enableSignaturePush'>
  signatures: Pick<SignaturesState, 'own' | 'delegated'>
}>

/** `MessageState` with the lists that the user sees and chooses from. The pane has it. */
export type ChoiceState = Omit<MessageState, 'settings' | 'signatures'> &
  Readonly<{
    auth: AuthState
    configuration: Load<AddinConfiguration>
    settings: SettingsState
    signatures: SignaturesState
  }>
