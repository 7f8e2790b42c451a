import { LAUNCH_GUARD_FILE } from '../server/headers.ts'
import { asyncScheduler } from 'rxjs'
import { prepareRuntime } from './mailbox/prepareRuntime.ts'
import type { NestedBridge } from './mailClient/nestedBridge.ts'

// The page that the launch program runs in. The playground's own `Office` replaces Microsoft's library.

const { nestedAppAuthBridge } = window.parent as Window & Readonly<{ nestedAppAuthBridge?: NestedBridge }>
if (nestedAppAuthBridge) Object.assign(window, { nestedAppAuthBridge })

/** Makes every storage access throw, as in a client that blocks storage in third-party frames. */
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
  // `OfficeRuntime` has no storage on the web.
  const connect = prepareRuntime(window, window, { scheduler: asyncScheduler }, false)
  await loadScript(LAUNCH_GUARD_FILE)
  await import('../launch/launchPage.ts')
  connect()
}

void start()
