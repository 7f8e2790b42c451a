import {
  EMPTY,
  type Observable,
  type ObservedValueOf,
  catchError,
  concat,
  concatAll,
  defaultIfEmpty,
  defer,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  switchMap,
  take,
  takeUntil,
  tap,
  throwError,
} from 'rxjs'
import type { AppEvent } from '../../streams/pane/events.ts'
import type { MessageState } from '../../streams/message/state.ts'
import type { StateStream } from '../../streams/kernel/effect.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed, type Failure, toFailure } from '../../streams/kernel/failure.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { emitAfter, delayBy, now } from '../../streams/kernel/time.ts'
import { isSameEnvelope, knownRecipients, knownSender } from '../../streams/message/mailbox/rules.ts'
import { Mailbox, type Message, type StopPushFlag } from '../../streams/message/mailbox/events.ts'
import {
  contentIds,
  copiesInText,
  findInsertedSignature,
  isSameText,
  type MessageFacts,
  preservesText,
  textFingerprint,
  type SignatureTrace,
} from '../../streams/html/message.ts'
import { admit, type Admission, laterChoice } from '../../streams/message/insertion/admit.ts'
import { changesOnlyBlocks } from '../../streams/message/insertion/automatic.ts'
import { Insertion, type InsertionTarget } from '../../streams/message/insertion/events.ts'
import { defaultSignatureOf } from '../../streams/message/defaults/rules.ts'
import { chooseContent } from '../../streams/message/insertion/choose.ts'
import type { ChosenContent } from '../../streams/message/insertion/rules.ts'
import { tooLargeError } from '../../streams/html/parts.ts'
import { breaksAround } from '../../streams/html/plainText.ts'
import { planInsertion, type ReadyPlan } from '../../streams/html/plan.ts'
import type { SignatureInMessage } from '../../streams/message/signatures/signature.ts'
import {
  type SignatureContent,
  isSameContent,
  showsImages,
  type SignatureImage,
} from '../../streams/html/content.ts'
import type { MessageEffect } from './app.ts'
import { bestEffort, isHostSilence } from './attempts.ts'
import { type Claims, createClaims, LostClaimError, signatureMarkFor } from './claim.ts'
import {
  findArrivedText,
  createLateTextTracker,
  MAX_CALL_DELAY_MS,
  type LateTextTracker,
  type PendingText,
} from './lateText.ts'
import {
  BODY_BEFORE_KEY,
  type BodyBefore,
  INSERTED_SIGNATURE_KEY,
  MAX_BODY_BEFORE_CHARACTERS,
  parseRequestTime,
  parseInsertedSignature,
  recogniseSignatures,
  recordedSignatureIn,
  STOP_PUSH_KEY,
  toPropertyRecord,
} from './mailbox.ts'
import type { MessagePorts } from '../ports.ts'
import {
  type MessageBefore,
  SIGNATURE_IN_TEXT_KEY,
  missingSignatureRepair,
  REREAD_DELAY_MS,
  readRemovedSignature,
  replaceSignature,
  interruptedInsertionRepair,
  type MessageRepair,
} from './replacement.ts'
import { attachImages, hasEveryImage, removeUnusedImages, removePlanImages } from './signatureImages.ts'

/**
 * One insertion. `entry`: the entry as chosen, because the list may change while the insertion waits. `leftNames`:
 * image names that failed insertions may have left in this item; new images avoid them, and `leave` adds more.
 * `isFirst`: true until an insertion calls `begin`, before it writes the first signature into this item. `share`:
 * returns an earlier insertion's content if it is equal, so that the log keeps only one copy in memory. `at`: the time
 * of the choice, in milliseconds since the epoch.
 */
