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
import { atBest, isSilence, onceMore } from './attempts.ts'
import { INSERTED, parseInserted } from './mailbox.ts'
import type { MailHost, Ports } from './ports.ts'
import { removeUnusedImages } from './signatureImages.ts'

/** The item's session data that holds a signature while another takes its place. */
const REPLACING = 'lsi_replacing'

/** The item's session data that tells that its signature is part of the text to the mail client, which adds a second. */
export const IN_TEXT = 'lsi_in_text'

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
function replaceWhole(
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

/** Whether the signature in the message is text to the mail client, which would add another beside it. */
const isInText = (itemKey: string, found: readonly Found[], { host }: Ports): Observable<boolean> =>
  found.length === 0 ? of(false) : host.sessionData(itemKey, IN_TEXT).pipe(map((told) => told === 'true'))

/** Puts the planned signature into the message in the place of the former ones that were `found` in it. */
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
export const readInterrupted = (itemKey: string, { host }: Ports): Observable<string | null> =>
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
export const putBackMissing = (itemKey: string, ports: Ports): Observable<never> =>
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
export const tidy = (itemKey: string, ports: Ports): Observable<never> =>
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

/**
 * Session data as this pane wrote it, whatever the mail client made of it. What was taken out of a message is so known
 * for as long as the pane and the message stay open, also where the client could not keep it.
 */
export const remembering = (host: MailHost): MailHost => {
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
