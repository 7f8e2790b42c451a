import {
  type MailboxItem,
  isInCalendar,
  type MailboxState,
  ownDrafts,
  ownItems,
  type ReadItem,
} from '../mailbox/model.ts'
import { htmlToText } from '../mailbox/text.ts'

export const MAIL_FOLDERS = ['inbox', 'drafts', 'sent', 'calendar'] as const
export type MailFolder = (typeof MAIL_FOLDERS)[number]

const isRead = (item: MailboxItem): item is ReadItem => item.mode === 'read'

/** The signed-in user's items in a folder, newest first; in the calendar, sorted by start. */
export function itemsIn(state: MailboxState, folder: MailFolder): readonly MailboxItem[] {
  const items = ownItems(state)
  if (folder === 'drafts') return [...ownDrafts(state)].reverse()
  if (folder === 'calendar')
    return items.filter(isInCalendar).sort((one, other) => (one.when?.start ?? 0) - (other.when?.start ?? 0))
  return items
    .filter(isRead)
    .filter((item) => item.folder === folder)
    .sort((one, other) => other.date - one.date)
}

/** The number beside a folder: unread messages in the inbox, drafts in the drafts folder, else 0. */
export const folderCount = (state: MailboxState, folder: MailFolder): number =>
  folder === 'sent' || folder === 'calendar'
    ? 0
    : itemsIn(state, folder).filter((item) => item.mode === 'compose' || !item.isRead).length

const PREVIEW_CHARACTERS = 120

/** The start of the author's text, on one line. */
export const itemPreview = ({ body }: MailboxItem): string => {
  const text = body.type === 'text' ? body.author : htmlToText(body.author)
  return text.replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS)
}
