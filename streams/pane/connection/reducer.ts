import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Connection } from './events.ts'

/** Whether the service is known to be unreachable. */
export type ConnectionState = Readonly<{ isLost: boolean }>

export const connection = defineSlice<ConnectionState, typeof Connection>()(
  { isLost: false },
  { 'connection/changed': (state, { data: { isLost } }) => withChanges(state, { isLost }) },
)
