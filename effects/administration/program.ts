import { type MonoTypeOperatorFunction, type Observable, takeUntil } from 'rxjs'
import type { AdministrationEvent } from '../../streams/administration/events.ts'
import { Session } from '../../streams/administration/session/events.ts'
import type { AdministrationState } from '../../streams/administration/state.ts'
import type { Effect } from '../../streams/kernel/effect.ts'
import { ofType, type Recorded } from '../../streams/kernel/event.ts'
import { attempting, loading, paging } from '../../streams/kernel/loading.ts'
import type { AdministrationPorts } from './ports.ts'

/** Every effect of the administration page. */
export type AdministrationEffect = Effect<AdministrationEvent, AdministrationState, AdministrationPorts>

/** Unsubscribes when the session ends. */
export const whileSignedIn = <T>(
  event$: Observable<Recorded<AdministrationEvent>>,
): MonoTypeOperatorFunction<T> =>
  takeUntil(event$.pipe(ofType(Session.expired, Session.signedOut, Session.otherAccountRequested)))

/** Makes the request of a load (`defineLoad`) for each event that began it, until the session ends. */
export const createLoad = loading<AdministrationEvent, AdministrationState, AdministrationPorts>(
  whileSignedIn,
)

/** Loads each page of a list (`definePages`) for the event that began it, until the session ends. */
export const createPages = paging<AdministrationEvent, AdministrationState, AdministrationPorts>(
  whileSignedIn,
)

/** Makes the request of an attempt (`defineAttempt`) for each event that began it. */
export const createAttempt = attempting<AdministrationEvent, AdministrationState, AdministrationPorts>()
