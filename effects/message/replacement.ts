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
import { endOf } from '../../streams/html/elements.ts'
import {
  type BodyType,
  contentIds,
  findInserted,
  findSignatures,
  type FoundSignature,
  hasWords,
  preservesText,
  quoteIn,
  type ReadBody,
} from '../../streams/html/message.ts'
import { onlineMeetingIn } from '../../streams/html/onlineMeeting.ts'
import { closed, joined } from '../../streams/html/plainText.ts'
import type { ReadyPlan } from '../../streams/html/plan.ts'
import { after } from '../../streams/kernel/time.ts'
import { bestEffort, isSilence, retryOnce } from './attempts.ts'
import { INSERTED, parseInserted, recognise, REPLACING } from './mailbox.ts'
import type { MessagePorts } from '../ports.ts'
import { type Attachments, readUnusedImages, removeAll } from './signatureImages.ts'

/** How long Signet waits before it reads again, if the client returned the body from before the insertion. */
export const READ_BACK_MS = 150

/** The session data key of a flag: the client takes the signature for text, so setting one would add a second. */
export const IN_TEXT = 'lsi_in_text'

/**
 * The message before an insertion. `isInText`: the mail client takes the signature for ordinary text, so setting a
 * signature would add a second one. `marker` is the stored record of the last insertion.
 */
export type Before = ReadBody &
  Readonly<{
    found: readonly FoundSignature[]
    attachments: Attachments
    isInText: boolean
    isMeeting: boolean
    marker: string | null
  }>

/** A call that writes. Without an answer, reads the message: a body with the signature and new images is a success. */
const unlessSet = (
  call$: Observable<unknown>,
  itemKey: string,
  plan: ReadyPlan,
  before: Before,
  { host }: MessagePorts,
): Observable<unknown> =>
  call$.pipe(
    catchError((error: unknown) => {
      const failed = new Failed(toFailure(error))
      if (!isSilence(failed.failure)) throw failed
      return host.body(itemKey, plan.type).pipe(
        map((body) => {
          if (body === null || !isSet(plan, body, before)) throw failed
        }),
      )
    }),
  )

const setSignature = (itemKey: string, plan: ReadyPlan, before: Before, ports: MessagePorts) =>
  unlessSet(ports.host.setSignature(itemKey, plan.content, plan.type), itemKey, plan, before, ports)

function isSet(plan: ReadyPlan, body: string, { known }: Before): boolean {
  if (plan.content === '') return findSignatures(body, known, plan.type).length === 0
  const present = findInserted(plan, body, known).found
  const shown = contentIds(present?.html ?? '')
  return present !== null && plan.images.every(({ name }) => shown.has(name))
}

/**
 * Sets the signature. A previous signature with inline images is removed first, because some clients would keep it
 * beside the new one. Before the removal, that signature is stored in the item's session data: `repair` can then
 * restore it after a failure, after another item was opened, or after the pane was closed.
 */
