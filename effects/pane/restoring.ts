import {
  catchError,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  switchMap,
} from 'rxjs'
import type { AppEvent } from '../../streams/pane/events.ts'
import type { AppState } from '../../streams/pane/state.ts'
import { contentIds } from '../../streams/html/message.ts'
import { planInsertion, type ImageToAttach } from '../../streams/html/plan.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { toFailure } from '../../streams/kernel/failure.ts'
import { revealSecret } from '../../streams/kernel/secret.ts'
import type { AppEffect } from '../message/app.ts'
import { bestEffort } from '../message/attempts.ts'
import { createClaims } from '../message/claim.ts'
import {
  BODY_BEFORE_KEY,
  type BodyBefore,
  INSERTED_SIGNATURE_KEY,
  recogniseSignatures,
  recordedSignatureIn,
} from '../message/mailbox.ts'
import type { Ports } from '../ports.ts'
import { SIGNATURE_IN_TEXT_KEY, interruptedInsertionRepair } from '../message/replacement.ts'
import { hasEveryImage, isImageShown } from '../message/signatureImages.ts'

/**
 * Runs restore jobs one at a time. Each job claims the message with an id below the pane's, so it queues behind a
 * running insertion and ahead of the next insertion.
 */
const claiming = (
  given: Ports,
  isOpen: (itemKey: string) => boolean,
  works$: Observable<Readonly<{ itemKey: string; work$: Observable<AppEvent> }>>,
): Observable<AppEvent> => {
  const claims = createClaims({ ...given, runtimeId: `-${given.runtimeId}` }, isOpen)
  return merge(
    claims.run$,
    works$.pipe(
      concatMap(({ itemKey, work$ }) => {
        if (!isOpen(itemKey)) return work$
        claims.begin(itemKey)
        return concat(claims.granted(itemKey).pipe(ignoreElements()), work$, claims.end(itemKey))
      }),
    ),
  )
}

/** At the user's request, restores the body from before an insertion altered the author's text. */
export const restoreBody: AppEffect = (event$, state$, ports) => {
  const { host } = ports
  const isOpen = (itemKey: string) => state$.value.mailbox.item?.key === itemKey
  const restore = (itemKey: string) =>
    defer((): Observable<AppEvent> => {
      const before = state$.value.insertion.bodyBefore
      const json = before && revealSecret(before)
      if (!json || !isOpen(itemKey))
        return of(Insertion.bodyRestoreFailed({ itemKey, failure: { kind: 'entryGone' } }))
      const { body, type, marker } = JSON.parse(json) as BodyBefore
      return concat(
        // Without this flag, the mail client would add the next signature beside the restored signature.
        bestEffort(host.setSessionData(itemKey, SIGNATURE_IN_TEXT_KEY, 'true'), 'marker_not_kept', ports),
        host.setBody(itemKey, body, type).pipe(ignoreElements()),
        // Restores the signature's record for the restored body.
        bestEffort(host.setSessionData(itemKey, INSERTED_SIGNATURE_KEY, marker), 'marker_not_kept', ports),
        bestEffort(host.setSessionData(itemKey, BODY_BEFORE_KEY, ''), 'altered_not_ended', ports),
        interruptedInsertionRepair.run(itemKey, ports),
        of(Insertion.bodyRestored({ itemKey })),
      )
    }).pipe(
      catchError((error: unknown) => of(Insertion.bodyRestoreFailed({ itemKey, failure: toFailure(error) }))),
    )
  return claiming(
    ports,
    isOpen,
    event$.pipe(
      ofType(Insertion.bodyRestoreRequested),
      map(({ data: { itemKey } }) => ({ itemKey, work$: restore(itemKey) })),
    ),
  )
}

/** The signature that the message had before this pane opened, once its content is known. */
const fromBefore = ({ mailbox, insertion }: AppState) => {
  const { item, message } = mailbox
  const { latest, inMessage, content } = insertion
  return item && message?.bodyType === 'html' && latest === null && inMessage && content
    ? { itemKey: item.key, message, inMessage, content }
    : null
}

/**
 * Reads which pictures the message shows although they are not attached. Their contents come from the plan, their names
 * from the message.
 */
function readMissing(
  { itemKey, message, inMessage, content }: NonNullable<ReturnType<typeof fromBefore>>,
  ports: Ports,
): Observable<readonly ImageToAttach[]> {
  const { host, api } = ports
  return forkJoin({
    body: host.body(itemKey, 'html'),
    attachments: host.attachments(itemKey),
    session: host.allSessionData(itemKey),
    sanitize: ports.sanitizer(),
  }).pipe(
    switchMap(({ body, attachments, session, sanitize }) => {
      const inserted = recordedSignatureIn(session, message)
      const { composeType } = message
      const read = { body: body ?? '', type: 'html', session, composeType, inserted } as const
      const [found] = recogniseSignatures(itemKey, read, ports).found
      if (found?.hash !== inMessage.hash || hasEveryImage(found, attachments)) return EMPTY
      const images$ =
        content.images.length > 0
          ? of(content.images)
          : api.signature({ combinedIds: inMessage.combinedIds }).pipe(map(({ images }) => images))
      return images$.pipe(
        map((images) => {
          const { combinedIds } = inMessage
          const plan = planInsertion({ combinedIds, html: content.html, images }, 'html', [], sanitize)
          const shown = [...contentIds(found.html)]
          // The pictures have the same order in the message and in the plan, but the message uses the names from its
          // insertion.
          if (plan.kind !== 'ready' || plan.images.length !== shown.length) return []
          return plan.images
            .map((image, index) => ({ ...image, name: shown[index] ?? image.name }))
            .filter(({ name }) => attachments?.some((each) => isImageShown(new Set([name]), each)) === false)
        }),
      )
    }),
    filter((missing) => missing.length > 0),
    catchError((error: unknown) => {
      ports.log.warn('pictures_not_restored', { kind: toFailure(error).kind })
      return EMPTY
    }),
  )
}

/**
 * Attaches pictures that the opened message's signature shows but that are not attached, because its runtime ended too
 * early or the client lost them. Does not write the body.
 */
export const attachMissingPictures: AppEffect = (_event$, state$, ports) => {
  const known$ = state$.pipe(
    map(fromBefore),
    distinctUntilChanged(
      (one, other) => one?.itemKey === other?.itemKey && one?.inMessage.hash === other?.inMessage.hash,
    ),
    filter((known) => known !== null),
  )
  const attach = (known: NonNullable<ReturnType<typeof fromBefore>>) =>
    defer(() => {
      // An insertion that has begun since attaches the pictures itself.
      if (fromBefore(state$.value)?.itemKey !== known.itemKey) return EMPTY
      return readMissing(known, ports).pipe(
        concatMap((missing) => missing),
        concatMap(({ content, name }) =>
          bestEffort(ports.host.addInlineImage(known.itemKey, content, name), 'pictures_not_restored', ports),
        ),
      )
    })
  return claiming(
    ports,
    (itemKey) => state$.value.mailbox.item?.key === itemKey,
    known$.pipe(
      concatMap((known) =>
        readMissing(known, ports).pipe(map(() => ({ itemKey: known.itemKey, work$: attach(known) }))),
      ),
    ),
  )
}
