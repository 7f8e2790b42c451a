import { type ComposeItem, type Item, type MailboxState, ownItems, type ReadItem } from '../mailbox/model.ts'
import { htmlToText } from '../mailbox/text.ts'

export const FOLDERS = ['inbox', 'drafts', 'sent'] as const
export type Folder = (typeof FOLDERS)[number]

const isRead = (item: Item): item is ReadItem => item.mode === 'read'
const isDraft = (item: Item): item is ComposeItem => item.mode === 'compose'

/** The items of a folder of the signed-in user, the newest first. */
export function itemsIn(state: MailboxState, folder: Folder): readonly Item[] {
  const items = ownItems(state)
  if (folder === 'drafts') return items.filter(isDraft).reverse()
  return items
    .filter(isRead)
    .filter((item) => item.folder === folder)
    .sort((one, other) => other.date - one.date)
}

/** The number beside a folder: of unread messages in the inbox, of drafts, and none (0) for sent messages. */
export const countOf = (state: MailboxState, folder: Folder): number =>
  folder === 'sent'
    ? 0
    : itemsIn(state, folder).filter((item) => item.mode === 'compose' || !item.isRead).length

const PREVIEW_CHARACTERS = 120

/** The beginning of what the author wrote, in one line. */
export const previewOf = ({ body }: Item): string => {
  const text = body.type === 'text' ? body.author : htmlToText(body.author)
  return text.replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS)
}
