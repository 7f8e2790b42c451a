import {
  catchError,
  concatMap,
  defer,
  firstValueFrom,
  from,
  map,
  type Observable,
  of,
  shareReplay,
  switchMap,
} from 'rxjs'
import type { KeyValue, Log, Storage, Written } from '../../../effects/ports.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import { createIndexedDbDriver } from './indexedDb.ts'
import { localforageDriver } from './localforageChunk.ts'
import type { Area, Driver } from './storageDriver.ts'

/** The capacity of roaming data (specification, section 9). */
export const ROAMING_CAPACITY_BYTES = 32_000
/** The time limit of opening a driver, and of each of its calls. */
export const STORAGE_LIMIT_MS = 1000

/** An open namespace, and the name of its driver. */
type OpenArea = Area & Readonly<{ driver: string }>

/** The name of the last fallback. */
const MEMORY = 'memory'

const PREFIX = 'signet.'

/** The drivers in the order of the specification, section 3. None of today's browsers has web-SQL. */
export const browserDrivers = (page: object): readonly Driver[] => [
  ...('openDatabase' in page ? [localforageDriver('webSQL')] : []),
  createIndexedDbDriver(),
  localforageDriver('localStorage'),
]

/** A driver for a storage of the browser that answers synchronously. */
const webStorageDriver = (name: 'sessionStorage' | 'localStorage'): Driver => ({
  name,
  open: (namespace) =>
    Promise.resolve().then(() => {
      const start = `${PREFIX}${namespace}.`
      const area = globalThis[name]
      const keys = () =>
        Object.keys(area).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []))
      const call = <T>(work: () => T) => Promise.resolve().then(work)
      return {
        get: (key) => call(() => JSON.parse(area.getItem(start + key) ?? 'null') as unknown),
        set: (key, value) => call(() => area.setItem(start + key, JSON.stringify(value))),
        remove: (key) => call(() => area.removeItem(start + key)),
        clear: () => call(() => keys().forEach((key) => area.removeItem(start + key))),
        keys: () => call(keys),
      }
    }),
})

export const sessionDriver: Driver = webStorageDriver('sessionStorage')

/** Always local storage: if a slow start led to a fallback driver, the stored choices would not be found. */
const persistentDriver: Driver = webStorageDriver('localStorage')

/** The last fallback: entries in memory, which live as long as the page. */
function memoryArea(): Area {
  const kept = new Map<string, string>()
  return {
    get: (key) => Promise.resolve(JSON.parse(kept.get(key) ?? 'null') as unknown),
    set: (key, value) => Promise.resolve(kept.set(key, JSON.stringify(value))),
    remove: (key) => Promise.resolve(kept.delete(key)),
    clear: () =>
      Promise.resolve().then(() => {
        kept.clear()
      }),
    keys: () => Promise.resolve([...kept.keys()]),
  }
}

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
 * Storage of the browser in the namespaces of the specification (section 3). Each namespace uses the first driver that
 * works, or memory when no driver works. A failure is only logged; a read that fails gives undefined.
 */
export function createStorage({
  log,
  time,
  drivers = browserDrivers(globalThis),
  session = sessionDriver,
  persistent = persistentDriver,
}: StorageOptions): Storage {
  const givenUp = new Set<Driver>()

  const limited = <T>(work: () => Promise<T>): Observable<T> =>
    defer(() => from(work())).pipe(timeLimit(STORAGE_LIMIT_MS, time, () => new TooSlow()))

  const openFirst = ([driver, ...others]: readonly Driver[], namespace: string): Observable<OpenArea> => {
    if (!driver) {
      log.error('storage_in_memory', { namespace: namespace.split('-', 1)[0] ?? '' })
      return of({ ...memoryArea(), driver: MEMORY })
    }
    if (givenUp.has(driver)) return openFirst(others, namespace)
    return limited(() => driver.open(namespace)).pipe(
      map((area) => ({ ...area, driver: driver.name })),
      catchError((error: unknown) => {
        givenUp.add(driver)
        log.warn('storage_driver_skipped', { driver: driver.name, error: nameOf(error) })
        return openFirst(others, namespace)
      }),
    )
  }

  const toKey = (key: unknown): string => {
    if (typeof key === 'string') return key
    log.warn('storage_key_converted', { type: typeof key })
    return String(key)
  }

  const createKeyValue = (
    candidates: readonly Driver[],
    namespace: string,
    capacity = Infinity,
  ): KeyValue => {
    // The first call opens the namespace for all calls. If its subscriber leaves early, the namespace still opens.
    const area$ = defer(() => openFirst(candidates, namespace)).pipe(
      shareReplay({ bufferSize: 1, refCount: false }),
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

    let queue: Promise<unknown> = Promise.resolve()
    /** Runs one write after the other. Two concurrent writes might each fit, but exceed the capacity together. */
    const inTurn = <T>(work$: Observable<T>, instead: T): Observable<T> =>
      defer(() => {
        const turn = queue.then(() => firstValueFrom(work$, { defaultValue: instead }))
        queue = turn.catch(() => undefined)
        return from(turn)
      })
    /** A removal waits for pending writes. A write that ends after the removal would restore the removed entry. */
    const afterWrites = (work$: Observable<unknown>): Observable<void> => {
      const done$ = work$.pipe(map(() => undefined))
      return capacity === Infinity ? done$ : inTurn(done$, undefined)
    }

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

    return {
      get: (key) =>
        swallowed(
          'get',
          undefined,
          within((area) => area.get(toKey(key))).pipe(map((value) => value ?? null)),
        ),
      set: (key, value) =>
        swallowed<Written>(
          'set',
          'refused',
          capacity === Infinity
            ? defer(() => write(toKey(key), value))
            : inTurn(
                defer(() => writeWithinCapacity(toKey(key), value)),
                'refused',
              ),
        ),
      remove: (key) => swallowed('remove', undefined, afterWrites(within((area) => area.remove(toKey(key))))),
      clear: () => swallowed('clear', undefined, afterWrites(within((area) => area.clear()))),
      driver: () => area$.pipe(map(({ driver }) => driver)),
    }
  }

  const opened = new Map<string, KeyValue>()
  const privately = (kind: string, capacity?: number) => (id: string) => {
    if (typeof id !== 'string' || id === '')
      throw new Error('private roaming storage cant init without an id')
    const namespace = `${kind}-${id}`
    const known = opened.get(namespace)
    if (known) return known
    const created = createKeyValue(drivers, namespace, capacity)
    opened.set(namespace, created)
    return created
  }

  return {
    session: createKeyValue([session], 'session'),
    local: createKeyValue(drivers, 'local'),
    kept: createKeyValue(drivers, 'kept'),
    persistent: createKeyValue([persistent], 'standing'),
    roaming: createKeyValue(drivers, 'roaming', ROAMING_CAPACITY_BYTES),
    privateRoaming: privately('private', ROAMING_CAPACITY_BYTES),
    privateCache: privately('cache'),
    privateDrafts: privately('drafts'),
  }
}
