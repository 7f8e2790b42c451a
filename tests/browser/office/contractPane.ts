import { type Observable, asyncScheduler } from 'rxjs'
import type { HostWithIdentity } from '../../../src/engine/hosts/chooseHost.ts'
import { createOfficeProvider } from '../../../src/engine/hosts/office.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { revealSecret } from '../../../streams/kernel/secret.ts'

// The host as it ships, over Microsoft's library, for a test that runs outside of the browser.

declare global {
  interface Window {
    /** Reports to the test, in order. */
    tell(what: 'item' | 'recipients' | 'theme' | 'log' | 'ready' | 'absent', detail: unknown): Promise<void>
    /** Called by the test. */
    ask(method: string, args: readonly unknown[]): Promise<unknown>
    accessToken(options: object): Promise<unknown>
  }
}

const settled = <Value>(call$: Observable<Value>) =>
  new Promise<unknown>((resolve) => {
    call$.subscribe({
      next: (value) => resolve({ value: value ?? null, isVoid: value === undefined }),
      error: (error: unknown) => resolve({ failure: toFailure(error) }),
    })
  })

const log = (level: 'debug' | 'warn' | 'error') => (action: string, detail?: object) =>
  void window.tell('log', { level, action, detail })

const open = ({ host, identity }: HostWithIdentity) => {
  window.ask = (method, args) =>
    settled(
      (host as unknown as Record<string, (...args: readonly unknown[]) => Observable<unknown>>)[method]!(
        ...args,
      ),
    )
  window.accessToken = (options) =>
    settled(identity.accessToken(options as Parameters<typeof identity.accessToken>[0])).then((answer) => {
      const { value } = answer as { value?: Parameters<typeof revealSecret>[0] }
      return value ? { value: revealSecret(value) } : answer
    })
  host.item$.subscribe((item) => void window.tell('item', item))
  host.theme$.subscribe((theme) => void window.tell('theme', theme))
  host.recipientsChanged$.subscribe(() => void window.tell('recipients', null))
  void window.tell('ready', { name: host.name, displayLanguage: host.displayLanguage })
}

window.addEventListener('message', ({ data }) => {
  // Returned through the channel of the library's own messages, so it arrives after all of them.
  if (data === '{"barrier":true}') window.parent.postMessage(data, location.origin)
})

createOfficeProvider({
  window,
  time: { scheduler: asyncScheduler },
  log: { debug: log('debug'), warn: log('warn'), error: log('error') },
})
  .resolve()
  .subscribe({
    next: (hosted) => (hosted ? open(hosted) : void window.tell('absent', null)),
    error: (error: unknown) => void window.tell('absent', toFailure(error)),
  })
