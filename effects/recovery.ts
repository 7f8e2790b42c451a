import { concatMap, filter, from, map, merge, type Observable, switchMap } from 'rxjs'
import { App, type AppEvent } from '../streams/app/events.ts'
import type { AppState } from '../streams/app/state.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { passes } from '../streams/kernel/failure.ts'
import type { Load } from '../streams/kernel/load.ts'
import { Maintenance } from '../streams/maintenance/events.ts'
import { PictureEvents } from '../streams/picture/events.ts'
import { ProfileEvents } from '../streams/profile/events.ts'
import { Signatures } from '../streams/signatures/events.ts'
import { awaitsService } from '../streams/signatures/rules.ts'
import { Variables } from '../streams/variables/events.ts'
import type { AppEffect } from './app.ts'

/** The state each time that somebody who is signed in could be answered again: the network is back, or the service is. */
const answerable = (...[event$, state$, { connection }]: Parameters<AppEffect>): Observable<AppState> =>
  merge(
    event$.pipe(
      ofType(App.started),
      switchMap(() => connection.back$),
    ),
    event$.pipe(ofType(Maintenance.loaded)),
  ).pipe(
    map(() => state$.value),
    filter(({ auth }) => isSignedIn(auth)),
  )

/** Signatures that are missing, or old, because nobody could be asked are looked for as soon as somebody can be again. */
export const refreshSignatures: AppEffect = (...given) =>
  answerable(...given).pipe(
    filter(({ signatures }) => awaitsService(signatures)),
    map(() => Signatures.refreshRequested()),
  )

/** So is what else of the person could not be loaded. */
export const loadWhatFailed: AppEffect = (...given) =>
  answerable(...given).pipe(
    concatMap(({ profile, variables, picture }) => {
      const parts: readonly (readonly [Load, AppEvent])[] = [
        [profile, ProfileEvents.loadRequested()],
        [variables, Variables.loadRequested()],
        [picture, PictureEvents.loadRequested()],
      ]
      return from(
        parts.flatMap(([{ status, failure }, event]) =>
          status === 'fail' && failure !== null && passes(failure) ? [event] : [],
        ),
      )
    }),
  )
