import type { Place } from './events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { START_PATH } from './areas.ts'

export type PlaceState = Readonly<{ path: string }>

export const place = defineSlice<PlaceState, typeof Place>()(
  { path: START_PATH },
  { 'place/changed': (state, { data: { path } }) => withChanges(state, { path }) },
)
