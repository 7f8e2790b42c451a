import type { Time } from '../../../streams/kernel/time.ts'
import type { LaunchGlobal } from '../../launch/launchGlobal.ts'
import { connectMailbox, type PaneWindow } from '../mailClient/simulatedHost.ts'
import { createOfficeFacade, type HandlerEvent, type RuntimeStorage } from './officeFacade.ts'
import {
  type MessageFromRuntime,
  listenToWindow,
  sendToWindow,
  type RuntimeEnvironment,
  type MessageToRuntime,
} from './wire.ts'

// Gives the launch program a global `Office` that is connected to the page's mailbox. Runs inside a runtime.

type RuntimeGlobals = {
  Office?: unknown
  OfficeRuntime?: unknown
  XMLHttpRequest: typeof XMLHttpRequest
  Date: { now(): number }
  /** The launch program sets this global. */
  signetLaunch?: Pick<LaunchGlobal, 'log'>
}

/**
 * Gives `scope` Outlook's globals, the playground's clock, and requests that fail while the playground is offline.
 * Returns a function that connects the runtime; call it once the runtime's scripts have run.
 */
export function prepareRuntime(
  scope: RuntimeGlobals,
  own: PaneWindow,
  time: Time,
  hasStorage: boolean,
): () => void {
  const { origin } = own.location
  const tell = (message: MessageFromRuntime) => sendToWindow(own.parent, origin, message)
  let surroundings: RuntimeEnvironment = { isOffline: false, ahead: 0 }

  let lastId = 0
  const storing = new Map<number, (stored: Extract<MessageToRuntime, { type: 'stored' }>) => void>()
  const store = (method: keyof RuntimeStorage, key: string, value = '') =>
    new Promise<string | null>((resolve, reject) => {
      lastId += 1
      storing.set(lastId, (stored) => {
        if (stored.isFailed) reject(new Error('The text could not be kept.'))
        else resolve(stored.value)
      })
      tell({ type: 'store', id: lastId, method, key, value })
    })
  const storage: RuntimeStorage = {
    getItem: (key) => store('getItem', key),
    setItem: (key, value) => store('setItem', key, value).then(() => undefined),
    removeItem: (key) => store('removeItem', key).then(() => undefined),
  }

  const facade = createOfficeFacade(hasStorage ? storage : undefined)
  const now = scope.Date.now.bind(scope.Date)
  const { ProgressEvent } = globalThis
  Object.assign(scope, {
    Office: facade.office,
    OfficeRuntime: facade.officeRuntime,
    XMLHttpRequest: class extends scope.XMLHttpRequest {
      override send(body?: Parameters<XMLHttpRequest['send']>[0]) {
        if (!surroundings.isOffline) return super.send(body)
        time.scheduler.schedule(() => this.dispatchEvent(new ProgressEvent('error')))
      }
    },
  })
  scope.Date.now = () => now() + surroundings.ahead

  const raise = ({ id, functionName, data }: Extract<MessageToRuntime, { type: 'raise' }>) => {
    const event: HandlerEvent = {
      ...data,
      completed: (answer) => tell({ type: 'completed', id, isFound: true, answer }),
    }
    if (!facade.raise(functionName, event)) tell({ type: 'completed', id, isFound: false })
  }
  return () => {
    listenToWindow(own, own.parent, origin, (heard) => {
      const message = heard as MessageToRuntime
      if (message.type === 'surroundings') surroundings = message
      else if (message.type === 'raise') raise(message)
      else if (message.type === 'askLog') tell({ type: 'log', log: plain(scope.signetLaunch?.log() ?? []) })
      else {
        storing.get(message.id)?.(message)
        storing.delete(message.id)
      }
    })
    connectMailbox(own, time).subscribe((client) => {
      if (!client) return
      facade.connect(client)
      tell({ type: 'ready' })
    })
  }
}

/** Converts the log to plain data that can be sent. Secrets become placeholders. */
const plain = (log: readonly unknown[]): readonly unknown[] =>
  JSON.parse(JSON.stringify(log)) as readonly unknown[]
