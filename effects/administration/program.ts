import { type MonoTypeOperatorFunction, type Observable, takeUntil } from 'rxjs'
import type { AdministrationEvent } from '../../streams/administration/events.ts'
import { Session } from '../../streams/administration/session/events.ts'
import type { AdministrationState } from '../../streams/administration/state.ts'
import type { Effect } from '../../streams/kernel/effect.ts'
import { ofType, type Recorded } from '../../streams/kernel/event.ts'
import { attemptEffect, loadEffect, pageEffect } from '../../streams/kernel/loading.ts'
import type { AdministrationPorts } from './ports.ts'

export type AdministrationEffect = Effect<AdministrationEvent, AdministrationState, AdministrationPorts>

/** Unsubscribes when the session ends. */
export const whileSignedIn = <T>(
  event$: Observable<Recorded<AdministrationEvent>>,
): MonoTypeOperatorFunction<T> =>
  takeUntil(event$.pipe(ofType(Session.expired, Session.signedOut, Session.otherAccountRequested)))

/**
 * Creates an effect that runs a load (`defineLoad`) when an event starts it. The end of the session cancels the load.
 */
export const createLoadEffect = loadEffect<AdministrationEvent, AdministrationState, AdministrationPorts>(
  whileSignedIn,
)

/** Creates an effect that loads the next page of a list (`definePages`). The end of the session cancels the load. */
export const createPageEffect = pageEffect<AdministrationEvent, AdministrationState, AdministrationPorts>(
  whileSignedIn,
)

/** Creates an effect that sends an attempt's request (`defineAttempt`) when an event starts the attempt. */
export const createAttemptEffect = attemptEffect<
  AdministrationEvent,
  AdministrationState,
  AdministrationPorts
>()
