import type { ClientEvent } from '../../engine/hosts/mailClient.ts'
import type { Mailbox } from './mailbox.ts'
import { type FromPane, type Receiver, type Target, listen, sendTo } from './wire.ts'

const EVENTS: readonly ClientEvent[] = ['ItemChanged', 'RecipientsChanged', 'OfficeThemeChanged']

/**
 * Serves a mailbox to the pane in `frame`, a page of `origin`; `page` is the window in which this runs. A call names
 * the item that it is meant for, and the mailbox refuses it when another is open by then. A pane that was loaded for
 * one person hears nothing and reaches nothing once another sits down; it has to be loaded again. Returns what ends it.
 */
export function serveMailbox(mailbox: Mailbox, frame: Target, origin: string, page: Receiver): () => void {
  const { client } = mailbox
  let session = 0
  let welcomed: string | null = null
  const isSeated = () => welcomed === mailbox.state$.value.person
  const stops = [
    ...EVENTS.map((event) =>
      mailbox.on(event, () => {
        if (!isSeated()) return
        sendTo(frame, origin, { type: 'event', event, item: client.currentItem(), theme: client.theme() })
      }),
    ),
    listen(page, frame, origin, (heard) => {
      // Window and origin are ours, so what is on the channel is as we sent it.
      const message = heard as FromPane
      if (message.type === 'hello') {
        session += 1
        welcomed = mailbox.state$.value.person
        sendTo(frame, origin, {
          type: 'welcome',
          session,
          start: client.start,
          item: client.currentItem(),
          theme: client.theme(),
        })
        return
      }
      if (!isSeated()) return
      const { session: asked, id, name, args, item } = message
      mailbox.call(
        name,
        args,
        (reply) => sendTo(frame, origin, { type: 'reply', session: asked, id, reply }),
        item,
      )
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
