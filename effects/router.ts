import { filter, ignoreElements, map, merge, switchMap, tap } from 'rxjs'
import { App } from '../streams/app/events.ts'
import { Auth } from '../streams/auth/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import { Router } from '../streams/router/events.ts'
import { isLogout, redirectionFor } from '../streams/router/rules.ts'
import { type AppEffect, onSignIn } from './app.ts'

/** The address of the pane is an input like any other. */
export const followAddress: AppEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => address.path$.pipe(map((path) => Router.navigated({ path })))),
  )

/** Goes where the user wants to go. */
export const navigate: AppEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(Router.navigationRequested),
    tap(({ data }) => {
      address.go(data.to)
    }),
    ignoreElements(),
  )

/** Redirects to where the user may be: signed in to the signatures, signed out to the onboarding view. */
export const redirect: AppEffect = (event$, state$, { address }) =>
  merge(
    event$.pipe(ofType(Router.navigated, Auth.signedOut)),
    onSignIn(event$),
    // Otherwise a silent sign-in begins right now.
    event$.pipe(
      ofType(Auth.sessionMissing),
      filter(() => !state$.value.settings.enableSilentSSO),
    ),
  ).pipe(
    tap(() => {
      const { router, auth } = state$.value
      const to = redirectionFor(router.path, auth, router.wanted)
      if (to !== null) address.go(to)
    }),
    ignoreElements(),
  )

/** Arriving at /logout logs out. */
export const logOutAtLogoutRoute: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Router.navigated),
    filter(({ data }) => isLogout(data.path) && state$.value.auth.status !== 'signedOut'),
    map(() => Auth.signOutRequested({ reason: { kind: 'person' } })),
  )
