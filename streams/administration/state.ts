import type { Recorded } from '../kernel/event.ts'
import { combineSlices, initialOf, type Misplaced, type StateOf } from '../kernel/slice.ts'
import { directorySlices } from './directory/reducer.ts'
import type { LoggedEvent } from './events.ts'
import { organisationsSlices } from './organisations/reducer.ts'
import { overviewSlices } from './overview/reducer.ts'
import { peopleSlices } from './people/reducer.ts'
import { place } from './place/reducer.ts'
import { planSlices } from './plan/reducer.ts'
import { owner, session } from './session/reducer.ts'
import { isAnother } from './session/rules.ts'
import { workSlices } from './work/reducer.ts'

const slices = {
  place,
  session,
  owner,
  ...overviewSlices,
  ...planSlices,
  ...peopleSlices,
  ...directorySlices,
  ...organisationsSlices,
  ...workSlices,
}

/** The whole state of the administration page: plain, read-only data. */
export type AdministrationState = StateOf<typeof slices>

export const initialState: AdministrationState = initialOf(slices)

const evolveSlices = combineSlices<typeof slices, LoggedEvent>(slices)

/** The events after which the loaded data is deleted. */
const FORGETTING: ReadonlySet<string> = new Set<LoggedEvent['type']>([
  'session/signedOut',
  'session/otherAccountRequested',
])

/** Folds an event into the state, with every slice that handles its type. */
export function evolve(state: AdministrationState, event: Recorded<LoggedEvent>): AdministrationState {
  const after = evolveSlices(state, event)
  const { place, session: current } = after
  if (FORGETTING.has(event.type)) return { ...initialState, place, session: current }
  // After a session expired, another administrator may sign in, who must not see the loaded data of the first one.
  return isAnother(state.owner, after.owner)
    ? { ...initialState, place, session: current, owner: after.owner }
    : after
}

/** Events that no slice handles, because only effects or the log use them. */
type NotFolded =
  'kernel/effectCrashed' | 'place/linkFollowed' | 'plan/firstChosen' | 'session/signOutRequested'

/** The compiler reports wrong names in `NotFolded`, and events that no slice handles and `NotFolded` does not name. */
export const misplaced: Misplaced<LoggedEvent, typeof slices, NotFolded> = {}
