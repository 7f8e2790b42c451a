import { Observable, map } from 'rxjs'
import type { Identity, Log } from '../../../effects/ports.ts'
import { type Time, growingIntervals } from '../../../streams/kernel/time.ts'
import type { ClientEvent, MailClient, OfficeTheme, MailItem, Reply } from '../../engine/hosts/mailClient.ts'
import {
  type MessageFromPage,
  type MessageReceiver,
  type MessageTarget,
  listenToWindow,
  sendToWindow,
} from '../mailbox/wire.ts'
import type { HostProvider } from '../../engine/hosts/chooseHost.ts'
import { createPaneHost } from '../../engine/hosts/paneHost.ts'

const HELLO_INTERVAL_MS = 100

/** The pane's window. Its parent is the window of the playground. */
export type PaneWindow = MessageReceiver &
  Readonly<{
    location: Readonly<{ origin: string }>
    parent: MessageTarget & Readonly<{ location: Readonly<{ origin: string }> }>
  }>

/** Whether a page of the pane's own origin frames the pane. Reading another origin's location throws an error. */
const isFramedBySameOrigin = (pane: PaneWindow): boolean => {
  try {
    return (pane.parent as unknown) !== pane && pane.parent.location.origin === pane.location.origin
  } catch {
    return false
  }
}

/**
 * Connects to the mailbox that the parent page serves. Emits a mail client when that page answers, or null when no page
 * of the pane's own origin frames the pane; then completes. The client listens until the page is unloaded.
 */
export function connectMailbox(pane: PaneWindow, time: Time): Observable<MailClient | null> {
  return new Observable<MailClient | null>((subscriber) => {
    if (!isFramedBySameOrigin(pane)) {
      subscriber.next(null)
      subscriber.complete()
      return
    }
    const { origin } = pane.location
    const { parent } = pane
    let session: number | null = null
    let item: MailItem | null = null
    let theme: OfficeTheme | null = null
    let lastId = 0
    const callbacks = new Map<number, (reply: Reply) => void>()
    const listeners = new Map<ClientEvent, Set<() => void>>()

    const stop = listenToWindow(pane, parent, origin, (received) => {
      // The parent has the same origin and runs the same code, so its messages have this type.
      const message = received as MessageFromPage
      switch (message.type) {
        case 'welcome': {
          if (session !== null) return
          session = message.session
          item = message.item
          theme = message.theme
          subscriber.next(client(message))
          subscriber.complete()
          return
        }
        case 'event': {
          item = message.item
          theme = message.theme
          for (const listener of listeners.get(message.event) ?? []) listener()
          return
        }
        case 'reply': {
          if (message.session !== session) return
          const done = callbacks.get(message.id)
          callbacks.delete(message.id)
          done?.(message.reply)
        }
      }
    })

    const client = ({ start }: Extract<MessageFromPage, { type: 'welcome' }>): MailClient => ({
      start,
      currentItem: () => item,
      theme: () => theme,
      on(event, listener) {
        const known = listeners.get(event) ?? new Set()
        listeners.set(event, known.add(listener))
        return () => known.delete(listener)
      },
      call(name, args, done) {
        lastId += 1
        // The page answers a call with a reply of the call's own type, so `done` accepts the reply.
        callbacks.set(lastId, done)
        sendToWindow(parent, origin, {
          type: 'call',
          session: session ?? 0,
          id: lastId,
          item: item?.key ?? null,
          name,
          args,
        })
      },
    })

    const hello = growingIntervals(HELLO_INTERVAL_MS, 0, time).subscribe(() => {
      if (session === null) sendToWindow(parent, origin, { type: 'hello' })
    })
    return () => {
      hello.unsubscribe()
      if (session === null) stop()
    }
  })
}

/**
 * Makes the playground's mailbox a host of the pane. Resolves when a page of the pane's own origin frames the pane and
 * serves a mailbox. `identity` can add sign-in methods to the mail client's own.
 */
export const createSimulatedProvider = (
  options: Readonly<{ pane: PaneWindow; time: Time; log: Log; identity?: (mail: Identity) => Identity }>,
): HostProvider => ({
  name: 'simulated',
  resolve: () =>
    connectMailbox(options.pane, options.time).pipe(
      map((client) => {
        if (!client) return null
        const hosted = createPaneHost(client, { name: 'simulated', time: options.time, log: options.log })
        return { ...hosted, identity: options.identity?.(hosted.identity) ?? hosted.identity }
      }),
    ),
})
