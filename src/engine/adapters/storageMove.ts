import type { EarlierStore, DriverStore } from './storageDriver.ts'
import type { BeforeRemoval } from './storageNamespace.ts'

// The keys in this file have no `/`, or a `:` before it, so they never collide with the keys of a namespace.

/** The key that marks a store as complete: it has everything that an earlier version stored. */
export const MOVED_KEY = 'moved'

const CLEARED = 'cleared:'
const REMOVED = 'removed:'
const isMark = (key: string): boolean => key.startsWith(CLEARED) || key.startsWith(REMOVED)

/**
 * Marks each removal in the store until the move has succeeded. The move skips marked values; otherwise it would
 * restore values that a sign-out has cleared.
 */
export const markRemovals =
  (store: DriverStore): BeforeRemoval =>
  async (prefix, key) => {
    // Another page may have completed the move meanwhile.
    if ((await store.get(MOVED_KEY)) !== null) return
    await store.set(key === undefined ? CLEARED + prefix : REMOVED + prefix + key, true)
  }

/**
 * Moves an earlier version's values into the store. Values already in the store stay unchanged. When a call fails or
 * the page is closed, each value is still in one of the two places, and the next move continues. Several pages may move
 * at the same time.
 */
export async function moveEarlier(earlier: EarlierStore | null, store: DriverStore): Promise<void> {
  const entries = (await earlier?.entries()) ?? []
  const present = new Set(await store.keys())
  if (present.has(MOVED_KEY)) return
  // Nothing is awaited between reading the keys and these writes. So IndexedDB runs the writes before those of any
  // other page, which writes only after its own move has ended.
  await Promise.all(
    entries
      .filter(({ prefix, key }) =>
        [prefix + key, CLEARED + prefix, REMOVED + prefix + key].every((each) => !present.has(each)),
      )
      .map(({ prefix, key, value }) => store.set(prefix + key, value)),
  )
  await earlier?.clear()
  // The marks contain user ids, so none may stay. Without the earlier values nothing can be restored.
  await Promise.all([...present].filter(isMark).map((key) => store.remove(key)))
  await store.set(MOVED_KEY, true)
}
