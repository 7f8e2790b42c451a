import type { MessageState } from '../message/state.ts'
import type { Defaults } from '../message/defaults/events.ts'
import {
  initialDefaults,
  withRestoredDefault as restoredDefaults,
  type DefaultsState,
} from '../message/defaults/state.ts'
import { automaticInsertion } from '../message/insertion/automatic.ts'
import type { Event, Recorded } from '../kernel/event.ts'
import { idleStatus } from '../kernel/load.ts'
import { combineSlices, defineSlice, initialStateOf } from '../kernel/slice.ts'
import { mailbox } from '../message/mailbox/reducer.ts'
import { isStaleEvent } from '../message/mailbox/stale.ts'
import {
  initialSenders,
  withRestoredSenders as restoredSenders,
  type SendersState,
} from '../message/senders/state.ts'
import type { Launch } from './events.ts'
import { withChanges } from '../kernel/changes.ts'
import { emptyList } from '../message/signatures/list.ts'
import { launch, type LaunchState } from './reducer.ts'

/**
 * The state of a launch runtime: the data that decide what goes into the message, without data that only the pane
 * shows.
 */
export type LaunchAppState = MessageState & Readonly<{ launch: LaunchState }>

const slices = {
  // The default that a pane or a launch event stored, or that this runtime has just loaded.
  defaults: defineSlice<DefaultsState, typeof Defaults | typeof Launch>()(initialDefaults, {
    'defaults/restored': restoredDefaults,
    'launch/refreshed': (state, { data: { kept } }) => withChanges(state, { snapshot: kept.signature }),
  }),
  insertion: automaticInsertion,
  launch,
  mailbox,
  senders: defineSlice<SendersState, typeof Defaults | typeof Launch>()(initialSenders, {
    'defaults/restored': restoredSenders,
    'launch/refreshed': (state, { data }) => withChanges(state, { known: data.kept.senders }),
  }),
  settings: defineSlice<MessageState['settings'], typeof Launch>()(
    { status: 'pending', enableSignaturePush: false },
    { 'launch/factsRead': (_, { data }) => ({ status: 'success', enableSignaturePush: !data.off }) },
  ),
  profile: defineSlice<MessageState['profile'], never>()(idleStatus, {}),
  signatures: defineSlice<MessageState['signatures'], never>()({ own: emptyList, delegated: emptyList }, {}),
}

export const initialLaunchState: LaunchAppState = initialStateOf(slices)

const evolveSlices = combineSlices<typeof slices, Event>(slices)

/**
 * Outlook raised the event for new meetings, so the meeting is new even if the client has saved it by now. A meeting
 * with attendees or a signature may be an existing one, because classic Outlook raises the event for those, too.
 */
function asRaised(state: LaunchAppState): LaunchAppState {
  const { launch, mailbox } = state
  if (!mailbox.message?.isExisting || !launch.raised.some(({ kind }) => kind === 'newMessage')) return state
  const { isExisting: _, ...message } = mailbox.message
  if (message.inserted !== null || message.to.length + message.cc.length > 0) return state
  return { ...state, mailbox: { ...mailbox, message } }
}

/** Folds an event into the state of a launch runtime. Ignores data read from an item that is no longer open. */
export const evolveLaunch = (state: LaunchAppState, event: Recorded<Event>): LaunchAppState =>
  isStaleEvent(state, event) ? state : asRaised(evolveSlices(state, event))
