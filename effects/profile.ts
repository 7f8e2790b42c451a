import { filter, map, switchMap, takeUntil } from 'rxjs'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { settle } from '../streams/kernel/settle.ts'
import { ProfileEvents } from '../streams/profile/events.ts'
import type { AppEffect } from './app.ts'

/** Whoever signs in gets their profile. */
export const loadProfileOnSignIn: AppEffect = (event$) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered),
    map(() => ProfileEvents.loadRequested()),
  )

/** Loads the profile anew. */
export const loadProfile: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(ProfileEvents.loadRequested),
    filter(() => isSignedIn(state$.value.auth)),
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
