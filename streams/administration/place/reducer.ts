import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { AdministrationCreators } from '../events.ts'
import { HOME } from './areas.ts'

export type PlaceState = Readonly<{ path: string }>

export const place = defineSlice<PlaceState, AdministrationCreators>()(
  { path: HOME },
  { 'place/changed': (state, { data: { path } }) => withChanges(state, { path }) },
)
