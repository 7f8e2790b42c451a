import { LAUNCH_GUARD_FILE } from '../server/headers.ts'
import type { Observable } from 'rxjs'
import { openHiddenFrame } from './hiddenFrame.ts'
import type { Runtime, RuntimeLog, RuntimeTools, StartRuntime } from './runtimeHost.ts'
import type { WorkerStart } from './launchWorker.ts'
import { serveMailbox } from './mailbox/serve.ts'
import {
  portAsWindow,
  type MessageFromRuntime,
  listenToWindow,
  type MessageReceiver,
  sendToWindow,
  type RuntimeEnvironment,
  type MessageTarget,
  type MessageToRuntime,
} from './mailbox/wire.ts'

// Starts the playground's launch event runtimes from its page.

/** How long the page waits for the log of an ending runtime. */
const LOG_LIMIT_MS = 500

/** The page's end of the channel to a runtime. */
type Served = Readonly<{
  raise: Runtime['raise']
  askLog(): Promise<RuntimeLog>
  /** Stops answering the runtime's mailbox calls. */
  mute(): void
  stop(): void
}>

function serveRuntime(
  { mailbox, onCompleted }: RuntimeTools,
  target: MessageTarget,
  page: MessageReceiver,
  surroundings$: Observable<RuntimeEnvironment>,
): Served {
  const { origin } = location
  const { person } = mailbox.state$.value
  const send = (message: MessageToRuntime) => sendToWindow(target, origin, message)
  let waiting: MessageToRuntime[] | null = []
  let isMuted = false
  const sendOnceReady = (message: MessageToRuntime) => {
    if (waiting) waiting.push(message)
    else send(message)
  }
  let gotLog: ((log: RuntimeLog) => void)[] = []

  const store = ({ id, method, key, value }: Extract<MessageFromRuntime, { type: 'store' }>) => {
    const name = `signet-playground-runtime/${person}/${key}`
    try {
      if (method === 'setItem') localStorage.setItem(name, value)
      else if (method === 'removeItem') localStorage.removeItem(name)
      send({ type: 'stored', id, value: localStorage.getItem(name), isFailed: false })
    } catch {
      send({ type: 'stored', id, value: null, isFailed: true })
    }
  }
  const stops = [
    serveMailbox(mailbox, target, origin, page),
    listenToWindow(page, target, origin, (heard) => {
      const message = heard as MessageFromRuntime
      if (message.type === 'log') {
        // The runtime runs the same code, so its events have this type.
        for (const got of gotLog.splice(0)) got(message.log as RuntimeLog)
      }
      if (isMuted) return
      if (message.type === 'ready') {
        for (const each of waiting ?? []) send(each)
        waiting = null
      } else if (message.type === 'completed') onCompleted(message.id, message.isFound, message.answer)
      else if (message.type === 'store') store(message)
    }),
  ]
  const surroundings = surroundings$.subscribe((each) => sendOnceReady({ type: 'surroundings', ...each }))

  return {
    raise: (id, functionName, data) => sendOnceReady({ type: 'raise', id, functionName, data }),
    askLog: () =>
      new Promise((resolve) => {
        const limit = setTimeout(() => resolve([]), LOG_LIMIT_MS)
        gotLog.push((log) => {
          clearTimeout(limit)
          resolve(log)
        })
        send({ type: 'askLog' })
      }),
    mute() {
      isMuted = true
      surroundings.unsubscribe()
      stops[0]?.()
    },
    stop() {
      for (const stop of stops) stop()
      gotLog = []
    },
  }
}

/** A runtime at the other end of a channel. Calls `remove` after the runtime has sent its last log. */
function runtimeOver({ raise, askLog, mute, stop }: Served, remove: () => void): Runtime {
  let last: Promise<RuntimeLog> | null = null
  return {
    raise,
    log: () => last ?? askLog(),
    end() {
      mute()
      last ??= askLog().finally(() => {
        stop()
        remove()
      })
    },
  }
}

/** Starts a runtime in a hidden frame with the playground's launch page. */
export const pageRuntimeStart =
  (surroundings$: Observable<RuntimeEnvironment>): StartRuntime =>
  (tools) => {
    const src = tools.hasStorage ? 'launchFrame.html' : 'launchFrame.html?storage=none'
    const { frame, target } = openHiddenFrame(tools.name, { src })
    return runtimeOver(serveRuntime(tools, target, window, surroundings$), () => frame.remove())
  }

/** Starts a runtime in a worker without a page's globals. */
export const classicRuntimeStart =
  (surroundings$: Observable<RuntimeEnvironment>): StartRuntime =>
  (tools) => {
    const worker = new Worker(new URL('./launchWorker.ts', import.meta.url), { type: 'module' })
    const { port1: port, port2: other } = new MessageChannel()
    const { target, receiver } = portAsWindow(port, location.origin)
    const start: WorkerStart = {
      port: other,
      launchFile: new URL(LAUNCH_GUARD_FILE, location.href).href,
      origin: location.origin,
      hasStorage: tools.hasStorage,
    }
    worker.postMessage(start, [other])
    return runtimeOver(serveRuntime(tools, target, receiver, surroundings$), () => {
      port.close()
      worker.terminate()
    })
  }
