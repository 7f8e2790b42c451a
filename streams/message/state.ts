import type { AppState } from '../pane/state.ts'

/** The part of the state that decides about one message. The pane and launch events have it. */
export type MessageState = Pick<AppState, 'defaults' | 'insertion' | 'mailbox' | 'profile' | 'senders'> &
  Readonly<{
    settings: Pick<AppState['settings'], 'status' | 'enableSignaturePush'>
    signatures: Pick<AppState['signatures'], 'own' | 'delegated'>
  }>
