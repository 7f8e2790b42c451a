import type { KernelEvent } from '../kernel/effect.ts'
import type { Evolve } from '../kernel/event.ts'
import { createStore, type Effects, type Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import type { AppEvent } from '../pane/events.ts'
import { App } from './lifecycle.ts'

/**
 * A store of Signet's events, running until `stop`, with `app/started` as its first event. `createPorts` gets the state
 * that the ports are part of (a request carries the session's token), so they are made last.
 */
export function startStore<State, Ports extends Readonly<{ time: Time }>>(
  options: Readonly<{
    initial: State
    evolve: Evolve<State, AppEvent | KernelEvent>
    effects: Effects<AppEvent, State, Ports>
  }>,
  createPorts: (state: () => State) => Ports,
): Store<State, AppEvent, Ports> {
  let readState = () => options.initial
  const ports = createPorts(() => readState())
  const store = createStore<State, AppEvent, Ports>({ ...options, deps: ports, time: ports.time })
  readState = () => store.state$.value
  store.start()
  store.record(App.started(), 'app')
  return store
}
