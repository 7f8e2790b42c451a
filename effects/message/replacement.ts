import {
  EMPTY,
  type Observable,
  catchError,
  concat,
  defer,
  filter,
  ignoreElements,
  map,
  of,
  switchMap,
  throwError,
} from 'rxjs'
import { Failed, toFailure } from '../../streams/kernel/failure.ts'
import { bodyEnd } from '../../streams/html/elements.ts'
import {
  type BodyType,
  contentIds,
  findInsertedSignature,
  findSignatures,
  type FoundSignature,
  hasSignatureWords,
  preservesText,
  quoteStartIn,
  type ReadBody,
} from '../../streams/html/message.ts'
import { onlineMeetingIn } from '../../streams/html/onlineMeeting.ts'
import { closeGap, joinTexts } from '../../streams/html/plainText.ts'
import type { ReadyPlan } from '../../streams/html/plan.ts'
import { emitAfter } from '../../streams/kernel/time.ts'
import { bestEffort, isHostSilence, retryOnce } from './attempts.ts'
import {
  INSERTED_SIGNATURE_KEY,
  parseInsertedSignature,
  recogniseSignatures,
  REPLACED_SIGNATURE_KEY,
} from './mailbox.ts'
import type { MessagePorts } from '../ports.ts'
import { type Attachments, readUnusedImages, removeAttachments } from './signatureImages.ts'

/** How long Signet waits before it rereads a body that the client returned unchanged. */
export const REREAD_DELAY_MS = 150

/**
 * The session data key of a flag: the client treats the signature as text, so setting a signature would add a second
 * one.
 */
export const SIGNATURE_IN_TEXT_KEY = 'lsi_in_text'

/**
 * The message before an insertion. `isInText`: the mail client treats the signature as ordinary text, so setting a
 * signature would add a second one. `marker` is the stored record of the last insertion.
 */
export type MessageBefore = ReadBody &
  Readonly<{
    found: readonly FoundSignature[]
    attachments: Attachments
    isInText: boolean
    isMeeting: boolean
    marker: string | null
  }>

/**
 * Runs a call that writes. Without a response, reads the message: if it has the signature with its new images, the call
 * has succeeded.
 */
const unlessSet = (
  call$: Observable<unknown>,
  itemKey: string,
  plan: ReadyPlan,
  before: MessageBefore,
  { host }: MessagePorts,
): Observable<unknown> =>
  call$.pipe(
    catchError((error: unknown) => {
      const failed = new Failed(toFailure(error))
      if (!isHostSilence(failed.failure)) throw failed
      return host.body(itemKey, plan.type).pipe(
        map((body) => {
          if (body === null || !isSet(plan, body, before)) throw failed
        }),
      )
    }),
  )

const setSignature = (itemKey: string, plan: ReadyPlan, before: MessageBefore, ports: MessagePorts) =>
  unlessSet(ports.host.setSignature(itemKey, plan.content, plan.type), itemKey, plan, before, ports)

function isSet(plan: ReadyPlan, body: string, { known }: MessageBefore): boolean {
  if (plan.content === '') return findSignatures(body, known, plan.type).length === 0
  const present = findInsertedSignature(plan, body, known).found
  const shown = contentIds(present?.html ?? '')
  return present !== null && plan.images.every(({ name }) => shown.has(name))
}

/**
 * Sets the signature. If the previous signature has inline images, first stores it in the item's session data and
 * removes it, because some clients would keep both. `interruptedInsertionRepair` can restore the stored signature after a failure, after
 * another item was opened, or after the pane was closed.
 */
