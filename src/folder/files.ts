/**
 * Reads a folder's files from disk or from a request. Paths never lead outside the folder: a link is reported as a
 * finding, and paths in a document are only looked up among the listed files.
 */
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isFilePath, MAX_FOLDER_FILES, MAX_FOLDER_DEPTH } from '../../streams/organisation/release/paths.ts'
import { decodeUtf8 } from './encoding.ts'
import { type Finding, createFindingReport, startOfFile } from './finding.ts'

export const MAX_PICTURE_BYTES = 1024 * 1024
/** The size limit for all pictures of a folder together, because they are held in memory. */
export const MAX_TOTAL_PICTURE_BYTES = 500_000_000

type Kind = 'file' | 'folder' | 'link' | 'other'
type Entry = Readonly<{ name: string; kind: Kind }>
/** The reason why a file was not read: a link, not a file, too large, or a system error with its code. */
type Unread = Readonly<{ reason: 'link' | 'noFile' | 'tooLarge' } | { reason: 'notReadable'; code: string }>

/** Reads the files of one folder. All paths are relative to it. */
export type FolderFiles = Readonly<{
  /** The kind of a path; null if it does not exist. */
  kindOf: (path: string) => Promise<Kind | null>
  /** The entries of a folder, in any order. */
  entries: (path: string) => Promise<readonly Entry[]>
  /** The bytes of a file, or the reason why it was not read; null if it does not exist. `limit` is in bytes. */
  read: (path: string, limit: number) => Promise<Buffer | Unread | null>
}>

/** The paths of all files below a subfolder, sorted by name. Empty if the subfolder does not exist. */
export async function filesBelow(
  files: FolderFiles,
  below: string,
  problems: Finding[],
): Promise<readonly string[]> {
  const { error } = createFindingReport(problems)
  const found: string[] = []
  async function visit(path: string): Promise<void> {
    const entries = await files.entries(path)
    for (const { name, kind } of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      // Skips hidden files from desktops and editors, such as .DS_Store and .autumn.html.swp
      if (name.startsWith('.')) continue
      const inside = `${path}/${name}`
      const refuse = (code: string, message: string) => error(startOfFile(inside), code, message)
      if (found.length === MAX_FOLDER_FILES) {
        error(
          startOfFile(below),
          'tooManyFiles',
          `There are more than ${MAX_FOLDER_FILES} files in ${below}.`,
        )
        return
      }
      if (kind === 'link') refuse('link', LINK)
      else if (!isFilePath(inside))
        refuse(
          'fileName',
          `Names may have letters from A to Z, digits, ".", "-" and "_", and paths ${MAX_FOLDER_DEPTH} parts.`,
        )
      else if (kind === 'folder') await visit(inside)
      else if (kind === 'file') found.push(inside)
      else refuse('noFile', NO_FILE)
    }
  }
  const kind = await files.kindOf(below)
  if (kind === 'folder') await visit(below)
  else if (kind !== null) error(startOfFile(below), 'link', 'This is a link or a file; it must be a folder.')
  return found
}

const LINK = 'This is a link; put the file itself into the folder.'
const NO_FILE = 'This is not a file.'
export const tooLargeText = (limit: number): string => `The file is larger than ${limit} bytes.`

/**
 * The bytes of a file; null if it does not exist. A link, or a file that is too large or unreadable, adds a finding and
 * returns null.
 */
export async function readBytes(
  files: FolderFiles,
  file: string,
  limit: number,
  problems: Finding[],
): Promise<Buffer | null> {
  const read = await files.read(file, limit)
  if (read === null || Buffer.isBuffer(read)) return read
  const messages = {
    link: LINK,
    noFile: NO_FILE,
    tooLarge: tooLargeText(limit),
    notReadable: `The file cannot be read (${'code' in read ? read.code : ''}).`,
  }
  return createFindingReport(problems).error(startOfFile(file), read.reason, messages[read.reason])
}

/**
 * The text of a file without its byte order mark. Null if `readBytes` returns null, or if the file is not UTF-8, which
 * adds a finding.
 */
export async function readText(
  files: FolderFiles,
  file: string,
  limit: number,
  problems: Finding[],
): Promise<string | null> {
  const bytes = await readBytes(files, file, limit, problems)
  return bytes === null ? null : decodeUtf8(bytes, file, problems)
}

/** Reads a folder from disk. */
export const filesOnDisk = (folder: string): FolderFiles => ({
  async kindOf(path) {
    const found = await lstat(join(folder, path)).catch(noneIfMissing)
    return found === null ? null : kindOfEntry(found)
  },
  async entries(path) {
    const entries = await readdir(join(folder, path), { withFileTypes: true })
    return entries.map((entry) => ({ name: entry.name, kind: kindOfEntry(entry) }))
  },
  async read(path, limit) {
    let handle
    try {
      // The file may have just become a link or a pipe. A link is not followed, and a pipe does not block.
      handle = await open(
        join(folder, path),
        constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      )
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (code === 'ENOENT') return null
      return code === 'ELOOP' ? { reason: 'link' } : { reason: 'notReadable', code: String(code) }
    }
    try {
      if (!(await handle.stat()).isFile()) return { reason: 'noFile' }
      const chunks: Buffer[] = []
      let length = 0
      for (;;) {
        const chunk = Buffer.alloc(64 * 1024)
        const { bytesRead } = await handle.read(chunk, 0, chunk.length)
        if (bytesRead === 0) return Buffer.concat(chunks)
        length += bytesRead
        if (length > limit) return { reason: 'tooLarge' }
        chunks.push(chunk.subarray(0, bytesRead))
      }
    } finally {
      await handle.close()
    }
  },
})

const kindOfEntry = (
  entry: Readonly<{ isSymbolicLink: () => boolean; isDirectory: () => boolean; isFile: () => boolean }>,
): Kind => {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

function noneIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/**
 * Reads a folder from the files in a request. A path that is too deep is cut, because its first folders are enough to
 * reject it.
 */
export function filesInRequest(sent: ReadonlyMap<string, Buffer>): FolderFiles {
  const folders = new Map<string, Map<string, Kind>>()
  for (const path of sent.keys()) {
    const parts = path.split('/', MAX_FOLDER_DEPTH + 2)
    parts.forEach((name, index) => {
      const folder = parts.slice(0, index).join('/')
      const entries = folders.get(folder) ?? new Map<string, Kind>()
      folders.set(folder, entries)
      if (entries.get(name) !== 'folder') entries.set(name, index < parts.length - 1 ? 'folder' : 'file')
    })
  }
  return {
    kindOf: async (path) => folders.get('')?.get(path) ?? null,
    entries: async (path) => [...(folders.get(path) ?? [])].map(([name, kind]) => ({ name, kind })),
    async read(path, limit) {
      await setImmediate()
      if (folders.has(path)) return { reason: 'noFile' }
      const bytes = sent.get(path) ?? null
      return bytes !== null && bytes.length > limit ? { reason: 'tooLarge' } : bytes
    },
  }
}
