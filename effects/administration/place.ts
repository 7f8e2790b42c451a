import { filter, ignoreElements, map, switchMap, tap } from 'rxjs'
import { START_PATH, operatorStartPath } from '../../streams/administration/place/areas.ts'
import { Place } from '../../streams/administration/place/events.ts'
import { Session } from '../../streams/administration/session/events.ts'
import { mayEnter } from '../../streams/administration/session/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import type { AdministrationEffect } from './program.ts'

/** Records each change of the address. */
const followAddress: AdministrationEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(Session.started),
    switchMap(() => address.path$.pipe(map((path) => Place.changed({ path })))),
  )

/** Changes the address when the administrator follows a link. */
const navigate: AdministrationEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(Place.linkFollowed),
    tap(({ data: { to } }) => {
      address.go(to)
    }),
    ignoreElements(),
  )

/**
 * Records each page that the administrator opens and may see: after the sign-in, and after each change of the address.
 */
const enter: AdministrationEffect = (event$, state$) =>
  event$.pipe(
    ofType(Session.opened, Place.changed),
    map(() => state$.value),
    filter(({ session, place }) => mayEnter(session, place.path)),
    map(({ place: { path } }) => Place.entered({ path })),
  )

/** Redirects operators without another role from the empty start page to the organisations. */
const arrive: AdministrationEffect = (event$, state$, { address }) =>
  event$.pipe(
    ofType(Session.opened),
    tap(({ data: { me } }) => {
      const home = operatorStartPath(me.roles)
      if (home !== null && state$.value.place.path === START_PATH) address.go(home)
    }),
    ignoreElements(),
  )

/** Retries failed loads when the connection is back. */
const retryWhenBack: AdministrationEffect = (event$, _state$, { connection }) =>
  event$.pipe(
    ofType(Session.started),
    switchMap(() => connection.back$),
    map(() => Place.retryRequested()),
  )

export const placeEffects = { followAddress, navigate, enter, arrive, retryWhenBack }