type InsertionJob = Readonly<{
  id: number
  at: number
  itemKey: string
  target: InsertionTarget
  entry: ChosenContent | null
  leftNames: readonly string[]
  leave: (names: readonly string[]) => void
  isFirst: boolean
  begin: () => void
  share: (hash: string, content: SignatureContent) => SignatureContent
  claims: Claims
  late: LateTextTracker
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

/** The delay of the repair after a failed or unanswered call. By then, the client no longer executes the call. */
export const REPAIR_DELAY_MS = MAX_CALL_DELAY_MS

/** The delays before restoring a removed signature, because the client may execute the removal after its time limit. */
const PUT_BACK_AFTER_MS = [2_000, 7_000] as const

const chosenNow = (target: InsertionTarget, state: MessageState): ChosenContent | null =>
  chooseContent(state, target, { composeType: state.mailbox.message?.composeType ?? null })

/** The image contents in memory: from the default, and from the signature in the message. */
const imagesAtHand = ({ defaults, insertion }: MessageState): readonly SignatureImage[] => [
  ...(defaultSignatureOf(defaults)?.images ?? []),
  ...(insertion.content?.images ?? []),
]

/**
 * The signature to insert. Requests image contents that the list lacks. Without a connection, only attaches the
 * available images; the others are shown by their address.
 */
function resolve(
  { target, entry }: InsertionJob,
  state: MessageState,
  { api, log }: MessagePorts,
): Observable<ChosenContent> {
  const chosen = target.kind === 'entry' ? entry : chosenNow(target, state)
  if (!chosen) throw new Failed({ kind: 'entryGone' })
  const hasAllImages = chosen.images.length > 0 || !showsImages(chosen.html)
  return hasAllImages
    ? of(chosen)
    : api.signature({ combinedIds: chosen.combinedIds }).pipe(
        map(({ images }) => images),
        catchError((error: unknown) => {
          const { kind } = toFailure(error)
          if (kind !== 'network' && kind !== 'timeout') throw error
          log.warn('pictures_by_address', { kind })
          return of(imagesAtHand(state))
        }),
        map((images) => ({ ...chosen, images })),
      )
}

/** The record of the item's signature, and whether the user chose that signature. */
const recordOf = (
  { name, reason, ...signature }: SignatureInMessage,
  { trace, message, at }: Readonly<{ trace: SignatureTrace | null; message: Message | null; at: number }>,
) => {
  const { origin, reply } = reason
  // A choice made before the message was read has no compose type.
  const composeType = message?.composeType ?? reason.composeType
  const stored = {
    ...signature,
    reply,
    trace,
    manual: origin !== 'default',
    ...(origin === 'putBack' && { putBack: true }),
  }
  return {
    marker: JSON.stringify({ ...stored, name, at }),
    kept: toPropertyRecord(stored, composeType),
    composeType,
  }
}

/**
 * Records the item's signature in session data, and also in custom properties, which remain when a message is reopened.
 */
const remember = (
  { itemKey, target }: InsertionJob,
  { combinedIds }: SignatureInMessage,
  { marker, kept, composeType }: ReturnType<typeof recordOf>,
  ports: MessagePorts,
): Observable<never> => {
  const session$ = bestEffort(
    ports.host.setSessionData(itemKey, INSERTED_SIGNATURE_KEY, marker),
    'marker_not_kept',
    ports,
  )
  const flag = target.kind === 'default' ? {} : { [STOP_PUSH_KEY]: { composeType, combinedIds } }
  return concat(session$, keepProperties(itemKey, { [INSERTED_SIGNATURE_KEY]: kept, ...flag }, ports))
}

/** Changes custom properties of the message; null removes a property. */
const keepProperties = (
  itemKey: string,
  changes: Readonly<Record<string, object | null>>,
  ports: MessagePorts,
): Observable<never> =>
  ports.host.customProperties(itemKey).pipe(
    switchMap((properties) => {
      const after = Object.fromEntries(
        Object.entries({ ...properties, ...changes }).filter(([, value]) => value !== null),
      )
      if (JSON.stringify(after) === JSON.stringify(properties)) return EMPTY
      const saved$ = ports.host.saveCustomProperties(itemKey, after)
      return bestEffort(saved$, 'stop_push_not_kept', ports)
    }),
  )

/**
 * Returns functions that record the signature in the message. `at`: when the user or the rules requested the insertion.
 */
const recording = (
  job: InsertionJob,
  inMessage: SignatureInMessage,
  at: number,
  state$: StateStream<MessageState>,
  ports: MessagePorts,
): Pick<Keep, 'record' | 'marker'> => {
  const record = (trace: SignatureTrace | null) =>
    recordOf(inMessage, { trace, message: state$.value.mailbox.message, at })
  return {
    record: (trace) => remember(job, inMessage, record(trace), ports),
    marker: (trace) => record(trace).marker,
  }
}

/** Sets or removes the flag that prevents the default in this message. */
const setStopPush = (itemKey: string, flag: StopPushFlag | null, ports: MessagePorts): Observable<never> =>
  keepProperties(itemKey, { [STOP_PUSH_KEY]: flag }, ports)

/**
 * Whether the message has exactly one unaltered copy of this signature, with its id. Unreadable attachments count as
 * unaltered.
 */
const isInAlready = (plan: ReadyPlan, { found, attachments }: MessageBefore): boolean => {
  const [only, ...others] = found
  if (!only || others.length > 0 || only.hash !== plan.hash) return false
  if (only.combinedIds !== plan.combinedIds) return false
  return hasEveryImage(only, attachments) && isSameText(only.html, plan.content, plan.type)
}

/** Switches off the mail client's own signature, once before the first write into a message. Logs a failure. */
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

/**
 * Records which signature the message has; `trace: null` means no signature. `marker` returns the record without
 * storing it.
 */
type Keep = Readonly<{
  record: (trace: SignatureTrace | null) => Observable<never>
  marker: (trace: SignatureTrace | null) => string
  /** Whether a text from another runtime may still arrive, too. */
  isShared: boolean
  /** The body before any runtime's insertion altered the author's text; empty if none did. */
  altered: string
}>

/** The body without its signatures: the author's and the quoted text. */
const othersIn = ({ body, found }: MessageBefore): string =>
  found.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), body)

