import localforage from 'localforage'
import type { EarlierEntry, EarlierStore, OpenedDriver } from './storageDriver.ts'
import { namespacePrefix } from './storageNamespace.ts'

export type LocalforageDriver = 'webSQL' | 'indexedDB' | 'localStorage'

const NAME = 'signet'
const DRIVERS: Readonly<Record<LocalforageDriver, string>> = {
  webSQL: localforage.WEBSQL,
  indexedDB: localforage.INDEXEDDB,
  localStorage: localforage.LOCALSTORAGE,
}

/** An instance with one driver, so that localforage never switches to another driver without a log entry. */
const createInstance = (driver: LocalforageDriver, place: Readonly<{ name: string; storeName?: string }>) =>
  localforage.createInstance({ ...place, driver: DRIVERS[driver] })

/** The database in which an earlier version stored all values, with the keys `[namespace, key]`. */
const EARLIER = { name: 'signet.storage', storeName: 'values' } as const

const isEarlierKey = (key: unknown): key is readonly [string, string] =>
  Array.isArray(key) && key.length === 2 && key.every((part) => typeof part === 'string')

async function findEarlierDatabase(): Promise<EarlierStore | null> {
  // Opening a database creates it, so a browser that cannot list its databases gets an empty one.
  const isThere =
    !('databases' in indexedDB) || (await indexedDB.databases()).some(({ name }) => name === EARLIER.name)
  if (!isThere) return null
  const instance = createInstance('indexedDB', EARLIER)
  return {
    entries: async () => {
      const entries: EarlierEntry[] = []
      await instance.iterate((value: unknown, key: unknown) => {
        if (isEarlierKey(key)) entries.push({ prefix: namespacePrefix(key[0]), key: key[1], value })
      })
      return entries
    },
    clear: () => instance.clear(),
    drop: () => instance.dropInstance({ name: EARLIER.name }),
  }
}

type SqlTransaction = Readonly<{
  executeSql(
    statement: string,
    values: readonly unknown[],
    done: (transaction: SqlTransaction, result: SqlResult) => void,
  ): void
}>
type SqlResult = Readonly<{ rows: Readonly<{ length: number; item(index: number): { name: string } }> }>
declare const openDatabase: (
  name: string,
  version: string,
  description: string,
  size: number,
) => Readonly<{
  transaction(work: (transaction: SqlTransaction) => void, failed: (error: unknown) => void): void
}>

/** The tables of an earlier version, one for each namespace. */
const EARLIER_TABLE = /^(local|kept|roaming|(private|cache|drafts)_2d_\w+)$/

const findEarlierTables = (): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    openDatabase(NAME, '', '', 0).transaction((transaction) => {
      transaction.executeSql("SELECT name FROM sqlite_master WHERE type='table'", [], (_, { rows }) => {
        const names = Array.from({ length: rows.length }, (_each, index) => rows.item(index).name)
        resolve(names.filter((name) => EARLIER_TABLE.test(name)))
      })
    }, reject)
  })

async function findEarlierSql(): Promise<EarlierStore | null> {
  const tables = (await findEarlierTables()).map((storeName) => ({
    storeName,
    instance: createInstance('webSQL', { name: NAME, storeName }),
  }))
  if (tables.length === 0) return null
  return {
    entries: async () => {
      const entries: EarlierEntry[] = []
      for (const { storeName, instance } of tables)
        await instance.iterate((value: unknown, key) => {
          // A table is named after the prefix of its namespace, without the `/`.
          entries.push({ prefix: `${storeName}/`, key, value })
        })
      return entries
    },
    clear: () => Promise.all(tables.map(({ instance }) => instance.clear())),
    drop: () =>
      Promise.all(tables.map(({ storeName, instance }) => instance.dropInstance({ name: NAME, storeName }))),
  }
}

/** For each driver, how to find an earlier version's values. In local storage, their keys never changed. */
const FIND_EARLIER = { webSQL: findEarlierSql, indexedDB: findEarlierDatabase, localStorage: undefined }

/** Opens the store of a driver. Rejects if the browser denies this kind of storage. */
export async function openLocalforage(driver: LocalforageDriver): Promise<OpenedDriver> {
  const instance = createInstance(driver, { name: NAME })
  await instance.ready()
  const findEarlier = FIND_EARLIER[driver]
  return {
    store: {
      get: (key) => instance.getItem(key),
      set: (key, value) => instance.setItem(key, value),
      remove: (key) => instance.removeItem(key),
      keys: () => instance.keys(),
    },
    ...(findEarlier && { findEarlier }),
  }
}
