import type { DefaultsState } from './defaults/state.ts'
import type { InsertionState } from './insertion/automatic.ts'
import type { MailboxState } from './mailbox/reducer.ts'
import type { UserProfile } from '../wire/user.ts'
import type { SendersState } from './senders/state.ts'
import type { SignatureList } from './signatures/list.ts'
import type { Load } from '../kernel/load.ts'

/** The part of the state that decides about one message. The pane and launch events share it. */
export type MessageState = Readonly<{
  defaults: DefaultsState
  insertion: InsertionState
  mailbox: MailboxState
  profile: Load<UserProfile>
  senders: SendersState
  settings: Readonly<{ status: Load<unknown>['status']; enableSignaturePush: boolean }>
  signatures: Readonly<{ own: SignatureList; delegated: SignatureList }>
}>
