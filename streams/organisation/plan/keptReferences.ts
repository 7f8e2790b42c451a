/** The most references to blocks and slots that each cache of a plan keeps: some megabytes. */
export const MAX_KEPT_REFERENCES = 100_000
const BYTES_OF_REFERENCE = 8

/**
 * Values by keys, for people who have the same. Where nearly every person has a key of their own, because a share
 * divides them, a cache is of no use; so a full one begins again, and keeps no value that is too large for it.
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