/**
 * Sets the signature. First announces plain text to the other runtimes, because a client may execute the call late and
 * leave two texts in the body. If text may still arrive afterwards, emits how long to wait for it.
 */
const set = (
  { itemKey, late, claims }: InsertionJob,
  plan: ReadyPlan,
  before: MessageBefore,
  ports: MessagePorts,
  keep: Keep,
): Readonly<{ set$: Observable<AppEvent>; end$: Observable<AppEvent> }> => {
  let isSilent = false
  const watch = <T>(call$: Observable<T>) =>
    call$.pipe(tap({ error: (error: unknown) => (isSilent ||= isHostSilence(toFailure(error))) }))
  const { host } = ports
  const watched: MessagePorts = {
    ...ports,
    host: {
      ...host,
      setSignature: (...args) => watch(host.setSignature(...args)),
      setBody: (...args) => watch(host.setBody(...args)),
    },
  }
  const replace$ = defer(() => {
    if (!claims.isHeld(itemKey)) throw new LostClaimError()
    return replaceSignature(itemKey, plan, before, watched)
  })
  if (plan.type !== 'text' || plan.content === '') return { set$: replace$, end$: EMPTY }
  const words = textFingerprint(plan.content)
  const others = copiesInText(othersIn(before), words)
  const [mark = ''] = before.known.marks
  const trace: SignatureTrace = { mark, words, pictures: [], copies: [1, 0], seen: 'words' }
  const text: PendingText = { marker: keep.marker(trace), words, others, at: now(ports.time) }
  const end$ = defer(() => host.body(itemKey, 'text')).pipe(
    switchMap((body): Observable<AppEvent> => {
      // Without a claim, two runtimes may write at the same time.
      const isTwice = body !== null && copiesInText(body, words) > others + 1
      return isSilent || isTwice || keep.isShared
        ? of(Insertion.textAwaited({ itemKey, until: now(ports.time) + REPAIR_DELAY_MS }))
        : late.end(itemKey, text)
    }),
  )
  return {
    set$: concat(
      late.begin(itemKey, text),
      replace$.pipe(
        catchError((error: unknown) =>
          concat(
            end$,
            defer(() => {
              throw error
            }),
          ),
        ),
      ),
    ),
    end$,
  }
}

/**
 * Attaches the new images, sets the signature, then removes the old images. A failure removes the new images. If the
 * client refuses images, `planWithout` plans the signature again with their web addresses.
 */
const write = (
  job: InsertionJob,
  plan: ReadyPlan,
  planWithout: (refused: readonly string[]) => ReadyPlan,
  before: MessageBefore,
  ports: MessagePorts,
  keep: Keep,
): Observable<AppEvent> => {
  const { id, itemKey, leave } = job
  let written = plan
  let end$: Observable<AppEvent> = EMPTY
  return concat(
    concat(
      attachImages(id, itemKey, plan, ports, (refused) => {
        written = planWithout(refused)
      }),
      defer(() => {
        const setting = set(job, written, before, ports, keep)
        end$ = setting.end$
        return setting.set$
      }),
    ).pipe(
      catchError((error: unknown) => {
        leave(plan.images.map(({ name }) => name))
        if (error instanceof LostClaimError)
          return concat(
            removePlanImages(itemKey, plan, ports),
            throwError(() => error),
          )
        const failure = toFailure(error)
        // The client may still execute the call and show the new images, so `interruptedInsertionRepair` removes or keeps them later.
        const isUnsure =
          failure.kind === 'hostSilent' &&
          (failure.call === 'body.setSignatureAsync' || failure.call === 'body.setAsync')
        return concat(
          isUnsure ? EMPTY : removePlanImages(itemKey, plan, ports),
          throwError(() => new Failed(failure)),
        )
      }),
    ),
    defer(() => conclude(job, written, before, ports, keep)),
    defer(() => end$),
  )
}

