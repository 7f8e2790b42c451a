/** The most references to blocks and slots in each cache of a plan: several megabytes. */
export const MAX_KEPT_REFERENCES = 100_000
const BYTES_OF_REFERENCE = 8

/**
 * Creates a cache of values that people with equal keys share. Blocks for a share of the people can give nearly
 * everyone a different key, which makes a cache useless. So a full cache is cleared, and values too large for it are
 * not kept.
 *
 * @param referencesOf counts the references in a value
 */
export function createCache<Value>(referencesOf: (value: Value) => number) {
  const values = new Map<string, Value>()
  let kept = 0
  return {
    get: (key: string) => values.get(key),
    keep(key: string, value: Value): Value {
      const references = referencesOf(value) + Math.ceil(key.length / BYTES_OF_REFERENCE)
      if (kept + references > MAX_KEPT_REFERENCES) {
        values.clear()
        kept = 0
      }
      if (references > MAX_KEPT_REFERENCES) return value
      values.set(key, value)
      kept += references
      return value
    },
    references: () => kept,
  }
}
