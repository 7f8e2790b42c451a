import { catchError, defer, from, map, type Observable, of } from 'rxjs'
import type { CachedDefaultStorage } from '../../effects/message/cachedDefault.ts'
import type { Log, WriteOutcome } from '../../effects/ports.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../streams/kernel/time.ts'
import type { PageParts } from './launchGlobal.ts'

/** The part of `OfficeRuntime` that launch events use. Some versions of classic Outlook lack some or all of it. */
export type OfficeRuntimeLibrary = Readonly<{
  storage?: Readonly<{
    getItem: (key: string) => Promise<string | null>
    setItem: (key: string, value: string) => Promise<void>
    removeItem: (key: string) => Promise<void>
  }>
  auth?: Readonly<{
    getAccessToken: (
      options: Readonly<{ allowConsentPrompt: boolean; allowSignInPrompt: boolean }>,
    ) => Promise<string>
  }>
}>

type Kept = CachedDefaultStorage['kept']

/** The time limit of one storage call. It is short, because the signature waits for the call. */
const STORAGE_LIMIT_MS = 1_000
const PREFIX = 'signet.kept.'

/** Limits the time of a call. After a failure, logs it and emits `instead`. */
const limited = <T>(work: () => Promise<T>, instead: T, action: string, time: Time, log: Log) =>
  defer(() => from(work())).pipe(
    timeLimit(STORAGE_LIMIT_MS, time, () => new Failed({ kind: 'storage', action: 'read' })),
    catchError((): Observable<T> => {
      log.error('storage_failed', { action })
      return of(instead)
    }),
  )

/** Creates the storage of cached defaults from functions that return promises, such as those of a page. */
export const createCachedDefaultStorage = (area: PageParts['kept'], time: Time, log: Log): Kept => ({
  get: (key) => limited<unknown>(() => area.get(key), undefined, 'get', time, log),
  set: (key, value) =>
    limited<WriteOutcome>(
      () => area.set(key, value).then(() => 'kept' as const),
      'refused',
      'set',
      time,
      log,
    ),
  remove: (key) =>
    limited<unknown>(() => area.remove(key), undefined, 'remove', time, log).pipe(map(() => undefined)),
})

/**
 * Creates the storage in classic Outlook's JavaScript runtime, which panes cannot reach. If the runtime has no storage,
 * the values stay in memory. A call takes at most `STORAGE_LIMIT_MS`; a failure is logged.
 */
export function createOfficeStorage(
  storage: OfficeRuntimeLibrary['storage'] | null,
  time: Time,
  log: Log,
): Kept {
  if (!storage) {
    const memory = new Map<string, unknown>()
    return {
      get: (key) => defer(() => of(memory.get(key) ?? null)),
      set: (key, value) =>
        defer(() => {
          memory.set(key, value)
          return of('untilClosed' as const)
        }),
      remove: (key) =>
        defer(() => {
          memory.delete(key)
          return of(undefined)
        }),
    }
  }
  return createCachedDefaultStorage(
    {
      get: (key) =>
        storage.getItem(PREFIX + key).then((json) => (json ? (JSON.parse(json) as unknown) : null)),
      set: (key, value) => storage.setItem(PREFIX + key, JSON.stringify(value)),
      remove: (key) => storage.removeItem(PREFIX + key),
    },
    time,
    log,
  )
}
