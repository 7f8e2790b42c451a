import { EMPTY, exhaustMap, filter, map, of, switchMap, takeUntil } from 'rxjs'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { began } from '../streams/kernel/load.ts'
import { settle } from '../streams/kernel/settle.ts'
import { PictureEvents } from '../streams/picture/events.ts'
import { toBase64 } from '../streams/picture/rules.ts'
import { Router } from '../streams/router/events.ts'
import type { AppEffect } from './app.ts'

/** Whoever opens their details gets their picture. */
export const loadPictureWithView: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Router.navigated, Auth.verified, Auth.sessionRecovered),
    filter(() => isSignedIn(state$.value.auth)),
    filter(() => /^\/app\/settings\/(?:attributes|variables)(?:[/?]|$)/.test(state$.value.router.path)),
    map(() => PictureEvents.loadRequested()),
  )

/** Loads the picture's address, unless it is there or on its way and nobody insists. */
export const loadPicture: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(PictureEvents.loadRequested, PictureEvents.reloadRequested),
    filter((event) => isSignedIn(state$.value.auth) && began(state$.value.picture, event)),
    switchMap(() =>
      api.photo().pipe(
        settle(
          (url) => PictureEvents.loaded({ url }),
          (failure) => PictureEvents.loadFailed({ failure }),
        ),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      ),
    ),
  )

/** Makes a picture of the file that was offered last: upright, square, small, and without what it tells of its maker. */
export const preparePicture: AppEffect = (event$, _state$, { pictures }) =>
  event$.pipe(
    ofType(PictureEvents.offered, PictureEvents.dropped, Auth.signedOut),
    switchMap((event) =>
      event.type === 'picture/offered'
        ? pictures.prepare(event.data.file).pipe(
            settle(
              (prepared) =>
                'reason' in prepared
                  ? PictureEvents.refused({ refusal: prepared })
                  : PictureEvents.prepared({ picture: prepared }),
              () => PictureEvents.refused({ refusal: { reason: 'unreadable' } }),
            ),
          )
        : EMPTY,
    ),
  )

/** Saves the picture that is shown, or deletes the one that is saved; an empty one is refused without asking the service. */
export const changePicture: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(PictureEvents.saveRequested, PictureEvents.deleteRequested),
    filter(() => isSignedIn(state$.value.auth)),
    // One change at a time: a second press changes nothing.
    exhaustMap(({ type }) => {
      const signedOut$ = event$.pipe(ofType(Auth.signedOut))
      if (type === 'picture/deleteRequested')
        return api.deletePhoto().pipe(
          settle(
            () => PictureEvents.deleted(),
            (failure) => PictureEvents.changeFailed({ failure }),
          ),
          takeUntil(signedOut$),
        )
      const { offer } = state$.value.picture
      if (offer?.status !== 'ready') return EMPTY
      const base64 = toBase64(offer.picture.dataUrl)
      return base64 === null
        ? of(PictureEvents.refused({ refusal: { reason: 'empty' } }))
        : api.savePhoto(base64).pipe(
            settle(
              (url) => PictureEvents.saved({ url }),
              (failure) => PictureEvents.changeFailed({ failure }),
            ),
            takeUntil(signedOut$),
          )
    }),
  )
