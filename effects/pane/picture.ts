import { catchError, EMPTY, exhaustMap, filter, of, switchMap } from 'rxjs'
import { Auth } from '../../streams/message/auth/events.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { Picture } from '../../streams/pane/picture/events.ts'
import { parseBase64 } from '../../streams/pane/picture/rules.ts'
import { type AppEffect, whileSignedIn } from '../message/app.ts'
import { createLoadEffect } from '../message/load.ts'

/** Loads the picture's address. */
export const loadPicture = createLoadEffect(
  ({ picture }) => picture.url,
  Picture,
  ({ api }) => api.photo(),
)

/** Opens the chosen file, so that the user can crop it. A later file replaces an earlier one. */
export const openPicture: AppEffect = (event$, _state$, { pictures }) =>
  event$.pipe(
    ofType(Picture.offered, Picture.dropped, Auth.signedOut),
    switchMap((event) =>
      event.type === 'picture/offered'
        ? pictures.open(event.data.file).pipe(
            settle(
              (opened) =>
                'reason' in opened
                  ? Picture.refused({ refusal: opened })
                  : Picture.opened({ picture: opened }),
              () => Picture.refused({ refusal: { reason: 'unreadable' } }),
            ),
          )
        : EMPTY,
    ),
  )

/** Saves the cropped picture, or deletes the saved picture. Refuses an empty picture without a request. */
export const changePicture: AppEffect = (event$, state$, { api, pictures }) =>
  event$.pipe(
    ofType(Picture.saveRequested, Picture.deleteRequested),
    filter(() => isSignedIn(state$.value.auth)),
    // One change at a time: clicks during a change are ignored.
    exhaustMap(({ type }) => {
      if (type === 'picture/deleteRequested')
        return api.deletePhoto().pipe(
          settle(() => Picture.deleted(), Picture.changeFailed),
          whileSignedIn(event$),
        )
      const { offer } = state$.value.picture
      if (offer?.status !== 'ready') return EMPTY
      return pictures.crop(offer.file, offer.crop).pipe(
        catchError(() => of({ reason: 'unreadable' } as const)),
        switchMap((cropped) => {
          if ('reason' in cropped) return of(Picture.refused({ refusal: cropped }))
          const base64 = parseBase64(cropped.dataUrl)
          return base64 === null
            ? of(Picture.refused({ refusal: { reason: 'empty' } }))
            : api.savePhoto(base64).pipe(settle((url) => Picture.saved({ url }), Picture.changeFailed))
        }),
        whileSignedIn(event$),
      )
    }),
  )
