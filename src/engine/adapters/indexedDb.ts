import type { Area, Driver } from './storageDriver.ts'

const DATABASE = 'signet.storage'
/** The version is never raised, because every open pane would have to close the database first. */
const VERSION = 1
const STORE = 'values'

const openDatabase = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE)
    }
    request.onerror = () => {
      reject(request.error ?? new Error('The database was not opened'))
    }
    request.onsuccess = () => {
      const database = request.result
      // Another page deletes the database. The deletion waits until every page has closed the database.
      database.onversionchange = () => {
        database.close()
      }
      resolve(database)
    }
  })

/**
 * Storage in IndexedDB: one database for all namespaces, with keys `[namespace, key]`. A call resolves when its
 * transaction completes, and rejects when the transaction is aborted. If the browser closed the connection, the next
 * call opens a new one.
 */
export function createIndexedDbDriver(): Driver {
  let connection: Promise<IDBDatabase> | null = null
  const connect = (): Promise<IDBDatabase> =>
    (connection ??= openDatabase().catch((error: unknown) => {
      connection = null
      throw error
    }))

  const begin = async (mode: IDBTransactionMode): Promise<IDBTransaction> => {
    const opened = connect()
    const database = await opened
    try {
      return database.transaction(STORE, mode)
    } catch {
      // The browser closed the connection, or this page closed it because another page deletes the database.
      if (connection === opened) connection = null
      return (await connect()).transaction(STORE, mode)
    }
  }
  const transact = async <Result>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> => {
    const transaction = await begin(mode)
    return new Promise((resolve, reject) => {
      const request = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => {
        resolve(request.result)
      }
      // The event `abort` also comes after a failed request, and when there is no room.
      transaction.onabort = () => {
        reject(transaction.error ?? new Error('The transaction was aborted'))
      }
    })
  }

  return {
    name: 'indexedDB',
    async open(namespace) {
      // The range has every key of the namespace, because a list comes after every text in the order of keys.
      const range = IDBKeyRange.bound([namespace], [namespace, []])
      const area: Area = {
        get: (key) => transact('readonly', (store) => store.get([namespace, key])),
        set: (key, value) => transact('readwrite', (store) => store.put(value, [namespace, key])),
        remove: (key) => transact('readwrite', (store) => store.delete([namespace, key])),
        clear: () => transact('readwrite', (store) => store.delete(range)),
        keys: async () => {
          const keys = await transact('readonly', (store) => store.getAllKeys(range))
          return (keys as [string, string][]).map(([, key]) => key)
        },
      }
      // Some browsers open a database but then cannot read it. Reading once finds this out.
      await area.keys()
      return area
    },
  }
}
