import {
  EMPTY,
  type Observable,
  catchError,
  concatMap,
  from,
  map,
  mergeMap,
  of,
  scan,
  switchMap,
  throwError,
} from 'rxjs'
import type { AppEvent } from '../../streams/pane/events.ts'
import { Failed, type Failure, toFailure } from '../../streams/kernel/failure.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { contentIds, type FoundSignature } from '../../streams/html/message.ts'
import { IMAGE_PREFIX, type ReadyPlan } from '../../streams/html/plan.ts'
import { bestEffort, retryOnce } from './attempts.ts'
import type { Attachment, MessagePorts } from '../ports.ts'

/** An item's attachments; null if they are unreadable. */
export type Attachments = readonly Attachment[] | null

/** How many images are attached at the same time: the mail client executes only three calls at once. */
const PARALLEL_IMAGES = 3

const isSignetImage = ({ isInline, name }: Attachment): boolean => isInline && name.startsWith(IMAGE_PREFIX)

export const isImageShown = (shown: ReadonlySet<string>, { name, contentId }: Attachment): boolean =>
  shown.has(name) || (contentId !== null && shown.has(contentId))

/** Whether all pictures in a signature are attached; unreadable attachments count as complete. */
export const hasEveryImage = ({ html }: Pick<FoundSignature, 'html'>, attachments: Attachments): boolean =>
  [...contentIds(html)].every(
    (id) => attachments?.some(({ name, contentId }) => id === name || id === contentId) ?? true,
  )

/**
 * Attaches the planned images, at most three at a time, and reports the progress. After all uploads, `refuse` gets the
 * addresses of images that the client refused for good; the signature shows them by address. Fails after all uploads if
 * one got no response or the item was closed. The caller then removes the attached images (`removePlanImages`).
 */
export function attachImages(
  id: number,
  itemKey: string,
  plan: ReadyPlan,
  ports: MessagePorts,
  refuse: (urls: readonly string[]) => void,
): Observable<AppEvent> {
  const { host, log } = ports
  const total = plan.images.length
  if (total === 0) return EMPTY
  return from(plan.images).pipe(
    // Reports a failure only after all uploads, so that no image is attached after the report.
    mergeMap(
      ({ content, name, url }) =>
        host.addInlineImage(itemKey, content, name).pipe(
          map(() => null),
          catchError((error: unknown) => of({ url, failure: toFailure(error) })),
        ),
      PARALLEL_IMAGES,
    ),
    scan(
      ({ done, refused, failure }: Attached, image): Attached => {
        if (image === null) return { done: done + 1, refused, failure }
        if (image.failure.kind !== 'host')
          return { done: done + 1, refused, failure: failure ?? image.failure }
        log.warn('image_not_attached', { code: image.failure.code })
        return { done: done + 1, refused: [...refused, image.url], failure }
      },
      { done: 0, refused: [], failure: null },
    ),
    concatMap(({ done, refused, failure }): Observable<AppEvent> => {
      if (failure === null) {
        if (done === total && refused.length > 0) refuse(refused)
        return of(Insertion.progressed({ id, imagesDone: done, imagesTotal: total }))
      }
      if (done < total) return EMPTY
      return throwError(() => new Failed(failure))
    }),
  )
}

/** The number of finished images, the addresses of refused images, and the failure that ends the insertion. */
type Attached = Readonly<{ done: number; refused: readonly string[]; failure: Failure | null }>

/** Removes a failed plan's images. Finds them by their names, which are unique in the item. */
export const removePlanImages = (itemKey: string, plan: ReadyPlan, ports: MessagePorts): Observable<never> =>
  plan.images.length === 0
    ? EMPTY
    : ports.host.attachments(itemKey).pipe(
        switchMap((attachments) =>
          removeAttachments(
            itemKey,
            (attachments ?? []).filter(({ name }) => plan.images.some((image) => image.name === name)),
            ports,
          ),
        ),
      )

/**
 * Removes attachments one by one. Retries a failure once with the current id, because a finished upload changes the id.
 */
export const removeAttachments = (
  itemKey: string,
  attachments: readonly Attachment[],
  ports: MessagePorts,
): Observable<never> => {
  const { host } = ports
  const isNew = ({ id }: Attachment) => attachments.every((each) => each.id !== id)
  return from(attachments).pipe(
    concatMap((old) => {
      const again$ = host.attachments(itemKey).pipe(
        switchMap((read) => {
          const found = (read ?? [old]).find(
            (each) => each.id === old.id || (each.name === old.name && isNew(each)),
          )
          return found ? host.removeAttachment(itemKey, found.id) : EMPTY
        }),
      )
      return bestEffort(retryOnce(host.removeAttachment(itemKey, old.id), again$), 'image_left_behind', ports)
    }),
  )
}

/** Signet's images that are not in this body. Empty for plain text, because the images in its thread are unknown. */
export const readUnusedImages = (
  itemKey: string,
  body: string,
  { host }: MessagePorts,
): Observable<readonly Attachment[]> =>
  host.attachments(itemKey).pipe(
    map((attachments) => {
      const shown = contentIds(body)
      return (attachments ?? []).filter((each) => isSignetImage(each) && !isImageShown(shown, each))
    }),
    switchMap((unused) =>
      unused.length === 0
        ? of([])
        : host.bodyType(itemKey).pipe(map((type) => (type === 'html' ? unused : []))),
    ),
  )

/** Removes Signet's images that are not in this body. */
export const removeUnusedImages = (itemKey: string, body: string, ports: MessagePorts): Observable<never> =>
  readUnusedImages(itemKey, body, ports).pipe(
    switchMap((unused) => removeAttachments(itemKey, unused, ports)),
  )
