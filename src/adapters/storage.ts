import localforage from 'localforage'
import { catchError, defer, EMPTY, from, map, type Observable, of } from 'rxjs'
import type { KeyValue, Log, Storage } from '../../effects/ports.ts'

/** A storage failure is logged and swallowed: what cannot be read is not there (specification, section 8). */
function swallow(log: Log, action: string) {
  return <T>(work$: Observable<T>): Observable<T> =>
    work$.pipe(
      catchError((error: unknown) => {
        log.error('storage_failed', { action, error: error instanceof Error ? error.name : 'unknown' })
        return EMPTY
      }),
    )
}

/** Gives null where nothing is, or nothing can be read. */
const reading =
  (log: Log) =>
  (read: () => Promise<unknown>): Observable<unknown> =>
    defer(() => from(read())).pipe(
      catchError((error: unknown) => {
        log.error('storage_failed', { action: 'get', error: error instanceof Error ? error.name : 'unknown' })
        return of(null)
      }),
      map((value) => value ?? null),
    )

/** The pane's session: the browser's own session storage, which ends with it. */
const sessionKeyValue = (area: () => globalThis.Storage, log: Log): KeyValue => {
  const write = (action: string, work: () => void) =>
    defer(() => {
      work()
      return of(undefined)
    }).pipe(swallow(log, action))
  return {
    get: (key) =>
      reading(log)(() =>
        Promise.resolve().then(() => JSON.parse(area().getItem(PREFIX + key) ?? 'null') as unknown),
      ),
    set: (key, value) =>
      write('set', () => {
        area().setItem(PREFIX + key, JSON.stringify(value))
      }),
    remove: (key) =>
      write('remove', () => {
        area().removeItem(PREFIX + key)
      }),
    clear: () =>
      write('clear', () => {
        for (const key of Object.keys(area())) if (key.startsWith(PREFIX)) area().removeItem(key)
      }),
  }
}

const PREFIX = 'signet.'

/** A store of the browser's database; drivers in the order of the specification, section 3. */
const databaseKeyValue = (storeName: string, log: Log): KeyValue => {
  const store = localforage.createInstance({
    name: 'signet',
    storeName,
    driver: [localforage.WEBSQL, localforage.INDEXEDDB, localforage.LOCALSTORAGE],
  })
  const write = (action: string, work: () => Promise<unknown>) =>
    defer(() => from(work())).pipe(
      map(() => undefined),
      swallow(log, action),
    )
  return {
    get: (key) => reading(log)(() => store.getItem(key)),
    set: (key, value) => write('set', () => store.setItem(key, value)),
    remove: (key) => write('remove', () => store.removeItem(key)),
    clear: () => write('clear', () => store.clear()),
  }
}

/** The browser's storage in the namespaces of the specification (section 3, storage). */
export function createStorage(log: Log): Storage {
  const opened = new Map<string, KeyValue>()
  return {
    session: sessionKeyValue(() => sessionStorage, log),
    local: databaseKeyValue('local', log),
    privateRoaming(id) {
      if (typeof id !== 'string' || id === '')
        throw new Error('private roaming storage cant init without an id')
      const known = opened.get(id)
      if (known) return known
      const created = databaseKeyValue(`private-${id}`, log)
      opened.set(id, created)
      return created
    },
  }
}
