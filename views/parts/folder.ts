import type { TextKey } from '../text/texts.ts'

/** Which list: the one below the message, that of all signatures on its own, what others share, or one collection. */
export type Folder = 'mine' | 'all' | 'shared' | Readonly<{ collection: string }>

/** Tells folders apart. */
export const folderKey = (folder: Folder): string =>
  typeof folder === 'string' ? folder : `collection ${folder.collection}`

/** The heading of a folder that is not a collection. */
export const HEADINGS = {
  mine: 'list.heading',
  all: 'list.all',
  shared: 'list.shared',
} as const satisfies Record<Extract<Folder, string>, TextKey>
