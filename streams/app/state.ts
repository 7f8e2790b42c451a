import { type AuthState, evolveAuth, initialAuth } from '../auth/reducer.ts'
import {
  type ConfigurationState,
  evolveConfiguration,
  initialConfiguration,
} from '../configuration/reducer.ts'
import { withChanges } from '../kernel/changes.ts'
import { assertNever, type Recorded } from '../kernel/event.ts'
import { evolveLocale, initialLocale, type LocaleState } from '../locale/reducer.ts'
import { evolveMailbox, initialMailbox, type MailboxState } from '../mailbox/reducer.ts'
import { evolveMaintenance, initialMaintenance, type MaintenanceState } from '../maintenance/reducer.ts'
import { evolvePicture, initialPicture, type PictureState } from '../picture/reducer.ts'
import { evolveProfile, initialProfile, type ProfileState } from '../profile/reducer.ts'
import { evolveRouter, initialRouter, type RouterState } from '../router/reducer.ts'
import { evolveSelfTest, initialSelfTest, type SelfTestState } from '../selfTest/reducer.ts'
import { evolveSettings, initialSettings, type SettingsState } from '../settings/reducer.ts'
import type { Stage } from '../settings/settings.ts'
import { evolveSignatures, initialSignatures, type SignaturesState } from '../signatures/reducer.ts'
import { evolveSubscription, initialSubscription, type SubscriptionState } from '../subscription/reducer.ts'
import { evolveTelemetry, initialTelemetry, type TelemetryState } from '../telemetry/reducer.ts'
import { evolveVariables, initialVariables, type VariablesState } from '../variables/reducer.ts'
import { evolveViews, initialViews, type ViewsState } from '../views/reducer.ts'
import type { LoggedEvent } from './events.ts'

/** The whole state of the pane: plain, read-only data, one slice per domain. */
export type AppState = Readonly<{
  auth: AuthState
  configuration: ConfigurationState
  locale: LocaleState
  mailbox: MailboxState
  maintenance: MaintenanceState
  picture: PictureState
  profile: ProfileState
  router: RouterState
  selfTest: SelfTestState
  settings: SettingsState
  signatures: SignaturesState
  subscription: SubscriptionState
  telemetry: TelemetryState
  variables: VariablesState
  views: ViewsState
}>

export const initialState = (stage: Stage): AppState => ({
  auth: initialAuth,
  configuration: initialConfiguration,
  locale: initialLocale,
  mailbox: initialMailbox,
  maintenance: initialMaintenance,
  picture: initialPicture,
  profile: initialProfile,
  router: initialRouter,
  selfTest: initialSelfTest,
  settings: initialSettings(stage),
  signatures: initialSignatures,
  views: initialViews,
  subscription: initialSubscription,
  telemetry: initialTelemetry,
  variables: initialVariables,
})

