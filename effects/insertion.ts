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
import { createSecret, reveal } from '../streams/kernel/secret.ts'
import { settle } from '../streams/kernel/settle.ts'
import { type BodyType, Mailbox, type StopPush } from '../streams/mailbox/events.ts'
import {
  type Chosen,
  type InMessage,
  Signatures,
  type SignaturesEvent,
  type Target,
} from '../streams/signatures/events.ts'
import { findSignatures, type Found, keepsWords } from '../streams/signatures/message.ts'
import { IMAGE_PREFIX, type Plan, planInsertion } from '../streams/signatures/plan.ts'
import { choose } from '../streams/signatures/rules.ts'
import { toText } from '../streams/signatures/text.ts'
import type { AppEffect } from './app.ts'
import { INSERTED, STOP_PUSH } from './mailbox.ts'
import type { Attachment, Ports } from './ports.ts'

/** The mail client takes three calls at a time; more only wait in the queue before it. */
const PARALLEL_IMAGES = 3

type ReadyPlan = Extract<Plan, { kind: 'ready' }>

type Request = Readonly<{ id: number; itemKey: string; target: Target }>

type InsertionRequest = Extract<
  SignaturesEvent,
  {
    type: 'signatures/chosen' | 'signatures/noneChosen' | 'signatures/undoRequested' | 'signatures/defaultDue'
  }
>

/** The item's session data that holds a signature while another takes its place. */
const REPLACING = 'lsi_replacing'

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
function resolve({ target }: Request, { signatures, mailbox }: AppState, { api }: Ports): Observable<Chosen> {
  const chosen = choose(signatures, target, { composeType: mailbox.message?.composeType ?? null })
  if (!chosen) throw new Failed({ kind: 'entryGone' })
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
          if (!body || !findSignatures(body).some(({ hash }) => hash === plan.hash)) throw failed
        }),
      )
    }),
  )

/**
 * Takes the former signature out before another is set, where clients are known to stack the new one upon it: when
 * it has inline images. What is taken out is first kept in the item's session data, so that whatever happens in
 * between (a failure, another item, a closed pane), it can be put back whole; see `putBackInterrupted`.
 */
function replaceSignature(
  itemKey: string,
  plan: ReadyPlan,
  former: Found | null,
  ports: Ports,
): Observable<never> {
  const { host } = ports
  const set$ = defer(() => setSignature(itemKey, plan, ports)).pipe(ignoreElements())
  if (former === null || plan.type === 'text' || plan.content === '' || !/\bcid:/i.test(former.html))
    return set$
  const keep$ = host.setSessionData(itemKey, REPLACING, former.whole).pipe(
    map(() => true),
    // More than the session data holds: then the client's own replacing has to do.
    catchError(() => of(false)),
  )
  return keep$.pipe(
    concatMap((isKept) =>
      isKept
        ? concat(
            host.setSignature(itemKey, '', 'html').pipe(ignoreElements()),
            set$.pipe(
              catchError((error: unknown) =>
                concat(
                  putBackInterrupted(itemKey, ports),
                  throwError(() => new Failed(toFailure(error))),
                ),
              ),
            ),
            atBest(host.setSessionData(itemKey, REPLACING, ''), 'replacing_not_ended', ports),
          )
        : set$,
    ),
  )
}

/** Puts the signature back that an interrupted replacement had taken out, unless there is one now. */
const putBackInterrupted = (itemKey: string, ports: Ports): Observable<never> => {
  const { host } = ports
  return host.sessionData(itemKey, REPLACING).pipe(
    filter((former) => former !== null && former !== ''),
    switchMap((former) =>
      host.body(itemKey, 'html').pipe(
        filter((body) => body !== null),
        switchMap((body) =>
          findSignatures(body).length > 0 ? of(undefined) : host.setSignature(itemKey, former ?? '', 'html'),
        ),
        switchMap(() => host.setSessionData(itemKey, REPLACING, '')),
      ),
    ),
    (work$) => atBest(work$, 'former_not_put_back', ports),
  )
}

/** Remembers in the item what was put into it, and that a choice was made for it. */
const remember = (
  itemKey: string,
  { reason, ...inMessage }: InMessage,
  target: Target,
  ports: Ports,
): Observable<never> => {
  const manual = reason.origin === 'manual'
  const marker = JSON.stringify({ ...inMessage, reply: reason.reply, manual })
  const flag: StopPush = { composeType: reason.composeType, combinedIds: inMessage.combinedIds }
  return concat(
    atBest(ports.host.setSessionData(itemKey, INSERTED, marker), 'marker_not_kept', ports),
    target.kind === 'default' ? EMPTY : setStopPush(itemKey, flag, ports),
  )
}

/** Sets the flag that keeps the default out of this message, or takes it away. */
const setStopPush = (itemKey: string, flag: StopPush | null, ports: Ports): Observable<never> =>
  ports.host
    .customProperties(itemKey)
    .pipe(
      switchMap(({ [STOP_PUSH]: before, ...others }) =>
        JSON.stringify(before ?? null) === JSON.stringify(flag)
          ? EMPTY
          : atBest(
              ports.host.saveCustomProperties(itemKey, flag ? { ...others, [STOP_PUSH]: flag } : others),
              'stop_push_not_kept',
              ports,
            ),
      ),
    )

class Superseded extends Error {}
class RemovedByHand extends Error {}

