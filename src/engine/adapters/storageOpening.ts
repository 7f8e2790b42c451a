import { catchError, defer, from, map, type Observable, of, shareReplay, switchMap } from 'rxjs'
import type { Log } from '../../../effects/ports.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import type { StorageDriver, OpenedDriver, DriverStore } from './storageDriver.ts'
import { markRemovals, MOVED_KEY, moveEarlier } from './storageMove.ts'
import type { BeforeRemoval } from './storageNamespace.ts'

/** The time limit of opening a driver, and of each of its calls. */
export const STORAGE_LIMIT_MS = 1000

/** The store of the first working driver, and the driver's name. */
export type OpenStore = Readonly<{ driver: string; store: DriverStore; beforeRemoval: BeforeRemoval }>

/** The driver name of the last fallback, which keeps values in memory. */
export const MEMORY_DRIVER = 'memory'

/** The last fallback: entries in memory that are lost with the page. */
function memoryStore(): DriverStore {
  const kept = new Map<string, string>()
  return {
    get: async (key) => JSON.parse(kept.get(key) ?? 'null') as unknown,
    set: async (key, value) => kept.set(key, JSON.stringify(value)),
    remove: async (key) => kept.delete(key),
    keys: async () => [...kept.keys()],
  }
}

const nothingBefore: BeforeRemoval = () => Promise.resolve()

export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

/** Runs `work`. Fails with `TooSlow` after `STORAGE_LIMIT_MS`. */
export const withStorageLimit = <T>(work: () => Promise<T>, time: Time): Observable<T> =>
  defer(() => from(work())).pipe(timeLimit(STORAGE_LIMIT_MS, time, () => new TooSlow()))

/**
 * Returns a function that opens the first working driver, and moves an earlier version's values into it. If none works,
 * the values stay in memory.
 */
export function createStoreOpener(
  log: Log,
  time: Time,
): (candidates: readonly StorageDriver[]) => Observable<OpenStore> {
  /**
   * Moves an earlier version's values, and emits the function that must run before each removal. When the move fails or
   * is slow, the next start tries again.
   */
  const moveInto = (
    store: DriverStore,
    driver: string,
    findEarlier: NonNullable<OpenedDriver['findEarlier']>,
  ): Observable<BeforeRemoval> =>
    withStorageLimit(async () => {
      const earlier = await findEarlier()
      await moveEarlier(earlier, store)
      // The deletion is not awaited, because a page of the earlier version may keep the emptied database open for a
      // long time.
      earlier?.drop().catch((error: unknown) => {
        log.warn('storage_drop_failed', { driver, error: errorName(error) })
      })
      return nothingBefore
    }, time).pipe(
      catchError((error: unknown) => {
        log.error('storage_move_failed', { driver, error: errorName(error) })
        return of(markRemovals(store))
      }),
    )

  const openFirst = (
    [driver, ...others]: readonly StorageDriver[],
    tried: readonly string[] = [],
  ): Observable<OpenStore> => {
    if (!driver) {
      log.error('storage_in_memory', { tried: tried.join(', ') })
      return of({ driver: MEMORY_DRIVER, store: memoryStore(), beforeRemoval: nothingBefore })
    }
    const { name } = driver
    const openNext = () => openFirst(others, [...tried, name])
    if (!driver.isOffered()) {
      log.debug('storage_driver_absent', { driver: name })
      return openNext()
    }
    return withStorageLimit(async () => {
      const opened = await driver.open()
      // Some browsers open a store but then cannot read it, so it is read once as a test.
      return { ...opened, isMoved: (await opened.store.get(MOVED_KEY)) !== null }
    }, time).pipe(
      catchError((error: unknown) => {
        log.warn('storage_driver_skipped', { driver: name, error: errorName(error) })
        return of(null)
      }),
      switchMap((opened) => {
        if (!opened) return openNext()
        const { store, findEarlier, isMoved } = opened
        const beforeRemoval$ =
          isMoved || !findEarlier ? of(nothingBefore) : moveInto(store, name, findEarlier)
        return beforeRemoval$.pipe(map((beforeRemoval) => ({ driver: name, store, beforeRemoval })))
      }),
    )
  }
  // The first subscription opens the store for all subscribers. If that subscriber leaves early, the store still opens.
  return (candidates) =>
    defer(() => openFirst(candidates)).pipe(shareReplay({ bufferSize: 1, refCount: false }))
}
