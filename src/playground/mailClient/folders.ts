import {
  type Item,
  isInCalendar,
  type MailboxState,
  ownDrafts,
  ownItems,
  type ReadItem,
} from '../mailbox/model.ts'
import { htmlToText } from '../mailbox/text.ts'

export const FOLDERS = ['inbox', 'drafts', 'sent', 'calendar'] as const
export type Folder = (typeof FOLDERS)[number]

const isRead = (item: Item): item is ReadItem => item.mode === 'read'

/** The items of a folder of the signed-in user, the newest first; of the calendar, by their beginning. */
export function itemsIn(state: MailboxState, folder: Folder): readonly Item[] {
  const items = ownItems(state)
  if (folder === 'drafts') return [...ownDrafts(state)].reverse()
  if (folder === 'calendar')
    return items.filter(isInCalendar).sort((one, other) => (one.when?.start ?? 0) - (other.when?.start ?? 0))
  return items
    .filter(isRead)
    .filter((item) => item.folder === folder)
    .sort((one, other) => other.date - one.date)
}

/** The number beside a folder: of unread messages in the inbox, of drafts, and none (0) for the others. */
export const countOf = (state: MailboxState, folder: Folder): number =>
  folder === 'sent' || folder === 'calendar'
    ? 0
    : itemsIn(state, folder).filter((item) => item.mode === 'compose' || !item.isRead).length

const PREVIEW_CHARACTERS = 120

/** The beginning of what the author wrote, in one line. */
export const previewOf = ({ body }: Item): string => {
  const text = body.type === 'text' ? body.author : htmlToText(body.author)
  return text.replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS)
}
