/**
 * A reference in an event to a value that is not plain data, such as a file. Only the object that `createHandle`
 * returned has the value; a log shows `<handle>`.
 */
export type Handle = Readonly<{ handle: '<handle>' }>

/**
 * A registered symbol works across chunks: each chunk has its own copy of this module, and reads handles from other
 * chunks.
 */
const VALUE = Symbol.for('signet.handle')

/** The value is not enumerable: nothing prints, copies or compares it. */
export const createHandle = (value: unknown): Handle =>
  Object.freeze(Object.defineProperty({ handle: '<handle>' as const }, VALUE, { value }))

/** The value of a handle; `undefined` for a handle from a log. */
export const handleValue = (handle: Handle): unknown => (handle as { readonly [VALUE]?: unknown })[VALUE]
