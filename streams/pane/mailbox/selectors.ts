import type { MessageState } from '../../message/state.ts'
import { createSelector } from '../../kernel/selector.ts'
import type { MailAddress } from '../../message/mailbox/events.ts'

/**
 * The status of the open item: `looking` until the mail client reports it, `none` without an open item, `read` in
 * reading mode, `reading` until the message is read, then `ready`.
 */
export type ItemStatus = 'looking' | 'none' | 'read' | 'reading' | 'ready'

export const selectItemStatus = ({
  mailbox: { item, message },
}: Pick<MessageState, 'mailbox'>): ItemStatus => {
  if (item === undefined) return 'looking'
  if (item === null) return 'none'
  if (item.mode === 'read') return 'read'
  return message === null ? 'reading' : 'ready'
}

/** The sender address when it is not the user's own; null otherwise. */
export const selectOtherSender = createSelector(
  [
    ({ mailbox }: Pick<MessageState, 'mailbox'>) => mailbox.message,
    ({ mailbox }: Pick<MessageState, 'mailbox'>) => mailbox.user,
  ],
  (message, user): MailAddress | null => {
    const from = message?.from
    return from && user && from.address.toLowerCase() !== user.email.toLowerCase() ? from : null
  },
)
