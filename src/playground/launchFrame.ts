import { asyncScheduler } from 'rxjs'
import { prepareRuntime } from './mailbox/prepareRuntime.ts'
import type { NestedBridge } from './mailClient/nestedBridge.ts'

// The page in which the launch program runs, with the playground's Outlook in place of Microsoft's library.

const { nestedAppAuthBridge } = window.parent as Window & Readonly<{ nestedAppAuthBridge?: NestedBridge }>
if (nestedAppAuthBridge) Object.assign(window, { nestedAppAuthBridge })

/** A client that gives a frame no storage: reading it throws, as where third-party storage is blocked. */
function blockStorage(): void {
  for (const name of ['indexedDB', 'localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
}

const loadScript = (address: string) =>
  new Promise<void>((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: address })
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${address} could not be loaded.`)))
    document.head.append(script)
  })

async function start(): Promise<void> {
  if (new URLSearchParams(location.search).get('storage') === 'none') blockStorage()
  // On the web `OfficeRuntime` has no storage.
  const connect = prepareRuntime(window, window, { scheduler: asyncScheduler }, false)
  await loadScript('launch.js')
  await import('../launch/launchPage.ts')
  connect()
}

void start()
