import { useObservableCallback, useSubscription } from 'observable-hooks'
import { scan } from 'rxjs'

/** Keys that follow each other within this many milliseconds spell one word. */
export const TYPING_PAUSE_MS = 700

/** A typed key. `at` is in milliseconds on the clock of keyboard events; `current` is the index of the active name. */
export type Keystroke = Readonly<{ key: string; at: number; current: number }>

/** The typed word; `from` is the index of the name that was active at its first letter. */
export type TypedWord = Readonly<{ text: string; at: number; from: number }>

export const NOTHING_TYPED: TypedWord = { text: '', at: -Infinity, from: 0 }

/** Adds one more key to the word. */
export const addTypedKey = (before: TypedWord, { key, at, current }: Keystroke): TypedWord =>
  at - before.at < TYPING_PAUSE_MS
    ? { text: before.text + key, at, from: before.from }
    : { text: key, at, from: current }

/**
 * The index of the first name that begins with the word. The search starts at the name that was active at the word's
 * first letter, so typing the active option's own name stays there. One letter, once or repeated, finds the next name
 * after the current one. Null when no name matches.
 */
export function findTypedName(
  names: readonly string[],
  current: number,
  { text, from }: Pick<TypedWord, 'text' | 'from'>,
): number | null {
  const word = text.toLocaleLowerCase()
  const letter = word.charAt(0)
  const isOneLetter = word === letter.repeat(word.length)
  const start = isOneLetter ? current + 1 : Math.max(0, from)
  for (let offset = 0; offset < names.length; offset++) {
    const index = (start + offset) % names.length
    if (names[index]?.toLocaleLowerCase().startsWith(isOneLetter ? letter : word)) return index
  }
  return null
}

/**
 * Handles each typed key in a list, and calls `onFound` with the index of the next name that begins with the typed
 * text.
 */
export function useTypeAhead(
  names: readonly string[],
  current: number,
  onFound: (index: number) => void,
): (keystroke: Keystroke) => void {
  const [type, typed$] = useObservableCallback<TypedWord, Keystroke>((key$) =>
    key$.pipe(scan(addTypedKey, NOTHING_TYPED)),
  )
  useSubscription(typed$, (typed) => {
    const found = findTypedName(names, current, typed)
    if (found !== null) onFound(found)
  })
  return type
}
