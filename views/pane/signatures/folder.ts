import type { TextKey } from '../text/texts.ts'

/**
 * The contents of a list: `mine` is the list below the message, `all` the page of all signatures, `shared` the page of
 * shared signatures. Each collection has a page, too.
 */
export type Folder = 'mine' | 'all' | 'shared' | Readonly<{ collection: string }>

/** A unique key for each folder. */
export const folderKey = (folder: Folder): string =>
  typeof folder === 'string' ? folder : `collection ${folder.collection}`

/** The headings of the folders that are not collections. */
export const FOLDER_HEADINGS = {
  mine: 'list.heading',
  all: 'list.all',
  shared: 'list.shared',
} as const satisfies Record<Extract<Folder, string>, TextKey>
