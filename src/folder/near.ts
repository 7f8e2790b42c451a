/** Finds the existing name that a misspelt name probably means. */
import type { Steps } from '../../streams/kernel/steps.ts'
import { quoteUntrusted } from './finding.ts'

/** Below this length, one different character makes a different name: `DE` and `DK`. */
const MIN_CHARACTERS = 4
/** Longer names match exactly or not at all. So do all names if there are more than `MAX_NAMES`. */
const MAX_CHARACTERS = 64
const MAX_NAMES = 10_000
const STEP_NAMES = 50

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '')
/** Names with different digits are different names: `Hall 1` and `Hall 2`. */
const digits = (name: string): string => name.replace(/\D+/g, '')

/** The name itself, and each variant with one character removed. */
function variantsOf(name: string): readonly string[] {
  const { length } = name
  if (length < MIN_CHARACTERS || length > MAX_CHARACTERS) return [name]
  return [name, ...Array.from({ length }, (_, at) => name.slice(0, at) + name.slice(at + 1))]
}

/** Finds the nearest name in steps, because there may be many names; null if no name is near. */
export type NearestFinder = (text: string) => Steps<string | null>

/**
 * Returns a function that finds the known name nearest to a text. Case, blanks, `-` and `_` are ignored, and one typing
 * slip is allowed: a missing, extra, wrong or moved character. It returns null if no name is near. The first call
 * indexes the names.
 */
export function createNearestFinder(names: () => Iterable<string>): NearestFinder {
  let known: Map<string, string> | null = null
  function* readAll(): Steps<Map<string, string>> {
    const byVariant = new Map<string, string>()
    const all = [...names()]
    const read = all.length > MAX_NAMES ? (name: string) => [name] : variantsOf
    for (const [index, name] of all.entries()) {
      if (index % STEP_NAMES === 0) yield
      for (const variant of read(plain(name))) if (!byVariant.has(variant)) byVariant.set(variant, name)
    }
    return byVariant
  }
  return function* (text) {
    known ??= yield* readAll()
    // Two names one slip apart become equal when one character is removed from each.
    for (const variant of variantsOf(plain(text))) {
      const name = known.get(variant)
      if (name !== undefined && name !== text && digits(name) === digits(text)) return name
    }
    return null
  }
}

/** `Did you mean …?` with a leading space, for the end of a sentence; empty if `name` is null. */
export const didYouMean = (name: string | null): string =>
  name === null ? '' : ` Did you mean ${quoteUntrusted(name)}?`
