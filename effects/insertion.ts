import {
  EMPTY,
  type Observable,
  catchError,
  concat,
  concatAll,
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
import { delayBy, now } from '../streams/kernel/time.ts'
import { Mailbox, type StopPush } from '../streams/mailbox/events.ts'
import {
  type Chosen,
  type InMessage,
  Signatures,
  type SignaturesEvent,
  type Target,
} from '../streams/signatures/events.ts'
import { contentIds, findSignatures, type Found, keepsWords } from '../streams/signatures/message.ts'
import { IMAGE_PREFIX, type Plan, planInsertion } from '../streams/signatures/plan.ts'
import { choose } from '../streams/signatures/rules.ts'
import { toText } from '../streams/signatures/text.ts'
import type { AppEffect } from './app.ts'
import { INSERTED, parseInserted, STOP_PUSH } from './mailbox.ts'
import type { Attachment, MailHost, Ports } from './ports.ts'

/** The mail client takes three calls at a time; more only wait in the queue before it. */
const PARALLEL_IMAGES = 3

type ReadyPlan = Extract<Plan, { kind: 'ready' }>

/** What a message was like before an insertion; `attachments` is null when they could not be read. */
type Before = Readonly<{ body: string; found: readonly Found[]; attachments: readonly Attachment[] | null }>

/**
 * `entry` is what was chosen from a list, as it was then: the list may be another when its turn comes. `leftNames`
 * are of images that an insertion into this item may have left behind, and `leave` adds to them: no other image may
 * be called so.
 */
type Request = Readonly<{
  id: number
  itemKey: string
  target: Target
  entry: Chosen | null
  leftNames: readonly string[]
  leave: (names: readonly string[]) => void
}>

type InsertionRequest = Extract<
  SignaturesEvent,
  {
    type: 'signatures/chosen' | 'signatures/noneChosen' | 'signatures/undoRequested' | 'signatures/defaultDue'
  }
>

/** The item's session data that holds a signature while another takes its place. */
export const REPLACING = 'lsi_replacing'

/** The item's session data that tells that its signature is part of the text to the mail client, which adds a second. */
export const IN_TEXT = 'lsi_in_text'

/**
 * So long after the mail client failed or kept silent, in milliseconds, the message is looked at again: by then every
 * call that was given up has been carried out, or never will be.
 */
export const LOOK_AGAIN_MS = 20_000

/** So long after it, a signature that such a call took out late is looked for, so that the message has one soon. */
const LOOK_FOR_FORMER_MS = [2_000, 7_000] as const

const isSignetImage = ({ isInline, name }: Attachment): boolean => isInline && name.startsWith(IMAGE_PREFIX)

const isShown = (shown: ReadonlySet<string>, { name, contentId }: Attachment): boolean =>
  shown.has(name) || (contentId !== null && shown.has(contentId))

const isSilence = ({ kind }: Failure): boolean => kind === 'hostSilent'

/** A call that the mail client refused is made once more; one that it keeps silent over may still be carried out. */
const onceMore = <T>(work$: Observable<T>): Observable<T> =>
  work$.pipe(
    catchError((error: unknown) => {
      const failure = toFailure(error)
      return failure.kind === 'host' ? work$ : throwError(() => new Failed(failure))
    }),
  )

/** For what is done for good order's sake: a failure is logged and changes nothing. */
const atBest = (work$: Observable<unknown>, action: string, { log }: Ports): Observable<never> =>
  work$.pipe(
    ignoreElements(),
    catchError((error: unknown) => {
      log.warn(action, { kind: toFailure(error).kind })
      return EMPTY
    }),
  )

const chosenNow = (target: Target, { signatures, mailbox }: AppState): Chosen | null =>
  choose(signatures, target, { composeType: mailbox.message?.composeType ?? null })

/** What was asked for, with its images' contents: those that a list came without are fetched by name. */
function resolve({ target, entry }: Request, state: AppState, { api }: Ports): Observable<Chosen> {
  const chosen = target.kind === 'entry' ? entry : chosenNow(target, state)
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

/** Takes away the images of a plan that did not come to be; what the item had `before` stays. */
const takeBackImages = (
  itemKey: string,
  plan: ReadyPlan,
  before: Before['attachments'],
  ports: Ports,
): Observable<never> =>
  plan.images.length === 0
    ? EMPTY
    : ports.host.attachments(itemKey).pipe(
        switchMap((attachments) =>
          removeAll(
            itemKey,
            (attachments ?? []).filter(
              ({ id, name }) =>
                plan.images.some((image) => image.name === name) &&
                !before?.some((attachment) => attachment.id === id),
            ),
            ports,
          ),
        ),
      )

/** Removes attachments one after the other; what fails is tried once more. */
const removeAll = (itemKey: string, attachments: readonly Attachment[], ports: Ports): Observable<never> =>
  from(attachments).pipe(
    concatMap(({ id }) =>
      atBest(ports.host.removeAttachment(itemKey, id).pipe(onceMore), 'image_left_behind', ports),
    ),
  )

/** Signet's images that a body shows no longer. */
const unusedImages = (attachments: Before['attachments'], body: string): readonly Attachment[] => {
  const shown = contentIds(body)
  return (attachments ?? []).filter((each) => isSignetImage(each) && !isShown(shown, each))
}

/**
 * Removes Signet's images that this body, which was just read, shows no longer. In plain text nothing tells which
 * images a quoted thread needs: there all of them stay.
 */
const removeUnusedImages = (itemKey: string, body: string, ports: Ports): Observable<never> =>
  ports.host.attachments(itemKey).pipe(
    map((attachments) => unusedImages(attachments, body)),
    filter((unused) => unused.length > 0),
    switchMap((unused) =>
      ports.host.bodyType(itemKey).pipe(
        filter((type) => type === 'html'),
        switchMap(() => removeAll(itemKey, unused, ports)),
      ),
    ),
  )

/**
 * Sets the signature. When the mail client keeps silent, the message itself tells whether the signature is in: it
 * carries the content's hash, and shows the new images.
 */
const setSignature = (itemKey: string, plan: ReadyPlan, { host }: Ports): Observable<void> =>
  host.setSignature(itemKey, plan.content, plan.type).pipe(
    catchError((error: unknown) => {
      const failed = new Failed(toFailure(error))
      if (plan.type === 'text' || !isSilence(failed.failure)) throw failed
      return host.body(itemKey, 'html').pipe(
        map((body) => {
          if (body === null || !isSet(plan, findSignatures(body))) throw failed
        }),
      )
    }),
  )

const isSet = ({ content, hash, images }: ReadyPlan, found: readonly Found[]): boolean => {
  if (content === '') return found.length === 0
  const present = found.find((each) => each.hash === hash)
  const shown = contentIds(present?.html ?? '')
  return present !== undefined && images.every(({ name }) => shown.has(name))
}

/**
 * Takes the former signature out before another is set, where clients are known to stack the new one upon it: when
 * it has inline images. What is taken out is first kept in the item's session data, so that whatever happens in
 * between (a failure, another item, a closed pane), it can be put back whole; see `tidy`.
 */
function replaceSignature(
  itemKey: string,
  plan: ReadyPlan,
  former: Found | null,
  ports: Ports,
): Observable<never> {
  const { host } = ports
  const set$ = defer(() => setSignature(itemKey, plan, ports)).pipe(ignoreElements())
  if (former === null || plan.type === 'text' || plan.content === '' || contentIds(former.html).size === 0)
    return set$
  return concat(
    atBest(host.setSessionData(itemKey, REPLACING, former.whole), 'former_not_kept', ports),
    host.setSignature(itemKey, '', 'html').pipe(
      ignoreElements(),
      catchError((error: unknown) => {
        const failure = toFailure(error)
        // What may still be carried out is looked after later.
        return concat(
          isSilence(failure) ? EMPTY : putBack(itemKey, former.whole, ports),
          throwError(() => new Failed(failure)),
        )
      }),
    ),
    set$.pipe(
      catchError((error: unknown) =>
        concat(
          putBack(itemKey, former.whole, ports),
          throwError(() => new Failed(toFailure(error))),
        ),
      ),
    ),
    atBest(host.setSessionData(itemKey, REPLACING, ''), 'replacing_not_ended', ports),
  )
}

/**
 * Puts the signature in the place of one that the mail client takes for text: the whole body is written, as it was
 * just read.
 */
const replaceInText = (itemKey: string, plan: ReadyPlan, { host }: Ports): Observable<never> =>
  host.body(itemKey, 'html').pipe(
    map((body) => {
      // What cannot be read cannot be guarded.
      if (body === null) throw new Failed({ kind: 'hostSilent', call: 'body.getAsync' })
      const [first, ...others] = findSignatures(body)
      if (!first) return body + plan.content
      const rest = others.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), body)
      return rest.slice(0, first.start) + plan.content + rest.slice(first.end)
    }),
    switchMap((body) => host.setBody(itemKey, body, 'html')),
    ignoreElements(),
  )

