import { concat, defer, EMPTY, forkJoin, ignoreElements, map, type Observable, switchMap } from 'rxjs'
import { list, number, object, type Schema, text } from '../../streams/kernel/schema.ts'
import { now } from '../../streams/kernel/time.ts'
import { copiesInText } from '../../streams/html/message.ts'
import { withoutLateTexts } from '../../streams/html/plainText.ts'
import type { Fingerprint } from '../../streams/html/words.ts'
import { bestEffort } from './attempts.ts'
import { signatureMarkFor } from './claim.ts'
import { storedFingerprint, INSERTED_SIGNATURE_KEY, parseInsertedSignature } from './mailbox.ts'
import { readSettledBody, type MessageRepair } from './replacement.ts'
import type { MessagePorts } from '../ports.ts'

/**
 * The prefix of the session data keys with which runtimes announce plain texts before writing them. The rest of a key
 * is the runtime's mark for the item. The value is empty when no text of the runtime is pending.
 */
const SETTING = 'lsi_setting_'

/** The longest delay after which a client still executes a call. */
export const MAX_CALL_DELAY_MS = 20_000

/**
 * A text that a runtime asked the client to write, kept until the text has arrived. `marker` is the signature's record,
 * stored on arrival. `others` is the number of copies of these words that the message already had.
 */
export type PendingText = Readonly<{ marker: string; words: Fingerprint; others: number; at: number }>

const setTexts: Schema<readonly PendingText[]> = list(
  object({
    marker: text,
    words: storedFingerprint,
    others: number,
    at: number,
  }),
)

/** Parses the texts in a session data value; none if it is damaged. */
const parse = (json: string): readonly PendingText[] => {
  try {
    return setTexts.read(JSON.parse(json), SETTING)
  } catch {
    return []
  }
}

const sameWords = (one: Fingerprint, other: Fingerprint): boolean =>
  one.every((part, index) => part === other[index])

export type LateTextTracker = Readonly<{
  /** Announces that the text is about to be written. */
  begin: (itemKey: string, text: PendingText) => Observable<never>
  /** Reports that the text arrived and is recorded, or that the client refused it. */
  end: (itemKey: string, text: PendingText) => Observable<never>
  /** The texts of all runtimes that may still arrive in the item. */
  textsIn: (itemKey: string, session: Readonly<Record<string, string>> | null) => readonly PendingText[]
  /** Removes the duplicates that late texts caused, and records the remaining signature. */
  repair: MessageRepair
}>

/** The latest text that arrived in the body but was not recorded, because its runtime ended too early. */
export const findArrivedText = (body: string, texts: readonly PendingText[]): PendingText | null =>
  texts
    .filter(({ words, others }) => copiesInText(body, words) > others)
    .reduce<PendingText | null>((last, each) => (last && last.at > each.at ? last : each), null)

/**
 * Tracks the plain texts that runtimes write, because a client may execute a call late and leave two texts in the body.
 */
export function createLateTextTracker(ports: MessagePorts): LateTextTracker {
  const { host } = ports
  const own = new Map<string, readonly PendingText[]>()
  const keyOf = (itemKey: string) => SETTING + signatureMarkFor(itemKey, ports)
  const tell = (itemKey: string, texts: readonly PendingText[]) =>
    defer(() => {
      own.set(itemKey, texts)
      const value = texts.length === 0 ? '' : JSON.stringify(texts)
      return bestEffort(host.setSessionData(itemKey, keyOf(itemKey), value), 'marker_not_kept', ports)
    })
  const ofItem = (itemKey: string) => own.get(itemKey) ?? []
  const othersIn = (itemKey: string, session: Readonly<Record<string, string>> | null) =>
    Object.entries(session ?? {})
      .filter(([name]) => name.startsWith(SETTING) && name !== keyOf(itemKey))
      .map(([name, value]) => ({ name, texts: parse(value) }))
      .filter(({ texts }) => texts.length > 0)
  const textsIn: LateTextTracker['textsIn'] = (itemKey, session) => [
    ...ofItem(itemKey),
    ...othersIn(itemKey, session).flatMap(({ texts }) => texts),
  ]
  const isOver = ({ at }: PendingText) => now(ports.time) - at >= MAX_CALL_DELAY_MS

  /** Forgets texts that can no longer arrive. */
  const forget = (itemKey: string, session: Readonly<Record<string, string>> | null): Observable<never> =>
    defer(() => {
      const left = ofItem(itemKey).filter((text) => !isOver(text))
      const over = othersIn(itemKey, session).filter(({ texts }) => texts.every(isOver))
      return concat(
        left.length < ofItem(itemKey).length ? tell(itemKey, left) : EMPTY,
        ...over.map(({ name }) =>
          bestEffort(host.setSessionData(itemKey, name, ''), 'marker_not_kept', ports),
        ),
      )
    })

  const mend = (itemKey: string, session: Readonly<Record<string, string>> | null): Observable<never> =>
    readSettledBody(itemKey, 'text', ports).pipe(
      switchMap((body) => {
        if (body === null) return EMPTY
        const texts = textsIn(itemKey, session)
        const othersOf = (words: Fingerprint) =>
          texts.reduce<number | null>(
            (least, each) =>
              sameWords(each.words, words) ? Math.min(least ?? Infinity, each.others) : least,
            null,
          ) ?? 0
        const recorded = parseInsertedSignature(session?.[INSERTED_SIGNATURE_KEY])?.trace?.words ?? null
        const isIn = recorded !== null && copiesInText(body, recorded) > othersOf(recorded)
        const arrived = isIn ? null : findArrivedText(body, texts)
        const kept = isIn ? recorded : (arrived?.words ?? null)
        const late = texts.map(({ words }) => ({
          words,
          most: othersOf(words) + (kept && sameWords(kept, words) ? 1 : 0),
        }))
        const mended = withoutLateTexts(body, late, kept)
        return concat(
          mended === body ? EMPTY : host.setBody(itemKey, mended, 'text').pipe(ignoreElements()),
          arrived
            ? host.setSessionData(itemKey, INSERTED_SIGNATURE_KEY, arrived.marker).pipe(ignoreElements())
            : EMPTY,
        )
      }),
    )

  return {
    begin: (itemKey, text) => defer(() => tell(itemKey, [...ofItem(itemKey), text])),
    end: (itemKey, text) =>
      defer(() =>
        tell(
          itemKey,
          ofItem(itemKey).filter((each) => each !== text),
        ),
      ),
    textsIn,
    repair: {
      isNeeded: (itemKey) =>
        host.allSessionData(itemKey).pipe(map((session) => textsIn(itemKey, session).length > 0)),
      run: (itemKey) =>
        bestEffort(
          forkJoin({ type: host.bodyType(itemKey), session: host.allSessionData(itemKey) }).pipe(
            switchMap(({ type, session }) =>
              concat(type === 'text' ? mend(itemKey, session) : EMPTY, forget(itemKey, session)),
            ),
          ),
          'message_not_repaired',
          ports,
        ),
    },
  }
}
