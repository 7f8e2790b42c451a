import { defer, map, type Observable, switchMap } from 'rxjs'
import type { AppEvent } from '../../streams/pane/events.ts'
import { type AppEffect, onSignIn, whileSignedIn } from '../message/app.ts'
import type { KeyValue, Written } from '../ports.ts'

/** A value in private storage, with the version of its shape and the id of its user. */
export type Cached<Value> = Readonly<{
  key: string
  /** The stored value; null without a value, or for a value of another version or another user. */
  read(store: KeyValue, userId: string): Observable<Value | null>
  write(store: KeyValue, userId: string, value: Value): Observable<Written>
}>

/** A cached value. Increase `version` when its shape changes; `parse` must return null for another shape. */
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

/** Reads the stored value when a user signs in, and emits `restored` with the value, or with null if none is stored. */
export const restoring =
  <Value>(
    cached: Cached<Value>,
    area: 'privateCache' | 'privateDrafts',
    restored: (value: Value | null) => AppEvent,
  ): AppEffect =>
  (event$, _state$, { storage }) =>
    onSignIn(event$).pipe(
      map(({ data }) => data.session.userId),
      switchMap((userId) => cached.read(storage[area](userId), userId).pipe(whileSignedIn(event$))),
      map(restored),
    )