/** Puts a signature back that was taken out, unless there is one now. While that fails, the item's session keeps it. */
const putBack = (itemKey: string, former: string, ports: Ports): Observable<never> => {
  const { host } = ports
  const work$ = host.body(itemKey, 'html').pipe(
    filter((body) => body !== null),
    switchMap((body) =>
      findSignatures(body).length > 0
        ? of(undefined)
        : host.setSignature(itemKey, former, 'html').pipe(onceMore),
    ),
    switchMap(() => host.setSessionData(itemKey, REPLACING, '')),
  )
  return atBest(work$, 'former_not_put_back', ports)
}

/** A signature that was taken out and not put back, and nothing else set since; null when there is none. */
const readInterrupted = (itemKey: string, { host }: Ports): Observable<string | null> =>
  host.sessionData(itemKey, REPLACING).pipe(
    switchMap((former) =>
      former === null || former === ''
        ? of(null)
        : host.sessionData(itemKey, INSERTED).pipe(
            map((json) => {
              const inserted = parseInserted(json)
              const isLatest = inserted === null || inserted.hash === findSignatures(former)[0]?.hash
              return isLatest ? former : null
            }),
          ),
    ),
  )

/** Puts back what an insertion took out. While there still is a signature, the call that takes it out may yet come. */
const putBackMissing = (itemKey: string, ports: Ports): Observable<never> =>
  ports.host.body(itemKey, 'html').pipe(
    filter((body) => body !== null && findSignatures(body).length === 0),
    switchMap(() => readInterrupted(itemKey, ports)),
    switchMap((former) => (former === null ? EMPTY : putBack(itemKey, former, ports))),
    (work$) => atBest(work$, 'former_not_put_back', ports),
  )

