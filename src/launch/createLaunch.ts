import * as defaults from '../../effects/defaults.ts'
import * as insertion from '../../effects/insertion.ts'
import * as launch from '../../effects/launch.ts'
import type { LaunchEffect, LaunchPorts } from '../../effects/launch.ts'
import * as mailbox from '../../effects/mailbox.ts'
import type { AppEvent } from '../../streams/app/events.ts'
import { App } from '../../streams/app/lifecycle.ts'
import { evolveLaunch, initialLaunchState, type LaunchAppState } from '../../streams/launch/state.ts'
import { createStore, type Store } from '../../streams/kernel/store.ts'

/** The effects of launch events by their names in the log; the twin of `src/engine/createApp.ts`. */
const effects: Readonly<Record<string, LaunchEffect>> = {
  readUser: mailbox.readUser,
  followItem: launch.followItem,
  readMessage: mailbox.readMessage,
  readChanges: launch.readChanges,
  readFacts: launch.readFacts,
  restoreKept: launch.restoreKept,
  pushDefault: defaults.pushDefault,
  insert: insertion.insert,
  refresh: launch.refresh,
  limitTime: launch.limitTime,
  complete: launch.complete,
}

export type LaunchStore = Store<LaunchAppState, AppEvent, LaunchPorts>

/**
 * The application for launch events, running until `stop`: the streams and effects of the pane that it takes to put a
 * signature into a message. `ports` may read the state that they are part of, so they are made last.
 */
export function createLaunch(createPorts: (state: () => LaunchAppState) => LaunchPorts): LaunchStore {
  let readState = () => initialLaunchState
  const ports = createPorts(() => readState())
  const store: LaunchStore = createStore<LaunchAppState, AppEvent, LaunchPorts>({
    initial: initialLaunchState,
    evolve: evolveLaunch,
    effects,
    deps: ports,
    time: ports.time,
  })
  readState = () => store.state$.value
  store.start()
  store.record(App.started(), 'app')
  return store
}
