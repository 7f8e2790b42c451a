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
import type { MessageState } from '../streams/app/messageState.ts'
import type { StateStream } from '../streams/kernel/effect.ts'
import { ofType } from '../streams/kernel/event.ts'
import { Failed, toFailure } from '../streams/kernel/failure.ts'
import { createSecret, reveal } from '../streams/kernel/secret.ts'
import { delayBy, now } from '../streams/kernel/time.ts'
import { isReplyOrForward } from '../streams/mailbox/rules.ts'
import { type Inserted, Mailbox, type StopPush } from '../streams/mailbox/events.ts'
import { Insertion, type Target } from '../streams/insertion/events.ts'
import { type Chosen, choose } from '../streams/insertion/rules.ts'
import { contentIds, findSignatures, type Found, hasWords, preservesText } from '../streams/html/message.ts'
import { planInsertion, type ReadyPlan } from '../streams/html/plan.ts'
import { type Content, type InMessage, isSameContent, showsImages } from '../streams/signatures/signature.ts'
import { toText } from '../streams/html/text.ts'
import type { MessageEffect } from './app.ts'
import { bestEffort, isSilence } from './attempts.ts'
import { type Claims, createClaims, LostClaim } from './claim.ts'
import { INSERTED, parseAskedAt, parseInserted, STOP_PUSH } from './mailbox.ts'
import type { MessagePorts } from './ports.ts'
import {
  IN_TEXT,
  putBackMissing,
  readInterrupted,
  withMemory,
  replaceSignature,
  repair,
  type Repair,
} from './replacement.ts'
import {
  type Attachments,
  attachImages,
  removeAll,
  removeUnusedImages,
  takeBackImages,
  unusedImages,
} from './signatureImages.ts'

/** The message before an insertion. */
type Before = Readonly<{ body: string; found: readonly Found[]; attachments: Attachments }>

/**
 * `entry` is the entry at the time of the choice: the list may change while the insertion waits. `leftNames` are the
 * names of images that failed insertions may have left in this item; they are not reused, and `leave` adds to them.
 * `isFirst` until an insertion calls `begin`, before it writes the first signature into this item. `share` returns the
 * content of an earlier insertion when it equals this one: the log keeps the content of each, and one copy is enough.
 * `at` is the time of the choice, in milliseconds since the epoch.
 */
type InsertionJob = Readonly<{
  id: number
  at: number
  itemKey: string
  target: Target
  entry: Chosen | null
  leftNames: readonly string[]
  leave: (names: readonly string[]) => void
  isFirst: boolean
  begin: () => void
  share: (hash: string, content: Content) => Content
  claims: Claims
}>

type InsertionRequest = Extract<
  AppEvent,
  {
    type:
      | 'insertion/chosen'
      | 'insertion/noneChosen'
      | 'insertion/undoRequested'
      | 'insertion/redoRequested'
      | 'insertion/defaultDue'
  }
>

/**
 * The delay of a repair after the mail client failed or did not answer: by then every call that timed out has been
 * carried out, or never will be.
 */
export const REPAIR_AFTER_MS = 20_000

/** The shorter delay of restoring a signature that such a call removed late. */
const PUT_BACK_AFTER_MS = [2_000, 7_000] as const

const chosenNow = (target: Target, state: MessageState): Chosen | null =>
  choose(state, target, { composeType: state.mailbox.message?.composeType ?? null })

/** The signature to insert, with its images' contents, which are requested when the list has none. */
function resolve(
  { target, entry }: InsertionJob,
  state: MessageState,
  { api }: MessagePorts,
): Observable<Chosen> {
  const chosen = target.kind === 'entry' ? entry : chosenNow(target, state)
  if (!chosen) throw new Failed({ kind: 'entryGone' })
  const hasAllImages = chosen.images.length > 0 || !showsImages(chosen.html)
  return hasAllImages
    ? of(chosen)
    : api.signature({ combinedIds: chosen.combinedIds }).pipe(map(({ images }) => ({ ...chosen, images })))
}

