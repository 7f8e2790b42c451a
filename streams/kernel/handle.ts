/**
 * A reference in an event to a value that is not plain data, such as a file. Only the page that created it can read the
 * value; in a log it is `<handle>`.
 */
export type Handle = Readonly<{ handle: '<handle>' }>

const values = new WeakMap<Handle, unknown>()

export function createHandle(value: unknown): Handle {
  const handle: Handle = Object.freeze({ handle: '<handle>' })
  values.set(handle, value)
  return handle
}

/** The value of a handle; `undefined` for a handle from a log. */
export const behind = (handle: Handle): unknown => values.get(handle)
