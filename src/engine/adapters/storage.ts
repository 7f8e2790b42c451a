import {
  AsyncSubject,
  catchError,
  concatMap,
  defer,
  finalize,
  from,
  map,
  type Observable,
  of,
  shareReplay,
  Subject,
  switchMap,
  tap,
} from 'rxjs'
import type { KeyValue, Log, Storage, Written } from '../../../effects/ports.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import { type LocalforageDriver, openLocalforage } from './localforage.ts'
import type { Driver, OpenedDriver, Store } from './storageDriver.ts'
import { markRemovals, MOVED, moveEarlier } from './storageMove.ts'
import { type Area, type BeforeRemoval, createArea, prefixOf } from './storageNamespace.ts'

/** The capacity of roaming data (specification, section 9). */
export const ROAMING_CAPACITY_BYTES = 32_000
/** The time limit of opening a driver, and of each of its calls. */
export const STORAGE_LIMIT_MS = 1000

/** The store of the first driver that works, and the name of this driver. */
type OpenStore = Readonly<{ driver: string; store: Store; beforeRemoval: BeforeRemoval }>
type OpenArea = Area & Readonly<{ driver: string }>

/** The name of the last fallback. */
const MEMORY = 'memory'

/** What the global object is called that a browser with this kind of storage has. */
const GLOBALS: Readonly<Record<LocalforageDriver, string>> = {
  webSQL: 'openDatabase',
  indexedDB: 'indexedDB',
  localStorage: 'localStorage',
}

/** The drivers in the order of the specification, section 3. */
export const browserDrivers: readonly Driver[] = (['webSQL', 'indexedDB', 'localStorage'] as const).map(
  (name) => ({
    name,
    isOffered: () => GLOBALS[name] in globalThis,
    open: () => openLocalforage(name),
  }),
)

const PREFIX = 'signet.'

/** A driver for a storage of the browser that answers synchronously. */
const webStorageDriver = (name: 'sessionStorage' | 'localStorage'): Driver => ({
  name,
  isOffered: () => true,
  open: async () => {
    const area = globalThis[name]
    return {
      store: {
        get: async (key) => JSON.parse(area.getItem(PREFIX + key) ?? 'null') as unknown,
        set: async (key, value) => area.setItem(PREFIX + key, JSON.stringify(value)),
        remove: async (key) => area.removeItem(PREFIX + key),
        keys: async () =>
          Object.keys(area).flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : [])),
      },
    }
  },
})

export const sessionDriver: Driver = webStorageDriver('sessionStorage')

/** Always local storage: if a slow start led to a fallback driver, the stored choices would not be found. */
const persistentDriver: Driver = webStorageDriver('localStorage')

/** The last fallback: entries in memory, which live as long as the page. */
function memoryStore(): Store {
  const kept = new Map<string, string>()
  return {
    get: async (key) => JSON.parse(kept.get(key) ?? 'null') as unknown,
    set: async (key, value) => kept.set(key, JSON.stringify(value)),
    remove: async (key) => kept.delete(key),
    keys: async () => [...kept.keys()],
  }
}

const nothingBefore: BeforeRemoval = () => Promise.resolve()

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
const bytesOf = (text: string): number => new TextEncoder().encode(text).length
/** The size of an entry in bytes of UTF-8. */
const sizeOf = (key: string, value: unknown): number => bytesOf(key) + bytesOf(JSON.stringify(value))

class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

type StorageOptions = Readonly<{
  log: Log
  time: Time
  /** The persistent drivers, best first; by default the browser's own. */
  drivers?: readonly Driver[]
  session?: Driver
  persistent?: Driver
}>

/**
 * Storage of the browser in the namespaces of the specification (section 3). The first driver that works stores all
 * namespaces but `session` and `persistent`; memory does when no driver works. A failure is only logged; a read that
 * fails gives undefined.
 */
