import type { AppState } from '../app/state.ts'

/**
 * Where a signature could go: `looking` until the mail client tells which item is open, `none` when there is none,
 * `read` when it is only being read, `reading` until what is needed of the message is known, then `ready`.
 */
export type Destination = 'looking' | 'none' | 'read' | 'reading' | 'ready'

export const selectDestination = ({ mailbox: { item, message } }: AppState): Destination => {
  if (item === undefined) return 'looking'
  if (item === null) return 'none'
  if (item.mode === 'read') return 'read'
  return message === null ? 'reading' : 'ready'
}
