// What `{ ...a, b }` becomes in launch.js, because its oldest engine does not know the spread. This suffices for plain
// data, which has no accessors and no symbols. `alias` in package.json puts this file in the place of the compiler's
// own functions.

/** Copies the properties of all further arguments into the first one. */
export const _ = Object.assign
