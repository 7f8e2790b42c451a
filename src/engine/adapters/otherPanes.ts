import { Observable, defer, of } from 'rxjs'
import type { Log, OtherPanes } from '../../../effects/ports.ts'

const CHANNEL = 'signet.panes'

type Told = Readonly<{ signedOut: string }>
const isTold = (message: unknown): message is Told =>
  typeof message === 'object' &&
  message !== null &&
  'signedOut' in message &&
  typeof message.signedOut === 'string'

/**
 * The other panes of the same browser, through a BroadcastChannel; where the browser has none, or refuses one, through
 * the event that local storage gives to other windows. Where neither works no pane hears of another.
 */
export function createOtherPanes(page: Window & typeof globalThis, log: Log): OtherPanes {
  const open = (): BroadcastChannel | null => {
    try {
      return new page.BroadcastChannel(CHANNEL)
    } catch {
      return null
    }
  }

  return {
    signedOut$: new Observable<string>((subscriber) => {
      const channel = open()
      const hear = (message: unknown) => {
        if (isTold(message)) subscriber.next(message.signedOut)
      }
      const onMessage = ({ data }: MessageEvent<unknown>) => hear(data)
      const onStorage = ({ key, newValue }: StorageEvent) => {
        if (key !== CHANNEL || newValue === null) return
        try {
          hear(JSON.parse(newValue))
        } catch {
          // Somebody else wrote under our name.
        }
      }
      if (channel) channel.addEventListener('message', onMessage)
      else page.addEventListener('storage', onStorage)
      return () => {
        channel?.close()
        page.removeEventListener('storage', onStorage)
      }
    }),
    tellSignedOut: (userId) =>
      defer(() => {
        const told: Told = { signedOut: userId }
        try {
          const channel = open()
          if (channel) {
            channel.postMessage(told)
            channel.close()
          } else {
            // Only a change is told, so what stands there must go first.
            page.localStorage.removeItem(CHANNEL)
            page.localStorage.setItem(CHANNEL, JSON.stringify(told))
            page.localStorage.removeItem(CHANNEL)
          }
        } catch (error) {
          log.warn('other_panes_not_told', { error: error instanceof Error ? error.name : 'unknown' })
        }
        return of(undefined)
      }),
  }
}
