/** Which files of a dropped folder or archive are read, decided by their names and sizes before any content is. */

/** A file as a folder or an archive lists it. `size` in bytes, unpacked. */
export type ListedFile = Readonly<{ path: string; size: number }>

export type FolderRefusal = Readonly<
  | { reason: 'noFolder' }
  | { reason: 'tooMany'; limit: number }
  | { reason: 'tooLarge'; limit: number }
  /** No archive, or one that cannot be unpacked; or a file that the browser does not read. */
  | { reason: 'unreadable' }
>

/** The files to read: the path in the folder of signatures, by the path as listed. */
export type ChosenFiles = Readonly<{ folder: string; paths: ReadonlyMap<string, string> }>

/** The service takes 20 MB in one request, in base64. */
export const MAX_FOLDER_BYTES = 14_000_000
export const MAX_FOLDER_FILES = 20_000

const SIGNET_FILE = 'signet.yaml'
const FILES: readonly string[] = [SIGNET_FILE, 'people.csv', 'expect.yaml']
const FOLDERS: readonly string[] = ['templates/', 'pictures/']

const isHidden = (path: string) => path.split('/').some((name) => name.startsWith('.') || name === '__MACOSX')

/** Some programs write archives with backslashes. */
const named = (path: string) => path.replaceAll('\\', '/').replace(/^\/+/, '')

/** The folder of signet.yaml, with a slash at the end; empty at the top, null without one. The shortest path counts. */
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
 * The files of the folder that contains signet.yaml: those that the format knows, without hidden ones. The limits count
 * these alone.
 *
 * @param name what the person dropped, for a folder without a name of its own
 */
export function chooseFiles(listed: readonly ListedFile[], name: string): ChosenFiles | FolderRefusal {
  if (listed.length > MAX_FOLDER_FILES * 2) return { reason: 'tooMany', limit: MAX_FOLDER_FILES }
  const files = listed
    .map(({ path, size }) => ({ listed: path, path: named(path), size }))
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
    folder: root.split('/').at(-2) ?? name,
    paths: new Map(chosen.map(({ key, inside }) => [key, inside])),
  }
}
