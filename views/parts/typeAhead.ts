/** Keys that follow each other within this many milliseconds spell one word. */
export const TYPING_PAUSE = 700

/** What has been typed so far; `at` in milliseconds on the clock of the keyboard events. */
export type Typed = Readonly<{ text: string; at: number }>

/** Takes one more key in. */
export const typeKey = (before: Typed, key: string, at: number): Typed => ({
  text: at - before.at < TYPING_PAUSE ? before.text + key : key,
  at,
})

/**
 * The index of the name that was meant: the first from the current one on that begins with the text, or after the
 * current one when a single letter was typed, once or again and again; null when there is none.
 */
export function findTyped(names: readonly string[], current: number, { text }: Typed): number | null {
  const wanted = text.toLocaleLowerCase()
  const letter = wanted.charAt(0)
  const isOneLetter = wanted === letter.repeat(wanted.length)
  const start = isOneLetter ? current + 1 : Math.max(0, current)
  for (let step = 0; step < names.length; step++) {
    const index = (start + step) % names.length
    if (names[index]?.toLocaleLowerCase().startsWith(isOneLetter ? letter : wanted)) return index
  }
  return null
}
