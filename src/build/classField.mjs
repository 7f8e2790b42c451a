// What a field of a class becomes in launch.js; see `objectSpread.mjs`.

export const _ = (object, name, value) => Object.assign(object, { [name]: value })
