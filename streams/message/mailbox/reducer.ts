import type { Insertion } from '../insertion/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { HostUser, MailItem, Message, Theme, Mailbox } from './events.ts'

/** `item` is undefined until the mail client reports the open item; `message` is null until it is read. */
export type MailboxState = Readonly<{
  user: HostUser | null
  theme: Theme | null
  item: MailItem | null | undefined
  message: Message | null
}>

const ofOpenMessage = (state: MailboxState, itemKey: string, known: Partial<Message>): MailboxState =>
  state.message && itemKey === state.item?.key
    ? withChanges(state, { message: withChanges(state.message, known) })
    : state

/** The state with another sender. The place in the thread was read for the sender before, so it is unknown now. */
function withSender(
  state: MailboxState,
  itemKey: string,
  known: Partial<Message> & Pick<Message, 'from'>,
): MailboxState {
  const after = ofOpenMessage(state, itemKey, known)
  const isSame = state.message?.from?.address.toLowerCase() === known.from?.address.toLowerCase()
  if (after === state || isSame || after.message?.thread === undefined) return after
  const { thread: _, ...message } = after.message
  return { ...after, message }
}

export const mailbox = defineSlice<MailboxState, typeof Insertion | typeof Mailbox>()(
  { user: null, theme: null, item: undefined, message: null },
  {
    'mailbox/userRead': (state, { data: { user } }) => withChanges(state, { user }),
    'mailbox/themeChanged': (state, { data: { theme } }) => withChanges(state, { theme }),
    'mailbox/itemChanged': (state, { data: { item } }) => withChanges(state, { item, message: null }),
    // `evolveApp` has already dropped answers about items that are no longer open.
    'mailbox/messageRead': (state, { data: { message }, meta: { at: readAt } }) =>
      withChanges(state, { message: { ...message, readAt } }),
    'mailbox/senderChanged': (state, { data: { itemKey, from }, meta: { at: readAt } }) =>
      withSender(state, itemKey, { from, readAt }),
    'mailbox/bodyTypeChanged': (state, { data: { itemKey, bodyType } }) =>
      ofOpenMessage(state, itemKey, { bodyType }),
    'mailbox/recipientsChanged': (state, { data: { itemKey, to, cc }, meta: { at: readAt } }) =>
      ofOpenMessage(state, itemKey, { to, cc, readAt }),
    'mailbox/turnRead': (state, { data: { itemKey, turn } }) => ofOpenMessage(state, itemKey, { turn }),
    'mailbox/envelopeRead': (state, { data: { itemKey, from, to, cc }, meta: { at: readAt } }) =>
      withSender(state, itemKey, { from, to, cc, readAt }),
    'mailbox/threadRead': (state, { data: { itemKey, thread } }) => ofOpenMessage(state, itemKey, { thread }),
    // After a manual choice, the default is no longer inserted into this message (specification, section 4, selecting).
    'insertion/succeeded': (state, { data: { itemKey, target } }) =>
      target.kind === 'default' ? state : ofOpenMessage(state, itemKey, { stopPush: true }),
    // A skipped insertion also keeps the default out, because the message is then left to the user.
    'insertion/skipped': (state, { data: { itemKey } }) => ofOpenMessage(state, itemKey, { stopPush: true }),
  },
)
