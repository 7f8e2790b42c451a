import { Insertion } from '../../streams/message/insertion/events.ts'
import { createWholeApp } from '../support/app.ts'
import type { LoggedEvent } from '../../streams/pane/events.ts'
import type { AppState } from '../../streams/pane/state.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import { createClock } from '../support/clock.ts'
import { mailboxPorts } from '../support/ports.ts'

/**
 * The log of a session in which the user opens the pane, writes a few messages and signs out. Runs the whole application
 * with the mailbox model, on virtual time.
 */
export function recordSession(): readonly Recorded<LoggedEvent>[] {
  const clock = createClock()
  const { mailbox, ports } = mailboxPorts(clock)
  const app = createWholeApp({ production: true, beta: false }, () => ports)
  const settle = () => clock.advance(10_000)
  const choose = (place: number) => {
    const { signatures, mailbox: open }: AppState = app.state$.value
    const entry = signatures.own.entries[place]
    if (!entry || !open.item) throw new Error('The session has no signature to choose')
    app.record(Insertion.chosen({ entryId: entry.entryId, itemKey: open.item.key }))
    settle()
  }
  settle()
  choose(1)
  choose(2)
  for (const type of ['newMessage', 'reply', 'newMessage', 'newMessage'] as const) {
    // Without a received message, a reply has no effect.
    if (mailbox.act({ type }) === null) mailbox.act({ type: 'newMessage' })
    settle()
    choose(3)
  }
  app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
  settle()
  app.stop()
  return app.log
}

/** The event as if `before` more events were in the log before it. An insertion's id is its request's place in the log. */
export function moved(event: Recorded<LoggedEvent>, before: number): Recorded<LoggedEvent> {
  const data =
    'id' in event.data && typeof event.data.id === 'number'
      ? { ...event.data, id: event.data.id + before }
      : event.data
  return { ...event, data, meta: { ...event.meta, seq: event.meta.seq + before } } as Recorded<LoggedEvent>
}
