import * as auth from '../../effects/pane/auth.ts'
import * as background from '../../effects/pane/background.ts'
import * as chunks from '../../effects/pane/chunks.ts'
import * as defaults from '../../effects/message/defaults.ts'
import * as insertion from '../../effects/message/insertion.ts'
import * as cachedDefault from '../../effects/message/cachedDefault.ts'
import * as launchFacts from '../../effects/pane/launchFacts.ts'
import * as loads from '../../effects/pane/loads.ts'
import * as locale from '../../effects/pane/locale.ts'
import * as mailbox from '../../effects/message/mailbox.ts'
import * as turn from '../../effects/message/turn.ts'
import * as maintenance from '../../effects/pane/maintenance.ts'
import * as notifications from '../../effects/pane/notifications.ts'
import * as picture from '../../effects/pane/picture.ts'
import type { Ports } from '../../effects/ports.ts'
import * as recovery from '../../effects/pane/recovery.ts'
import * as router from '../../effects/pane/router.ts'
import * as screen from '../../effects/pane/screen.ts'
import * as senders from '../../effects/pane/senders.ts'
import * as session from '../../effects/pane/session.ts'
import * as settings from '../../effects/pane/settings.ts'
import * as signatures from '../../effects/pane/signatures.ts'
import { readThread } from '../../effects/message/thread.ts'
import * as telemetry from '../../effects/pane/telemetry.ts'
import * as variables from '../../effects/pane/variables.ts'
import type { AppEvent, PaneGesture } from '../../streams/pane/events.ts'
import { startStore } from '../../streams/message/startStore.ts'
import { type AppState, evolveApp, initialState } from '../../streams/pane/state.ts'
import { logDefects } from '../../streams/kernel/effect.ts'
import type { Store } from '../../streams/kernel/store.ts'
import type { BuildStage } from '../../streams/message/settings/settings.ts'

/**
 * The engine's effects, by their names in the log and in crash reports. Effects that read data come before the effects
 * that react to this data. `src/pane/screen/gestureEffects.ts` has the screen's effects.
 */
const effects = {
  readUser: mailbox.readUser,
  followTheme: mailbox.followTheme,
  followItem: mailbox.followItem,
  readMessage: mailbox.readMessage,
  readTurn: turn.readTurn,
  followMessage: mailbox.followMessage,
  followRecipients: mailbox.followRecipients,
  readThread,
  followDisplayLanguage: locale.followDisplayLanguage,
  loadLanguage: locale.loadLanguage,
  followAddress: router.followAddress,
  loadChunk: chunks.loadChunk,
  logOutAtLogoutRoute: router.logOutAtLogoutRoute,
  restoreDefault: cachedDefault.restoreDefault,
  recoverSession: auth.recoverSession,
  signInSilently: auth.signInSilently,
  signIn: auth.signIn,
  logOutAfterFailedSignIn: auth.logOutAfterFailedSignIn,
  logOutOnRejectedSession: auth.logOutOnRejectedSession,
  keepSession: auth.storeSession,
  logOut: auth.logOut,
  forgetSession: auth.forgetSession,
  forgetCachedDefaults: cachedDefault.forgetCachedDefaults,
  tellLaunchEvents: launchFacts.storeLaunchFacts,
  renewSession: session.renewSession,
  endExpiredSession: session.endExpiredSession,
  followOtherPanes: session.followOtherPanes,
  tellOtherPanes: session.tellOtherPanes,
  endIdentity: session.signOutIdentity,
  loadSettings: settings.loadSettings,
  logSettingsErrors: settings.logSettingsErrors,
  loadConfiguration: loads.loadConfiguration,
  logFailures: background.logFailures,
  logDefects,
  loadDefault: defaults.loadDefault,
  nameReply: defaults.nameReplyDefault,
  keepDefault: cachedDefault.cacheDefault,
  loadPages: signatures.loadSignaturePages,
  refreshLists: signatures.refreshSignatureLists,
  keepRecent: signatures.storeRecentSignatures,
  restoreRecent: signatures.restoreRecentSignatures,
  keepFavourites: signatures.keepFavourites,
  restoreFavourites: signatures.restoreFavourites,
  pushDefault: defaults.pushDefault,
  loadSenders: senders.loadSenders,
  insert: insertion.runInsertions,
  loadProfile: loads.loadProfile,
  pollTicks: maintenance.scheduleStatusPolls,
  fetchMaintenanceStatus: maintenance.fetchMaintenanceStatus,
  loadSubscription: loads.loadSubscription,
  restoreDrafts: variables.restoreDrafts,
  tellOpened: variables.reportVariablesOpened,
  loadVariables: variables.loadVariables,
  keepDrafts: variables.keepDrafts,
  loadPicture: picture.loadPicture,
  followConnection: recovery.followConnection,
  retryWhenReachable: recovery.retryWhenReachable,
  readPlatform: telemetry.readPlatform,
  readLaunch: telemetry.readLatestLaunch,
  restoreTelemetry: telemetry.restoreTelemetry,
  sendTelemetry: telemetry.sendTelemetry,
  keepTelemetry: telemetry.keepTelemetry,
  track: telemetry.trackActions,
  redirect: router.redirectToAllowedRoute,
  tellOfMissingDefault: notifications.reportMissingDefault,
  dismissWhenInserted: notifications.dismissNoticeWhenInserted,
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
  /** Starts the effects that are loaded with the screen's code. */
  addEffects: AppStore['addEffects']
  /** Records what the user did. */
  record(event: PaneGesture): void
  stop(): void
}>

/** Starts the application without a view: runs the streams and the engine's effects with these ports until `stop`. */
export function createApp(stage: BuildStage, createPorts: (state: () => AppState) => Ports): SignetApp {
  const store = startStore({ initial: initialState(stage), evolve: evolveApp, effects }, createPorts)
  return {
    ...store,
    record: (event) => {
      store.record(event, 'person')
    },
  }
}
