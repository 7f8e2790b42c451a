import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transformer } from '@parcel/plugin'

// Modules of packages without what no page uses. .parcelrc names them; each stays a module of its package.

/** What rxjs takes for a stream: a stream, also of another copy of rxjs, a promise, or what can be iterated. */
const INNER_FROM = `
import { Observable } from '../Observable'
import { reportUnhandledError } from '../util/reportUnhandledError'

const ofPromise = (promise) =>
  new Observable((subscriber) => {
    promise
      .then(
        (value) => {
          if (subscriber.closed) return
          subscriber.next(value)
          subscriber.complete()
        },
        (error) => subscriber.error(error),
      )
      .then(null, reportUnhandledError)
  })

const ofIterable = (iterable) =>
  new Observable((subscriber) => {
    for (const value of iterable) {
      subscriber.next(value)
      if (subscriber.closed) return
    }
    subscriber.complete()
  })

export function innerFrom(input) {
  if (input instanceof Observable) return input
  if (typeof input?.subscribe === 'function')
    return new Observable((subscriber) => input.subscribe(subscriber))
  if (typeof input?.then === 'function') return ofPromise(input)
  if (typeof input?.[Symbol.iterator] === 'function') return ofIterable(input)
  throw new TypeError('Neither a stream, a promise nor an iterable.')
}
`

/** The same for a scheduler, which no stream of an input gets: those that are timed name it themselves. */
const SCHEDULED = `
export function scheduled() {
  throw new TypeError('A stream of an input takes no scheduler.')
}
`

/** Streams together, in an array or by their names: nothing here joins them by a function. */
const FORK_JOIN = `
import { Observable } from '../Observable'
import { createOperatorSubscriber } from '../operators/OperatorSubscriber'
import { innerFrom } from './innerFrom'

export function forkJoin(inputs) {
  const names = Object.keys(inputs)
  return new Observable((subscriber) => {
    const values = Array.isArray(inputs) ? [] : {}
    let open = names.length
    let missing = open
    if (!open) subscriber.complete()
    for (const name of names) {
      let hasValue = false
      innerFrom(inputs[name]).subscribe(
        createOperatorSubscriber(
          subscriber,
          (value) => {
            if (!hasValue) missing--
            hasValue = true
            values[name] = value
          },
          () => open--,
          undefined,
          () => {
            if (open && hasValue) return
            if (!missing) subscriber.next(values)
            subscriber.complete()
          },
        ),
      )
    }
  })
}
`

/** Values are looked at: nothing here looks at an end or an error. */
const TAP = `
import { map } from './map'

export function tap(next) {
  return map((value) => {
    next?.(value)
    return value
  })
}
`

/** One value after a time: nothing here waits for a date, or counts on. */
const TIMER = `
import { Observable } from '../Observable'
import { async } from '../scheduler/async'

export function timer(due, scheduler = async) {
  return new Observable((subscriber) =>
    scheduler.schedule(() => {
      subscriber.next(0)
      subscriber.complete()
    }, due),
  )
}
`

/** Errors are always thrown later: nothing sets the deprecated setting that throws them at once. */
const ERROR_CONTEXT = `
export function errorContext(call) {
  call()
}
export function captureError() {}
`

/** The code with a part in another way; fails when the package has no such part any more. */
function changed(code, part, by) {
  const result = code.replace(part, by)
  if (result === code) throw new Error(`A package has no ${part} any more, which the bundle changes.`)
  return result
}

/** A `Subject` whose operators give streams: no code calls `next` on what they give, nor creates a subject of two ends. */
async function subject(asset) {
  const parts = [/ {4}lift\(operator\) \{[^]*?\n {4}\}\n/, /Subject\.create = [^]*$/]
  return parts.reduce((code, part) => changed(code, part, ''), await asset.getCode())
}

/** Timers of the browser: only tests put others in their place. */
const timers = (name, set, clear) => `
export const ${name} = {
  ${set}(...args) {
    return ${set}(...args)
  },
  ${clear}(handle) {
    ${clear}(handle)
  },
}
`

/** DOMPurify's lists of names, which the sanitiser replaces by its own (streams/html/markup.ts). */
const lists = (...names) => names.map((name) => `export const ${name} = []\n`).join('')

/** A source of DOMPurify with the names of its modules as they are: its own build would resolve them. */
const named = (code) => code.replace(/from '(\.\/\w+)\.js'/g, "from '$1'")

/** What DOMPurify can be asked for and nothing here asks for, as it is then: it gives a string, and never a tree. */
const DEFAULTS = {
  ALLOW_SELF_CLOSE_IN_ATTR: true,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  IN_PLACE: false,
  KEEP_CONTENT: true,
  NAMESPACE: 'http://www.w3.org/1999/xhtml',
  PARSER_MEDIA_TYPE: 'text/html',
  RETURN_DOM: false,
  RETURN_DOM_FRAGMENT: false,
  RETURN_TRUSTED_TYPE: false,
  SAFE_FOR_TEMPLATES: false,
  SAFE_FOR_XML: true,
  SANITIZE_DOM: true,
  SANITIZE_NAMED_PROPS: false,
  SET_CONFIG: false,
  USE_PROFILES: false,
  WHOLE_DOCUMENT: false,
}

/** The code in which an option keeps its default for good, so that what belongs to another value is left out. */
const withDefault = (code, [option, value]) =>
  changed(
    changed(code, new RegExp(`\\blet ${option}\\b[^;]*;`), ''),
    new RegExp(`(?<![.\\w])${option} =(?!=)[^;]*;`, 'g'),
    '',
  ).replace(/(?=const DOMPurify\b)/, `const ${option} = ${JSON.stringify(value)}\n`)

/** DOMPurify's main source, smaller: its own build would also write the version. */
async function withVersion(asset) {
  const { version } = JSON.parse(
    await readFile(join(import.meta.dirname, '../../node_modules/dompurify/package.json'), 'utf8'),
  )
  const code = await asset.getCode()
  return Object.entries(DEFAULTS).reduce(
    withDefault,
    named(changed(code, 'DOMPurify.version = VERSION', `DOMPurify.version = '${version}'`)),
  )
}

/** The code of a module by the name of its file, given an asset whose `getCode` reads what the package has there. */
export const CODE = {
  'Subject.js': subject,
  'innerFrom.js': () => INNER_FROM,
  'scheduled.js': () => SCHEDULED,
  'forkJoin.js': () => FORK_JOIN,
  'tap.js': () => TAP,
  'timer.js': () => TIMER,
  'errorContext.js': () => ERROR_CONTEXT,
  'timeoutProvider.js': () => timers('timeoutProvider', 'setTimeout', 'clearTimeout'),
  'intervalProvider.js': () => timers('intervalProvider', 'setInterval', 'clearInterval'),
  'tags.ts': () =>
    `${lists('html', 'svg', 'svgFilters', 'svgDisallowed', 'mathMl', 'mathMlDisallowed')}export const text = ['#text']\n`,
  'attrs.ts': () => lists('html', 'svg', 'mathMl', 'xml'),
  'purify.ts': withVersion,
  'regexp.ts': async (asset) => named(await asset.getCode()),
  'utils.ts': async (asset) => named(await asset.getCode()),
}

export default new Transformer({
  async transform({ asset }) {
    asset.setCode(await CODE[basename(asset.filePath)](asset))
    asset.setMap(null)
    return [asset]
  },
})
