/** Limits and checks the paths and sizes of files, in a folder of signatures and in a document in a request. */

/** The folder's file with the rules for all signatures. */
export const SIGNET_FILE = 'signet.yaml'
export const TEMPLATES_FOLDER = 'templates'
export const PICTURES_FOLDER = 'pictures'
/** The folder of recipient lists: one file for each list. */
export const LISTS_FOLDER = 'lists'
/** The file extensions of pictures that mail clients show, in lower case. */
export const PICTURE_EXTENSIONS = ['png', 'jpg', 'gif', 'webp', 'jpeg'] as const

/** The size limit for `signet.yaml` and `expect.yaml`. */
export const MAX_YAML_BYTES = 1_000_000
export const MAX_DOCUMENT_BYTES = 20_000_000
export const MAX_FOLDER_FILES = 20_000
export const MAX_TEMPLATE_CHARACTERS = 200_000
/** The size limit for all templates together. A character has up to four bytes. */
export const MAX_TOTAL_TEMPLATE_CHARACTERS = MAX_DOCUMENT_BYTES / 4
export const MAX_FOLDER_DEPTH = 8
export const MAX_LISTS = 500
/** The limit for the entries of a recipient list. */
export const MAX_LIST_ENTRIES = 10_000
/**
 * The limit for the entries of all lists, each counted once for every signature, block and rule with this list. Mail
 * clients get a list with each of them.
 */
export const MAX_SENT_ENTRIES = 100_000
const MAX_PATH_CHARACTERS = 200

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/

/** Whether a path can be a file below a folder (`banners/autumn.png`): relative, without `..` and `\`. */
export const isFilePath = (path: string): boolean =>
  path.length <= MAX_PATH_CHARACTERS &&
  path.split('/').every((segment, index) => index < MAX_FOLDER_DEPTH && SEGMENT.test(segment))

/** Whether a path can be a template in the folder: `templates/corporate.html`. */
export const isTemplatePath = (path: string): boolean =>
  path.startsWith(`${TEMPLATES_FOLDER}/`) && path.endsWith('.html') && isFilePath(path)

/** The file name of a template without its extension: `contact` for `templates/contact.part.html`. */
export const templateFileName = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.part)?\.html$/, '')

export const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** Whether a path below `pictures/` can be a picture: `banners/autumn.png`. */
export const isPicturePath = (path: string): boolean =>
  isFilePath(`${PICTURES_FOLDER}/${path}`) &&
  (PICTURE_EXTENSIONS as readonly string[]).includes(extensionOf(path))