export function createStorage({
  log,
  time,
  drivers = browserDrivers,
  session = sessionDriver,
  persistent = persistentDriver,
}: StorageOptions): Storage {
  const limited = <T>(work: () => Promise<T>): Observable<T> =>
    defer(() => from(work())).pipe(timeLimit(STORAGE_LIMIT_MS, time, () => new TooSlow()))

  /**
   * Moves what an earlier version stored, and emits what removals then have to do first. When the move fails or is
   * slow, the next start tries again.
   */
  const moveInto = (
    store: Store,
    driver: string,
    findEarlier: NonNullable<OpenedDriver['findEarlier']>,
  ): Observable<BeforeRemoval> =>
    limited(async () => {
      const earlier = await findEarlier()
      await moveEarlier(earlier, store)
      // Nobody waits for it, because a page of the earlier version may use the empty place for long.
      earlier?.drop().catch((error: unknown) => {
        log.warn('storage_drop_failed', { driver, error: nameOf(error) })
      })
      return nothingBefore
    }).pipe(
      catchError((error: unknown) => {
        log.error('storage_move_failed', { driver, error: nameOf(error) })
        return of(markRemovals(store))
      }),
    )

  const openFirst = (
    [driver, ...others]: readonly Driver[],
    tried: readonly string[] = [],
  ): Observable<OpenStore> => {
    if (!driver) {
      log.error('storage_in_memory', { tried: tried.join(', ') })
      return of({ driver: MEMORY, store: memoryStore(), beforeRemoval: nothingBefore })
    }
    const { name } = driver
    const openNext = () => openFirst(others, [...tried, name])
    if (!driver.isOffered()) {
      log.debug('storage_driver_absent', { driver: name })
      return openNext()
    }
    return limited(async () => {
      const opened = await driver.open()
      // Some browsers open a store but then cannot read it. Reading once finds this out.
      return { ...opened, isMoved: (await opened.store.get(MOVED)) !== null }
    }).pipe(
      catchError((error: unknown) => {
        log.warn('storage_driver_skipped', { driver: name, error: nameOf(error) })
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
  /** The first call opens the store for all calls. If its subscriber leaves early, the store still opens. */
  const opening = (candidates: readonly Driver[]): Observable<OpenStore> =>
    defer(() => openFirst(candidates)).pipe(shareReplay({ bufferSize: 1, refCount: false }))

  const toKey = (key: unknown): string => {
    if (typeof key === 'string') return key
    log.warn('storage_key_converted', { type: typeof key })
    return String(key)
  }

  const createKeyValue = (store$: Observable<OpenStore>, prefix: string, capacity = Infinity): KeyValue => {
    const area$: Observable<OpenArea> = store$.pipe(
      map(({ driver, store, beforeRemoval }) => ({ ...createArea(store, prefix, beforeRemoval), driver })),
    )
    const within = <T>(work: (area: OpenArea) => Promise<T>): Observable<T> =>
      area$.pipe(switchMap((area) => limited(() => work(area))))
    /** Logs a failure, and emits `instead`. */
    const swallowed = <T>(action: string, instead: T, work$: Observable<T>): Observable<T> =>
      work$.pipe(
        catchError((error: unknown) => {
          log.error('storage_failed', { action, error: nameOf(error) })
          return of(instead)
        }),
      )

    const turn$ = new Subject<Observable<unknown>>()
    turn$.pipe(concatMap((work$) => work$)).subscribe()
    /**
     * Runs one write after the other, and to its end, also when the caller unsubscribes. Two concurrent writes might
     * each fit, but exceed the capacity together, and a write that ends after a removal would restore the entry.
     * `work$` does not fail.
     */
    const inTurn = <T>(work$: Observable<T>): Observable<T> =>
      defer(() => {
        const answer$ = new AsyncSubject<T>()
        turn$.next(
          work$.pipe(
            tap((answer) => answer$.next(answer)),
            finalize(() => answer$.complete()),
          ),
        )
        return answer$
      })

    const write = (key: string, value: unknown): Observable<Written> =>
      within(async (area) => {
        await area.set(key, value)
        return area.driver === MEMORY ? 'untilClosed' : 'kept'
      })
    const sizeWith = (key: string, value: unknown): Observable<number> =>
      within(async (area) => {
        const others = (await area.keys()).filter((each) => each !== key)
        const sizes = await Promise.all(others.map(async (each) => sizeOf(each, await area.get(each))))
        return sizes.reduce((sum, size) => sum + size, sizeOf(key, value))
      })
    const writeWithinCapacity = (key: string, value: unknown): Observable<Written> =>
      sizeWith(key, value).pipe(
        concatMap((size) => {
          if (size <= capacity) return write(key, value)
          log.error('roaming_capacity_exceeded', { size, capacity })
          return of('refused' as const)
        }),
      )

    const removing = (action: string, work: (area: OpenArea) => Promise<unknown>): Observable<void> =>
      inTurn(swallowed(action, undefined, within(work).pipe(map(() => undefined))))

    return {
      get: (key) =>
        swallowed(
          'get',
          undefined,
          within((area) => area.get(toKey(key))).pipe(map((value) => value ?? null)),
        ),
      set: (key, value) =>
        inTurn(
          swallowed<Written>(
            'set',
            'refused',
            defer(() => (capacity === Infinity ? write : writeWithinCapacity)(toKey(key), value)),
          ),
        ),
      remove: (key) => removing('remove', (area) => area.remove(toKey(key))),
      clear: () => removing('clear', (area) => area.clear()),
      driver: () => area$.pipe(map(({ driver }) => driver)),
    }
  }

  const store$ = opening(drivers)
  const inStore = (namespace: string, capacity?: number): KeyValue =>
    createKeyValue(store$, prefixOf(namespace), capacity)

  const opened = new Map<string, KeyValue>()
  const privately = (kind: string, capacity?: number) => (id: string) => {
    if (typeof id !== 'string' || id === '')
      throw new Error('private roaming storage cant init without an id')
    const namespace = `${kind}-${id}`
    const known = opened.get(namespace)
    if (known) return known
    const created = inStore(namespace, capacity)
    opened.set(namespace, created)
    return created
  }

  return {
    session: createKeyValue(opening([session]), 'session.'),
    local: inStore('local'),
    kept: inStore('kept'),
    persistent: createKeyValue(opening([persistent]), 'standing.'),
    roaming: inStore('roaming', ROAMING_CAPACITY_BYTES),
    privateRoaming: privately('private', ROAMING_CAPACITY_BYTES),
    privateCache: privately('cache'),
    privateDrafts: privately('drafts'),
  }
}