/** The signature's trace in the body after the insertion; for plain text, with the line breaks around the signature. */
function traceIn(
  { found, trace }: ReturnType<typeof findInsertedSignature>,
  before: MessageBefore,
  body: string,
): SignatureTrace {
  if (before.type === 'html' || !found) return trace
  const around =
    before.found.length > 0 ? before.known.inserted?.trace?.around : breaksAround(before.body, body, found)
  // Further copies of the words are the author's, or arrived late.
  const copies = [
    Math.min(trace.copies[0], copiesInText(othersIn(before), trace.words) + 1),
    trace.copies[1],
  ] as const
  return { ...trace, copies, ...(around && { around }) }
}

/**
 * Rereads the message after setting the signature, and records the result so that the signature can be found again. If
 * the author's text changed, emits the previous body and keeps all images. Otherwise removes the images that the
 * message no longer shows.
 */
function conclude(
  { itemKey }: InsertionJob,
  plan: ReadyPlan,
  before: MessageBefore,
  ports: MessagePorts,
  keep: Keep,
): Observable<AppEvent> {
  const { known, type } = before
  const read$ = ports.host.body(itemKey, type).pipe(
    map((body) => ({
      body,
      inserted: plan.content === '' ? null : findInsertedSignature(plan, body ?? '', known),
    })),
  )
  return read$.pipe(
    switchMap((read) =>
      // Classic Outlook may briefly return the previous body.
      read.body !== null && read.inserted?.found === null
        ? emitAfter(REREAD_DELAY_MS, ports.time).pipe(switchMap(() => read$))
        : of(read),
    ),
    switchMap(({ body, inserted }): Observable<AppEvent> => {
      const trace = inserted && traceIn(inserted, before, body ?? '')
      const kept$ = keep.record(trace)
      if (body === null) return kept$
      const { combinedIds, hash } = plan
      const now: MessageFacts = { ...known, inserted: trace && { combinedIds, hash, trace } }
      if (!preservesText(before, { body, known: now, type })) {
        const altered: BodyBefore = { body: before.body, type, marker: before.marker ?? '' }
        const json = JSON.stringify(altered)
        // Only the body before the first alteration has the complete text.
        const told$ =
          keep.altered !== '' || json.length > MAX_BODY_BEFORE_CHARACTERS
            ? EMPTY
            : bestEffort(ports.host.setSessionData(itemKey, BODY_BEFORE_KEY, json), 'altered_not_kept', ports)
        return concat(kept$, told$, of(Insertion.bodyAltered({ itemKey, before: createSecret(json) })))
      }
      // The body that was read may be outdated, so images in the new content count as used, too.
      return type === 'html' ? concat(kept$, removeUnusedImages(itemKey, body + plan.content, ports)) : kept$
    }),
  )
}

/**
 * The claimed message and the signature to insert. `moved`: its sender and recipients if they have changed since the
 * decision; null otherwise.
 */
type Claimed = ObservedValueOf<ReturnType<typeof readClaimed>>

/**
 * Claims the message, and reads it together with the signature to insert. Emits nothing if a later choice has replaced
 * this insertion (`isLatest` is false).
 */
