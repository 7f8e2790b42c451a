import type { Mailbox } from './mailbox.ts'
import {
  CLIENT_EVENTS,
  type MessageFromPane,
  type MessageFromRuntime,
  type MessageReceiver,
  type MessageTarget,
  listenToWindow,
  sendToWindow,
} from './wire.ts'

/**
 * Serves a mailbox to the pane in `frame`, a page from `origin`; `page` is the window that runs this code. A call names
 * its item, and the mailbox refuses the call if another item is open. After a switch of users, the pane gets no answers
 * until it is reloaded. Returns a function that stops serving.
 */
export function serveMailbox(
  mailbox: Mailbox,
  frame: MessageTarget,
  origin: string,
  page: MessageReceiver,
): () => void {
  const { client } = mailbox
  let session = 0
  let welcomed: string | null = null
  const isSameUser = () => welcomed === mailbox.state$.value.person
  const stops = [
    ...CLIENT_EVENTS.map((event) =>
      mailbox.on(event, () => {
        if (!isSameUser()) return
        sendToWindow(frame, origin, {
          type: 'event',
          event,
          item: client.currentItem(),
          theme: client.theme(),
        })
      }),
    ),
    listenToWindow(page, frame, origin, (heard) => {
      // `listen` has checked the window and the origin, so the message has this type.
      const message = heard as MessageFromPane | MessageFromRuntime
      if (message.type === 'hello') {
        session += 1
        welcomed = mailbox.state$.value.person
        sendToWindow(frame, origin, {
          type: 'welcome',
          session,
          start: client.start,
          item: client.currentItem(),
          theme: client.theme(),
        })
        return
      }
      if (message.type !== 'call' || !isSameUser()) return
      const { session: asked, id, name, args, item } = message
      mailbox.call(
        name,
        args,
        (reply) => sendToWindow(frame, origin, { type: 'reply', session: asked, id, reply }),
        item,
      )
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
