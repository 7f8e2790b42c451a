import { filter, map, switchMap, takeUntil } from 'rxjs'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { began } from '../streams/kernel/load.ts'
import { settle } from '../streams/kernel/settle.ts'
import { ProfileEvents } from '../streams/profile/events.ts'
import { Router } from '../streams/router/events.ts'
import { isHome } from '../streams/router/rules.ts'
import type { AppEffect } from './app.ts'

/** Whoever signs in gets their profile. */
export const loadProfileOnSignIn: AppEffect = (event$) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered),
    map(() => ProfileEvents.loadRequested()),
  )

/** Whoever comes home and is signed in already gets it, too, where it is missing. */
export const loadProfileAtHome: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Router.navigated),
    filter(({ data }) => isHome(data.path) && isSignedIn(state$.value.auth)),
    map(() => ProfileEvents.loadRequested()),
  )

/** Loads the profile, unless it is there or on its way and nobody insists. */
export const loadProfile: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(ProfileEvents.loadRequested, ProfileEvents.reloadRequested),
    filter((event) => isSignedIn(state$.value.auth) && began(state$.value.profile, event)),
    switchMap(() =>
      api.user().pipe(
        settle(
          (profile) => ProfileEvents.loaded({ profile }),
          (failure) => ProfileEvents.loadFailed({ failure }),
        ),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      ),
    ),
  )
