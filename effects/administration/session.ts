import { catchError, concat, exhaustMap, filter, ignoreElements, map, of, switchMap } from 'rxjs'
import { failureIn } from '../../streams/administration/events.ts'
import { Session } from '../../streams/administration/session/events.ts'
import { endsSession } from '../../streams/administration/session/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { settle } from '../../streams/kernel/settle.ts'
import type { AdministrationPorts } from './ports.ts'
import type { AdministrationEffect } from './program.ts'

/** Asks the service who has signed in, and opens the session. */
const opened = ({ api }: AdministrationPorts) =>
  api.me().pipe(settle((me) => Session.opened({ me }), Session.signInFailed))

/** Signs in without a window if the administrator is known from an earlier visit. */
const signInSilently: AdministrationEffect = (event$, _state$, ports) =>
  event$.pipe(
    ofType(Session.started),
    filter(({ data: { known } }) => known),
    switchMap(() => opened(ports)),
  )

const signIn: AdministrationEffect = (event$, _state$, ports) =>
  event$.pipe(
    ofType(Session.signInRequested, Session.otherAccountRequested),
    exhaustMap(({ type }) =>
      concat(
        type === Session.otherAccountRequested.type ? ports.identity.forget().pipe(ignoreElements()) : [],
        ports.identity.signIn(),
      ).pipe(
        settle(() => null, Session.signInFailed),
        switchMap((failed) => (failed ? of(failed) : opened(ports))),
      ),
    ),
  )

/** Ends the session when a call fails because the token is missing or rejected. */
const expire: AdministrationEffect = (event$, state$) =>
  event$.pipe(
    map(failureIn),
    filter((failure) => failure !== null),
    filter((failure) => endsSession(failure) && state$.value.session.status === 'in'),
    map((failure) => Session.expired({ failure })),
  )

/** Signs out at the identity provider, then ends the session even if that failed. */
const signOut: AdministrationEffect = (event$, _state$, { identity }) =>
  event$.pipe(
    ofType(Session.signOutRequested),
    exhaustMap(() =>
      identity.signOut().pipe(
        ignoreElements(),
        catchError(() => []),
        (work$) => concat(work$, of(Session.signedOut())),
      ),
    ),
  )

export const sessionEffects = { signInSilently, signIn, expire, signOut }
