import type { AppEvent } from '../../pane/events.ts'
import type { Defaults } from '../defaults/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Attempt, idle } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Senders } from './senders.ts'

/** `known` may be from an earlier pane. `isStale`: it may have changed at the service since. */
export type SendersState = Readonly<{ known: Senders | null; load: Attempt; isStale: boolean }>

export const initialSenders: SendersState = { known: null, load: idle, isStale: false }

/** What an earlier pane stored, until more is known. */
export const restored = (
  state: SendersState,
  { data }: ReturnType<(typeof Defaults)['restored']>,
): SendersState => withChanges(state, { known: state.known ?? data.senders })

/** The slice of launch events, which have what a pane, or they themselves, stored. */
export const storedSenders = defineSlice<SendersState, AppEvent>()(initialSenders, {
  'defaults/restored': restored,
  'launch/refreshed': (state, { data }) => withChanges(state, { known: data.kept.senders }),
})
