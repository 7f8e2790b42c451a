import type { KeyValueStore, Log, Storage } from '../../../effects/ports.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { createKeyValue } from './keyValue.ts'
import { type LocalforageDriver, openLocalforage } from './localforage.ts'
import type { StorageDriver } from './storageDriver.ts'
import { namespacePrefix } from './storageNamespace.ts'
import { createStoreOpener } from './storageOpening.ts'

/** The capacity of roaming data (specification, section 9). */
export const ROAMING_CAPACITY_BYTES = 32_000

/** The global object that a browser with this kind of storage has. */
const GLOBALS: Readonly<Record<LocalforageDriver, string>> = {
  webSQL: 'openDatabase',
  indexedDB: 'indexedDB',
  localStorage: 'localStorage',
}

/** The drivers in the order of section 3 of the specification. */
export const browserDrivers: readonly StorageDriver[] = (
  ['webSQL', 'indexedDB', 'localStorage'] as const
).map((name) => ({
  name,
  isOffered: () => GLOBALS[name] in globalThis,
  open: () => openLocalforage(name),
}))

const PREFIX = 'signet.'

/** A driver for a synchronous storage of the browser. */
const webStorageDriver = (name: 'sessionStorage' | 'localStorage'): StorageDriver => ({
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

export const sessionDriver: StorageDriver = webStorageDriver('sessionStorage')

/** Always local storage: if a slow start switched to a fallback driver, the stored choices would not be found. */
const persistentDriver: StorageDriver = webStorageDriver('localStorage')

type StorageOptions = Readonly<{
  log: Log
  time: Time
  /** The drivers to try, best first; by default the browser's own drivers. */
  drivers?: readonly StorageDriver[]
  session?: StorageDriver
  persistent?: StorageDriver
}>

/**
 * Opens the browser's storage in the specification's namespaces (section 3). The first working driver, or memory if
 * none works, stores all namespaces except `session` and `persistent`. Failures are only logged; a failed read returns
 * undefined.
 */
export function createStorage({
  log,
  time,
  drivers = browserDrivers,
  session = sessionDriver,
  persistent = persistentDriver,
}: StorageOptions): Storage {
  const tools = { log, time }
  const opening = createStoreOpener(log, time)
  const store$ = opening(drivers)
  const inStore = (namespace: string, capacity?: number): KeyValueStore =>
    createKeyValue(tools, store$, namespacePrefix(namespace), capacity)

  const opened = new Map<string, KeyValueStore>()
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
    session: createKeyValue(tools, opening([session]), 'session.'),
    local: inStore('local'),
    kept: inStore('kept'),
    persistent: createKeyValue(tools, opening([persistent]), 'standing.'),
    roaming: inStore('roaming', ROAMING_CAPACITY_BYTES),
    privateRoaming: privately('private', ROAMING_CAPACITY_BYTES),
    privateCache: privately('cache'),
    privateDrafts: privately('drafts'),
  }
}
