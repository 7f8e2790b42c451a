import { filter, ignoreElements, map, merge, switchMap, tap } from 'rxjs'
import { App } from '../../streams/pane/events.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { isHomePath, isLogoutPath, mayLeaveHome, redirectionFor } from '../../streams/pane/router/rules.ts'
import { type AppEffect, onSignIn } from '../message/app.ts'

/** Records each change of the address. */
export const followAddress: AppEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => address.path$.pipe(map((path) => Router.navigated({ path })))),
  )

/** Changes the address when the user navigates. */
export const changeAddress: AppEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(Router.navigationRequested),
    tap(({ data }) => {
      address.go(data.to)
    }),
    ignoreElements(),
  )

/**
 * Redirects to an allowed route: to the signatures if signed in, otherwise to the onboarding view. Signed-in users
 * leave the home route once the profile has loaded or failed and the opening of the pane is recorded. To ensure this
 * order, the engine starts this effect after `trackActions`.
 */
export const redirectToAllowedRoute: AppEffect = (event$, state$, { address }) =>
  merge(
    event$.pipe(ofType(Router.navigated, Auth.signedOut)),
    onSignIn(event$),
    event$.pipe(
      ofType(Profile.loaded, Profile.loadFailed, Settings.loaded, Settings.loadFailed, Settings.updated),
      filter(() => isHomePath(state$.value.router.path) && isSignedIn(state$.value.auth)),
    ),
    // After these events, redirects only if silent sign-in is off; otherwise a sign-in is about to begin.
    event$.pipe(
      ofType(Auth.sessionMissing, Settings.loaded, Settings.loadFailed),
      filter(() => {
        const { auth, settings } = state$.value
        return auth.status === 'signedOut' && settings.status !== 'pending' && !settings.enableSilentSSO
      }),
    ),
  ).pipe(
    tap(() => {
      const { router, auth } = state$.value
      if (isHomePath(router.path) && isSignedIn(auth) && !mayLeaveHome(state$.value)) return
      const to = redirectionFor(router.path, auth, router.wanted)
      if (to !== null) address.go(to)
    }),
    ignoreElements(),
  )

/** Logs out when the user visits /logout. */
export const logOutAtLogoutRoute: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Router.navigated),
    filter(({ data }) => isLogoutPath(data.path) && state$.value.auth.status !== 'signedOut'),
    map(() => Auth.signOutRequested({ reason: { kind: 'person' } })),
  )