/** Whether this very signature stands in the message already, once and as it was set. */
const isInAlready = (
  plan: ReadyPlan,
  found: readonly Found[],
  attachments: readonly Attachment[],
): boolean => {
  const [only, ...others] = found
  if (!only || others.length > 0 || only.hash !== plan.hash || plan.type === 'text') return false
  const ids = [...only.html.matchAll(/\bcid:([^"')\s]+)/gi)].map(([, id]) => id)
  const hasImages = ids.every((id) =>
    attachments.some(({ name, contentId }) => id === name || id === contentId),
  )
  return hasImages && toText(only.html) === toText(plan.content)
}

/** Writes the plan: new images, the signature, then away with the old images. A failure takes the new ones back. */
const write = (request: Request, plan: ReadyPlan, former: Found | null, ports: Ports): Observable<AppEvent> =>
  concat(
    concat(
      attachImages(request.id, request.itemKey, plan, ports),
      defer(() => replaceSignature(request.itemKey, plan, former, ports)),
    ).pipe(
      catchError((error: unknown) =>
        concat(
          takeBackImages(request.itemKey, plan, ports),
          throwError(() => new Failed(toFailure(error))),
        ),
      ),
    ),
    removeUnusedImages(request.itemKey, ports),
  )

/** Tells when the author's words are not what they were: the body from before is then at hand. */
const guardWords = (
  itemKey: string,
  type: BodyType,
  before: string,
  { host }: Ports,
): Observable<AppEvent> =>
  type === 'text'
    ? EMPTY
    : host.body(itemKey, 'html').pipe(
        filter((after) => after !== null && !keepsWords(before, after)),
        map(() => Signatures.wordsChanged({ itemKey, former: createSecret(before) })),
      )

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
  const succeeded = ({ html, images, name, combinedIds, reason }: Chosen, hash: string) => {
    const inMessage: InMessage = { combinedIds, hash, name, reason }
    return concat(
      remember(itemKey, inMessage, target, ports),
      of(Signatures.insertionSucceeded({ id, itemKey, target, inMessage, content: { html, images } })),
    )
  }

  const steps$ = defer(() => resolve(request, state$.value, ports)).pipe(
    map(unlessSuperseded),
    switchMap((chosen) =>
      forkJoin({
        bodyType: host.bodyType(itemKey),
        body: host.body(itemKey, 'html'),
        attachments: host.attachments(itemKey),
        sanitize: ports.sanitizer(),
      }).pipe(
        map(unlessSuperseded),
        switchMap(({ bodyType, body, attachments, sanitize }) => {
          if (bodyType === null) throw new Failed({ kind: 'hostSilent', call: 'body.getTypeAsync' })
          // What cannot be read cannot be guarded.
          if (body === null) throw new Failed({ kind: 'hostSilent', call: 'body.getAsync' })
          const found = findSignatures(body)
          const isUpdate = target.kind === 'default' && state$.value.signatures.inMessage !== null
          if (isUpdate && bodyType === 'html' && found.length === 0) throw new RemovedByHand()
          const names = attachments.map(({ name }) => name)
          const plan = planInsertion(chosen, bodyType, names, sanitize)
          if (plan.kind === 'tooLarge') throw new Failed(plan)
          return isInAlready(plan, found, attachments)
            ? succeeded(chosen, plan.hash)
            : concat(
                write(request, plan, found.at(-1) ?? null, ports),
                guardWords(itemKey, bodyType, body, ports),
                succeeded(chosen, plan.hash),
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
      if (error instanceof RemovedByHand) return of(Signatures.insertionSkipped({ id, itemKey }))
      const failure = toFailure(error)
      const isOpen = state$.value.mailbox.item?.key === itemKey
      return concat(
        target.kind !== 'default' && isOpen ? setStopPush(itemKey, null, ports) : EMPTY,
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

const targetOf = (event: InsertionRequest): Target => {
  switch (event.type) {
    case 'signatures/chosen':
      return { kind: 'entry', uuid: event.data.uuid }
    case 'signatures/noneChosen':
      return { kind: 'none' }
    case 'signatures/undoRequested':
      return { kind: 'former' }
    case 'signatures/defaultDue':
      return { kind: 'default' }
  }
}

/**
 * Inserts what is asked for, one insertion after the other; each request ends in exactly one outcome, and is settled.
 * A message that is opened (again) is first made whole: what an interrupted insertion took out is put back, and the
 * images that it left are removed.
 */
export const insert: AppEffect = (event$, state$, ports) =>
  event$.pipe(
    ofType(
      Signatures.chosen,
      Signatures.noneChosen,
      Signatures.undoRequested,
      Signatures.defaultDue,
      Mailbox.messageRead,
    ),
    concatMap((event) => {
      const { itemKey } = event.data
      if (event.type === 'mailbox/messageRead')
        return concat(
          putBackInterrupted(itemKey, ports),
          atBest(removeUnusedImages(itemKey, ports), 'leftovers_not_removed', ports),
        )
      const id = event.meta.seq
      return concat(
        insertInto({ id, itemKey, target: targetOf(event) }, state$, ports),
        of(Signatures.insertionSettled({ id })),
      )
    }),
  )

/** Gives the author's words back, as the person asked: the body from before the insertion. */
export const restoreWords: AppEffect = (event$, state$, { host }) =>
  event$.pipe(
    ofType(Signatures.wordsRestoreRequested),
    concatMap(({ data: { itemKey } }) => {
      const { wordsBefore } = state$.value.signatures
      const former = wordsBefore && reveal(wordsBefore)
      if (!former) return of(Signatures.wordsRestoreFailed({ itemKey, failure: { kind: 'entryGone' } }))
      return host.setBody(itemKey, former, 'html').pipe(
        settle(
          () => Signatures.wordsRestored({ itemKey }),
          (failure) => Signatures.wordsRestoreFailed({ itemKey, failure }),
        ),
      )
    }),
  )