/** Stores in the item which signature it has, and that the user chose it. */
const remember = (
  { itemKey, target, at }: InsertionJob,
  inMessage: InMessage,
  ports: MessagePorts,
): Observable<never> => {
  const { origin, reply, composeType } = inMessage.reason
  const putBack = origin === 'putBack' || undefined
  const kept = { ...inMessage, reason: undefined, reply, manual: origin !== 'default', putBack, at }
  const marker = JSON.stringify(kept)
  const flag: StopPush = { composeType, combinedIds: inMessage.combinedIds }
  return concat(
    bestEffort(ports.host.setSessionData(itemKey, INSERTED, marker), 'marker_not_kept', ports),
    target.kind === 'default' ? EMPTY : setStopPush(itemKey, flag, ports),
  )
}

/** Sets or removes the flag that prevents the default in this message. */
const setStopPush = (itemKey: string, flag: StopPush | null, ports: MessagePorts): Observable<never> =>
  ports.host.customProperties(itemKey).pipe(
    switchMap((properties) => {
      if (JSON.stringify(properties[STOP_PUSH] ?? null) === JSON.stringify(flag)) return EMPTY
      const changed = new Map(Object.entries(properties))
      if (flag) changed.set(STOP_PUSH, flag)
      else changed.delete(STOP_PUSH)
      const saved$ = ports.host.saveCustomProperties(itemKey, Object.fromEntries(changed))
      return bestEffort(saved$, 'stop_push_not_kept', ports)
    }),
  )

/** Whether the user chose what was inserted last. */
const isChosen = ({ origin }: Inserted): boolean => origin !== 'default'

class Superseded extends Error {}
/** Nothing is inserted: the user chose for this message outside this pane, or chose later than for this insertion. */
class LeftToUser extends Error {
  constructor(readonly combinedIds: string) {
    super()
  }
}

/** The default is not inserted: its words stand in the message, and the mail client took their marker away. */
class WordsPresent extends Error {}

/**
 * Whether the message has this signature already, once, unaltered and under its own id; unreadable attachments count as
 * unaltered.
 */
const isInAlready = ({ combinedIds }: Chosen, plan: ReadyPlan, { found, attachments }: Before): boolean => {
  const [only, ...others] = found
  if (!only || others.length > 0 || only.hash !== plan.hash || plan.type === 'text') return false
  if (only.combinedIds !== combinedIds) return false
  const hasImages = [...contentIds(only.html)].every(
    (id) => attachments?.some(({ name, contentId }) => id === name || id === contentId) ?? true,
  )
  return hasImages && toText(only.html) === toText(plan.content)
}

/** Switches the mail client's own signature off, once before the first write into a message. A failure is logged. */
const switchOffClientSignature = (
  { itemKey, begin }: InsertionJob,
  isOn: boolean | null,
  ports: MessagePorts,
): Observable<never> =>
  defer(() => {
    begin()
    return isOn === true
      ? bestEffort(ports.host.disableClientSignature(itemKey), 'client_signature_not_disabled', ports)
      : EMPTY
  })

/** Writes the plan: new images, the signature, then removes the old images. After a failure, removes the new ones. */
const write = (
  job: InsertionJob,
  plan: ReadyPlan,
  before: Before,
  ports: MessagePorts,
): Observable<AppEvent> => {
  const { id, itemKey, leave, claims } = job
  return concat(
    concat(
      attachImages(id, itemKey, plan, ports),
      defer(() => {
        if (!claims.isHeld(itemKey)) throw new LostClaim()
        return replaceSignature(itemKey, plan, before.found, ports)
      }),
    ).pipe(
      catchError((error: unknown) => {
        leave(plan.images.map(({ name }) => name))
        if (error instanceof LostClaim)
          return concat(
            takeBackImages(itemKey, plan, ports),
            throwError(() => error),
          )
        const failure = toFailure(error)
        // The call may still be carried out and show the new images: the repair handles them.
        const isUnsure =
          failure.kind === 'hostSilent' &&
          (failure.call === 'body.setSignatureAsync' || failure.call === 'body.setAsync')
        return concat(
          isUnsure ? EMPTY : takeBackImages(itemKey, plan, ports),
          throwError(() => new Failed(failure)),
        )
      }),
    ),
    plan.type === 'html' ? conclude(itemKey, before.body, ports) : EMPTY,
  )
}

