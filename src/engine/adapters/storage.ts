import localforage from 'localforage'
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  firstValueFrom,
  from,
  map,
  type Observable,
  of,
  shareReplay,
  switchMap,
} from 'rxjs'
import type { KeyValue, Log, Storage } from '../../../effects/ports.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'

/** Specification, section 9. */
export const ROAMING_CAPACITY_BYTES = 32_000
/** The time limit of opening a driver, and of each of its calls. */
export const STORAGE_LIMIT_MS = 1000

/** One namespace of a driver. Values are plain JSON. */
export type Area = Readonly<{
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<unknown>
  remove(key: string): Promise<unknown>
  clear(): Promise<unknown>
  keys(): Promise<readonly string[]>
}>

/** One kind of storage. `open` fails, or never settles, where the browser denies it. */
export type Driver = Readonly<{ name: string; open(namespace: string): Promise<Area> }>

/** An open namespace, and the name of its driver. */
type OpenArea = Area & Readonly<{ driver: string }>

const PREFIX = 'signet.'

const localforageDriver = (name: string, driver: string): Driver => ({
  name,
  async open(namespace) {
    const store = localforage.createInstance({ name: 'signet', storeName: namespace, driver })
    await store.ready()
    // Some browsers open a store that then cannot be read.
    await store.keys()
    return {
      get: (key) => store.getItem(key),
      set: (key, value) => store.setItem(key, value),
      remove: (key) => store.removeItem(key),
      clear: () => store.clear(),
      keys: () => store.keys(),
    }
  },
})

/** In the order of the specification, section 3. */
export const browserDrivers: readonly Driver[] = [
  localforageDriver('webSQL', localforage.WEBSQL),
  localforageDriver('indexedDB', localforage.INDEXEDDB),
  localforageDriver('localStorage', localforage.LOCALSTORAGE),
]

/** The browser's session storage. */
export const sessionDriver: Driver = {
  name: 'sessionStorage',
  open: (namespace) =>
    Promise.resolve().then(() => {
      const start = `${PREFIX}${namespace}.`
      const area = sessionStorage
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
}

/** The last fallback, which lives as long as the page. */
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
  /** The persistent drivers, best first; the browser's own when left out. */
  drivers?: readonly Driver[]
  session?: Driver
}>

/**
 * The browser's storage in the namespaces of the specification (section 3). Each namespace uses the first driver that
 * works, or memory when none works. A failure is logged and swallowed; a failed read gives null.
 */
export function createStorage({
  log,
  time,
  drivers = browserDrivers,
  session = sessionDriver,
}: StorageOptions): Storage {
  const givenUp = new Set<Driver>()

  const limited = <T>(work: () => Promise<T>): Observable<T> =>
    defer(() => from(work())).pipe(timeLimit(STORAGE_LIMIT_MS, time, () => new TooSlow()))

  const openFirst = ([driver, ...others]: readonly Driver[], namespace: string): Observable<OpenArea> => {
    if (!driver) {
      log.error('storage_in_memory', { namespace: namespace.split('-', 1)[0] ?? '' })
      return of({ ...memoryArea(), driver: 'memory' })
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
    // Opened at the first call, once; an early unsubscribe does not close it for the others.
    const area$ = defer(() => openFirst(candidates, namespace)).pipe(
      shareReplay({ bufferSize: 1, refCount: false }),
    )
    const within = <T>(work: (area: Area) => Promise<T>) =>
      area$.pipe(switchMap((area) => limited(() => work(area))))
    const swallowed = (action: string, work$: Observable<unknown>): Observable<void> =>
      work$.pipe(
        map(() => undefined),
        catchError((error: unknown) => {
          log.error('storage_failed', { action, error: nameOf(error) })
          return EMPTY
        }),
      )

    let queue: Promise<unknown> = Promise.resolve()
    /** One write after the other: two concurrent writes might each fit, and exceed the capacity together. */
    const inTurn = (work$: Observable<unknown>): Observable<unknown> =>
      defer(() => {
        const turn = queue.then(() => firstValueFrom(work$, { defaultValue: undefined }))
        queue = turn.catch(() => undefined)
        return from(turn)
      })

    const setWithinCapacity = (key: string, value: unknown): Observable<unknown> =>
      within(async (area) => {
        const others = (await area.keys()).filter((each) => each !== key)
        const sizes = await Promise.all(others.map(async (each) => sizeOf(each, await area.get(each))))
        return sizes.reduce((sum, size) => sum + size, sizeOf(key, value))
      }).pipe(
        concatMap((size) => {
          if (size <= capacity) return within((area) => area.set(key, value))
          log.error('roaming_capacity_exceeded', { size, capacity })
          return EMPTY
        }),
      )

    /** Waits for pending writes, which would otherwise restore what is removed. */
    const afterWrites = (work$: Observable<unknown>): Observable<unknown> =>
      capacity === Infinity ? work$ : inTurn(work$)

    return {
      get: (key) =>
        within((area) => area.get(toKey(key))).pipe(
          catchError((error: unknown) => {
            log.error('storage_failed', { action: 'get', error: nameOf(error) })
            return of(null)
          }),
          map((value) => value ?? null),
        ),
      set: (key, value) =>
        swallowed(
          'set',
          capacity === Infinity
            ? within((area) => area.set(toKey(key), value))
            : inTurn(setWithinCapacity(toKey(key), value)),
        ),
      remove: (key) => swallowed('remove', afterWrites(within((area) => area.remove(toKey(key))))),
      clear: () => swallowed('clear', afterWrites(within((area) => area.clear()))),
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
    roaming: createKeyValue(drivers, 'roaming', ROAMING_CAPACITY_BYTES),
    privateRoaming: privately('private', ROAMING_CAPACITY_BYTES),
    privateCache: privately('cache'),
    privateDrafts: privately('drafts'),
  }
}
