import type { KernelEvent } from '../kernel/effect.ts'
import type { Event, EventOf, Evolve } from '../kernel/event.ts'
import { createStore, type Effects, type Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import { App } from './lifecycle.ts'

/**
 * Starts a store of Signet's events, which runs until `stop` and has `app/started` as its first event. `createPorts`
 * gets a function that reads the state, because a request carries the session's token.
 */
export function startStore<State, E extends Event, Ports extends Readonly<{ time: Time }>>(
  options: Readonly<{
    initial: State
    evolve: Evolve<State, E | EventOf<typeof App> | KernelEvent>
    effects: Effects<E | EventOf<typeof App>, State, Ports>
  }>,
  createPorts: (state: () => State) => Ports,
): Store<State, E | EventOf<typeof App>, Ports> {
  let readState = () => options.initial
  const ports = createPorts(() => readState())
  const store = createStore<State, E | EventOf<typeof App>, Ports>({
    ...options,
    deps: ports,
    time: ports.time,
  })
  readState = () => store.state$.value
  store.start()
  store.record(App.started(), 'app')
  return store
}
