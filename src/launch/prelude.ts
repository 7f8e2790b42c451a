// The built-ins newer than ES2016 that the program uses, for older versions of classic Outlook. They come first in
// launch.js. tests/launch/bareFile.unit.test.ts checks that no built-in is missing.

type Lacking = Record<string, unknown>

const define = (target: object, name: string, value: (...args: never[]) => unknown) => {
  if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

define(Object, 'entries', (object: Lacking) => Object.keys(object).map((key) => [key, object[key]]))
define(Object, 'values', (object: Lacking) => Object.keys(object).map((key) => object[key]))
define(Object, 'fromEntries', (entries: Iterable<readonly [string, unknown]>) => {
  const result: Lacking = {}
  for (const [key, value] of Array.from(entries)) result[key] = value
  return result
})
define(Object, 'hasOwn', (object: object, name: string) => Object.prototype.hasOwnProperty.call(object, name))
define(Array.prototype, 'at', function (this: readonly unknown[], index: number) {
  return this[index < 0 ? this.length + index : index]
})
define(
  Array.prototype,
  'flatMap',
  function (this: readonly unknown[], map: (value: unknown, index: number) => unknown) {
    return ([] as unknown[]).concat(...this.map(map))
  },
)
define(String.prototype, 'padStart', function (this: string, length: number, fill = ' ') {
  const missing = Math.max(0, length - this.length)
  return fill.repeat(missing).slice(0, missing) + this
})
define(String.prototype, 'trimStart', function (this: string) {
  return this.replace(/^\s+/, '')
})
define(String.prototype, 'trimEnd', function (this: string) {
  // A loop takes linear time; the pattern `\s+$` would be tried again at every blank.
  let end = this.length
  while (end > 0 && /\s/.test(this.charAt(end - 1))) end--
  return this.slice(0, end)
})
define(String.prototype, 'matchAll', function (this: string, pattern: RegExp) {
  const found: RegExpExecArray[] = []
  const own = new RegExp(pattern.source, pattern.flags)
  for (let match = own.exec(this); match; match = own.exec(this)) {
    found.push(match)
    // Without this step, an empty match would be found at the same place forever.
    if (match[0] === '') own.lastIndex++
  }
  return found
})
define(
  String.prototype,
  'replaceAll',
  function (this: string, search: string | RegExp, replacement: string | ((match: string) => string)) {
    if (typeof search !== 'string') return this.replace(search, replacement as string)
    return this.split(search).join(typeof replacement === 'string' ? replacement : replacement(search))
  },
)
