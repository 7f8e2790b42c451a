import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transformer } from '@parcel/plugin'

// Modules of packages without the code that no page uses. .parcelrc names these modules; each stays in its package.

/** What rxjs accepts as a stream: its own streams, those of another copy of rxjs, promises and iterables. */
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

/** `from` without a scheduler: timed streams name theirs. */
const FROM = `
export { innerFrom as from } from './innerFrom'
`

/** `forkJoin` for an array or an object of streams. Nothing here passes a function that joins the values. */
const FORK_JOIN = `
import { Observable } from '../Observable'
import { createOperatorSubscriber } from '../operators/OperatorSubscriber'
import { innerFrom } from './innerFrom'

export function forkJoin(inputs) {
  const names = Object.keys(inputs)
  return new Observable((subscriber) => {
    // The order of the names is that of the inputs, whatever comes first.
    const values = Array.isArray(inputs) ? [] : { ...inputs }
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

/** `mergeMap` without a function that joins the values of both streams. */
const MERGE_MAP = `
import { operate } from '../util/lift'
import { mergeInternals } from './mergeInternals'

export function mergeMap(project, concurrent = Infinity) {
  return operate((source, subscriber) => mergeInternals(source, subscriber, project, concurrent))
}
`

/** `tap` that handles only values. Nothing here uses it for the end of a stream or for an error. */
const TAP = `
import { map } from './map'

export function tap(next) {
  return map((value) => {
    next?.(value)
    return value
  })
}
`

/** `timer` that emits one value after a time. Nothing here uses it for a date, or for more values. */
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

/** A scheduler of single timers. Nothing here repeats a scheduled action; that takes five more modules of rxjs. */
const ASYNC = `
import { Subscription } from '../Subscription'

export const asyncScheduler = {
  now: () => Date.now(),
  schedule(work, due, state) {
    const timer = setTimeout(() => work(state), due)
    return new Subscription(() => clearTimeout(timer))
  },
}
export { asyncScheduler as async }
`

/** `ReplaySubject` of the last values. Nothing here limits their age. */
const REPLAY_SUBJECT = `
import { Subject } from './Subject'

export class ReplaySubject extends Subject {
  constructor(size = Infinity) {
    super()
    this._size = size
    this._last = []
  }
  next(value) {
    if (!this.isStopped && this._last.push(value) > this._size) this._last.shift()
    super.next(value)
  }
  _subscribe(subscriber) {
    const subscription = this._innerSubscribe(subscriber)
    for (const value of this._last.slice()) subscriber.next(value)
    this._checkFinalizedStatuses(subscriber)
    return subscription
  }
}
`

/** `shareReplay` with an object of options. */
const SHARE_REPLAY = `
import { ReplaySubject } from '../ReplaySubject'
import { share } from './share'

export const shareReplay = ({ bufferSize, refCount = false }) =>
  share({
    connector: () => new ReplaySubject(bufferSize),
    resetOnComplete: false,
    resetOnRefCountZero: refCount,
  })