function replaceWhole(
  itemKey: string,
  plan: ReadyPlan,
  before: Before,
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
      host.setSessionData(itemKey, REPLACING, `${previous.hash} ${whole}`),
      'previous_not_kept',
      ports,
    ),
    host.setSignature(itemKey, '', 'html').pipe(
      ignoreElements(),
      catchError((error: unknown) => {
        const failure = toFailure(error)
        // If the client may still carry out the removal, `repair` restores the signature later.
        return concat(
          isSilence(failure) ? EMPTY : putBack(itemKey, whole, ports),
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
    bestEffort(host.setSessionData(itemKey, REPLACING, ''), 'replacing_not_ended', ports),
  )
}

/** Above a signature in an otherwise empty meeting: without it, the author could write only below the signature. */
const LINE = '<p><br></p>'

/** Where a new signature goes: above the quoted thread and, in a meeting, above the block of an online meeting. */
const placeIn = (
  body: string,
  { type, isMeeting }: Pick<Before, 'type' | 'isMeeting'>,
  found: readonly FoundSignature[],
): number =>
  Math.min(
    quoteIn(body, type),
    endOf(body, type),
    (isMeeting ? onlineMeetingIn(body, type, found) : null) ?? Infinity,
  )

/** How often `calmBody` reads at most. */
const CALM_READS = 40

/** The body, once it stays the same for a moment: writing it would undo what is typed, or added by Teams, meanwhile. */
export const calmBody = (
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
          : after(READ_BACK_MS, ports.time).pipe(
              switchMap(() => calmBody(itemKey, type, ports, body, reads - 1)),
            ),
      ),
    )

/** The body with this content at this place, in place of the signatures in it. */
function withContent(
  body: string,
  content: string,
  start: number,
  { found, type, isMeeting, known }: Pick<Before, 'found' | 'type' | 'isMeeting' | 'known'>,
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
  if (type === 'text' && isNew) return joined(joined(above, content), below)
  if (type === 'text' && content === '') return closed(above, below, known.inserted?.trace?.around ?? null)
  return (isMeeting && isNew && above === '' && content !== '' ? LINE : '') + above + content + below
}

/**
 * Replaces a signature that the mail client takes for ordinary text: reads the body, and writes it back with the new
 * signature at its place. If a client refuses to write plain text, as phones do, the signature is set in the usual way.
 * In a meeting, where Signet writes without being asked, a body in which the author's words differ is put back.
 */
const replaceInText = (
  itemKey: string,
  plan: ReadyPlan,
  before: Before,
  ports: MessagePorts,
): Observable<never> => {
  const { host } = ports
  const { type, isMeeting } = before
  const mark$ = type === 'html' ? host.setSessionData(itemKey, IN_TEXT, 'true') : EMPTY
  const read$ = isMeeting ? calmBody(itemKey, type, ports) : host.body(itemKey, type)
  const write$ = read$.pipe(
    switchMap((body) => {
      // Without a readable body, the replacement fails and writes nothing.
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
 * Puts the body back, and fails, if the author's words or the quoted thread are not as they were in it. While the body
 * changes, the author is at work on it: then it stays, and the user may restore the former one.
 */
const checkText = (
  itemKey: string,
  plan: ReadyPlan,
  before: Before,
  ports: MessagePorts,
): Observable<never> => {
  const { host, time } = ports
  const read$ = host.body(itemKey, plan.type)
  return read$.pipe(
    switchMap((body) => {
      if (body === null) return EMPTY
      const { hash, combinedIds } = plan
      const { trace } = findInserted(plan, body, before.known)
      const known = { ...before.known, inserted: { combinedIds, hash, trace } }
      if (preservesText(before, { body, known, type: plan.type })) return EMPTY
      return after(READ_BACK_MS, time).pipe(
        switchMap(() => read$),
        filter((again) => again === body),
        switchMap(() => host.setBody(itemKey, before.body, plan.type)),
        // The user can restore what could not be put back, so the insertion continues and reports it.
        catchError(() => EMPTY),
        switchMap(() => throwError(() => new Failed({ kind: 'textAltered' }))),
      )
    }),
  )
}

/**
 * Whether the body has what was to be set and, in a meeting, has it above the block of an online meeting. A signature
 * that may not be recognised counts as set if the body has changed.
 */
function isInPlace(plan: ReadyPlan, body: string, before: Before): boolean {
  const { known, type } = before
  if (plan.content === '') return findSignatures(body, known, type).length === 0
  const { found } = findInserted(plan, body, known)
  return found
    ? found.start < (onlineMeetingIn(body, type, [found]) ?? Infinity)
    : (hasWords({ body, type }, plan.content, plan) ?? body !== before.body)
}

/**
 * Replaces the signatures in the message by the planned signature. In a meeting, some clients refuse to set a signature
 * or set none, and all set it below the block of an online meeting that is there: then Signet writes the body.
 */
export function replaceSignature(
  itemKey: string,
  plan: ReadyPlan,
  before: Before,
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
    // For a moment, classic Outlook still returns the previous body.
    unlessInPlace(after(READ_BACK_MS, ports.time).pipe(switchMap(() => unlessInPlace(inText$)))),
  )
}

/** Reads a message's own signatures, according to its session data; null if its body is unreadable. */
const readFound = (itemKey: string, ports: MessagePorts): Observable<readonly FoundSignature[] | null> =>
  ports.host.body(itemKey, 'html').pipe(
    switchMap((body) => {
      if (body === null) return of(null)
      return ports.host.allSessionData(itemKey).pipe(
        map((session) => {
          const inserted = parseInserted(session?.[INSERTED])
          // The message counts as a reply, so that only signatures with a mark count as the message's own.
          const read = { body, type: 'html', session, composeType: 'reply', inserted } as const
          return recognise(itemKey, read, ports).found
        }),
      )
    }),
  )

/** Restores a removed signature, unless the message has one. On failure, it stays in the item's session data. */
const putBack = (itemKey: string, previous: string, ports: MessagePorts): Observable<never> => {
  const { host } = ports
  const work$ = readFound(itemKey, ports).pipe(
    filter((found) => found !== null),
    switchMap((found) =>
      found.length > 0
        ? of(undefined)
        : host.setSignature(itemKey, previous, 'html').pipe(
            retryOnce,
            // The first body from classic Outlook is still the old one, without the restored signature's pictures.
            switchMap(() => host.body(itemKey, 'html')),
            switchMap(() => after(READ_BACK_MS, ports.time)),
          ),
    ),
    switchMap(() => host.setSessionData(itemKey, REPLACING, '')),
  )
  return bestEffort(work$, 'previous_not_put_back', ports)
}

/** A signature that was removed, and then neither restored nor replaced; null when no signature is missing. */
export const readInterrupted = (itemKey: string, { host }: MessagePorts): Observable<string | null> =>
  host.sessionData(itemKey, REPLACING).pipe(
    switchMap((previous) =>
      previous === null || previous === ''
        ? of(null)
        : host.sessionData(itemKey, INSERTED).pipe(
            map((json) => {
              const inserted = parseInserted(json)
              const isLatest = inserted === null || previous.startsWith(`${inserted.hash} `)
              return isLatest ? previous.slice(previous.indexOf(' ') + 1) : null
            }),
          ),
    ),
  )

/** A repair. `isNeeded` finds out if it is due. `run` writes into the message, so the message must be claimed. */
export type Repair = Readonly<{
  isNeeded: (itemKey: string, ports: MessagePorts) => Observable<boolean>
  run: (itemKey: string, ports: MessagePorts) => Observable<never>
}>

/** The removed signature, if the message has no signature now; null otherwise. */
const readMissing = (itemKey: string, ports: MessagePorts): Observable<string | null> =>
  readFound(itemKey, ports).pipe(
    switchMap((found) => (found?.length === 0 ? readInterrupted(itemKey, ports) : of(null))),
  )

/** Restores a removed signature. A message with a signature gets none, even if its removal may still take effect. */
export const putBackMissing: Repair = {
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

/** The removed signature and the unused images that an interrupted insertion left. */
const readDamage = (itemKey: string, ports: MessagePorts) =>
  readInterrupted(itemKey, ports).pipe(
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
export const repair: Repair = {
  isNeeded: (itemKey, ports) =>
    readDamage(itemKey, ports).pipe(map(({ previous, unused }) => previous !== null || unused.length > 0)),
  run: (itemKey, ports) =>
    readInterrupted(itemKey, ports).pipe(
      switchMap((previous) =>
        concat(
          previous === null ? EMPTY : putBack(itemKey, previous, ports),
          readDamage(itemKey, ports).pipe(switchMap(({ unused }) => removeAll(itemKey, unused, ports))),
        ),
      ),
      (work$) => bestEffort(work$, 'message_not_repaired', ports),
    ),
}
