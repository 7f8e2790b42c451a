import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { SignaturesEvent } from '../signatures/events.ts'
import type { HostUser, MailboxEvent, MailItem, Message, Theme } from './events.ts'

/** `item` is undefined until the mail client told which item is open; `message` is null until it was read. */
export type MailboxState = Readonly<{
  user: HostUser | null
  theme: Theme | null
  item: MailItem | null | undefined
  message: Message | null
}>

/**
 * A manual choice also stops the default for its message (specification, section 4, selecting), and so does a
 * signature that was removed by hand.
 */
type MailboxInput =
  | MailboxEvent
  | Extract<SignaturesEvent, { type: 'signatures/insertionSucceeded' | 'signatures/insertionSkipped' }>

export const initialMailbox: MailboxState = { user: null, theme: null, item: undefined, message: null }

const ofOpenMessage = (state: MailboxState, itemKey: string, known: Partial<Message>): MailboxState =>
  state.message && itemKey === state.item?.key
    ? withChanges(state, { message: withChanges(state.message, known) })
    : state

export function evolveMailbox(state: MailboxState, event: Recorded<MailboxInput>): MailboxState {
  switch (event.type) {
    case 'mailbox/userRead':
      return withChanges(state, { user: event.data.user })
    case 'mailbox/themeChanged':
      return withChanges(state, { theme: event.data.theme })
    case 'mailbox/itemChanged':
      return withChanges(state, { item: event.data.item, message: null })
    case 'mailbox/messageRead':
      // An answer about an item that is no longer open tells nothing about the one that is.
      return event.data.itemKey === state.item?.key
        ? withChanges(state, { message: event.data.message })
        : state
    case 'mailbox/senderChanged':
      return ofOpenMessage(state, event.data.itemKey, { from: event.data.from })
    case 'mailbox/bodyTypeChanged':
      return ofOpenMessage(state, event.data.itemKey, { bodyType: event.data.bodyType })
    case 'mailbox/recipientsChanged':
      return ofOpenMessage(state, event.data.itemKey, { to: event.data.to, cc: event.data.cc })
    case 'signatures/insertionSucceeded':
      return event.data.target.kind === 'default'
        ? state
        : ofOpenMessage(state, event.data.itemKey, { stopPush: true })
    case 'signatures/insertionSkipped':
      return ofOpenMessage(state, event.data.itemKey, { stopPush: true })
    default:
      return assertNever(event)
  }
}