/**
 * Makes a message whole that an insertion may have left half-way: what it had taken out is put back, and the images
 * that it had attached for nothing are removed.
 */
const tidy = (itemKey: string, ports: Ports): Observable<never> =>
  readInterrupted(itemKey, ports).pipe(
    switchMap((former) =>
      concat(
        former === null ? EMPTY : putBack(itemKey, former, ports),
        ports.host.body(itemKey, 'html').pipe(
          filter((body) => body !== null),
          switchMap((body) => {
            // What could not be put back still needs its images.
            const missing = findSignatures(body).length > 0 ? '' : (former ?? '')
            return removeUnusedImages(itemKey, body + missing, ports)
          }),
        ),
      ),
    ),
    (work$) => atBest(work$, 'message_not_tidied', ports),
  )

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
/** The default stays out: the person decided on this message, in a way that no event of this pane tells. */
class LeftToPerson extends Error {
  constructor(readonly combinedIds: string) {
    super()
  }
}

/** Whether this very signature stands in the message already, once and as it was set. */
const isInAlready = (plan: ReadyPlan, { found, attachments }: Before): boolean => {
  const [only, ...others] = found
  if (!only || others.length > 0 || only.hash !== plan.hash || plan.type === 'text') return false
  const hasImages = [...contentIds(only.html)].every((id) =>
    attachments?.some(({ name, contentId }) => id === name || id === contentId),
  )
  return hasImages && toText(only.html) === toText(plan.content)
}

/** Whether the signature in the message is text to the mail client, which would add another beside it. */
const isInText = (itemKey: string, { found }: Before, { host }: Ports): Observable<boolean> =>
  found.length === 0 ? of(false) : host.sessionData(itemKey, IN_TEXT).pipe(map((told) => told === 'true'))

