// What `{ ...a, b }` becomes in launch.js, whose oldest engine does not know it: here for plain data, which has no
// accessors and no symbols. `alias` in package.json puts this file in the place of the compiler's own functions.

/** Copies the properties of the others into the first. */
export const _ = Object.assign
