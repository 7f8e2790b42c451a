import type { Plugin } from 'vitest/config'

const IMPORT = /^import \* as (\w+) from ('[^']+\.module\.css');?$/gm

/** A hoisted function, because the imports above call it. */
const CHECK = `
function knownClasses(file, { default: others, ...names }) {
  return new Proxy({ ...others, ...names }, {
    get: (known, name) => {
      if (typeof name === 'string' && !(name in known)) throw new Error(file + ' has no class "' + name + '"')
      return known[name]
    },
  })
}`

/** Crashes a view, and so its test, when the view uses a class that its style sheet lacks. */
export const knownClasses = (): Plugin => ({
  name: 'known-classes',
  enforce: 'pre',
  transform: (code, id) =>
    /\/views\/.*\.tsx$/.test(id) && code.includes('.module.css')
      ? code.replaceAll(IMPORT, 'import * as $1Names from $2; const $1 = knownClasses($2, $1Names)') + CHECK
      : null,
})