/** Writes the plan: new images, the signature, then away with the old images. A failure takes the new ones back. */
const write = (request: Request, plan: ReadyPlan, before: Before, ports: Ports): Observable<AppEvent> => {
  const { id, itemKey, leave } = request
  return concat(
    concat(
      attachImages(id, itemKey, plan, ports),
      isInText(itemKey, before, ports).pipe(
        switchMap((inText) =>
          inText && plan.type === 'html'
            ? replaceInText(itemKey, plan, ports)
            : replaceSignature(itemKey, plan, before.found.at(-1) ?? null, ports),
        ),
      ),
    ).pipe(
      catchError((error: unknown) => {
        const failure = toFailure(error)
        leave(plan.images.map(({ name }) => name))
        // It may still be carried out, and then shows the new images: they are looked after later.
        const isUnsure =
          failure.kind === 'hostSilent' &&
          (failure.call === 'body.setSignatureAsync' || failure.call === 'body.setAsync')
        return concat(
          isUnsure ? EMPTY : takeBackImages(itemKey, plan, before.attachments, ports),
          throwError(() => new Failed(failure)),
        )
      }),
    ),
    plan.type === 'html' ? conclude(itemKey, before.body, ports) : EMPTY,
  )
}

/**
 * Looks at the message after the signature is set. Tells when the author's words are not what they were: the body
 * from before is then at hand, and its images stay. Otherwise away with the images that are shown no longer.
 */
const conclude = (itemKey: string, before: string, ports: Ports): Observable<AppEvent> =>
  ports.host.body(itemKey, 'html').pipe(
    filter((after) => after !== null),
    switchMap((after): Observable<AppEvent> =>
      keepsWords(before, after)
        ? removeUnusedImages(itemKey, after, ports)
        : of(Signatures.wordsChanged({ itemKey, former: createSecret(before) })),
    ),
  )

/**
 * One insertion, from what was asked to what stands in the message: add the new images, set the signature, then
 * remove the old ones, so that a failed step leaves the former signature whole or the new one.
 */
