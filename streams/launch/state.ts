import type { AppEvent, LoggedEvent } from '../pane/events.ts'
import type { MessageState } from '../message/state.ts'
import { storedDefaults } from '../message/defaults/stored.ts'
import { automaticInsertion } from '../message/insertion/automatic.ts'
import type { Recorded } from '../kernel/event.ts'
import { idle } from '../kernel/load.ts'
import { combineSlices, defineSlice, initialOf } from '../kernel/slice.ts'
import { mailbox } from '../message/mailbox/reducer.ts'
import { isStale } from '../message/mailbox/stale.ts'
import { storedSenders } from '../message/senders/stored.ts'
import { emptyList } from '../message/signatures/list.ts'
import { launch, type LaunchState } from './reducer.ts'

/** The state of a launch runtime: what decides about its message, without what only the pane shows. */
export type LaunchAppState = MessageState & Readonly<{ launch: LaunchState }>

const slices = {
  defaults: storedDefaults,
  insertion: automaticInsertion,
  launch,
  mailbox,
  senders: storedSenders,
  settings: defineSlice<MessageState['settings'], AppEvent>()(
    { status: 'pending', enableSignaturePush: false },
    { 'launch/factsRead': (_, { data }) => ({ status: 'success', enableSignaturePush: !data.off }) },
  ),
  profile: defineSlice<MessageState['profile'], AppEvent>()(idle, {}),
  signatures: defineSlice<MessageState['signatures'], AppEvent>()(
    { own: emptyList, delegated: emptyList },
    {},
  ),
}

export const initialLaunchState: LaunchAppState = initialOf(slices)

const evolveSlices = combineSlices<typeof slices, LoggedEvent>(slices)

/** Folds an event into the state of a launch runtime, with the slices of the pane. */
export const evolveLaunch = (state: LaunchAppState, event: Recorded<LoggedEvent>): LaunchAppState =>
  isStale(state, event) ? state : evolveSlices(state, event)
