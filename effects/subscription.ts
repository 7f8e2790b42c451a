import { filter, map, switchMap, takeUntil } from 'rxjs'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { began } from '../streams/kernel/load.ts'
import { settle } from '../streams/kernel/settle.ts'
import { Subscription } from '../streams/subscription/events.ts'
import type { AppEffect } from './app.ts'

export const loadSubscriptionOnSignIn: AppEffect = (event$) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered),
    map(() => Subscription.loadRequested()),
  )

/** Loads the plan, unless it is there or on its way and nobody insists. */
export const loadSubscription: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Subscription.loadRequested, Subscription.reloadRequested),
    filter((event) => isSignedIn(state$.value.auth) && began(state$.value.subscription, event)),
    switchMap(() =>
      api.subscription().pipe(
        settle(
          (plan) => Subscription.loaded({ plan }),
          (failure) => Subscription.loadFailed({ failure }),
        ),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      ),
    ),
  )
