import type { Screen } from './events.ts'
import { type Attempt, failed, idle, pending, success } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'

/** `load` is the load of the screen's code; idle until the screen is due. */
export type ScreenState = Readonly<{ load: Attempt }>

export const screen = defineSlice<ScreenState, typeof Screen>()(
  { load: idle },
  {
    'screen/due': (state, event) => (state.load.status === 'idle' ? { load: pending(event) } : state),
    'screen/loaded': (state) => (state.load.status === 'success' ? state : { load: success }),
    'screen/loadFailed': (_, { data: { failure } }) => ({ load: failed(failure) }),
  },
)
