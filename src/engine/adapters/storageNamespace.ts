import type { DriverStore } from './storageDriver.ts'

/** The values of one namespace. */
export type StorageArea = DriverStore & Readonly<{ clear(): Promise<unknown> }>

/**
 * The prefix of a namespace's keys. It has only small letters, digits and `_` before its `/`, so no prefix is the start
 * of another prefix, whatever the user's id contains. An earlier version used the part before the `/` as the name of an
 * SQL table.
 */
export const namespacePrefix = (namespace: string): string =>
  `${namespace.replace(/[^a-z0-9]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`)}/`

/**
 * Runs before a key is removed, or before all keys of the prefix are removed if there is no `key`. The removal awaits
 * it.
 */
export type BeforeRemoval = (prefix: string, key?: string) => Promise<unknown>

/** The values of a store whose keys begin with `prefix`. */
export function createStorageArea(
  store: DriverStore,
  prefix: string,
  beforeRemoval: BeforeRemoval,
): StorageArea {
  const keys = async () =>
    (await store.keys()).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  return {
    get: (key) => store.get(prefix + key),
    set: (key, value) => store.set(prefix + key, value),
    remove: async (key) => {
      await beforeRemoval(prefix, key)
      return store.remove(prefix + key)
    },
    clear: async () => {
      await beforeRemoval(prefix)
      return Promise.all((await keys()).map((key) => store.remove(prefix + key)))
    },
    keys,
  }
}
