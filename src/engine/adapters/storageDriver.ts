/** One namespace of a driver. Its values are plain JSON. */
export type Area = Readonly<{
  get(key: string): Promise<unknown>
  /** Resolves when the value is stored. */
  set(key: string, value: unknown): Promise<unknown>
  remove(key: string): Promise<unknown>
  clear(): Promise<unknown>
  keys(): Promise<readonly string[]>
}>

/** One kind of storage. Where the browser denies this kind, `open` fails or never settles. */
export type Driver = Readonly<{ name: string; open(namespace: string): Promise<Area> }>
