import { approvingEffects } from '../../effects/administration/approving.ts'
import { directoryEffects } from '../../effects/administration/directory.ts'
import { organisationsEffects } from '../../effects/administration/organisations.ts'
import { overviewEffects } from '../../effects/administration/overview.ts'
import { peopleEffects } from '../../effects/administration/people.ts'
import { placeEffects } from '../../effects/administration/place.ts'
import { planEffects } from '../../effects/administration/plan.ts'
import type { AdministrationPorts } from '../../effects/administration/ports.ts'
import { sessionEffects } from '../../effects/administration/session.ts'
import { workEffects } from '../../effects/administration/work.ts'
import type { AdministrationEvent, AdministrationGesture } from '../../streams/administration/events.ts'
import type { Administrator } from '../../streams/administration/session/administrators.ts'
import { Session } from '../../streams/administration/session/events.ts'
import {
  type AdministrationState,
  evolveAdministration,
  initialState,
} from '../../streams/administration/state.ts'
import { logDefects } from '../../streams/kernel/effect.ts'
import { createStore, type Effects, type Store } from '../../streams/kernel/store.ts'

const effects: Effects<AdministrationEvent, AdministrationState, AdministrationPorts> = {
  ...placeEffects,
  ...sessionEffects,
  ...overviewEffects,
  ...planEffects,
  ...peopleEffects,
  ...directoryEffects,
  ...organisationsEffects,
  ...approvingEffects,
  ...workEffects,
  logDefects,
}

type AdministrationStore = Store<AdministrationState, AdministrationEvent, AdministrationPorts>

export type Administration = Readonly<{
  state$: AdministrationStore['state$']
  event$: AdministrationStore['event$']
  log: AdministrationStore['log']
  /** Records an action of the administrator. */
  record(event: AdministrationGesture): void
  stop(): void
}>

/**
 * Starts the administration page without its views: runs the streams and the effects with these ports until `stop`.
 *
 * @param administrators the people who can sign in, in the playground
 */
export function createAdministration(
  ports: AdministrationPorts,
  administrators: readonly Administrator[] = [],
): Administration {
  const store = createStore<AdministrationState, AdministrationEvent, AdministrationPorts>({
    initial: initialState,
    evolve: evolveAdministration,
    effects,
    deps: ports,
    time: ports.time,
  })
  store.start()
  if (administrators.length > 0) store.record(Session.administratorsRead({ administrators }), 'app')
  const known = ports.identity.known().subscribe((address) => {
    store.record(Session.started({ known: address !== null }), 'app')
  })
  return {
    ...store,
    record: (event) => {
      store.record(event, 'person')
    },
    stop: () => {
      known.unsubscribe()
      store.stop()
    },
  }
}
