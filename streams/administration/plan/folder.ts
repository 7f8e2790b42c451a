/** Chooses by name and size which files of a dropped folder or archive to read, before reading any content. */
import { SIGNET_FILE } from '../../organisation/release/paths.ts'

/** A file in the list of a folder or an archive. `size` is the unpacked size in bytes. */
export type ListedFile = Readonly<{ path: string; size: number }>

export type FolderRefusal = Readonly<
  | { reason: 'noFolder' }
  | { reason: 'tooMany'; limit: number }
  | { reason: 'tooLarge'; limit: number }
  /** The file is not an archive, it cannot be unpacked, or the browser cannot read a file of the folder. */
  | { reason: 'unreadable' }
>

/** The files to read. `paths` maps each listed path to its path in the signature folder. */
export type ChosenFiles = Readonly<{ folder: string; paths: ReadonlyMap<string, string> }>

/** The total size limit in bytes: the service accepts 20 MB per request, and base64 makes files a third larger. */
export const MAX_FOLDER_BYTES = 14_000_000
export const MAX_FOLDER_FILES = 20_000

const FILES: readonly string[] = [SIGNET_FILE, 'people.csv', 'expect.yaml']
const FOLDERS: readonly string[] = ['templates/', 'pictures/', 'lists/']

/** Whether a path is hidden, or belongs to the files that macOS adds to archives. */
export const isHiddenPath = (path: string) =>
  path.split('/').some((name) => name.startsWith('.') || name === '__MACOSX')

/**
 * Normalises a path: forward slashes, no leading slash, and Unicode NFC. Some programs write backslashes into archives,
 * and macOS splits letters from their accents.
 */
export const normalisedPath = (path: string) =>
  path.normalize('NFC').replaceAll('\\', '/').replace(/^\/+/, '')

/**
 * The path of the folder with signet.yaml, with a slash at the end; empty at the top, null without a signet.yaml. If
 * several folders have one, the shortest path wins.
 */
function rootOf(paths: readonly string[]): string | null {
  const roots = paths
    .filter((path) => path === SIGNET_FILE || path.endsWith(`/${SIGNET_FILE}`))
    .map((path) => path.slice(0, -SIGNET_FILE.length))
  return roots.reduce<string | null>(
    (shortest, root) => (shortest === null || root.length < shortest.length ? root : shortest),
    null,
  )
}

/**
 * Chooses the files to read from the folder with signet.yaml. Skips hidden files and unknown formats; neither counts
 * towards the limits.
 *
 * @param name the name of the dropped item; used as the folder's name if signet.yaml is at the top
 */
export function chooseFolderFiles(listed: readonly ListedFile[], name: string): ChosenFiles | FolderRefusal {
  if (listed.length > MAX_FOLDER_FILES * 2) return { reason: 'tooMany', limit: MAX_FOLDER_FILES }
  const files = listed
    .map(({ path, size }) => ({ listed: path, path: normalisedPath(path), size }))
    .filter(({ path }) => path !== '' && !path.endsWith('/') && !isHiddenPath(path))
  const root = rootOf(files.map(({ path }) => path))
  if (root === null) return { reason: 'noFolder' }
  const chosen = files.flatMap(({ listed: key, path, size }) => {
    const inside = path.slice(root.length)
    const isKnown = FILES.includes(inside) || FOLDERS.some((folder) => inside.startsWith(folder))
    return path.startsWith(root) && isKnown ? [{ key, inside, size }] : []
  })
  if (chosen.length > MAX_FOLDER_FILES) return { reason: 'tooMany', limit: MAX_FOLDER_FILES }
  if (chosen.reduce((sum, { size }) => sum + size, 0) > MAX_FOLDER_BYTES)
    return { reason: 'tooLarge', limit: MAX_FOLDER_BYTES }
  return {
    folder: root.split('/').at(-2) ?? name.normalize('NFC'),
    paths: new Map(chosen.map(({ key, inside }) => [key, inside])),
  }
}
