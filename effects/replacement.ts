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
import { Failed, toFailure } from '../streams/kernel/failure.ts'
import { contentIds, findSignatures, type Found } from '../streams/html/message.ts'
import type { ReadyPlan } from '../streams/html/plan.ts'
import { bestEffort, isSilence, retryOnce } from './attempts.ts'
import { INSERTED, parseInserted } from './mailbox.ts'
import type { MailHost, Ports } from './ports.ts'
import { removeUnusedImages } from './signatureImages.ts'

/** The item's session data that holds a signature while another takes its place. */
const REPLACING = 'lsi_replacing'

/** The item's session data that tells that the mail client takes the signature for text, and would add a second. */
export const IN_TEXT = 'lsi_in_text'

/**
 * Sets the signature. When the mail client does not answer, the message itself tells whether the signature is in: it
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
 * Takes the previous signature out before another is set, where clients are known to stack the new one upon it: when it
 * has inline images. It is kept in the item's session data first, so that it can be put back after a failure, another
 * item or a closed pane; see `repair`.
 */
function replaceWhole(
  itemKey: string,
  plan: ReadyPlan,
  previous: Found | null,
  ports: Ports,
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

/** Replaces a signature that the mail client takes for text: the whole body is written, as it was just read. */
const replaceInText = (itemKey: string, plan: ReadyPlan, { host }: Ports): Observable<never> =>
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

/** Whether the mail client takes the signature in the message for text, and would add another beside it. */
const isInText = (itemKey: string, found: readonly Found[], { host }: Ports): Observable<boolean> =>
  found.length === 0 ? of(false) : host.sessionData(itemKey, IN_TEXT).pipe(map((told) => told === 'true'))

/** Puts the planned signature into the message in place of those that were `found` in it. */
export const replaceSignature = (
  itemKey: string,
  plan: ReadyPlan,
  found: readonly Found[],
  ports: Ports,
): Observable<never> =>
  isInText(itemKey, found, ports).pipe(
    switchMap((inText) =>
      inText && plan.type === 'html'
        ? replaceInText(itemKey, plan, ports)
        : replaceWhole(itemKey, plan, found.at(-1) ?? null, ports),
    ),
  )

/** Puts a signature back that was taken out, unless there is one now. When that fails, the item's session data keeps it. */
const putBack = (itemKey: string, previous: string, ports: Ports): Observable<never> => {
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

/** A signature that was taken out and not put back, with no other set since; null when there is none. */
export const readInterrupted = (itemKey: string, { host }: Ports): Observable<string | null> =>
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

/** Puts back a signature that an insertion took out. While the message has one, the call that takes it out may yet come. */
export const putBackMissing = (itemKey: string, ports: Ports): Observable<never> =>
  ports.host.body(itemKey, 'html').pipe(
    filter((body) => body !== null && findSignatures(body).length === 0),
    switchMap(() => readInterrupted(itemKey, ports)),
    switchMap((previous) => (previous === null ? EMPTY : putBack(itemKey, previous, ports))),
    (work$) => bestEffort(work$, 'previous_not_put_back', ports),
  )

/**
 * Repairs a message that an insertion may have left half-way: puts back the signature that it took out, and removes the
 * images that it attached in vain.
 */
export const repair = (itemKey: string, ports: Ports): Observable<never> =>
  readInterrupted(itemKey, ports).pipe(
    switchMap((previous) =>
      concat(
        previous === null ? EMPTY : putBack(itemKey, previous, ports),
        ports.host.body(itemKey, 'html').pipe(
          filter((body) => body !== null),
          switchMap((body) => {
            // A signature that could not be put back still needs its images.
            const missing = findSignatures(body).length > 0 ? '' : (previous ?? '')
            return removeUnusedImages(itemKey, body + missing, ports)
          }),
        ),
      ),
    ),
    (work$) => bestEffort(work$, 'message_not_repaired', ports),
  )

/**
 * Session data as this pane wrote it, also where the mail client could not keep it. A signature that was taken out of a
 * message stays known for as long as the pane and the message are open.
 */
export const withMemory = (host: MailHost): MailHost => {
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