function replaceWhole(
  itemKey: string,
  plan: ReadyPlan,
  before: MessageBefore,
  ports: MessagePorts,
): Observable<never> {
  const { host } = ports
  const previous = before.found.at(-1) ?? null
  const whole = before.body.slice(previous?.start, previous?.end)
  const set$ = defer(() => setSignature(itemKey, plan, before, ports)).pipe(ignoreElements())
  if (
    previous === null ||
    plan.type === 'text' ||
    plan.content === '' ||
    contentIds(previous.html).size === 0
  )
    return set$
  return concat(
    bestEffort(
      host.setSessionData(itemKey, REPLACED_SIGNATURE_KEY, `${previous.hash} ${whole}`),
      'previous_not_kept',
      ports,
    ),
    host.setSignature(itemKey, '', 'html').pipe(
      ignoreElements(),
      catchError((error: unknown) => {
        const failure = toFailure(error)
        // If the client may still execute the removal, `interruptedInsertionRepair` restores the signature later.
        return concat(
          isHostSilence(failure) ? EMPTY : putBack(itemKey, whole, ports),
          throwError(() => new Failed(failure)),
        )
      }),
    ),
    set$.pipe(
      catchError((error: unknown) =>
        concat(
          putBack(itemKey, whole, ports),
          throwError(() => new Failed(toFailure(error))),
        ),
      ),
    ),
    bestEffort(host.setSessionData(itemKey, REPLACED_SIGNATURE_KEY, ''), 'replacing_not_ended', ports),
  )
}

/** An empty line above a signature in an empty meeting. Without it, the author could write only below the signature. */
const LINE = '<p><br></p>'

/** The position of a new signature: above the quoted thread and, in a meeting, above an online meeting's block. */
const placeIn = (
  body: string,
  { type, isMeeting }: Pick<MessageBefore, 'type' | 'isMeeting'>,
  found: readonly FoundSignature[],
): number =>
  Math.min(
    quoteStartIn(body, type),
    bodyEnd(body, type),
    (isMeeting ? onlineMeetingIn(body, type, found) : null) ?? Infinity,
  )

/** The maximum number of reads in `readSettledBody`. */
const CALM_READS = 40

/** Reads the body until it stops changing. Writing earlier would undo new text from the author or from Teams. */
export const readSettledBody = (
  itemKey: string,
  type: BodyType,
  ports: MessagePorts,
  previous: string | null = null,
  reads = CALM_READS,
): Observable<string | null> =>
  ports.host
    .body(itemKey, type)
    .pipe(
      switchMap((body) =>
        body === null || body === previous || reads === 0
          ? of(body)
          : emitAfter(REREAD_DELAY_MS, ports.time).pipe(
              switchMap(() => readSettledBody(itemKey, type, ports, body, reads - 1)),
            ),
      ),
    )

/** Inserts the content at `start`, and removes all signatures in `found` from the body. */
function withContent(
  body: string,
  content: string,
  start: number,
  { found, type, isMeeting, known }: Pick<MessageBefore, 'found' | 'type' | 'isMeeting' | 'known'>,
): string {
  const without = (from: number, to: number) =>
    found.reduceRight(
      (text, each) =>
        each.start < from || each.end > to
          ? text
          : text.slice(0, each.start - from) + text.slice(each.end - from),
      body.slice(from, to),
    )
  const [above, below] = [without(0, start), without(start, body.length)]
  const isNew = found.length === 0
  if (type === 'text' && isNew) return joinTexts(joinTexts(above, content), below)
  if (type === 'text' && content === '') return closeGap(above, below, known.inserted?.trace?.around ?? null)
  return (isMeeting && isNew && above === '' && content !== '' ? LINE : '') + above + content + below
}

/**
 * Replaces a signature that the mail client treats as ordinary text: reads the body and writes it back with the new
 * signature. If a client refuses to write plain text, as phones do, sets the signature the usual way. In a meeting,
 * where Signet writes unasked, restores the body if the write changed the author's words.
 */
const replaceInText = (
  itemKey: string,
  plan: ReadyPlan,
  before: MessageBefore,
  ports: MessagePorts,
): Observable<never> => {
  const { host } = ports
  const { type, isMeeting } = before
  const mark$ = type === 'html' ? host.setSessionData(itemKey, SIGNATURE_IN_TEXT_KEY, 'true') : EMPTY
  const read$ = isMeeting ? readSettledBody(itemKey, type, ports) : host.body(itemKey, type)
  const write$ = read$.pipe(
    switchMap((body) => {
      // Without a readable body, the replacement fails before it writes.
      if (body === null) throw new Failed({ kind: 'hostSilent', call: 'body.getAsync' })
      const found = findSignatures(body, before.known, type)
      const start = Math.min(found[0]?.start ?? body.length, placeIn(body, before, found))
      const written = withContent(body, plan.content, start, { ...before, found })
      const set$ = unlessSet(host.setBody(itemKey, written, type), itemKey, plan, before, ports)
      return isMeeting ? concat(set$, checkText(itemKey, plan, { ...before, body }, ports)) : set$
    }),
    catchError((error: unknown) => {
      const failure = toFailure(error)
      if (type === 'html' || failure.kind !== 'host') throw error
      return setSignature(itemKey, plan, before, ports)
    }),
  )
  return concat(bestEffort(mark$, 'marker_not_kept', ports), write$.pipe(ignoreElements()))
}

