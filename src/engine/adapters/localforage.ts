import localforage from 'localforage'
import type { Area } from './storageDriver.ts'

const DRIVERS = { webSQL: localforage.WEBSQL, localStorage: localforage.LOCALSTORAGE } as const
export type LocalforageDriver = keyof typeof DRIVERS

/**
 * The name of a namespace's SQL table, which is also the beginning of its keys. It has only small letters, digits and
 * `_`: localforage does not quote the names of tables, SQL ignores case, and localforage puts `/` after the beginning
 * of a key.
 */
const storeNameOf = (namespace: string): string =>
  namespace.replace(/[^a-z0-9]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`)

/** Opens a namespace. Rejects where the browser lacks this kind of storage or denies it. */
export async function openArea(driver: LocalforageDriver, namespace: string): Promise<Area> {
  const store = localforage.createInstance({
    name: 'signet',
    storeName: storeNameOf(namespace),
    driver: DRIVERS[driver],
  })
  await store.ready()
  // Some browsers open a store but then cannot read it. Reading once finds this out.
  await store.keys()
  return {
    get: (key) => store.getItem(key),
    set: (key, value) => store.setItem(key, value),
    remove: (key) => store.removeItem(key),
    clear: () => store.clear(),
    keys: () => store.keys(),
  }
}
