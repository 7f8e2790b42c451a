import {
  EMPTY,
  type Observable,
  catchError,
  concat,
  concatMap,
  defer,
  endWith,
  filter,
  forkJoin,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  scan,
  switchMap,
  take,
  takeWhile,
  throwError,
} from 'rxjs'
import type { AppEvent } from '../streams/app/events.ts'
import type { AppState } from '../streams/app/state.ts'
import type { StateStream } from '../streams/kernel/effect.ts'
import { ofType } from '../streams/kernel/event.ts'
import { Failed, type Failure, toFailure } from '../streams/kernel/failure.ts'
import { Mailbox } from '../streams/mailbox/events.ts'
import { type Chosen, type InMessage, Signatures, type Target } from '../streams/signatures/events.ts'
import { IMAGE_PREFIX, type Plan, planInsertion } from '../streams/signatures/plan.ts'
import { chosenDefault, chosenEntry } from '../streams/signatures/rules.ts'
import type { AppEffect } from './app.ts'
import { INSERTED, STOP_PUSH } from './mailbox.ts'
import type { Attachment, Ports } from './ports.ts'

/** The mail client takes three calls at a time; more only wait in the queue before it. */
const PARALLEL_IMAGES = 3

type ReadyPlan = Extract<Plan, { kind: 'ready' }>

type Request = Readonly<{ id: number; itemKey: string; target: Target }>

const isSignetImage = ({ isInline, name }: Attachment): boolean => isInline && name.startsWith(IMAGE_PREFIX)

/** Whether the body still shows an attachment. */
const shows = (body: string, { name, contentId }: Attachment): boolean =>
  [name, contentId].some((id) => id !== null && body.includes(`cid:${id}`))

/** For what is done for good order's sake: a failure is logged and changes nothing. */
const atBest = (work$: Observable<unknown>, action: string, { log }: Ports): Observable<never> =>
  work$.pipe(
    ignoreElements(),
    catchError((error: unknown) => {
      log.warn(action, { kind: toFailure(error).kind })
      return EMPTY
    }),
  )

