import { defer, map, type Observable } from 'rxjs'
import type { KeyValue } from './ports.ts'

/** A value that private storage keeps for one user, with the version of its shape and whose it is. */
export type Cached<Value> = Readonly<{
  key: string
  /** null when there is none, when another version wrote it, or when it is another user's. */
  read(store: KeyValue, userId: string): Observable<Value | null>
  write(store: KeyValue, userId: string, value: Value): Observable<void>
}>

/** `version` grows whenever the shape changes; `parse` reads what was written, null for another shape. */
export const createCached = <Value>(
  key: string,
  version: number,
  parse: (value: unknown) => Value | null,
): Cached<Value> => ({
  key,
  read: (store, userId) =>
    defer(() => store.get(key)).pipe(
      map((kept) => {
        const { version: written, owner, value } = (kept ?? {}) as Record<string, unknown>
        return written === version && owner === userId ? parse(value) : null
      }),
    ),
  write: (store, userId, value) => store.set(key, { version, owner: userId, value }),
})
