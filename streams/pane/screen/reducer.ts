import type { Screen } from './events.ts'
import { type Attempt, failedStatus, idleStatus, pendingStatus, successStatus } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'

/** `load` is the load of the screen's code; idle until the screen is due. */
export type ScreenState = Readonly<{ load: Attempt }>

export const screen = defineSlice<ScreenState, typeof Screen>()(
  { load: idleStatus },
  {
    'screen/due': (state, event) => (state.load.status === 'idle' ? { load: pendingStatus(event) } : state),
    'screen/loaded': (state) => (state.load.status === 'success' ? state : { load: successStatus }),
    'screen/loadFailed': (_, { data: { failure } }) => ({ load: failedStatus(failure) }),
  },
)
