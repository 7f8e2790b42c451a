// What `const { a, ...rest } = b` becomes in launch.js; see `objectSpread.mjs`.

/** A copy without these properties. */
export const _ = (source, without) =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !without.includes(name)))
