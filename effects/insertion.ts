import {
  EMPTY,
  type Observable,
  catchError,
  concat,
  concatAll,
  defer,
  endWith,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  switchMap,
  take,
  takeWhile,
  throwError,
} from 'rxjs'
import type { AppEvent } from '../streams/app/events.ts'
import type { AppState } from '../streams/app/state.ts'
import type { StateStream } from '../streams/kernel/effect.ts'
import { ofType } from '../streams/kernel/event.ts'
import { Failed, toFailure } from '../streams/kernel/failure.ts'
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
import { contentIds, findSignatures, type Found, preservesText } from '../streams/html/message.ts'
import { planInsertion, type ReadyPlan } from '../streams/html/plan.ts'
import { choose } from '../streams/signatures/rules.ts'
import { toText } from '../streams/html/text.ts'
import type { AppEffect } from './app.ts'
import { atBest, isSilence } from './attempts.ts'
import { INSERTED, STOP_PUSH } from './mailbox.ts'
import type { Ports } from './ports.ts'
import {
  IN_TEXT,
  putBackMissing,
  readInterrupted,
  remembering,
  replaceSignature,
  tidy,
} from './replacement.ts'
import {
  type Attachments,
  attachImages,
  removeAll,
  removeUnusedImages,
  takeBackImages,
  unusedImages,
} from './signatureImages.ts'

/** What a message was like before an insertion. */
type Before = Readonly<{ body: string; found: readonly Found[]; attachments: Attachments }>

/**
 * `entry` is what was chosen from a list, as it was then: the list may be another when its turn comes. `leftNames`
 * are of images that an insertion into this item may have left behind, and `leave` adds to them: no other image may
 * be called so. `isFirst` until an insertion has called `begin`: before it writes its signature into this item.
 */
type Request = Readonly<{
  id: number
  itemKey: string
  target: Target
  entry: Chosen | null
  leftNames: readonly string[]
  leave: (names: readonly string[]) => void
  isFirst: boolean
  begin: () => void
}>

type InsertionRequest = Extract<
  SignaturesEvent,
  {
    type: 'signatures/chosen' | 'signatures/noneChosen' | 'signatures/undoRequested' | 'signatures/defaultDue'
  }
>

/**
 * So long after the mail client failed or kept silent, in milliseconds, the message is looked at again: by then every
 * call that was given up has been carried out, or never will be.
 */
const LOOK_AGAIN_MS = 20_000

/** So long after it, a signature that such a call took out late is looked for, so that the message has one soon. */
const LOOK_FOR_FORMER_MS = [2_000, 7_000] as const

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

/** Whether this very signature stands in the message already, once and as it was set, for all that can be read. */
const isInAlready = (plan: ReadyPlan, { found, attachments }: Before): boolean => {
  const [only, ...others] = found
  if (!only || others.length > 0 || only.hash !== plan.hash || plan.type === 'text') return false
  const hasImages = [...contentIds(only.html)].every(
    (id) => attachments?.some(({ name, contentId }) => id === name || id === contentId) ?? true,
  )
  return hasImages && toText(only.html) === toText(plan.content)
}

/** Switches the mail client's own signature off, once before the first write into a message. A failure is logged. */
const switchOffClientSignature = (
  { itemKey, begin }: Request,
  isOn: boolean | null,
  ports: Ports,
): Observable<never> =>
  defer(() => {
    begin()
    return isOn === true
      ? atBest(ports.host.disableClientSignature(itemKey), 'client_signature_not_disabled', ports)
      : EMPTY
  })

/** Writes the plan: new images, the signature, then away with the old images. A failure takes the new ones back. */
const write = (request: Request, plan: ReadyPlan, before: Before, ports: Ports): Observable<AppEvent> => {
  const { id, itemKey, leave } = request
  return concat(
    concat(attachImages(id, itemKey, plan, ports), replaceSignature(itemKey, plan, before.found, ports)).pipe(
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
      preservesText(before, after)
        ? removeUnusedImages(itemKey, after, ports)
        : of(Signatures.wordsChanged({ itemKey, former: createSecret(before) })),
    ),
  )

/**
 * One insertion, from what was asked to what stands in the message: add the new images, set the signature, then
 * remove the old ones, so that a failed step leaves the former signature whole or the new one.
 */
function insertInto(request: Request, state$: StateStream<AppState>, ports: Ports): Observable<AppEvent> {
  const { id, itemKey, target, leftNames, isFirst } = request
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
        hasClientSignature: isFirst && chosen.html !== '' ? host.clientSignature(itemKey) : of(false),
      }).pipe(
        map(unlessSuperseded),
        switchMap(({ bodyType, body, attachments, sanitize, hasClientSignature }): Observable<AppEvent> => {
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
            : concat(
                plan.content === '' ? EMPTY : switchOffClientSignature(request, hasClientSignature, ports),
                defer(() => write(unlessSuperseded(request), plan, before, ports)),
                succeeded(chosen, plan.hash),
              )
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
 * Inserts what is asked for, one insertion after the other; each request ends in exactly one outcome, and is settled.
 * A message that is opened (again), and one that the mail client failed in, is made whole between them.
 */
export const insert: AppEffect = (event$, state$, given) => {
  const ports = { ...given, host: remembering(given.host) }
  const left = new Map<string, readonly string[]>()
  const begun = new Set<string>()
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
                {
                  ...{ id, itemKey, target, entry, leave },
                  leftNames: left.get(itemKey) ?? [],
                  isFirst: !begun.has(itemKey),
                  begin: () => begun.add(itemKey),
                },
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
