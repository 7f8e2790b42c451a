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
import {
  contentIds,
  findInserted,
  findSignatures,
  type Found,
  quoteIn,
  type ReadBody,
} from '../../streams/html/message.ts'
import type { ReadyPlan } from '../../streams/html/plan.ts'
import { after } from '../../streams/kernel/time.ts'
import { bestEffort, isSilence, retryOnce } from './attempts.ts'
import { INSERTED, knownOf, parseInserted, REPLACING } from './mailbox.ts'
import type { MessagePorts } from '../ports.ts'
import { type Attachments, readUnusedImages, removeAll } from './signatureImages.ts'

/** The delay before a body is read again, after the client returned the body from before the insertion. */
export const READ_BACK_MS = 150

/**
 * The key of a flag in the item's session data. It says that the client takes the signature for text, and would add a
 * second one.
 */
export const IN_TEXT = 'lsi_in_text'

/**
 * The message before an insertion. `isInText`: the client takes the signature for text, and would add a second one.
 * `marker` is the record of the last insertion, as it is stored.
 */
export type Before = ReadBody &
  Readonly<{ found: readonly Found[]; attachments: Attachments; isInText: boolean; marker: string | null }>

/**
 * Sets the signature. When the mail client does not answer, checks the message itself: the call succeeded if the body
 * has the signature and the new images.
 */
const setSignature = (
  itemKey: string,
  plan: ReadyPlan,
  before: Before,
  { host }: MessagePorts,
): Observable<void> =>
  host.setSignature(itemKey, plan.content, plan.type).pipe(
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

function isSet(plan: ReadyPlan, body: string, { known }: Before): boolean {
  if (plan.content === '') return findSignatures(body, known, plan.type).length === 0
  const present = findInserted(plan, body, known).found
  const shown = contentIds(present?.html ?? '')
  return present !== null && plan.images.every(({ name }) => shown.has(name))
}

/**
 * Sets the signature. If the previous one has inline images, removes it first, because some clients would add the new
 * one to it. Before that, stores the previous one in the item's session data, so that it can be restored after a
 * failure, after another item was opened, or after the pane was closed; see `repair`.
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
        // After a call that may still be carried out, `repair` restores the signature.
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

/**
 * Replaces a signature that the mail client takes for text, by writing the body that was just read. Where the body has no
 * signature, the new one goes above the quoted thread. A client that refuses to write plain text, as phones do, sets the
 * signature in the usual way.
 */
const replaceInText = (
  itemKey: string,
  plan: ReadyPlan,
  before: Before,
  ports: MessagePorts,
): Observable<never> => {
  const { host } = ports
  const mark$ = before.type === 'html' ? host.setSessionData(itemKey, IN_TEXT, 'true') : EMPTY
  const write$ = host.body(itemKey, plan.type).pipe(
    map((body) => {
      // Fails closed when the body is unreadable.
      if (body === null) throw new Failed({ kind: 'hostSilent', call: 'body.getAsync' })
      const [first, ...others] = findSignatures(body, before.known, plan.type)
      const rest = others.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), body)
      const start = first?.start ?? quoteIn(body, plan.type)
      const apart = first || plan.type === 'html' || plan.content === '' ? '' : '\n\n'
      return rest.slice(0, start) + apart + plan.content + apart + rest.slice(first?.end ?? start)
    }),
    switchMap((body) => host.setBody(itemKey, body, plan.type)),
    catchError((error: unknown) => {
      const failure = toFailure(error)
      if (plan.type === 'html' || failure.kind !== 'host') throw error
      return setSignature(itemKey, plan, before, ports)
    }),
  )
  return concat(bestEffort(mark$, 'marker_not_kept', ports), write$.pipe(ignoreElements()))
}

/** Replaces the signatures in the message by the planned one. */
export const replaceSignature = (
  itemKey: string,
  plan: ReadyPlan,
  before: Before,
  ports: MessagePorts,
): Observable<never> =>
  before.isInText || (plan.type === 'text' && before.found.length > 0)
    ? replaceInText(itemKey, plan, before, ports)
    : replaceWhole(itemKey, plan, before, ports)

/** The signatures in a body that belong to this message, by its session data. */
const readFound = (itemKey: string, body: string, ports: MessagePorts): Observable<readonly Found[]> =>
  ports.host.allSessionData(itemKey).pipe(
    map((session) => {
      const inserted = parseInserted(session?.[INSERTED])
      // Reads the message as a reply, so that only a mark makes a signature the message's own.
      return findSignatures(body, knownOf(itemKey, session, { composeType: 'reply', inserted }, ports))
    }),
  )

/**
 * Restores a removed signature, unless the message has one. If that fails, the signature stays in the item's session
 * data.
 */
const putBack = (itemKey: string, previous: string, ports: MessagePorts): Observable<never> => {
  const { host } = ports
  const work$ = host.body(itemKey, 'html').pipe(
    filter((body) => body !== null),
    switchMap((body) => readFound(itemKey, body, ports)),
    switchMap((found) =>
      found.length > 0
        ? of(undefined)
        : host.setSignature(itemKey, previous, 'html').pipe(
            retryOnce,
            // The first body that classic Outlook returns is still the old one, without the pictures that are shown
            // again.
            switchMap(() => host.body(itemKey, 'html')),
            switchMap(() => after(READ_BACK_MS, ports.time)),
          ),
    ),
    switchMap(() => host.setSessionData(itemKey, REPLACING, '')),
  )
  return bestEffort(work$, 'previous_not_put_back', ports)
}

/** A removed signature that was neither restored nor replaced; null when there is none. */
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

/** A repair of a message. `isNeeded` reads whether the message needs it. `run` writes, and so needs the claim. */
export type Repair = Readonly<{
  isNeeded: (itemKey: string, ports: MessagePorts) => Observable<boolean>
  run: (itemKey: string, ports: MessagePorts) => Observable<never>
}>

/** The removed signature, if the message has none now; null otherwise. */
const readMissing = (itemKey: string, ports: MessagePorts): Observable<string | null> =>
  ports.host.body(itemKey, 'html').pipe(
    switchMap((body) => (body === null ? of(null) : readFound(itemKey, body, ports))),
    switchMap((found) => (found?.length === 0 ? readInterrupted(itemKey, ports) : of(null))),
  )

/** Restores a signature that an insertion removed. If the message still has one, a removal may still be carried out. */
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
