import { type MonoTypeOperatorFunction, type Observable, takeUntil } from 'rxjs'
import type { AppEvent } from '../../streams/pane/events.ts'
import type { MessageState } from '../../streams/message/state.ts'
import type { AppState } from '../../streams/pane/state.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import type { Effect } from '../../streams/kernel/effect.ts'
import { ofType, type Recorded } from '../../streams/kernel/event.ts'
import type { MessagePorts, Ports } from '../ports.ts'

/** The type of the pane's effects. An effect receives all events and the whole state, and calls the ports. */
export type AppEffect = Effect<AppEvent, AppState, Ports>

/** An effect that the pane and launch events share. */
export type MessageEffect = Effect<AppEvent, MessageState, MessagePorts>

type AppEvents = Observable<Recorded<AppEvent>>

/** The events that begin a session. */
export const onSignIn = (event$: AppEvents) => event$.pipe(ofType(Auth.verified, Auth.sessionRecovered))

/** Unsubscribes when the session ends. */
export const whileSignedIn = <T>(event$: AppEvents): MonoTypeOperatorFunction<T> =>
  takeUntil(event$.pipe(ofType(Auth.signedOut)))
