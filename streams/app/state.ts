import { type AuthState, evolveAuth, initialAuth } from '../auth/reducer.ts'
import { withChanges } from '../kernel/changes.ts'
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

/** Where the domains meet: every event is handed to the slices that it concerns. */
export function evolveApp(state: AppState, event: Recorded<LoggedEvent>): AppState {
  switch (event.type) {
    case 'auth/signedOut':
      return withChanges(state, {
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
      return withChanges(state, { auth: evolveAuth(state.auth, event) })

    case 'mailbox/itemChanged':
      return withChanges(state, {
        mailbox: evolveMailbox(state.mailbox, event),
        signatures: evolveSignatures(state.signatures, event),
      })
    case 'mailbox/messageRead':
      // What an item tells that is no longer open says nothing about the signature in the one that is.
      return event.data.itemKey === state.mailbox.item?.key
        ? withChanges(state, {
            mailbox: evolveMailbox(state.mailbox, event),
            signatures: evolveSignatures(state.signatures, event),
          })
        : state
    case 'mailbox/userRead':
      return withChanges(state, { mailbox: evolveMailbox(state.mailbox, event) })

    case 'profile/loadRequested':
    case 'profile/loaded':
    case 'profile/loadFailed':
      return withChanges(state, { profile: evolveProfile(state.profile, event) })

    case 'signatures/insertionSucceeded':
      return withChanges(state, {
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
      return withChanges(state, { signatures: evolveSignatures(state.signatures, event) })

    case 'maintenance/pollingStarted':
    case 'maintenance/pollingStopped':
    case 'maintenance/ticked':
    case 'maintenance/loaded':
    case 'maintenance/loadFailed':
      return withChanges(state, { maintenance: evolveMaintenance(state.maintenance, event) })

    case 'locale/languageRequested':
    case 'locale/languageChanged':
    case 'locale/languageFailed':
      return withChanges(state, { locale: evolveLocale(state.locale, event) })

    case 'router/navigationRequested':
    case 'router/navigated':
      return withChanges(state, { router: evolveRouter(state.router, event) })

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
