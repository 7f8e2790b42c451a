import { type MonoTypeOperatorFunction, type Observable, takeUntil } from 'rxjs'
import type { AdministrationEvent } from '../../streams/administration/events.ts'
import { Session } from '../../streams/administration/session/events.ts'
import type { AdministrationState } from '../../streams/administration/state.ts'
import type { Effect } from '../../streams/kernel/effect.ts'
import { ofType, type Recorded } from '../../streams/kernel/event.ts'
import { attempting, loading, paging } from '../../streams/kernel/loading.ts'
import type { AdministrationPorts } from './ports.ts'

export type AdministrationEffect = Effect<AdministrationEvent, AdministrationState, AdministrationPorts>

/** Unsubscribes when the session ends. */
export const whileSignedIn = <T>(
  event$: Observable<Recorded<AdministrationEvent>>,
): MonoTypeOperatorFunction<T> =>
  takeUntil(event$.pipe(ofType(Session.expired, Session.signedOut, Session.otherAccountRequested)))

/** An effect for a load (`defineLoad`): requests it when an event starts it. The session's end cancels the request. */
export const createLoad = loading<AdministrationEvent, AdministrationState, AdministrationPorts>(
  whileSignedIn,
)

/** An effect for a list (`definePages`): loads a page when an event starts it. The session's end cancels the load. */
export const createPages = paging<AdministrationEvent, AdministrationState, AdministrationPorts>(
  whileSignedIn,
)

/** Makes an attempt's request (`defineAttempt`) whenever an event starts the attempt. */
export const createAttempt = attempting<AdministrationEvent, AdministrationState, AdministrationPorts>()
