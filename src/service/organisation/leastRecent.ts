/** What is in memory within a bound: beyond it, what was used least recently goes. */

export type Bound = Readonly<{ bytes: number; count: number }>

export type Weighed = Readonly<{
  bytes: () => number
  /** What is not idle stays. */
  isIdle: () => boolean
}>

/** @param dropped gets what goes because of the bound */
export function createLeastRecent<Kept extends Weighed>(
  bound: Bound,
  dropped: (id: string, kept: Kept) => void,
) {
  /** Least recently used first, with its bytes when it was last used. */
  const all = new Map<string, Readonly<{ kept: Kept; bytes: number }>>()
  let total = 0

  function remove(id: string): void {
    total -= all.get(id)?.bytes ?? 0
    all.delete(id)
  }

  return {
    get: (id: string): Kept | null => all.get(id)?.kept ?? null,
    remove,
    /** Keeps it as the most recently used, with the bytes that it has now, and drops others beyond the bound. */
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
