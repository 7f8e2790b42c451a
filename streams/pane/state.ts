import { auth } from './auth/reducer.ts'
import { chunks } from './chunks/reducer.ts'
import { configuration } from './configuration/reducer.ts'
import { connection } from './connection/reducer.ts'
import { defaults } from './defaults/reducer.ts'
import { withListedContent } from './insertion/listed.ts'
import { insertion } from './insertion/reducer.ts'
import type { Recorded } from '../kernel/event.ts'
import { combineSlices, initialStateOf, type MisplacedEvents, type StateOf } from '../kernel/slice.ts'
import { locale } from './locale/reducer.ts'
import { logExport } from './logExport/reducer.ts'
import { mailbox } from '../message/mailbox/reducer.ts'
import { isStaleEvent } from '../message/mailbox/stale.ts'
import { maintenance } from './maintenance/reducer.ts'
import { notifications } from './notifications/reducer.ts'
import { picture } from './picture/reducer.ts'
import { preview } from './preview/reducer.ts'
import { profile } from './profile/reducer.ts'
import { router } from './router/reducer.ts'
import { screen } from './screen/reducer.ts'
import { selfTest } from './selfTest/reducer.ts'
import { senders } from './senders/reducer.ts'
import { initialSettings, settings } from './settings/reducer.ts'
import type { BuildStage } from '../message/settings/settings.ts'
import { arrangeLists } from './signatures/arranging.ts'
import { signatures } from './signatures/reducer.ts'
import { subscription } from './subscription/reducer.ts'
import { telemetry } from './telemetry/reducer.ts'
import { variables } from './variables/reducer.ts'
import type { LoggedEvent } from './events.ts'

const slices = {
  auth,
  chunks,
  configuration,
  connection,
  defaults,
  insertion,
  locale,
  logExport,
  mailbox,
  maintenance,
  notifications,
  picture,
  preview,
  profile,
  router,
  screen,
  selfTest,
  senders,
  settings,
  signatures,
  subscription,
  telemetry,
  variables,
}

/** The whole state of the pane: plain, read-only data, one slice per domain. */
export type AppState = StateOf<typeof slices>

export const initialState = (stage: BuildStage): AppState => ({
  ...initialStateOf(slices),
  settings: initialSettings(stage),
})

const evolveSlices = combineSlices<typeof slices, LoggedEvent>(slices)

/**
 * Folds an event into the state: first in each slice that handles its type, then in the two parts that need several
 * slices: the order of the lists, and the content of the message's signature.
 */
export const evolveApp = (state: AppState, event: Recorded<LoggedEvent>): AppState =>
  isStaleEvent(state, event)
    ? state
    : withListedContent(arrangeLists(state, evolveSlices(state, event), event))

/** Events that no slice handles: only effects or the log use them. */
type NotFolded =
  | 'auth/renewalFailed'
  | 'auth/signInFailed'
  | 'auth/signOutRequested'
  | 'kernel/effectCrashed'
  // A launch event does not start the pane, so the pane's state ignores launch events.
  | 'launch/completed'
  | 'launch/factsRead'
  | 'launch/keptRead'
  | 'launch/looked'
  | 'launch/raised'
  | 'launch/refreshBegan'
  | 'launch/refreshed'
  | 'launch/refreshFailed'
  | 'launch/signedIn'
  | 'launch/stored'
  | 'launch/timeUp'
  | 'maintenance/loadFailed'
  | 'maintenance/ticked'
  | 'router/navigationRequested'
  | 'telemetry/sendFailed'
  | 'telemetry/sent'
  | 'variables/saveRequested'
  | 'variables/statesFailed'

/** Does not compile if an event is neither handled by a slice nor named above, or if a name above is wrong. */
export const misplacedEvents: MisplacedEvents<LoggedEvent, typeof slices, NotFolded> = {}
