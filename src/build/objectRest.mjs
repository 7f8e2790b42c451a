// What `const { a, ...rest } = b` becomes in launch.js; see `objectSpread.mjs`.

/** A copy of an object without the properties in `without`. */
export const _ = (source, without) =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !without.includes(name)))
