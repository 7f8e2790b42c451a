/** A cache that all organisations of an instance share. */

export type SharedCache<Value> = Readonly<{ of: (organisation: string) => OrganisationCache<Value> }>

/** The cached values of one organisation. */
export type OrganisationCache<Value> = Readonly<{
  get: (name: string) => Value | null
  set: (name: string, value: Value) => void
  forget: (name: string) => void
}>

/** The largest share of a full cache that one organisation may hold. */
const MAX_OF_ONE = 1 / 4

/**
 * Caches the most recently used values within `limitBytes`. When the cache is full, it first drops the oldest value of
 * an organisation that exceeds its share.
 *
 * @param weigh returns the size of a value in bytes
 */
export function createSharedCache<Value>(
  limitBytes: number,
  weigh: (value: Value) => number,
): SharedCache<Value> {
  const cache = new Map<string, Readonly<{ organisation: string; value: Value }>>()
  const sizes = new Map<string, number>()
  let size = 0

  function grow(organisation: string, by: number): void {
    size += by
    const left = (sizes.get(organisation) ?? 0) + by
    if (left > 0) sizes.set(organisation, left)
    else sizes.delete(organisation)
  }

  function forget(key: string): void {
    const known = cache.get(key)
    if (known !== undefined) grow(known.organisation, -weigh(known.value))
    cache.delete(key)
  }

  const isLarge = (organisation: string) => (sizes.get(organisation) ?? 0) > limitBytes * MAX_OF_ONE

  function forgetOldest(): void {
    const [oldest = ''] = cache.keys()
    for (const [key, { organisation }] of cache) if (isLarge(organisation)) return forget(key)
    forget(oldest)
  }

  return {
    of: (organisation) => {
      const keyOf = (name: string) => `${organisation} ${name}`
      return {
        forget: (name) => forget(keyOf(name)),
        get: (name) => {
          const key = keyOf(name)
          const known = cache.get(key)
          if (known === undefined) return null
          cache.delete(key)
          cache.set(key, known)
          return known.value
        },
        set: (name, value) => {
          const key = keyOf(name)
          forget(key)
          cache.set(key, { organisation, value })
          grow(organisation, weigh(value))
          while (size > limitBytes) forgetOldest()
        },
      }
    },
  }
}