/** What was asked for, with its images' contents: those that a list came without are fetched by name. */
function resolve({ target }: Request, state: AppState, { api }: Ports): Observable<Chosen> {
  const { signatures, mailbox } = state
  const composeType = mailbox.message?.composeType ?? null
  if (target.kind === 'default') {
    const chosen = chosenDefault(signatures, composeType)
    return chosen ? of(chosen) : throwError(() => new Failed({ kind: 'entryGone' }))
  }
  const chosen = chosenEntry(signatures, target.uuid, composeType)
  if (!chosen) return throwError(() => new Failed({ kind: 'entryGone' }))
  const hasAllImages = chosen.images.length > 0 || !/<img\b|url\(|background=/i.test(chosen.html)
  return hasAllImages
    ? of(chosen)
    : api.signature({ combinedIds: chosen.combinedIds }).pipe(map(({ images }) => ({ ...chosen, images })))
}

/**
 * Attaches the planned images, at most three at a time, and tells the progress. When one fails, every one that came
 * to be is taken away again before the failure goes on: they are found by their names, which the plan made unique,
 * so that one whose answer was lost is found too.
 */
function attachImages(id: number, itemKey: string, plan: ReadyPlan, ports: Ports): Observable<AppEvent> {
  const { host } = ports
  const total = plan.images.length
  if (total === 0) return EMPTY
  return from(plan.images).pipe(
    // Every image comes to its own end before a failure is dealt with: nothing lands afterwards.
    mergeMap(
      ({ content, name }) =>
        host.addInlineImage(itemKey, content, name).pipe(
          map(() => null),
          catchError((error: unknown) => of(toFailure(error))),
        ),
      PARALLEL_IMAGES,
    ),
    scan((progress, failure) => ({ done: progress.done + 1, failure: progress.failure ?? failure }), {
      done: 0,
      failure: null,
    } as { done: number; failure: Failure | null }),
    concatMap(({ done, failure }): Observable<AppEvent> => {
      if (failure === null)
        return of(Signatures.insertionProgressed({ id, imagesDone: done, imagesTotal: total }))
      if (done < total) return EMPTY
      return throwError(() => new Failed(failure))
    }),
  )
}

/** Takes away the images of a plan that did not come to be. */
const takeBackImages = (itemKey: string, plan: ReadyPlan, ports: Ports): Observable<never> =>
  plan.images.length === 0
    ? EMPTY
    : ports.host.attachments(itemKey).pipe(
        map((attachments) =>
          attachments.filter(({ name }) => plan.images.some((image) => image.name === name)),
        ),
        switchMap((images) => removeAll(itemKey, images, ports)),
      )

const removeAll = (itemKey: string, attachments: readonly Attachment[], ports: Ports): Observable<never> =>
  from(attachments).pipe(
    concatMap(({ id }) => atBest(ports.host.removeAttachment(itemKey, id), 'image_left_behind', ports)),
  )

/** Removes Signet's images that the message shows no longer; when the body cannot be read, none is removed. */
const removeUnusedImages = (itemKey: string, ports: Ports): Observable<never> =>
  ports.host.attachments(itemKey).pipe(
    map((attachments) => attachments.filter(isSignetImage)),
    filter((images) => images.length > 0),
    switchMap((images) =>
      ports.host.body(itemKey, 'html').pipe(
        filter((body) => body !== null),
        switchMap((body) =>
          removeAll(
            itemKey,
            images.filter((image) => !shows(body, image)),
            ports,
          ),
        ),
      ),
    ),
  )

/**
 * Sets the signature. When the mail client reports a failure or keeps silent, the message itself tells whether the
 * signature is in: it carries the content's hash.
 */
const setSignature = (itemKey: string, plan: ReadyPlan, { host }: Ports): Observable<void> =>
  host.setSignature(itemKey, plan.content, plan.type).pipe(
    catchError((error: unknown) => {
      const failed = new Failed(toFailure(error))
      if (plan.type === 'text' || plan.content === '' || failed.failure.kind !== 'hostSilent') throw failed
      return host.body(itemKey, 'html').pipe(
        map((body) => {
          if (!body?.includes(`data-signet-hash="${plan.hash}"`)) throw failed
        }),
      )
    }),
  )

/** Remembers in the item what was put into it, and that a choice was made for it. */
const remember = (
  itemKey: string,
  { reason, ...inMessage }: InMessage,
  target: Target,
  ports: Ports,
): Observable<never> => {
  const { host } = ports
  const manual = reason.origin === 'manual'
  const marker = JSON.stringify({ ...inMessage, reply: reason.reply, manual })
  return merge(
    atBest(host.setSessionData(itemKey, INSERTED, marker), 'marker_not_kept', ports),
    target.kind === 'entry' ? setStopPush(itemKey, true, ports) : EMPTY,
  )
}

const setStopPush = (itemKey: string, stop: boolean, ports: Ports): Observable<never> =>
  ports.host
    .customProperties(itemKey)
    .pipe(
      switchMap(({ [STOP_PUSH]: before, ...others }) =>
        (before === true) === stop
          ? EMPTY
          : atBest(
              ports.host.saveCustomProperties(itemKey, stop ? { ...others, [STOP_PUSH]: true } : others),
              'stop_push_not_kept',
              ports,
            ),
      ),
    )

class Superseded extends Error {}

/**
 * One insertion, from what was asked to what stands in the message: add the new images, set the signature, then
 * remove the old ones, so that a failed step leaves the former signature whole or the new one.
 */
function insertInto(request: Request, state$: StateStream<AppState>, ports: Ports): Observable<AppEvent> {
  const { id, itemKey, target } = request
  const { host } = ports
  const isLatest = () => {
    const { insertion } = state$.value.signatures
    return insertion === null || insertion.id === id || insertion.itemKey !== itemKey
  }
  /** Before the first write: a later choice makes this one pointless. */
  const unlessSuperseded = <T>(value: T): T => {
    if (!isLatest()) throw new Superseded()
    return value
  }

  const steps$ = resolve(request, state$.value, ports).pipe(
    map(unlessSuperseded),
    switchMap((chosen) =>
      forkJoin({
        bodyType: host.bodyType(itemKey),
        attachments: host.attachments(itemKey),
        sanitize: ports.sanitizer(),
      }).pipe(
        map(unlessSuperseded),
        switchMap(({ bodyType, attachments, sanitize }) => {
          if (bodyType === null) throw new Failed({ kind: 'hostSilent', call: 'body.getTypeAsync' })
          const names = attachments.map(({ name }) => name)
          const plan = planInsertion(chosen, bodyType, names, sanitize)
          if (plan.kind === 'tooLarge') throw new Failed(plan)
          const { name, combinedIds, reason } = chosen
          const inMessage: InMessage = { combinedIds, hash: plan.hash, name, reason }
          return concat(
            concat(
              attachImages(id, itemKey, plan, ports),
              defer(() => setSignature(itemKey, plan, ports)).pipe(ignoreElements()),
            ).pipe(
              catchError((error: unknown) =>
                concat(
                  takeBackImages(itemKey, plan, ports),
                  throwError(() => new Failed(toFailure(error))),
                ),
              ),
            ),
            removeUnusedImages(itemKey, ports),
            remember(itemKey, inMessage, target, ports),
            of(Signatures.insertionSucceeded({ id, itemKey, target, inMessage })),
          )
        }),
      ),
    ),
  )

  const itemGone$ = state$.pipe(
    filter(({ mailbox }) => mailbox.item?.key !== itemKey),
    take(1),
    switchMap(() => throwError(() => new Failed({ kind: 'itemGone' }))),
  )

  return raceFailure(steps$, itemGone$).pipe(
    catchError((error: unknown): Observable<AppEvent> => {
      if (error instanceof Superseded) return of(Signatures.insertionSuperseded({ id, target }))
      const failure = toFailure(error)
      const isOpen = state$.value.mailbox.item?.key === itemKey
      return concat(
        target.kind === 'entry' && isOpen ? setStopPush(itemKey, false, ports) : EMPTY,
        of(Signatures.insertionFailed({ id, itemKey, target, failure })),
      )
    }),
  )
}

/** Everything of `work$`, unless `failure$` fails first. */
const raceFailure = <T>(work$: Observable<T>, failure$: Observable<never>): Observable<T> => {
  const done = Symbol('done')
  return merge(failure$, work$.pipe(endWith(done))).pipe(takeWhile((value): value is T => value !== done))
}

/**
 * Inserts what is asked for, one insertion after the other; each request ends in exactly one outcome, and is settled.
 * A message that is opened (again) is first cleared of images that an interrupted insertion left in it.
 */
export const insert: AppEffect = (event$, state$, ports) =>
  event$.pipe(
    ofType(Signatures.chosen, Signatures.defaultDue, Mailbox.messageRead),
    concatMap((event) => {
      if (event.type === 'mailbox/messageRead')
        return atBest(removeUnusedImages(event.data.itemKey, ports), 'leftovers_not_removed', ports)
      const target: Target =
        event.type === 'signatures/chosen' ? { kind: 'entry', uuid: event.data.uuid } : { kind: 'default' }
      const id = event.meta.seq
      return concat(
        insertInto({ id, itemKey: event.data.itemKey, target }, state$, ports),
        of(Signatures.insertionSettled({ id })),
      )
    }),
  )