function readClaimed(
  job: InsertionJob,
  isLatest: () => boolean,
  state$: StateStream<MessageState>,
  ports: MessagePorts,
) {
  const { itemKey, target, claims, isFirst } = job
  const { host } = ports
  // Another runtime may have reacted to a new sender or recipient. If the client does not report them, the previous
  // ones apply.
  const moved$ = defer(() =>
    forkJoin({ from: host.from(itemKey), recipients: host.recipients(itemKey) }),
  ).pipe(
    map(({ from, recipients }) => {
      const { message } = state$.value.mailbox
      const read = { from: knownSender(from, message), ...knownRecipients(recipients, message) }
      return message === null || isSameEnvelope(message, read) ? null : read
    }),
  )
  return defer(() => resolve(job, state$.value, ports)).pipe(
    filter(isLatest),
    switchMap((chosen) =>
      forkJoin({
        chosen: of(chosen),
        // Another runtime may write before the claim, so the body is read only afterwards.
        bodyType: claims.granted(itemKey).pipe(switchMap(() => host.bodyType(itemKey))),
        // Mail clients add no signature of their own to meetings.
        hasClientSignature:
          isFirst && chosen.html !== '' && !isMeeting(state$.value)
            ? host.clientSignature(itemKey)
            : of(false),
        sanitize: ports.sanitizer(),
      }),
    ),
    filter(isLatest),
    switchMap(({ bodyType, ...begun }) => {
      if (bodyType === null) throw new Failed({ kind: 'hostSilent', call: 'body.getTypeAsync' })
      return forkJoin({
        body: host.body(itemKey, bodyType),
        attachments: host.attachments(itemKey),
        session: host.allSessionData(itemKey),
        moved: target.kind === 'default' ? moved$ : of(null),
      }).pipe(map((read) => ({ ...begun, ...read, type: bodyType })))
    }),
    filter(isLatest),
  )
}

const isMeeting = ({ mailbox }: MessageState): boolean => mailbox.item?.isMeeting === true

/**
 * Describes the message before the insertion, with its recorded signature (`inserted`). `texts` may still arrive.
 * `isRecorded` is false if one of them has arrived without a record, because its runtime ended too early.
 */
function beforeInsertion(
  { itemKey, late }: InsertionJob,
  body: string,
  { type, attachments, session }: Claimed,
  state: MessageState,
  ports: MessagePorts,
) {
  const { message } = state.mailbox
  const marker = session?.[INSERTED_SIGNATURE_KEY] ?? null
  const texts = type === 'text' ? late.textsIn(itemKey, session) : []
  const arrived = findArrivedText(body, texts)
  const inserted = arrived ? parseInsertedSignature(arrived.marker) : recordedSignatureIn(session, message)
  const composeType = message?.composeType ?? null
  const { known, found } = recogniseSignatures(itemKey, { body, type, session, composeType, inserted }, ports)
  const before: MessageBefore = {
    body,
    type,
    known,
    found,
    attachments,
    marker,
    // The client treats the signature as text if another window inserted it, or if Signet wrote the whole body.
    isInText:
      session?.[SIGNATURE_IN_TEXT_KEY] === 'true' ||
      (session !== null && marker === null && found.length > 0),
    isMeeting: isMeeting(state),
  }
  return { before, inserted, texts, isRecorded: arrived === null }
}

/** Records the signature that is already in the message, and removes its unused images. */
function confirm(
  { itemKey, target }: InsertionJob,
  plan: ReadyPlan,
  { before, inserted, isRecorded }: ReturnType<typeof beforeInsertion>,
  ports: MessagePorts,
  keep: Keep,
): Observable<never> {
  const { body, known, marker } = before
  const isSame = isRecorded && inserted?.hash === plan.hash
  const { trace = null } = isSame ? inserted : findInsertedSignature(plan, body, known)
  return concat(
    removeUnusedImages(itemKey, body, ports),
    isSame && marker !== null && target.kind === 'default' ? EMPTY : keep.record(trace),
  )
}

/**
 * Returns a function that plans the signature again, with web addresses for the images that the client refused. It
 * fails if the signature is too large.
 */
function planning(
  { id, itemKey, leftNames }: InsertionJob,
  body: string,
  { chosen, sanitize, type, attachments }: Claimed,
  ports: MessagePorts,
): (refused: readonly string[]) => ReadyPlan {
  const names = [...(attachments ?? []).map(({ name }) => name), ...contentIds(body), ...leftNames]
  const unique = attachments === null ? `${now(ports.time).toString(36)}-${String(id)}` : null
  const mark = signatureMarkFor(itemKey, ports)
  return (refused) => {
    const planned = planInsertion(chosen, type, names, sanitize, unique, mark, refused)
    if (planned.kind === 'tooLarge') throw new Failed(tooLargeError(planned.content))
    return planned
  }
}