/**
 * Checks that the author's words and the quoted thread are unchanged; otherwise restores the body and fails. If the
 * body keeps changing, the author is writing, so it stays and the user can restore the previous body.
 */
const checkText = (
  itemKey: string,
  plan: ReadyPlan,
  before: MessageBefore,
  ports: MessagePorts,
): Observable<never> => {
  const { host, time } = ports
  const read$ = host.body(itemKey, plan.type)
  return read$.pipe(
    switchMap((body) => {
      if (body === null) return EMPTY
      const { hash, combinedIds } = plan
      const { trace } = findInsertedSignature(plan, body, before.known)
      const known = { ...before.known, inserted: { combinedIds, hash, trace } }
      if (preservesText(before, { body, known, type: plan.type })) return EMPTY
      return emitAfter(REREAD_DELAY_MS, time).pipe(
        switchMap(() => read$),
        filter((again) => again === body),
        switchMap(() => host.setBody(itemKey, before.body, plan.type)),
        // If restoring fails, the user can still restore the body, so the insertion continues and reports it.
        catchError(() => EMPTY),
        switchMap(() => throwError(() => new Failed({ kind: 'textAltered' }))),
      )
    }),
  )
}

/**
 * Whether the new signature is in the body and, in a meeting, above an online meeting's block. A signature that may be
 * unrecognisable counts as set if the body has changed.
 */
function isInPlace(plan: ReadyPlan, body: string, before: MessageBefore): boolean {
  const { known, type } = before
  if (plan.content === '') return findSignatures(body, known, type).length === 0
  const { found } = findInsertedSignature(plan, body, known)
  return found
    ? found.start < (onlineMeetingIn(body, type, [found]) ?? Infinity)
    : (hasSignatureWords({ body, type }, plan.content, plan) ?? body !== before.body)
}

/**
 * Replaces the message's signatures with the planned one. In a meeting, some clients cannot set a signature, and all
 * clients set it below an online meeting's block. In both cases, Signet writes the body instead.
 */
export function replaceSignature(
  itemKey: string,
  plan: ReadyPlan,
  before: MessageBefore,
  ports: MessagePorts,
): Observable<never> {
  const { body, found, type, isInText, isMeeting } = before
  const inText$ = defer(() => replaceInText(itemKey, plan, before, ports))
  if (isInText || (type === 'text' && found.length > 0)) return inText$
  const whole$ = replaceWhole(itemKey, plan, before, ports)
  if (!isMeeting) return whole$
  if (onlineMeetingIn(body, type, found) !== null) return inText$
  const unlessInPlace = (other$: Observable<never>) =>
    ports.host
      .body(itemKey, type)
      .pipe(switchMap((now) => (now === null || isInPlace(plan, now, before) ? EMPTY : other$)))
  return concat(
    whole$.pipe(
      catchError((error: unknown) => {
        if (toFailure(error).kind !== 'host') throw error
        return inText$
      }),
    ),
    // Classic Outlook may briefly return the previous body.
    unlessInPlace(emitAfter(REREAD_DELAY_MS, ports.time).pipe(switchMap(() => unlessInPlace(inText$)))),
  )
}

/** Reads Signet's signatures in a message, based on its session data; null if the body is unreadable. */
const readFound = (itemKey: string, ports: MessagePorts): Observable<readonly FoundSignature[] | null> =>
  ports.host.body(itemKey, 'html').pipe(
    switchMap((body) => {
      if (body === null) return of(null)
      return ports.host.allSessionData(itemKey).pipe(
        map((session) => {
          const inserted = parseInsertedSignature(session?.[INSERTED_SIGNATURE_KEY])
          // Treats the message as a reply, so only signatures with a mark count as the message's own.
          const read = { body, type: 'html', session, composeType: 'reply', inserted } as const
          return recogniseSignatures(itemKey, read, ports).found
        }),
      )
    }),
  )

