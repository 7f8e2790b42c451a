/** One namespace of a driver. Values are plain JSON. */
export type Area = Readonly<{
  get(key: string): Promise<unknown>
  /** Resolves when the value is stored. */
  set(key: string, value: unknown): Promise<unknown>
  remove(key: string): Promise<unknown>
  clear(): Promise<unknown>
  keys(): Promise<readonly string[]>
}>

/** One kind of storage. `open` fails, or never settles, where the browser denies it. */
export type Driver = Readonly<{ name: string; open(namespace: string): Promise<Area> }>
