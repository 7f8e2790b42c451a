import {
  AsyncSubject,
  catchError,
  concatMap,
  defer,
  finalize,
  map,
  type Observable,
  of,
  Subject,
  switchMap,
  tap,
} from 'rxjs'
import type { KeyValueStore, Log, WriteOutcome } from '../../../effects/ports.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { type StorageArea, createStorageArea } from './storageNamespace.ts'
import { withStorageLimit, MEMORY_DRIVER, errorName, type OpenStore } from './storageOpening.ts'

type OpenArea = StorageArea & Readonly<{ driver: string }>

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
/** The size of an entry in bytes of UTF-8. */
const sizeOf = (key: string, value: unknown): number => bytesOf(key) + bytesOf(JSON.stringify(value))

/** Opens one namespace of a store. Failures are only logged; a failed read returns undefined. */
export function createKeyValue(
  { log, time }: Readonly<{ log: Log; time: Time }>,
  store$: Observable<OpenStore>,
  prefix: string,
  capacity = Infinity,
): KeyValueStore {
  const toKey = (key: unknown): string => {
    if (typeof key === 'string') return key
    log.warn('storage_key_converted', { type: typeof key })
    return String(key)
  }

  const area$: Observable<OpenArea> = store$.pipe(
    map(({ driver, store, beforeRemoval }) => ({
      ...createStorageArea(store, prefix, beforeRemoval),
      driver,
    })),
  )
  const within = <T>(work: (area: OpenArea) => Promise<T>): Observable<T> =>
    area$.pipe(switchMap((area) => withStorageLimit(() => work(area), time)))
  /** Logs a failure, and emits `instead`. */
  const swallowed = <T>(action: string, instead: T, work$: Observable<T>): Observable<T> =>
    work$.pipe(
      catchError((error: unknown) => {
        log.error('storage_failed', { action, error: errorName(error) })
        return of(instead)
      }),
    )

  const turn$ = new Subject<Observable<unknown>>()
  turn$.pipe(concatMap((work$) => work$)).subscribe()
  /**
   * Runs writes one at a time, and finishes each even if the caller unsubscribes. Two concurrent writes might each fit,
   * but exceed the capacity together, and a write that ends after a removal would restore the entry. `work$` does not
   * fail.
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

  const write = (key: string, value: unknown): Observable<WriteOutcome> =>
    within(async (area) => {
      await area.set(key, value)
      return area.driver === MEMORY_DRIVER ? 'untilClosed' : 'kept'
    })
  const sizeWith = (key: string, value: unknown): Observable<number> =>
    within(async (area) => {
      const others = (await area.keys()).filter((each) => each !== key)
      const sizes = await Promise.all(others.map(async (each) => sizeOf(each, await area.get(each))))
      return sizes.reduce((sum, size) => sum + size, sizeOf(key, value))
    })
  const writeWithinCapacity = (key: string, value: unknown): Observable<WriteOutcome> =>
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
      swallowed('get', undefined, within((area) => area.get(toKey(key))).pipe(map((value) => value ?? null))),
    set: (key, value) =>
      inTurn(
        swallowed<WriteOutcome>(
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
