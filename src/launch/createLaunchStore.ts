import * as insertion from '../../effects/message/insertion.ts'
import * as launch from '../../effects/launch/launch.ts'
import type { LaunchEffect, LaunchPorts } from '../../effects/launch/launch.ts'
import * as mailbox from '../../effects/message/mailbox.ts'
import { readThread } from '../../effects/message/thread.ts'
import * as turn from '../../effects/message/turn.ts'
import type { AppEvent } from '../../streams/pane/events.ts'
import { startStore } from '../../streams/message/startStore.ts'
import { evolveLaunch, initialLaunchState, type LaunchAppState } from '../../streams/launch/state.ts'
import type { Store } from '../../streams/kernel/store.ts'

/**
 * The effects that all launch events share, by their names in the log. `src/engine/createApp.ts` has the effects of the
 * pane.
 */
export const sharedLaunchEffects: Readonly<Record<string, LaunchEffect>> = {
  readUser: mailbox.readUser,
  followItem: launch.followItem,
  readMessage: mailbox.readMessage,
  readFacts: launch.loadLaunchFacts,
  restoreCachedDefault: launch.restoreCachedDefault,
  readThread,
  limitTime: launch.limitLaunchTime,
}
const inserting = {
  ...sharedLaunchEffects,
  readChanges: launch.readChangedParts,
  readTurn: turn.readTurn,
  pushDefault: launch.pushDefault,
  insert: insertion.runInsertions,
  refresh: launch.refreshDefault,
  complete: launch.completeLaunchEvents,
}

export type LaunchStore = Store<LaunchAppState, AppEvent, LaunchPorts>

/**
 * Starts the application for launch events, with the pane's streams and the effects that an insertion needs. Each event
 * before sending gets its own store, with other effects.
 */
export const createLaunchStore = (
  createPorts: (state: () => LaunchAppState) => LaunchPorts,
  effects: Readonly<Record<string, LaunchEffect>> = inserting,
): LaunchStore => startStore({ initial: initialLaunchState, evolve: evolveLaunch, effects }, createPorts)
