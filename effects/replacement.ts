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
  tap,
  throwError,
} from 'rxjs'
import { Failed, toFailure } from '../streams/kernel/failure.ts'
import { contentIds, findSignatures, type Found } from '../streams/html/message.ts'
import type { ReadyPlan } from '../streams/html/plan.ts'
import { bestEffort, isSilence, retryOnce } from './attempts.ts'
import { INSERTED, parseInserted } from './mailbox.ts'
import type { MailHost, MessagePorts } from './ports.ts'
import { readUnusedImages, removeAll } from './signatureImages.ts'

/** The key of the previous signature in the item's session data, during a replacement. */
export const REPLACING = 'lsi_replacing'

/** The key of a flag in the item's session data: the client treats the signature as text, and would add a second. */
export const IN_TEXT = 'lsi_in_text'

/**
 * Sets the signature. When the mail client does not answer, checks the message itself: the signature is in if the body
 * has its content hash and the new images.
 */
const setSignature = (itemKey: string, plan: ReadyPlan, { host }: MessagePorts): Observable<void> =>
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
 * Removes the previous signature before another is set, if it has inline images: some clients would stack the new one
 * on it. Stores it in the item's session data first, so that it can be restored after a failure, another item or a
 * closed pane; see `repair`.
 */
function replaceWhole(
  itemKey: string,
  plan: ReadyPlan,
  previous: Found | null,
  ports: MessagePorts,
): Observable<never> {
  const { host } = ports
  const set$ = defer(() => setSignature(itemKey, plan, ports)).pipe(ignoreElements())
  if (
    previous === null ||
    plan.type === 'text' ||
    plan.content === '' ||
    contentIds(previous.html).size === 0
  )
    return set$
  return concat(
    bestEffort(host.setSessionData(itemKey, REPLACING, previous.whole), 'previous_not_kept', ports),
    host.setSignature(itemKey, '', 'html').pipe(
      ignoreElements(),
      catchError((error: unknown) => {
        const failure = toFailure(error)
        // A call that may still be carried out is left to the repair.
        return concat(
          isSilence(failure) ? EMPTY : putBack(itemKey, previous.whole, ports),
          throwError(() => new Failed(failure)),
        )
      }),
    ),
    set$.pipe(
      catchError((error: unknown) =>
        concat(
          putBack(itemKey, previous.whole, ports),
          throwError(() => new Failed(toFailure(error))),
        ),
      ),
    ),
    bestEffort(host.setSessionData(itemKey, REPLACING, ''), 'replacing_not_ended', ports),
  )
}

/** Replaces a signature that the mail client treats as text, by writing the body that was just read. */
const replaceInText = (itemKey: string, plan: ReadyPlan, { host }: MessagePorts): Observable<never> =>
  host.body(itemKey, 'html').pipe(
    map((body) => {
      // Fails closed when the body is unreadable.
      if (body === null) throw new Failed({ kind: 'hostSilent', call: 'body.getAsync' })
      const [first, ...others] = findSignatures(body)
      if (!first) return body + plan.content
      const rest = others.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), body)
      return rest.slice(0, first.start) + plan.content + rest.slice(first.end)
    }),
    switchMap((body) => host.setBody(itemKey, body, 'html')),
    ignoreElements(),
  )

/** Whether the mail client treats the signature as text, and would add another beside it. */
const isInText = (itemKey: string, found: readonly Found[], { host }: MessagePorts): Observable<boolean> =>
  found.length === 0 ? of(false) : host.sessionData(itemKey, IN_TEXT).pipe(map((told) => told === 'true'))

/** Replaces the signatures `found` in the message by the planned one. */
export const replaceSignature = (
  itemKey: string,
  plan: ReadyPlan,
  found: readonly Found[],
  ports: MessagePorts,
): Observable<never> =>
  isInText(itemKey, found, ports).pipe(
    switchMap((inText) =>
      inText && plan.type === 'html'
        ? replaceInText(itemKey, plan, ports)
        : replaceWhole(itemKey, plan, found.at(-1) ?? null, ports),
    ),
  )

/** Restores a removed signature, unless there is one now. If that fails, it stays in the item's session data. */
const putBack = (itemKey: string, previous: string, ports: MessagePorts): Observable<never> => {
  const { host } = ports
  const work$ = host.body(itemKey, 'html').pipe(
    filter((body) => body !== null),
    switchMap((body) =>
      findSignatures(body).length > 0
        ? of(undefined)
        : host.setSignature(itemKey, previous, 'html').pipe(retryOnce),
    ),
    switchMap(() => host.setSessionData(itemKey, REPLACING, '')),
  )
  return bestEffort(work$, 'previous_not_put_back', ports)
}

/** A removed signature that was neither restored nor replaced since; null when there is none. */
export const readInterrupted = (itemKey: string, { host }: MessagePorts): Observable<string | null> =>
  host.sessionData(itemKey, REPLACING).pipe(
    switchMap((previous) =>
      previous === null || previous === ''
        ? of(null)
        : host.sessionData(itemKey, INSERTED).pipe(
            map((json) => {
              const inserted = parseInserted(json)
              const isLatest = inserted === null || inserted.hash === findSignatures(previous)[0]?.hash
              return isLatest ? previous : null
            }),
          ),
    ),
  )

/** A repair of a message; `run` writes, and so needs the claim. Before it, `isNeeded` reads whether there is a need. */
export type Repair = Readonly<{
  isNeeded: (itemKey: string, ports: MessagePorts) => Observable<boolean>
  run: (itemKey: string, ports: MessagePorts) => Observable<never>
}>

/** The signature to restore in a message without one; null when there is none. */
const readMissing = (itemKey: string, ports: MessagePorts): Observable<string | null> =>
  ports.host
    .body(itemKey, 'html')
    .pipe(
      switchMap((body) =>
        body === null || findSignatures(body).length > 0 ? of(null) : readInterrupted(itemKey, ports),
      ),
    )

/** Restores a signature that an insertion removed. While the message has one, the removal may still be carried out. */
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

/** What an insertion that was interrupted left behind. */
const readDamage = (itemKey: string, ports: MessagePorts) =>
  readInterrupted(itemKey, ports).pipe(
    switchMap((previous) =>
      ports.host.body(itemKey, 'html').pipe(
        switchMap((body) => {
          if (body === null) return of({ previous, unused: [] })
          // A signature that could not be restored still needs its images.
          const missing = findSignatures(body).length > 0 ? '' : (previous ?? '')
          return readUnusedImages(itemKey, body + missing, ports).pipe(
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

/**
 * Session data, with a copy in this pane of what the mail client could not store, or does not give back. So a removed
 * signature stays known while the pane and the message are open. What the client does give counts before the copy:
 * another runtime may have written since.
 */
export const withMemory = (host: MailHost): MailHost => {
  const written = new Map<string, Readonly<{ value: string; isStored: boolean }>>()
  const place = (itemKey: string, name: string) => `${itemKey} ${name}`
  return {
    ...host,
    sessionData: (itemKey, name) =>
      defer(() => {
        const own = written.get(place(itemKey, name))
        if (own?.isStored === false) return of(own.value)
        return host.sessionData(itemKey, name).pipe(map((value) => value ?? own?.value ?? null))
      }),
    setSessionData: (itemKey, name, value) =>
      defer(() => {
        written.set(place(itemKey, name), { value, isStored: false })
        return host
          .setSessionData(itemKey, name, value)
          .pipe(tap(() => written.set(place(itemKey, name), { value, isStored: true })))
      }),
  }
}
