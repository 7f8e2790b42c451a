/**
 * Stands for something that is no plain data, such as a file, in an event. Only the page that made it can get at
 * what is behind it; in a log it reads `<handle>`.
 */
export type Handle = Readonly<{ handle: '<handle>' }>

const values = new WeakMap<Handle, unknown>()

export function createHandle(value: unknown): Handle {
  const handle: Handle = Object.freeze({ handle: '<handle>' })
  values.set(handle, value)
  return handle
}

/** What the handle stands for; `undefined` for one that came out of a log. */
export const behind = (handle: Handle): unknown => values.get(handle)