/**
 * Restores a removed signature, unless the message has a signature. If that fails, the removed signature stays in the
 * item's session data.
 */
const putBack = (itemKey: string, previous: string, ports: MessagePorts): Observable<never> => {
  const { host } = ports
  const work$ = readFound(itemKey, ports).pipe(
    filter((found) => found !== null),
    switchMap((found) =>
      found.length > 0
        ? of(undefined)
        : host.setSignature(itemKey, previous, 'html').pipe(
            retryOnce,
            // Classic Outlook first returns the old body, without the pictures of the restored signature.
            switchMap(() => host.body(itemKey, 'html')),
            switchMap(() => emitAfter(REREAD_DELAY_MS, ports.time)),
          ),
    ),
    switchMap(() => host.setSessionData(itemKey, REPLACED_SIGNATURE_KEY, '')),
  )
  return bestEffort(work$, 'previous_not_put_back', ports)
}

/** A signature that was removed but neither restored nor replaced; null if none is missing. */
export const readRemovedSignature = (itemKey: string, { host }: MessagePorts): Observable<string | null> =>
  host.sessionData(itemKey, REPLACED_SIGNATURE_KEY).pipe(
    switchMap((previous) =>
      previous === null || previous === ''
        ? of(null)
        : host.sessionData(itemKey, INSERTED_SIGNATURE_KEY).pipe(
            map((json) => {
              const inserted = parseInsertedSignature(json)
              const isLatest = inserted === null || previous.startsWith(`${inserted.hash} `)
              return isLatest ? previous.slice(previous.indexOf(' ') + 1) : null
            }),
          ),
    ),
  )

/** A repair. `isNeeded` checks if it is due. `run` writes into the message, so claim the message first. */
export type MessageRepair = Readonly<{
  isNeeded: (itemKey: string, ports: MessagePorts) => Observable<boolean>
  run: (itemKey: string, ports: MessagePorts) => Observable<never>
}>

/** The removed signature if the message has no signature now; null otherwise. */
const readMissing = (itemKey: string, ports: MessagePorts): Observable<string | null> =>
  readFound(itemKey, ports).pipe(
    switchMap((found) => (found?.length === 0 ? readRemovedSignature(itemKey, ports) : of(null))),
  )

/**
 * Restores the removed signature if the message has none now. A removal that may still run is left to
 * `interruptedInsertionRepair`.
 */
export const missingSignatureRepair: MessageRepair = {
  isNeeded: (itemKey, ports) => readMissing(itemKey, ports).pipe(map((missing) => missing !== null)),
  run: (itemKey, ports) =>
    bestEffort(
      readMissing(itemKey, ports).pipe(
        switchMap((previous) => (previous === null ? EMPTY : putBack(itemKey, previous, ports))),
      ),
      'previous_not_put_back',
      ports,
    ),
}

/** The damage from an interrupted insertion: the removed signature and the unused images. */
const readDamage = (itemKey: string, ports: MessagePorts) =>
  readRemovedSignature(itemKey, ports).pipe(
    switchMap((previous) =>
      ports.host.body(itemKey, 'html').pipe(
        switchMap((body) => {
          if (body === null) return of({ previous, unused: [] })
          // A signature that could not be restored still needs its images.
          return readUnusedImages(itemKey, body + (previous ?? ''), ports).pipe(
            map((unused) => ({ previous, unused })),
          )
        }),
      ),
    ),
  )

/** Repairs a message after an interrupted insertion: restores the removed signature, and removes the unused images. */
export const interruptedInsertionRepair: MessageRepair = {
  isNeeded: (itemKey, ports) =>
    readDamage(itemKey, ports).pipe(map(({ previous, unused }) => previous !== null || unused.length > 0)),
  run: (itemKey, ports) =>
    readRemovedSignature(itemKey, ports).pipe(
      switchMap((previous) =>
        concat(
          previous === null ? EMPTY : putBack(itemKey, previous, ports),
          readDamage(itemKey, ports).pipe(
            switchMap(({ unused }) => removeAttachments(itemKey, unused, ports)),
          ),
        ),
      ),
      (work$) => bestEffort(work$, 'message_not_repaired', ports),
    ),
}