function insertInto(request: Request, state$: StateStream<AppState>, ports: Ports): Observable<AppEvent> {
  const { id, itemKey, target, leftNames } = request
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
        switchMap(({ bodyType, body, attachments, sanitize }): Observable<AppEvent> => {
          if (bodyType === null) throw new Failed({ kind: 'hostSilent', call: 'body.getTypeAsync' })
          // What cannot be read cannot be guarded.
          if (body === null) throw new Failed({ kind: 'hostSilent', call: 'body.getAsync' })
          const found = findSignatures(body)
          const names = [...(attachments ?? []).map(({ name }) => name), ...contentIds(body), ...leftNames]
          const mark = attachments === null ? `${now(ports.time).toString(36)}-${String(id)}` : null
          const plan = planInsertion(chosen, bodyType, names, sanitize, mark)
          if (plan.kind === 'tooLarge') throw new Failed(plan)
          const before = { body, found, attachments }
          const write$ = isInAlready(plan, before)
            ? concat(removeAll(itemKey, unusedImages(attachments, body), ports), succeeded(chosen, plan.hash))
            : concat(write(request, plan, before, ports), succeeded(chosen, plan.hash))
          if (target.kind !== 'default' || bodyType === 'text') return write$
          const { inMessage } = state$.value.signatures
          const present = found.at(-1)
          // One that this pane knows nothing of is somebody's choice: perhaps what tells of it could not be read.
          if (present && present.hash !== plan.hash && present.hash !== inMessage?.hash)
            throw new LeftToPerson(present.combinedIds)
          if (present || inMessage === null) return write$
          // It is not there any more: the person removed it, unless an interrupted replacement did.
          return readInterrupted(itemKey, ports).pipe(
            switchMap((interrupted) =>
              interrupted === null ? throwError(() => new LeftToPerson('')) : write$,
            ),
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
      if (error instanceof LeftToPerson) {
        const { composeType = null } = state$.value.mailbox.message ?? {}
        return concat(
          setStopPush(itemKey, { composeType, combinedIds: error.combinedIds }, ports),
          of(Signatures.insertionSkipped({ id, itemKey })),
        )
      }
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
 * Session data as this pane wrote it, whatever the mail client made of it. What was taken out of a message is so known
 * for as long as the pane and the message stay open, also where the client could not keep it.
 */
const remembering = (host: MailHost): MailHost => {
  const written = new Map<string, string>()
  const place = (itemKey: string, name: string) => `${itemKey} ${name}`
  return {
    ...host,
    sessionData: (itemKey, name) =>
      defer(() => {
        const value = written.get(place(itemKey, name))
        return value === undefined ? host.sessionData(itemKey, name) : of(value)
      }),
    setSessionData: (itemKey, name, value) =>
      defer(() => {
        written.set(place(itemKey, name), value)
        return host.setSessionData(itemKey, name, value)
      }),
  }
}

/**
 * Inserts what is asked for, one insertion after the other; each request ends in exactly one outcome, and is settled.
 * A message that is opened (again), and one that the mail client failed in, is made whole between them.
 */
export const insert: AppEffect = (event$, state$, given) => {
  const ports = { ...given, host: remembering(given.host) }
  const left = new Map<string, readonly string[]>()
  const whileOpen = (itemKey: string, work: typeof tidy) =>
    defer(() => (state$.value.mailbox.item?.key === itemKey ? work(itemKey, ports) : EMPTY))
  const again$ = event$.pipe(
    ofType(Signatures.insertionFailed),
    filter(({ data: { failure } }) => failure.kind === 'host' || isSilence(failure)),
    mergeMap(({ data: { itemKey } }) => {
      const later = (ms: number, work: typeof tidy) =>
        of(whileOpen(itemKey, work)).pipe(delayBy(ms, ports.time))
      return merge(...LOOK_FOR_FORMER_MS.map((ms) => later(ms, putBackMissing)), later(LOOK_AGAIN_MS, tidy))
    }),
  )
  const asked$ = event$.pipe(
    ofType(
      Signatures.chosen,
      Signatures.noneChosen,
      Signatures.undoRequested,
      Signatures.defaultDue,
      Signatures.wordsRestoreRequested,
      Mailbox.messageRead,
    ),
    map((event): Observable<AppEvent> => {
      const { itemKey } = event.data
      switch (event.type) {
        case 'mailbox/messageRead':
          return whileOpen(itemKey, tidy)
        case 'signatures/wordsRestoreRequested':
          return defer(() => restoreWords(itemKey, state$.value, ports))
        case 'signatures/chosen':
        case 'signatures/noneChosen':
        case 'signatures/undoRequested':
        case 'signatures/defaultDue': {
          const id = event.meta.seq
          const target = targetOf(event)
          const entry = chosenNow(target, state$.value)
          const leave = (names: readonly string[]) => {
            if (names.length > 0) left.set(itemKey, [...(left.get(itemKey) ?? []), ...names])
          }
          return concat(
            defer(() =>
              insertInto(
                { id, itemKey, target, entry, leftNames: left.get(itemKey) ?? [], leave },
                state$,
                ports,
              ),
            ),
            of(Signatures.insertionSettled({ id })),
          )
        }
      }
    }),
  )
  return merge(asked$, again$).pipe(concatAll())
}

/** Gives the author's words back, as the person asked: the body from before the insertion, with the images it shows. */
const restoreWords = (
  itemKey: string,
  { signatures, mailbox }: AppState,
  ports: Ports,
): Observable<AppEvent> => {
  const former = signatures.wordsBefore && reveal(signatures.wordsBefore)
  if (!former || mailbox.item?.key !== itemKey)
    return of(Signatures.wordsRestoreFailed({ itemKey, failure: { kind: 'entryGone' } }))
  const { host } = ports
  const hadSignature = findSignatures(former).length > 0
  return concat(
    // Without knowing that, the next signature would come beside the one that is restored.
    hadSignature ? host.setSessionData(itemKey, IN_TEXT, 'true').pipe(ignoreElements()) : EMPTY,
    host.setBody(itemKey, former, 'html').pipe(ignoreElements()),
    // What is in the message now is told by its marker.
    atBest(host.setSessionData(itemKey, INSERTED, ''), 'marker_not_kept', ports),
    tidy(itemKey, ports),
    of(Signatures.wordsRestored({ itemKey })),
  ).pipe(
    catchError((error: unknown) => of(Signatures.wordsRestoreFailed({ itemKey, failure: toFailure(error) }))),
  )
}
