import type { Bounds } from './elements.ts'
import { copyPlacesInText } from './message.ts'
import type { Fingerprint } from './words.ts'

// A signature in plain text has no mark. It is recognised by its lines and the line breaks added with it.

/** The number of line breaks added with a signature, above and below it. */
export type AddedBreaks = readonly [above: number, below: number]

/** The maximum number of line breaks that a client or Signet adds on one side of a signature. */
const MAX_BREAKS = 4

const withoutBreaksAtEnd = (text: string, most: number): string => {
  let end = text.length
  for (let count = 0; count < most && text[end - 1] === '\n'; count++) end -= text[end - 2] === '\r' ? 2 : 1
  return text.slice(0, end)
}

const withoutBreaksAtStart = (text: string, most: number): string => {
  let start = 0
  for (let count = 0; count < most; count++)
    if (text[start] === '\n') start += 1
    else if (text.startsWith('\r\n', start)) start += 2
  return text.slice(start)
}

/** Counts the line breaks added with a signature; null if `before` and `after` differ in more than the signature. */
export function breaksAround(before: string, after: string, { start, end }: Bounds): AddedBreaks | null {
  const [above, below] = [after.slice(0, start), after.slice(end)]
  for (let first = 0; first <= MAX_BREAKS; first++)
    for (let second = 0; second <= MAX_BREAKS; second++)
      if (withoutBreaksAtEnd(above, first) + withoutBreaksAtStart(below, second) === before)
        return [first, second]
  return null
}

/** Joins two parts of a plain text with one empty line, or with nothing if a part is empty. */
export function joinTexts(above: string, below: string): string {
  const [first, second] = [withoutBreaksAtEnd(above, 2), withoutBreaksAtStart(below, 2)]
  return first + (first === '' || second === '' ? '' : '\n\n') + second
}

/** Joins the text above and below a removed signature, without the line breaks that were added with it. */
export function closeGap(above: string, below: string, around: AddedBreaks | null): string {
  if (around === null) return joinTexts(above, below)
  const [first, second] = [withoutBreaksAtEnd(above, around[0]), withoutBreaksAtStart(below, around[1])]
  const isApart = first === '' || second === '' || first.endsWith('\n') || /^\r?\n/.test(second)
  return first + (isApart ? '' : '\n') + second
}

/** A text that a client may add late: its words, and how many copies the message should have at most. */
export type LateText = Readonly<{ words: Fingerprint; most: number }>

const isBlank = (text: string): boolean => text.trim() === ''

/** Whether a range consists of whole lines, so nobody has typed into them. */
const isWhole = (body: string, { start, end }: Bounds): boolean =>
  (start === 0 || body[start - 1] === '\n') && (end === body.length || /[\r\n]/.test(body.charAt(end)))

/**
 * Removes surplus copies of late texts from a body. A copy is removed only as whole lines, and only where clients put
 * late texts: at the top, at the end, or beside another signature. All other words are the author's.
 */
export function withoutLateTexts(body: string, late: readonly LateText[], kept: Fingerprint | null): string {
  const keptPlaces = (text: string) => (kept ? copyPlacesInText(text, kept) : [])
  return late.reduce((text, { words, most }) => {
    let now = text
    for (
      let places = copyPlacesInText(now, words);
      places.length > most;
      places = copyPlacesInText(now, words)
    ) {
      const others = [...places, ...keptPlaces(now)]
      const isBeside = ({ start, end }: Bounds) =>
        others.some(
          (other) =>
            (other.start >= end && isBlank(now.slice(end, other.start))) ||
            (other.end <= start && isBlank(now.slice(other.end, start))),
        )
      const whole = places.filter((place) => isWhole(now, place))
      const top = whole.find(({ start }) => isBlank(now.slice(0, start)))
      const found = top ?? whole.find((each) => isBeside(each) || isBlank(now.slice(each.end)))
      if (!found) break
      now = closeGap(now.slice(0, found.start), now.slice(found.end), found === top ? [0, 2] : [2, 0])
    }
    return now
  }, body)
}
