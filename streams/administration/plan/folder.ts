/** Decides by name and size which files of a dropped folder or archive are read, before any content is read. */
import { SIGNET_FILE } from '../../organisation/release/paths.ts'

/** A file in the list of a folder or an archive. `size` is the unpacked size in bytes. */
export type ListedFile = Readonly<{ path: string; size: number }>

export type FolderRefusal = Readonly<
  | { reason: 'noFolder' }
  | { reason: 'tooMany'; limit: number }
  | { reason: 'tooLarge'; limit: number }
  /** The file is no archive or cannot be unpacked, or the browser cannot read a file of the folder. */
  | { reason: 'unreadable' }
>

/** The files to read. `paths` maps each path in the list to the path in the folder of signatures. */
export type ChosenFiles = Readonly<{ folder: string; paths: ReadonlyMap<string, string> }>

/** The limit of all files together: the service takes 20 MB per request, and base64 makes the files a third larger. */
export const MAX_FOLDER_BYTES = 14_000_000
export const MAX_FOLDER_FILES = 20_000

const FILES: readonly string[] = [SIGNET_FILE, 'people.csv', 'expect.yaml']
const FOLDERS: readonly string[] = ['templates/', 'pictures/']

/** Whether a path is hidden, or one of the files that macOS adds to archives. */
export const isHidden = (path: string) =>
  path.split('/').some((name) => name.startsWith('.') || name === '__MACOSX')

/**
 * A path as html and folders write it: with slashes, none at its beginning, and in one Unicode form. Some programs write
 * backslashes into archives, and macOS divides letters from their accents.
 */
export const writtenPath = (path: string) => path.normalize('NFC').replaceAll('\\', '/').replace(/^\/+/, '')

/**
 * The path of the folder that has signet.yaml, with a slash at the end; empty for the top, null without a signet.yaml.
 * Of several folders, the one with the shortest path counts.
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
 * The files of the folder that has signet.yaml: the files that the format knows, without hidden ones. The limits count
 * only these files.
 *
 * @param name the name of what the person dropped; the folder's name when signet.yaml is at the top
 */
export function chooseFiles(listed: readonly ListedFile[], name: string): ChosenFiles | FolderRefusal {
  if (listed.length > MAX_FOLDER_FILES * 2) return { reason: 'tooMany', limit: MAX_FOLDER_FILES }
  const files = listed
    .map(({ path, size }) => ({ listed: path, path: writtenPath(path), size }))
    .filter(({ path }) => path !== '' && !path.endsWith('/') && !isHidden(path))
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
