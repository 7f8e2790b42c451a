import { Observable, defer, of } from 'rxjs'
import type { Log, OtherPanes } from '../../../effects/ports.ts'

const CHANNEL = 'signet.panes'

type SignOutMessage = Readonly<{ signedOut: string }>
const isSignOutMessage = (message: unknown): message is SignOutMessage =>
  typeof message === 'object' &&
  message !== null &&
  'signedOut' in message &&
  typeof message.signedOut === 'string'

/**
 * The other panes in the same browser. Panes communicate through a BroadcastChannel. If the browser refuses a channel,
 * they use the storage event of local storage; without that event, they cannot communicate.
 */
export function createOtherPanes(page: Window & typeof globalThis, log: Log): OtherPanes {
  const open = (): BroadcastChannel | null => {
    try {
      return new page.BroadcastChannel(CHANNEL)
    } catch {
      return null
    }
  }

  /**
   * The channel on which this pane listens. It also sends on this channel, because it does not receive its own
   * messages.
   */
  let listening: BroadcastChannel | null = null

  return {
    signedOut$: new Observable<string>((subscriber) => {
      const channel = open()
      listening = channel
      const hear = (message: unknown) => {
        if (isSignOutMessage(message)) subscriber.next(message.signedOut)
      }
      const onMessage = ({ data }: MessageEvent<unknown>) => hear(data)
      const onStorage = ({ key, newValue }: StorageEvent) => {
        if (key !== CHANNEL || newValue === null) return
        try {
          hear(JSON.parse(newValue))
        } catch {
          // Another script wrote a value that is not JSON under the same key.
        }
      }
      if (channel) channel.addEventListener('message', onMessage)
      else page.addEventListener('storage', onStorage)
      return () => {
        if (listening === channel) listening = null
        channel?.close()
        page.removeEventListener('storage', onStorage)
      }
    }),
    tellSignedOut: (userId) =>
      defer(() => {
        const message: SignOutMessage = { signedOut: userId }
        try {
          const channel = listening ?? open()
          if (channel) {
            channel.postMessage(message)
            if (channel !== listening) channel.close()
          } else {
            // The storage event fires only when the value changes, so an old value is removed first.
            page.localStorage.removeItem(CHANNEL)
            page.localStorage.setItem(CHANNEL, JSON.stringify(message))
            page.localStorage.removeItem(CHANNEL)
          }
        } catch (error) {
          log.warn('other_panes_not_told', { error: error instanceof Error ? error.name : 'unknown' })
        }
        return of(undefined)
      }),
  }
}