/**
 * Runs one insertion: waits for its claim, reads the message, decides whether to insert the signature, and writes it.
 * New images are attached before the signature is set; old images are removed afterwards. So if a step fails, the
 * message still has a complete signature: the previous or the new one.
 */
function insertInto(
  job: InsertionJob,
  state$: StateStream<MessageState>,
  ports: MessagePorts,
): Observable<AppEvent> {
  const { id, at, itemKey, target, share } = job
  /** Whether this insertion is still the latest choice. Until the first write, a later choice replaces it. */
  const isLatest = () => {
    const { latest } = state$.value.insertion
    return latest === null || latest.id === id || latest.itemKey !== itemKey
  }
  const itemGone$ = state$.pipe(
    filter(({ mailbox }) => mailbox.item?.key !== itemKey),
    take(1),
    switchMap(() => throwError(() => new Failed({ kind: 'itemGone' }))),
  )
  /** Fails when the item is no longer open. */
  const whileOpen = <T>(work$: Observable<T>): Observable<T> => work$.pipe(takeUntil(itemGone$))
  const superseded$ = of(Insertion.superseded({ id, target }))
  const skipped$ = of(Insertion.skipped({ id, itemKey }))
  const leaveToUser = (combinedIds: string): Observable<AppEvent> =>
    defer(() => {
      const { composeType = null } = state$.value.mailbox.message ?? {}
      return concat(setStopPush(itemKey, { composeType, combinedIds }, ports), skipped$)
    })
  const follow = (admission: Admission, write$: Observable<AppEvent>): Observable<AppEvent> => {
    switch (admission.kind) {
      case 'write':
        return write$
      case 'writeIfInterrupted':
        return whileOpen(readRemovedSignature(itemKey, ports)).pipe(
          switchMap((previous) => (previous === null ? leaveToUser('') : write$)),
        )
      case 'leaveToUser':
        return leaveToUser(admission.combinedIds)
      // No stop-push flag is set, because a reopened message is checked for the words again.
      case 'wordsPresent':
        return skipped$
      case 'unrecognised':
        return of(Insertion.leftAsIs({ id, itemKey }))
    }
  }

  const insertAsRead = (claimed: Claimed): Observable<AppEvent> => {
    const { chosen, hasClientSignature, body, session, moved } = claimed
    // The sender or the recipients have changed, so the default is decided again.
    if (moved) return concat(of(Mailbox.envelopeRead({ itemKey, ...moved })), superseded$)
    // Without a readable body, the insertion fails before it writes.
    if (body === null) throw new Failed({ kind: 'hostSilent', call: 'body.getAsync' })
    const read = beforeInsertion(job, body, claimed, state$.value, ports)
    const { before, inserted, texts } = read
    const recordedAt = parseRequestTime(before.marker)
    const later = laterChoice(inserted, { recordedAt, at })
    if (later) return leaveToUser(later.combinedIds)

    const planWithout = planning(job, body, claimed, ports)
    const plan = planWithout([])
    const { html, images, ...signature } = chosen
    const inMessage: SignatureInMessage = { ...signature, hash: plan.hash }
    // A change of blocks is not a new choice by the user, so the earlier time stays.
    const askedAt = changesOnlyBlocks(target, chosen) ? recordedAt : at
    const keep: Keep = {
      ...recording(job, inMessage, askedAt, state$, ports),
      isShared: texts.length > 0,
      altered: session?.[BODY_BEFORE_KEY] ?? '',
    }
    // If another runtime altered the author's text, this pane offers to restore it.
    const altered$ =
      keep.altered === '' || state$.value.insertion.bodyBefore !== null
        ? EMPTY
        : of(Insertion.bodyAltered({ itemKey, before: createSecret(keep.altered) }))
    const until = Math.max(...texts.map((text) => text.at)) + REPAIR_DELAY_MS
    const awaited$ = texts.length > 0 ? of(Insertion.textAwaited({ itemKey, until })) : EMPTY
    const content = share(plan.hash, { html, images })
    const succeeded$ = of(Insertion.succeeded({ id, itemKey, target, inMessage, content }))
    const replace$ = concat(
      plan.content === '' ? EMPTY : switchOffClientSignature(job, hasClientSignature, ports),
      defer(() =>
        isLatest() ? concat(write(job, plan, planWithout, before, ports, keep), succeeded$) : superseded$,
      ),
    )
    const work$ = isInAlready(plan, before)
      ? concat(confirm(job, plan, read, ports, keep), succeeded$)
      : replace$
    const write$ = whileOpen(concat(awaited$, work$))
    const admission: Admission =
      target.kind === 'default'
        ? admit(chosen, plan, before, inserted, state$.value.insertion.inMessage)
        : { kind: 'write' }
    return concat(altered$, follow(admission, write$))
  }

  const steps$ = whileOpen(readClaimed(job, isLatest, state$, ports)).pipe(
    defaultIfEmpty(null),
    switchMap((claimed) => (claimed ? insertAsRead(claimed) : superseded$)),
  )
  return steps$.pipe(
    catchError((error: unknown) => {
      if (!(error instanceof LostClaimError)) throw error
      return steps$
    }),
    catchError((error: unknown): Observable<AppEvent> => {
      const failure: Failure =
        error instanceof LostClaimError
          ? { kind: 'hostSilent', call: 'sessionData.setAsync' }
          : toFailure(error)
      const isOpen = state$.value.mailbox.item?.key === itemKey
      return concat(
        target.kind !== 'default' && isOpen ? setStopPush(itemKey, null, ports) : EMPTY,
        of(Insertion.failed({ id, itemKey, target, failure })),
      )
    }),
  )
}

