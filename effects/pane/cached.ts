import { defer, map, type Observable, switchMap } from 'rxjs'
import type { AppEvent } from '../../streams/pane/events.ts'
import { type AppEffect, onSignIn, whileSignedIn } from '../message/app.ts'
import type { KeyValueStore, WriteOutcome } from '../ports.ts'

/** A value in private storage, with its version and its user's id. */
export type ValueCache<Value> = Readonly<{
  key: string
  /** The stored value; null if there is none, or if its version or user differs. */
  read(store: KeyValueStore, userId: string): Observable<Value | null>
  write(store: KeyValueStore, userId: string, value: Value): Observable<WriteOutcome>
}>

/**
 * Creates a cache for one value. Increase `version` when the value's shape changes; `parse` must return null for other
 * shapes.
 */
export const createValueCache = <Value>(
  key: string,
  version: number,
  parse: (value: unknown) => Value | null,
): ValueCache<Value> => ({
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

/**
 * Creates an effect that reads the stored value when a user signs in. It emits `restored` with the value, or with null
 * if none is stored.
 */
export const createRestoreEffect =
  <Value>(
    cached: ValueCache<Value>,
    area: 'privateCache' | 'privateDrafts',
    restored: (value: Value | null) => AppEvent,
  ): AppEffect =>
  (event$, _state$, { storage }) =>
    onSignIn(event$).pipe(
      map(({ data }) => data.session.userId),
      switchMap((userId) => cached.read(storage[area](userId), userId).pipe(whileSignedIn(event$))),
      map(restored),
    )
