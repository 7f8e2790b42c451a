/** Everything that a driver stores, by key. Values are plain JSON. */
export type DriverStore = Readonly<{
  /** Null when there is no value. */
  get(key: string): Promise<unknown>
  /** Resolves when the value is stored. */
  set(key: string, value: unknown): Promise<unknown>
  remove(key: string): Promise<unknown>
  keys(): Promise<readonly string[]>
}>

/** A value that an earlier version stored. Its key in today's store is `prefix` followed by `key`. */
export type EarlierEntry = Readonly<{ prefix: string; key: string; value: unknown }>

/** The values that an earlier version stored with the same driver in another place. */
export type EarlierStore = Readonly<{
  entries(): Promise<readonly EarlierEntry[]>
  /** Deletes all values. */
  clear(): Promise<unknown>
  /** Deletes the emptied database or tables. Resolves when no other page uses them. */
  drop(): Promise<unknown>
}>

/** `findEarlier` resolves with null when no earlier version stored anything with this driver. */
export type OpenedDriver = Readonly<{ store: DriverStore; findEarlier?: () => Promise<EarlierStore | null> }>

/** One kind of storage. */
export type StorageDriver = Readonly<{
  name: string
  /** Whether the browser has this kind of storage. It may still deny access to it. */
  isOffered(): boolean
  /** Rejects or never settles if the browser denies this kind of storage. */
  open(): Promise<OpenedDriver>
}>