const targetOf = (event: InsertionRequest): InsertionTarget => {
  if (event.type === 'insertion/chosen') return { kind: 'entry', entryId: event.data.entryId }
  if (event.type === 'insertion/noneChosen') return { kind: 'none' }
  return { kind: event.type === 'insertion/defaultDue' ? 'default' : 'previous' }
}

/**
 * Runs insertions one after the other. Each ends with exactly one outcome, followed by `settled`. Between insertions,
 * repairs messages that were just opened, or in which the mail client failed.
 */
export const runInsertions: MessageEffect = (event$, state$, ports) => {
  const left = new Map<string, readonly string[]>()
  const begun = new Set<string>()
  const contents = new Map<string, SignatureContent>()
  const share: InsertionJob['share'] = (hash, content) => {
    const known = contents.get(hash)
    if (known && isSameContent(known, content)) return known
    contents.set(hash, content)
    return content
  }
  const isOpen = (itemKey: string) => state$.value.mailbox.item?.key === itemKey
  const claims = createClaims(ports, isOpen)
  const late = createLateTextTracker(ports)
  /** Claims the message for a job that writes. The job itself waits for the claim. */
  const claiming = (itemKey: string, work$: Observable<AppEvent>): Observable<AppEvent> => {
    if (!isOpen(itemKey)) return work$
    claims.begin(itemKey)
    return concat(work$, claims.end(itemKey))
  }
  const granted = (itemKey: string) => claims.granted(itemKey).pipe(ignoreElements())
  const whileOpen = (itemKey: string, { isNeeded, run }: MessageRepair) =>
    defer(() =>
      isOpen(itemKey)
        ? isNeeded(itemKey, ports).pipe(
            switchMap((needed) =>
              needed ? claiming(itemKey, concat(granted(itemKey), run(itemKey, ports))) : EMPTY,
            ),
          )
        : EMPTY,
    )
  const awaited$ = event$.pipe(
    ofType(Insertion.textAwaited),
    mergeMap(({ data: { itemKey, until } }) =>
      of(whileOpen(itemKey, late.repair)).pipe(delayBy(Math.max(0, until - now(ports.time)), ports.time)),
    ),
  )
  const again$ = event$.pipe(
    ofType(Insertion.failed),
    filter(({ data: { failure } }) => failure.kind === 'host' || isHostSilence(failure)),
    mergeMap(({ data: { itemKey } }) => {
      const later = (ms: number, work: MessageRepair) =>
        of(whileOpen(itemKey, work)).pipe(delayBy(ms, ports.time))
      return merge(
        ...PUT_BACK_AFTER_MS.map((ms) => later(ms, missingSignatureRepair)),
        later(REPAIR_DELAY_MS, interruptedInsertionRepair),
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
      Mailbox.messageRead,
    ),
    map((event): Observable<AppEvent> => {
      const { itemKey } = event.data
      if (event.type === 'mailbox/messageRead') return whileOpen(itemKey, interruptedInsertionRepair)
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
              id,
              at: event.meta.at,
              itemKey,
              target,
              entry,
              leave,
              share,
              claims,
              late,
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
  return merge(claims.run$, merge(asked$, again$, awaited$).pipe(concatAll()))
}
