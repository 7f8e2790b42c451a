import { EMPTY, exhaustMap, filter, of, switchMap } from 'rxjs'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { settle } from '../streams/kernel/settle.ts'
import { Picture } from '../streams/picture/events.ts'
import { toBase64 } from '../streams/picture/rules.ts'
import { type AppEffect, whileSignedIn } from './app.ts'
import { createLoad } from './load.ts'

/** Loads the picture's address. */
export const loadPicture = createLoad(
  ({ picture }) => picture.url,
  Picture,
  ({ api }) => api.photo(),
)

/** Prepares the last offered file: upright, square, small, without metadata. */
export const preparePicture: AppEffect = (event$, _state$, { pictures }) =>
  event$.pipe(
    ofType(Picture.offered, Picture.dropped, Auth.signedOut),
    switchMap((event) =>
      event.type === 'picture/offered'
        ? pictures.prepare(event.data.file).pipe(
            settle(
              (prepared) =>
                'reason' in prepared
                  ? Picture.refused({ refusal: prepared })
                  : Picture.prepared({ picture: prepared }),
              () => Picture.refused({ refusal: { reason: 'unreadable' } }),
            ),
          )
        : EMPTY,
    ),
  )

/** Saves the offered picture, or deletes the saved one; refuses an empty one without a request. */
export const changePicture: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Picture.saveRequested, Picture.deleteRequested),
    filter(() => isSignedIn(state$.value.auth)),
    // One change at a time: a second press is ignored.
    exhaustMap(({ type }) => {
      if (type === 'picture/deleteRequested')
        return api.deletePhoto().pipe(
          settle(
            () => Picture.deleted(),
            (failure) => Picture.changeFailed({ failure }),
          ),
          whileSignedIn(event$),
        )
      const { offer } = state$.value.picture
      if (offer?.status !== 'ready') return EMPTY
      const base64 = toBase64(offer.picture.dataUrl)
      return base64 === null
        ? of(Picture.refused({ refusal: { reason: 'empty' } }))
        : api.savePhoto(base64).pipe(
            settle(
              (url) => Picture.saved({ url }),
              (failure) => Picture.changeFailed({ failure }),
            ),
            whileSignedIn(event$),
          )
    }),
  )
