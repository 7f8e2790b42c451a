import { filter, ignoreElements, map, merge, switchMap, tap } from 'rxjs'
import { App } from '../streams/app/events.ts'
import { Auth } from '../streams/auth/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import { Router } from '../streams/router/events.ts'
import { isLogout, redirectionFor } from '../streams/router/rules.ts'
import type { AppEffect } from './app.ts'

/** The address of the pane is an input like any other. */
export const followAddress: AppEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => address.path$.pipe(map((path) => Router.navigated({ path })))),
  )

/** Goes where the person or a rule wants to go. */
export const navigate: AppEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(Router.navigationRequested),
    tap(({ data }) => {
      address.go(data.to)
    }),
    ignoreElements(),
  )

/** Sends everybody where they may be: signed in to the signatures, signed out to the onboarding view. */
export const redirect: AppEffect = (event$, state$) =>
  merge(
    event$.pipe(ofType(Router.navigated)),
    event$.pipe(ofType(Auth.verified, Auth.sessionRecovered, Auth.signedOut)),
    // Otherwise a sign-in without a click begins right now.
    event$.pipe(
      ofType(Auth.sessionMissing),
      filter(() => !state$.value.settings.enableSilentSSO),
    ),
  ).pipe(
    map(() => redirectionFor(state$.value.router.path, state$.value.auth, state$.value.router.wanted)),
    filter((to) => to !== null),
    map((to) => Router.navigationRequested({ to })),
  )

/** Arriving at /logout logs out. */
export const logOutAtLogoutRoute: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Router.navigated),
    filter(({ data }) => isLogout(data.path) && state$.value.auth.status !== 'signedOut'),
    map(() => Auth.signOutRequested({ reason: { kind: 'person' } })),
  )
