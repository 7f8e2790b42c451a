import { type AuthState, evolveAuth, initialAuth } from '../auth/reducer.ts'
import { assertNever, type Recorded } from '../kernel/event.ts'
import { evolveLocale, initialLocale, type LocaleState } from '../locale/reducer.ts'
import { evolveMailbox, initialMailbox, type MailboxState } from '../mailbox/reducer.ts'
import { evolveMaintenance, initialMaintenance, type MaintenanceState } from '../maintenance/reducer.ts'
import { evolveProfile, initialProfile, type ProfileState } from '../profile/reducer.ts'
import { evolveRouter, initialRouter, type RouterState } from '../router/reducer.ts'
import { defaultSettings, type Settings, type Stage } from '../settings/reducer.ts'
import { evolveSignatures, initialSignatures, type SignaturesState } from '../signatures/reducer.ts'
import type { LoggedEvent } from './events.ts'

/** The whole state of the pane: plain, read-only data, one slice per domain. */
export type AppState = Readonly<{
  auth: AuthState
  locale: LocaleState
  mailbox: MailboxState
  maintenance: MaintenanceState
  profile: ProfileState
  router: RouterState
  settings: Settings
  signatures: SignaturesState
}>

export const initialState = (stage: Stage): AppState => ({
  auth: initialAuth,
  locale: initialLocale,
  mailbox: initialMailbox,
  maintenance: initialMaintenance,
  profile: initialProfile,
  router: initialRouter,
  settings: defaultSettings(stage),
  signatures: initialSignatures,
})

/** The same state when no given slice is another object. */
function withSlices(state: AppState, slices: Partial<AppState>): AppState {
  for (const key of Object.keys(slices) as (keyof AppState)[])
    if (slices[key] !== state[key]) return { ...state, ...slices }
  return state
}

/** Where the domains meet: every event is handed to the slices that it concerns. */
export function evolveApp(state: AppState, event: Recorded<LoggedEvent>): AppState {
  switch (event.type) {
    case 'auth/signedOut':
      return withSlices(state, {
        auth: evolveAuth(state.auth, event),
        profile: evolveProfile(state.profile, event),
        signatures: evolveSignatures(state.signatures, event),
        maintenance: evolveMaintenance(state.maintenance, event),
      })
    case 'auth/sessionRecovered':
    case 'auth/sessionMissing':
    case 'auth/signInRequested':
    case 'auth/verified':
    case 'auth/signInFailed':
    case 'auth/signOutRequested':
      return withSlices(state, { auth: evolveAuth(state.auth, event) })

    case 'mailbox/itemChanged':
    case 'mailbox/messageRead':
      return withSlices(state, {
        mailbox: evolveMailbox(state.mailbox, event),
        signatures: evolveSignatures(state.signatures, event),
      })
    case 'mailbox/userRead':
      return withSlices(state, { mailbox: evolveMailbox(state.mailbox, event) })

    case 'profile/loadRequested':
    case 'profile/loaded':
    case 'profile/loadFailed':
      return withSlices(state, { profile: evolveProfile(state.profile, event) })

    case 'signatures/insertionSucceeded':
      return withSlices(state, {
        signatures: evolveSignatures(state.signatures, event),
        mailbox: evolveMailbox(state.mailbox, event),
      })
    case 'signatures/snapshotRestored':
    case 'signatures/cacheRequested':
    case 'signatures/cacheLoaded':
    case 'signatures/cacheFailed':
    case 'signatures/pageRequested':
    case 'signatures/pageLoaded':
    case 'signatures/pageFailed':
    case 'signatures/chosen':
    case 'signatures/defaultDue':
    case 'signatures/insertionProgressed':
    case 'signatures/insertionFailed':
    case 'signatures/insertionSuperseded':
    case 'signatures/insertionSettled':
      return withSlices(state, { signatures: evolveSignatures(state.signatures, event) })

    case 'maintenance/pollingStarted':
    case 'maintenance/pollingStopped':
    case 'maintenance/ticked':
    case 'maintenance/loaded':
    case 'maintenance/loadFailed':
      return withSlices(state, { maintenance: evolveMaintenance(state.maintenance, event) })

    case 'locale/languageRequested':
    case 'locale/languageChanged':
    case 'locale/languageFailed':
      return withSlices(state, { locale: evolveLocale(state.locale, event) })

    case 'router/navigationRequested':
    case 'router/navigated':
      return withSlices(state, { router: evolveRouter(state.router, event) })

    // They change nothing that anybody sees; the log has them.
    case 'app/started':
    case 'kernel/effectCrashed':
    case 'notifications/shown':
    case 'notifications/dismissed':
    case 'telemetry/sent':
    case 'telemetry/sendFailed':
      return state
    default:
      return assertNever(event)
  }
}
