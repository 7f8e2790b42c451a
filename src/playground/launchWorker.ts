import { asyncScheduler } from 'rxjs'
import { prepareRuntime } from './mailbox/prepareRuntime.ts'
import { portAsWindow } from './mailbox/wire.ts'

// Classic Outlook's runtime: runs the launch program without a page, document, storage or modules.

/** The page's first message. `port` connects to the mailbox. */
export type WorkerStart = Readonly<{
  port: MessagePort
  launchFile: string
  origin: string
  hasStorage: boolean
}>

/** The standard JavaScript globals, and the additional globals of classic Outlook's runtime. */
const KEPT: ReadonlySet<string> = new Set(
  [
    'Object Function Array Number Boolean String Symbol BigInt Math Date RegExp JSON Reflect Proxy Promise',
    'Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator Atomics SharedArrayBuffer ArrayBuffer DataView',
    'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array',
    'Float64Array BigInt64Array BigUint64Array Error AggregateError EvalError RangeError ReferenceError SyntaxError',
    'TypeError URIError SuppressedError DisposableStack AsyncDisposableStack globalThis undefined NaN Infinity eval',
    'isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape',
    'constructor Office OfficeRuntime XMLHttpRequest setTimeout clearTimeout setInterval clearInterval console',
  ].flatMap((line) => line.split(' ')),
)

/**
 * Removes all globals except `KEPT`. Members of `EventTarget` are only hidden, because `XMLHttpRequest` inherits them.
 */
function emptyScope(): void {
  const { prototype: ofEvents } = EventTarget
  for (
    let holder: object | null = globalThis;
    holder !== null && holder !== Object.prototype;
    holder = Reflect.getPrototypeOf(holder)
  )
    for (const name of Reflect.ownKeys(holder)) {
      if (typeof name !== 'string' || KEPT.has(name)) continue
      if (holder === ofEvents) Reflect.defineProperty(globalThis, name, { value: undefined })
      else Reflect.deleteProperty(holder, name)
    }
}

async function start({ port, launchFile, origin, hasStorage }: WorkerStart): Promise<void> {
  const answer = await fetch(launchFile)
  const script = await answer.text()
  const { target, receiver } = portAsWindow(port, origin)
  const own = { location: { origin }, parent: target, ...receiver }
  const connect = prepareRuntime(globalThis, own, { scheduler: asyncScheduler }, hasStorage)
  // Called under another name, `eval` runs the script in the global scope, as a script element would.
  const runScript = eval
  emptyScope()
  runScript(`${script}\n//# sourceURL=launch.js`)
  connect()
}

addEventListener('message', ({ data }: MessageEvent<WorkerStart>) => void start(data), { once: true })
