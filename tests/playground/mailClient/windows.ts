import type { SchedulerLike } from 'rxjs'
import type { PaneWindow } from '../../../src/playground/mailClient/simulatedHost.ts'
import type { ReceivedMessage, MessageReceiver, MessageTarget } from '../../../src/playground/mailbox/wire.ts'

type Listener = (message: ReceivedMessage) => void
export type FakeWindow = MessageTarget &
  MessageReceiver &
  Readonly<{ location: Readonly<{ origin: string }> }>

/** A sent message, delivered or not. */
export type PostedMessage = Readonly<{ to: 'page' | 'pane'; data: unknown; targetOrigin: string }>

/**
 * A page and the pane in its frame with a browser's messaging: copies, delivered later, and only to the named origin.
 * Where the origins differ, reading the page's address throws, as in a browser.
 */
export function fakeWindows(
  scheduler: SchedulerLike,
  origins: Readonly<{ page: string; pane: string }>,
): Readonly<{
  page: FakeWindow
  /** The pane as the page sees it. */
  frame: MessageTarget
  pane: PaneWindow
  sent: PostedMessage[]
  /** Delivers a message of a third party. */
  intrude(to: 'page' | 'pane', message: ReceivedMessage): void
}> {
  const sent: PostedMessage[] = []
  const listeners: Record<'page' | 'pane', Set<Listener>> = { page: new Set(), pane: new Set() }
  const deliver = (to: 'page' | 'pane', message: ReceivedMessage) =>
    scheduler.schedule(() => {
      for (const listener of listeners[to]) listener(message)
    }, 0)
  const receiver = (name: 'page' | 'pane'): MessageReceiver => ({
    addEventListener: (_, listener) => void listeners[name].add(listener),
    removeEventListener: (_, listener) => void listeners[name].delete(listener),
  })
  const sending =
    (to: 'page' | 'pane', from: () => unknown): MessageTarget['postMessage'] =>
    (message, targetOrigin) => {
      const data: unknown = structuredClone(message)
      sent.push({ to, data, targetOrigin })
      if (targetOrigin === origins[to]) {
        deliver(to, { data, origin: origins[to === 'page' ? 'pane' : 'page'], source: from() })
      }
    }
  const frame: MessageTarget = { postMessage: sending('pane', () => page) }
  const page: FakeWindow = {
    ...receiver('page'),
    postMessage: sending('page', () => frame),
    location: {
      get origin(): string {
        if (origins.page !== origins.pane) throw new DOMException('Blocked', 'SecurityError')
        return origins.page
      },
    },
  }
  return {
    page,
    frame,
    pane: { ...receiver('pane'), location: { origin: origins.pane }, parent: page },
    sent,
    intrude: deliver,
  }
}
