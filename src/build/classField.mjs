// What a field of a class becomes in launch.js; see `objectSpread.mjs`.

/** Sets a property of a new object. */
export const _ = (object, name, value) => Object.assign(object, { [name]: value })
