import type { AppState } from '../app/state.ts'
import { createSelector } from '../kernel/selector.ts'
import type { Address } from './events.ts'

/**
 * Where a signature could go: `looking` until the mail client tells which item is open, `none` when there is none,
 * `read` when it is only being read, `reading` until the message was read, then `ready`.
 */
export type Destination = 'looking' | 'none' | 'read' | 'reading' | 'ready'

export const selectDestination = ({ mailbox: { item, message } }: AppState): Destination => {
  if (item === undefined) return 'looking'
  if (item === null) return 'none'
  if (item.mode === 'read') return 'read'
  return message === null ? 'reading' : 'ready'
}

/** The address that the message is from when it is not the user's own; null otherwise. */
export const selectSender = createSelector(
  [({ mailbox }: AppState) => mailbox.message, ({ mailbox }: AppState) => mailbox.user],
  (message, user): Address | null => {
    const from = message?.from
    return from && user && from.address.toLowerCase() !== user.email.toLowerCase() ? from : null
  },
)
