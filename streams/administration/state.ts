import type { Recorded } from '../kernel/event.ts'
import { combineSlices, initialStateOf, type MisplacedEvents, type StateOf } from '../kernel/slice.ts'
import { approvingSlices } from './approving/reducer.ts'
import { directorySlices } from './directory/reducer.ts'
import type { LoggedEvent } from './events.ts'
import { organisationsSlices } from './organisations/reducer.ts'
import { overviewSlices } from './overview/reducer.ts'
import { peopleSlices } from './people/reducer.ts'
import { place } from './place/reducer.ts'
import { planSlices } from './plan/reducer.ts'
import { administrators, owner, session } from './session/reducer.ts'
import { isOtherOwner } from './session/rules.ts'
import { workSlices } from './work/reducer.ts'

const slices = {
  place,
  session,
  administrators,
  owner,
  ...overviewSlices,
  ...planSlices,
  ...peopleSlices,
  ...directorySlices,
  ...organisationsSlices,
  ...approvingSlices,
  ...workSlices,
}

/** The complete state of the administration page: plain, read-only data. */
export type AdministrationState = StateOf<typeof slices>

export const initialState: AdministrationState = initialStateOf(slices)

const evolveSlices = combineSlices<typeof slices, LoggedEvent>(slices)

/** The events that delete the loaded data. */
const FORGETTING: ReadonlySet<string> = new Set<LoggedEvent['type']>([
  'session/signedOut',
  'session/otherAccountRequested',
])

/** Applies an event to every slice that handles its type. */
export function evolveAdministration(
  state: AdministrationState,
  event: Recorded<LoggedEvent>,
): AdministrationState {
  const after = evolveSlices(state, event)
  const { place, session: current, administrators: known } = after
  const forgotten = { ...initialState, place, session: current, administrators: known }
  if (FORGETTING.has(event.type)) return forgotten
  // Another administrator may sign in after the session expired, and must not see the first administrator's data.
  return isOtherOwner(state.owner, after.owner) ? { ...forgotten, owner: after.owner } : after
}

/** Events that no slice handles, because only effects or the log use them. */
type NotFolded =
  'kernel/effectCrashed' | 'place/linkFollowed' | 'plan/firstChosen' | 'session/signOutRequested'

/** Fails to compile if `NotFolded` has a wrong name, or lacks an event that no slice handles. */
export const misplacedEvents: MisplacedEvents<LoggedEvent, typeof slices, NotFolded> = {}