/**
 * Checks the message after the signature is set. If the author's text is altered, emits the previous body and keeps all
 * images. Otherwise removes the images that the message no longer shows.
 */
const conclude = (itemKey: string, before: string, ports: MessagePorts): Observable<AppEvent> =>
  ports.host.body(itemKey, 'html').pipe(
    filter((after) => after !== null),
    switchMap((after): Observable<AppEvent> =>
      preservesText(before, after)
        ? removeUnusedImages(itemKey, after, ports)
        : of(Insertion.bodyAltered({ itemKey, before: createSecret(before) })),
    ),
  )

/**
 * One insertion: adds the new images, sets the signature, then removes the old images, so that a failed step leaves the
 * previous signature or the new one, complete. It waits until no other runtime writes into the message, and reads the
 * message after that.
 */
function insertInto(
  job: InsertionJob,
  state$: StateStream<MessageState>,
  ports: MessagePorts,
): Observable<AppEvent> {
  const { id, at, itemKey, target, leftNames, isFirst, share, claims } = job
  const { host } = ports
  const isLatest = () => {
    const { latest } = state$.value.insertion
    return latest === null || latest.id === id || latest.itemKey !== itemKey
  }
  /** Before the first write, a later choice replaces this one. */
  const unlessSuperseded = <T>(value: T): T => {
    if (!isLatest()) throw new Superseded()
    return value
  }
  const tell = ({ html, images, name, combinedIds, reason }: Chosen, hash: string) => {
    const inMessage: InMessage = { combinedIds, hash, name, reason }
    return {
      inMessage,
      told$: of(
        Insertion.succeeded({ id, itemKey, target, inMessage, content: share(hash, { html, images }) }),
      ),
    }
  }
  const succeeded = (chosen: Chosen, hash: string) => {
    const { inMessage, told$ } = tell(chosen, hash)
    return concat(remember(job, inMessage, ports), told$)
  }

  /** Whether a default may go into the message as it is; throws when it is left to the user. */
  const allowDefault = (
    plan: ReadyPlan,
    { body, found }: Before,
    inserted: Inserted | null,
  ): Observable<true> => {
    const { inMessage } = state$.value.insertion
    const present = found.at(-1)
    // Another runtime may have inserted it by itself; what the user chose there is left to them.
    if (inserted && isChosen(inserted)) throw new LeftToUser(inserted.combinedIds)
    // A signature unknown to this pane is the user's choice: its marker may have been unreadable.
    if (present && ![plan.hash, inMessage?.hash, inserted?.hash].includes(present.hash))
      throw new LeftToUser(present.combinedIds)
    if (present) return of(true)
    if (inMessage === null && inserted === null) {
      // A thread below a reply may have them, and not every client marks where it begins.
      const mayBeSentAgain = !isReplyOrForward(state$.value.mailbox.message?.composeType ?? null)
      if (mayBeSentAgain && hasWords(body, plan.content)) throw new WordsPresent()
      return of(true)
    }
    // The signature is missing: the user removed it, unless an interrupted replacement did.
    return readInterrupted(itemKey, ports).pipe(
      map((interrupted) => {
        if (interrupted === null) throw new LeftToUser('')
        return true
      }),
    )
  }

  const readMessage$ = defer(() =>
    forkJoin({
      body: host.body(itemKey, 'html'),
      attachments: host.attachments(itemKey),
      marker: host.sessionData(itemKey, INSERTED),
    }),
  )

  const steps$ = defer(() => resolve(job, state$.value, ports)).pipe(
    map(unlessSuperseded),
    switchMap((chosen) =>
      forkJoin({
        granted: claims.granted(itemKey),
        bodyType: host.bodyType(itemKey),
        hasClientSignature: isFirst && chosen.html !== '' ? host.clientSignature(itemKey) : of(false),
        sanitize: ports.sanitizer(),
      }).pipe(
        map(unlessSuperseded),
        switchMap(({ bodyType, hasClientSignature, sanitize }) =>
          readMessage$.pipe(
            map(unlessSuperseded),
            switchMap(({ body, attachments, marker }): Observable<AppEvent> => {
              const inserted = parseInserted(marker)
              if (bodyType === null) throw new Failed({ kind: 'hostSilent', call: 'body.getTypeAsync' })
              // Fails closed when the body is unreadable.
              if (body === null) throw new Failed({ kind: 'hostSilent', call: 'body.getAsync' })
              // Another runtime has carried out a later choice.
              if (inserted && isChosen(inserted) && parseAskedAt(marker) > at)
                throw new LeftToUser(inserted.combinedIds)
              const found = findSignatures(body)
              const names = [
                ...(attachments ?? []).map(({ name }) => name),
                ...contentIds(body),
                ...leftNames,
              ]
              const mark = attachments === null ? `${now(ports.time).toString(36)}-${String(id)}` : null
              const plan = planInsertion(chosen, bodyType, names, sanitize, mark)
              if (plan.kind === 'tooLarge') throw new Failed(plan)
              const before = { body, found, attachments }
              const write$ = isInAlready(chosen, plan, before)
                ? concat(
                    removeAll(itemKey, unusedImages(attachments, body), ports),
                    inserted?.hash === plan.hash && target.kind === 'default'
                      ? tell(chosen, plan.hash).told$
                      : succeeded(chosen, plan.hash),
                  )
                : concat(
                    plan.content === '' ? EMPTY : switchOffClientSignature(job, hasClientSignature, ports),
                    defer(() => write(unlessSuperseded(job), plan, before, ports)),
                    succeeded(chosen, plan.hash),
                  )
              return target.kind !== 'default' || bodyType === 'text'
                ? write$
                : allowDefault(plan, before, inserted).pipe(switchMap(() => write$))
            }),
          ),
        ),
      ),
    ),
  )

  const itemGone$ = state$.pipe(
    filter(({ mailbox }) => mailbox.item?.key !== itemKey),
    take(1),
    switchMap(() => throwError(() => new Failed({ kind: 'itemGone' }))),
  )
  const retried$ = steps$.pipe(
    catchError((error: unknown) => {
      if (!(error instanceof LostClaim)) throw error
      return steps$
    }),
    catchError((error: unknown) => {
      throw error instanceof LostClaim
        ? new Failed({ kind: 'hostSilent', call: 'sessionData.setAsync' })
        : error
    }),
  )

  return raceFailure(retried$, itemGone$).pipe(
    catchError((error: unknown): Observable<AppEvent> => {
      if (error instanceof Superseded) return of(Insertion.superseded({ id, target }))
      // No flag: opened again, the message tells the same; without the words the default is wanted.
      if (error instanceof WordsPresent) return of(Insertion.skipped({ id, itemKey }))
      if (error instanceof LeftToUser) {
        const { composeType = null } = state$.value.mailbox.message ?? {}
        return concat(
          setStopPush(itemKey, { composeType, combinedIds: error.combinedIds }, ports),
          of(Insertion.skipped({ id, itemKey })),
        )
      }
      const failure = toFailure(error)
      const isOpen = state$.value.mailbox.item?.key === itemKey
      return concat(
        target.kind !== 'default' && isOpen ? setStopPush(itemKey, null, ports) : EMPTY,
        of(Insertion.failed({ id, itemKey, target, failure })),
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
  if (event.type === 'insertion/chosen') return { kind: 'entry', uuid: event.data.uuid }
  if (event.type === 'insertion/noneChosen') return { kind: 'none' }
  return { kind: event.type === 'insertion/defaultDue' ? 'default' : 'previous' }
}

/**
 * Runs insertions one after the other; each ends with exactly one outcome, and is settled. Between them it repairs a
 * message that was opened (again), or in which the mail client failed.
 */
export const insert: MessageEffect = (event$, state$, given) => {
  const ports = { ...given, host: withMemory(given.host) }
  const left = new Map<string, readonly string[]>()
  const begun = new Set<string>()
  const contents = new Map<string, Content>()
  const share: InsertionJob['share'] = (hash, content) => {
    const known = contents.get(hash)
    if (known && isSameContent(known, content)) return known
    contents.set(hash, content)
    return content
  }
  const isOpen = (itemKey: string) => state$.value.mailbox.item?.key === itemKey
  const claims = createClaims(given, isOpen)
  /** Begins to claim the message, for a work that writes; the work itself waits until the claim is granted. */
  const claiming = (itemKey: string, work$: Observable<AppEvent>): Observable<AppEvent> => {
    if (!isOpen(itemKey)) return work$
    claims.begin(itemKey)
    return concat(work$, claims.end(itemKey))
  }
  const granted = (itemKey: string) => claims.granted(itemKey).pipe(ignoreElements())
  const whileOpen = (itemKey: string, { isNeeded, run }: Repair) =>
    defer(() =>
      isOpen(itemKey)
        ? isNeeded(itemKey, ports).pipe(
            switchMap((needed) =>
              needed ? claiming(itemKey, concat(granted(itemKey), run(itemKey, ports))) : EMPTY,
            ),
          )
        : EMPTY,
    )
  const again$ = event$.pipe(
    ofType(Insertion.failed),
    filter(({ data: { failure } }) => failure.kind === 'host' || isSilence(failure)),
    mergeMap(({ data: { itemKey } }) => {
      const later = (ms: number, work: Repair) => of(whileOpen(itemKey, work)).pipe(delayBy(ms, ports.time))
      return merge(
        ...PUT_BACK_AFTER_MS.map((ms) => later(ms, putBackMissing)),
        later(REPAIR_AFTER_MS, repair),
      )
    }),
  )
  const asked$ = event$.pipe(
    ofType(
      Insertion.chosen,
      Insertion.noneChosen,
      Insertion.undoRequested,
      Insertion.redoRequested,
      Insertion.defaultDue,
      Insertion.bodyRestoreRequested,
      Mailbox.messageRead,
    ),
    map((event): Observable<AppEvent> => {
      const { itemKey } = event.data
      if (event.type === 'mailbox/messageRead') return whileOpen(itemKey, repair)
      if (event.type === 'insertion/bodyRestoreRequested')
        return claiming(
          itemKey,
          concat(
            granted(itemKey),
            defer(() => restoreBody(itemKey, state$.value, ports)),
          ),
        )
      const id = event.meta.seq
      const target = targetOf(event)
      const entry = chosenNow(target, state$.value)
      const leave = (names: readonly string[]) => {
        if (names.length > 0) left.set(itemKey, [...(left.get(itemKey) ?? []), ...names])
      }
      const insertion$ = concat(
        defer(() =>
          insertInto(
            {
              ...{ id, at: event.meta.at, itemKey, target, entry, leave, share, claims },
              leftNames: left.get(itemKey) ?? [],
              isFirst: !begun.has(itemKey),
              begin: () => begun.add(itemKey),
            },
            state$,
            ports,
          ),
        ),
        of(Insertion.settled({ id })),
      )
      return claiming(itemKey, insertion$)
    }),
  )
  return merge(claims.run$, merge(asked$, again$).pipe(concatAll()))
}

/** Restores the body from before the insertion, with its images, at the request of the user. */
const restoreBody = (
  itemKey: string,
  { insertion, mailbox }: MessageState,
  ports: MessagePorts,
): Observable<AppEvent> => {
  const before = insertion.bodyBefore && reveal(insertion.bodyBefore)
  if (!before || mailbox.item?.key !== itemKey)
    return of(Insertion.bodyRestoreFailed({ itemKey, failure: { kind: 'entryGone' } }))
  const { host } = ports
  const hadSignature = findSignatures(before).length > 0
  return concat(
    // Otherwise the next signature would be added beside the restored one.
    hadSignature ? host.setSessionData(itemKey, IN_TEXT, 'true').pipe(ignoreElements()) : EMPTY,
    host.setBody(itemKey, before, 'html').pipe(ignoreElements()),
    // The marker in the restored body tells which signature it has.
    bestEffort(host.setSessionData(itemKey, INSERTED, ''), 'marker_not_kept', ports),
    repair.run(itemKey, ports),
    of(Insertion.bodyRestored({ itemKey })),
  ).pipe(
    catchError((error: unknown) => of(Insertion.bodyRestoreFailed({ itemKey, failure: toFailure(error) }))),
  )
}