/** Where the domains meet: every event is handed to the slices that it concerns. */
export function evolveApp(state: AppState, event: Recorded<LoggedEvent>): AppState {
  switch (event.type) {
    case 'auth/signedOut':
      return withChanges(state, {
        auth: evolveAuth(state.auth, event),
        configuration: evolveConfiguration(state.configuration, event),
        picture: evolvePicture(state.picture, event),
        selfTest: evolveSelfTest(state.selfTest, event),
        settings: evolveSettings(state.settings, event),
        subscription: evolveSubscription(state.subscription, event),
        telemetry: evolveTelemetry(state.telemetry, event),
        variables: evolveVariables(state.variables, event),
        profile: evolveProfile(state.profile, event),
        signatures: evolveSignatures(state.signatures, event),
        maintenance: evolveMaintenance(state.maintenance, event),
      })
    case 'auth/sessionRecovered':
    case 'auth/sessionMissing':
    case 'auth/signInRequested':
    case 'auth/verified':
    case 'auth/renewed':
    case 'auth/renewalFailed':
    case 'auth/signInFailed':
    case 'auth/signOutRequested':
    case 'auth/editsKept':
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
    case 'mailbox/themeChanged':
    case 'mailbox/senderChanged':
    case 'mailbox/bodyTypeChanged':
    case 'mailbox/recipientsChanged':
      return withChanges(state, { mailbox: evolveMailbox(state.mailbox, event) })

    case 'configuration/loadRequested':
    case 'configuration/loaded':
    case 'configuration/loadFailed':
      return withChanges(state, { configuration: evolveConfiguration(state.configuration, event) })

    case 'picture/loadRequested':
    case 'picture/reloadRequested':
    case 'picture/loaded':
    case 'picture/loadFailed':
    case 'picture/offered':
    case 'picture/prepared':
    case 'picture/refused':
    case 'picture/dropped':
    case 'picture/saveRequested':
    case 'picture/deleteRequested':
    case 'picture/saved':
    case 'picture/deleted':
    case 'picture/changeFailed':
      return withChanges(state, { picture: evolvePicture(state.picture, event) })

    case 'selfTest/requested':
    case 'selfTest/ended':
      return withChanges(state, { selfTest: evolveSelfTest(state.selfTest, event) })

    case 'settings/loadRequested':
    case 'settings/reloadRequested':
    case 'settings/loaded':
    case 'settings/loadFailed':
    case 'settings/updateRequested':
    case 'settings/updated':
    case 'settings/updateFailed':
    case 'settings/resetRequested':
    case 'settings/errorsCleared':
      return withChanges(state, { settings: evolveSettings(state.settings, event) })

    case 'subscription/loadRequested':
    case 'subscription/reloadRequested':
    case 'subscription/loaded':
    case 'subscription/loadFailed':
      return withChanges(state, { subscription: evolveSubscription(state.subscription, event) })

    case 'telemetry/platformRead':
    case 'telemetry/contextRestored':
    case 'telemetry/sent':
    case 'telemetry/sendFailed':
      return withChanges(state, { telemetry: evolveTelemetry(state.telemetry, event) })

    case 'variables/loadRequested':
    case 'variables/reloadRequested':
    case 'variables/loaded':
    case 'variables/loadFailed':
    case 'variables/draftsRestored':
    case 'variables/edited':
    case 'variables/marked':
    case 'variables/unmarked':
    case 'variables/discarded':
    case 'variables/allDiscarded':
    case 'variables/saveRequested':
    case 'variables/saveStarted':
    case 'variables/saved':
    case 'variables/saveFailed':
    case 'variables/statesLoaded':
    case 'variables/statesFailed':
    case 'variables/errorsCleared':
      return withChanges(state, { variables: evolveVariables(state.variables, event) })

    case 'profile/loadRequested':
    case 'profile/reloadRequested':
    case 'profile/loaded':
    case 'profile/loadFailed':
      return withChanges(state, { profile: evolveProfile(state.profile, event) })

    case 'signatures/insertionSucceeded':
    case 'signatures/insertionSkipped':
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
    case 'signatures/nextPageWanted':
    case 'signatures/reloadRequested':
    case 'signatures/refreshRequested':
    case 'signatures/refreshed':
    case 'signatures/refreshFailed':
    case 'signatures/recentRestored':
    case 'signatures/noneChosen':
    case 'signatures/undoRequested':
    case 'signatures/wordsChanged':
    case 'signatures/wordsRestoreRequested':
    case 'signatures/wordsRestored':
    case 'signatures/wordsRestoreFailed':
    case 'signatures/defaultChangeRequested':
    case 'signatures/defaultChanged':
    case 'signatures/defaultChangeFailed':
    case 'signatures/copyRequested':
    case 'signatures/copied':
    case 'signatures/copyFailed':
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

    case 'views/wanted':
    case 'views/loaded':
    case 'views/slow':
    case 'views/timedOut':
      return withChanges(state, { views: evolveViews(state.views, event) })

    // They change nothing that anybody sees; the log has them.
    case 'app/started':
    case 'kernel/effectCrashed':
    case 'notifications/shown':
    case 'notifications/dismissed':
      return state
    default:
      return assertNever(event)
  }
}
