import * as auth from '../../effects/auth.ts'
import * as background from '../../effects/background.ts'
import * as chunks from '../../effects/chunks.ts'
import * as configuration from '../../effects/configuration.ts'
import * as defaults from '../../effects/defaults.ts'
import * as insertion from '../../effects/insertion.ts'
import * as kept from '../../effects/kept.ts'
import * as launchFacts from '../../effects/launchFacts.ts'
import * as locale from '../../effects/locale.ts'
import * as mailbox from '../../effects/mailbox.ts'
import * as maintenance from '../../effects/maintenance.ts'
import * as notifications from '../../effects/notifications.ts'
import * as picture from '../../effects/picture.ts'
import type { Ports } from '../../effects/ports.ts'
import * as profile from '../../effects/profile.ts'
import * as recovery from '../../effects/recovery.ts'
import * as router from '../../effects/router.ts'
import * as screen from '../../effects/screen.ts'
import * as senders from '../../effects/senders.ts'
import * as session from '../../effects/session.ts'
import * as settings from '../../effects/settings.ts'
import * as signatures from '../../effects/signatures.ts'
import * as subscription from '../../effects/subscription.ts'
import * as telemetry from '../../effects/telemetry.ts'
import * as variables from '../../effects/variables.ts'
import type { AppEvent, UserEvent } from '../../streams/pane/events.ts'
import { startStore } from '../../streams/message/startStore.ts'
import { type AppState, evolveApp, initialState } from '../../streams/pane/state.ts'
import type { Store } from '../../streams/kernel/store.ts'
import type { Stage } from '../../streams/message/settings/settings.ts'

/**
 * The effects of the engine by their names in the log and in crash reports. Readers come before the effects that react
 * to them. `src/pane/screen/gestureEffects.ts` has the others.
 */
const effects = {
  readUser: mailbox.readUser,
  followTheme: mailbox.followTheme,
  followItem: mailbox.followItem,
  readMessage: mailbox.readMessage,
  followMessage: mailbox.followMessage,
  followRecipients: mailbox.followRecipients,
  followDisplayLanguage: locale.followDisplayLanguage,
  loadLanguage: locale.loadLanguage,
  followAddress: router.followAddress,
  redirect: router.redirect,
  loadChunk: chunks.loadChunk,
  logOutAtLogoutRoute: router.logOutAtLogoutRoute,
  restoreDefault: kept.restoreDefault,
  recoverSession: auth.recoverSession,
  signInSilently: auth.signInSilently,
  signIn: auth.signIn,
  logOutAfterFailedSignIn: auth.logOutAfterFailedSignIn,
  logOutOnRejectedSession: auth.logOutOnRejectedSession,
  keepSession: auth.keepSession,
  logOut: auth.logOut,
  forgetSession: auth.forgetSession,
  forgetKept: kept.forgetKept,
  tellLaunchEvents: launchFacts.tellLaunchEvents,
  renewSession: session.renewSession,
  endExpiredSession: session.endExpiredSession,
  followOtherPanes: session.followOtherPanes,
  tellOtherPanes: session.tellOtherPanes,
  endIdentity: session.endIdentity,
  loadSettings: settings.loadSettings,
  logSettingsErrors: settings.logSettingsErrors,
  warnWithoutUser: settings.warnWithoutUser,
  loadConfiguration: configuration.loadConfiguration,
  logBackgroundFailures: background.logBackgroundFailures,
  loadDefault: defaults.loadDefault,
  nameReply: defaults.nameReply,
  keepDefault: kept.keepDefault,
  loadPages: signatures.loadPages,
  refreshLists: signatures.refreshLists,
  keepRecent: signatures.keepRecent,
  restoreRecent: signatures.restoreRecent,
  keepFavourites: signatures.keepFavourites,
  restoreFavourites: signatures.restoreFavourites,
  pushDefault: defaults.pushDefault,
  loadSenders: senders.loadSenders,
  insert: insertion.insert,
  loadProfile: profile.loadProfile,
  pollTicks: maintenance.pollTicks,
  fetchMaintenanceStatus: maintenance.fetchStatus,
  loadSubscription: subscription.loadSubscription,
  restoreDrafts: variables.restoreDrafts,
  tellOpened: variables.tellOpened,
  loadVariables: variables.loadVariables,
  keepDrafts: variables.keepDrafts,
  loadPicture: picture.loadPicture,
  retryWhenReachable: recovery.retryWhenReachable,
  readPlatform: telemetry.readPlatform,
  readLaunch: telemetry.readLaunch,
  restoreTelemetry: telemetry.restoreTelemetry,
  sendTelemetry: telemetry.sendTelemetry,
  keepTelemetry: telemetry.keepTelemetry,
  track: telemetry.track,
  tellOfMissingDefault: notifications.tellOfMissingDefault,
  dismissWhenInserted: notifications.dismissWhenInserted,
  showNotices: notifications.showNotices,
  dismissLaunchNotice: notifications.dismissLaunchNotice,
  loadScreen: screen.loadScreen,
}

type AppStore = Store<AppState, AppEvent, Ports>

export type SignetApp = Readonly<{
  state$: AppStore['state$']
  event$: AppStore['event$']
  log: AppStore['log']
  base: AppStore['base']
  foldOldest: AppStore['foldOldest']
  /** Starts the effects that the screen brings. */
  addEffects: AppStore['addEffects']
  /** Records what the user did. */
  record(event: UserEvent): void
  stop(): void
}>

/** The application without a view: streams and the effects of the engine over the given ports, running until `stop`. */
export function createApp(stage: Stage, createPorts: (state: () => AppState) => Ports): SignetApp {
  const store = startStore({ initial: initialState(stage), evolve: evolveApp, effects }, createPorts)
  return {
    ...store,
    record: (event) => {
      store.record(event, 'person')
    },
  }
}
