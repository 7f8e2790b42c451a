/** A cache that drops the least recently used items beyond a bound. */

export type CacheBound = Readonly<{ bytes: number; count: number }>

export type CacheItem = Readonly<{
  bytes: () => number
  /** Only idle items are dropped. */
  isIdle: () => boolean
}>

/** @param dropped called with each item that is dropped to stay within the bound */
export function createLeastRecentCache<Kept extends CacheItem>(
  bound: CacheBound,
  dropped: (id: string, kept: Kept) => void,
) {
  /** The items in order of use, least recent first. `bytes` is an item's size at its last use. */
  const all = new Map<string, Readonly<{ kept: Kept; bytes: number }>>()
  let total = 0

  function remove(id: string): void {
    total -= all.get(id)?.bytes ?? 0
    all.delete(id)
  }

  return {
    get: (id: string): Kept | null => all.get(id)?.kept ?? null,
    remove,
    /** Marks an item as most recently used, updates its size, and drops other items beyond the bound. */
    use(id: string, kept: Kept): void {
      remove(id)
      const bytes = kept.bytes()
      all.set(id, { kept, bytes })
      total += bytes
      if (total <= bound.bytes && all.size <= bound.count) return
      for (const [other, { kept: least }] of all) {
        if (other === id || (total <= bound.bytes && all.size <= bound.count)) return
        if (!least.isIdle()) continue
        remove(other)
        dropped(other, least)
      }
    },
    size: () => ({ count: all.size, bytes: total }),
  }
}