`

/** Errors are always thrown in a later task. Nothing here sets the deprecated setting that throws them at once. */
const ERROR_CONTEXT = `
export function errorContext(call) {
  call()
}
export function captureError() {}
`

/** Throws an error in a later task. Nothing here sets another handler. */
const REPORT_UNHANDLED_ERROR = `
export function reportUnhandledError(error) {
  setTimeout(() => {
    throw error
  })
}
`

/** What leaving a stream throws: all errors of what happens then. */
const UNSUBSCRIPTION_ERROR = `
export class UnsubscriptionError extends Error {
  constructor(errors) {
    super(errors.join('; '))
    this.name = 'UnsubscriptionError'
    this.errors = errors
  }
}
`

/** The code of a package with one part replaced. Throws when the package no longer has this part. */
function changed(code, part, by = '') {
  const result = code.replace(part, by)
  if (result === code) throw new Error(`A package has no ${part} any more, which the bundle changes.`)
  return result
}

/** A module with these parts replaced, or left out. */
const withChanges =
  (...changes) =>
  async (asset) =>
    changes.reduce((code, [part, by]) => changed(code, part, by), await asset.getCode())

/** A module whose function gets none of these parameters from the code here. The minifier leaves out what needs them. */
const withoutParameters = (...names) =>
  withChanges(
    ...names.map((name) => [
      new RegExp(`(export function \\w+\\([^)]*)\\b${name}\\b([^)]*\\) \\{)`),
      `$1_${name}$2 const ${name} = undefined;`,
    ]),
  )

/** A method of a class, and its end. */
const method = (name) => new RegExp(`^ {4}${name}\\([^)]*\\) \\{[^]*?^ {4}\\}\\n`, 'm')

const CHECK_OF_CLOSED = /this\._throwIfClosed\(\);/g

/** Nothing here calls `next` on an operator's result, makes a two-ended subject or ends a subject by `unsubscribe`. */
const subject = withChanges(
  [method('lift')],
  [method('_throwIfClosed')],
  [CHECK_OF_CLOSED],
  [/Subject\.create = [^]*$/],
)

/** Nothing here sets a setting of rxjs, such as a listener for what comes after the end. */
const subscriber = withChanges(
  [/handleStoppedNotification\([^;]*, this\);/g],
  [/config\.useDeprecated\w+/g, 'false'],
  [method('static create')],
)

/** Nothing here waits for a stream with `forEach` or `toPromise`, or asks for its `Symbol.observable`. */
const observable = withChanges(
  [method('forEach')],
  [method('toPromise')],
  [method('\\[Symbol_observable\\]')],
  [/Observable\.create = [^]*?^\};/m],
  ['pipeFromArray(operations)(this)', 'operations.reduce((source, operation) => operation(source), this)'],
)

/** No argument of `of`, `merge` and the like is a scheduler. */
const withoutScheduler = withChanges([
  /isScheduler\(last\(args\)\) \? args\.pop\(\) : undefined/,
  'undefined',
])

/** Every stream in a pipe is one of this copy of rxjs. */
const lift = withChanges(['if (hasLift(source)) {', '{'], [/throw new TypeError\([^;]*;/])

/** Nothing here gives `share` a stream that says when it begins again. */
const share = withChanges([/const onSubscriber = [^]*\.subscribe\(onSubscriber\);/])

/** Only `groupBy` asks whether to unsubscribe. */
const operatorSubscriber = withChanges(
  [/, shouldUnsubscribe\b/],
  [/this\.shouldUnsubscribe = [^;]*;/],
  [/if \(!this\.shouldUnsubscribe [^{]*/],
)

/** Empty lists in place of DOMPurify's lists of names, because the sanitiser has its own (streams/html/markup.ts). */
const lists = (...names) => names.map((name) => `export const ${name} = []\n`).join('')

/** A source of DOMPurify whose imports name the files, without `.js`. DOMPurify's own build would resolve `.js`. */
const named = (code) => code.replace(/from '(\.\/\w+)\.js'/g, "from '$1'")

/** DOMPurify's options that nothing here sets, with their default values: it returns a string, and never a tree. */
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

/** The code with an option fixed to its default, so that the code for other values is left out. */
const withDefault = (code, [option, value]) =>
  changed(
    changed(code, new RegExp(`\\blet ${option}\\b[^;]*;`), ''),
    new RegExp(`(?<![.\\w])${option} =(?!=)[^;]*;`, 'g'),
    '',
  ).replace(/(?=const DOMPurify\b)/, `const ${option} = ${JSON.stringify(value)}\n`)

/** DOMPurify's main source, smaller. The version is written here, because DOMPurify's own build does not run. */
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

/** For each module file, a function that returns the smaller code. `asset.getCode` reads the package's code. */
export const CODE = {
  'BehaviorSubject.js': withChanges([CHECK_OF_CLOSED]),
  'Observable.js': observable,
  'ReplaySubject.js': () => REPLAY_SUBJECT,
  'Subject.js': subject,
  'Subscriber.js': subscriber,
  'innerFrom.js': () => INNER_FROM,
  'from.js': () => FROM,
  'forkJoin.js': () => FORK_JOIN,
  'throwError.js': withoutParameters('scheduler'),
  'timer.js': () => TIMER,
  'OperatorSubscriber.js': operatorSubscriber,
  'concatMap.js': withoutParameters('resultSelector'),
  'exhaustMap.js': withoutParameters('resultSelector'),
  'expand.js': withoutParameters('scheduler'),
  'mergeInternals.js': withoutParameters('onBeforeNext', 'innerSubScheduler', 'additionalFinalizer'),
  'mergeMap.js': () => MERGE_MAP,
  'repeat.js': withoutParameters('countOrConfig'),
  'share.js': share,
  'shareReplay.js': () => SHARE_REPLAY,
  'switchMap.js': withoutParameters('resultSelector'),
  'tap.js': () => TAP,
  'async.js': () => ASYNC,
  'UnsubscriptionError.js': () => UNSUBSCRIPTION_ERROR,
  'args.js': withoutScheduler,
  'errorContext.js': () => ERROR_CONTEXT,
  'lift.js': lift,
  'reportUnhandledError.js': () => REPORT_UNHANDLED_ERROR,
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
