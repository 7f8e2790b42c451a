/**
 * Reads the files of a folder. Only what stands in the folder itself is read: links are findings, and a path of a
 * document is looked up among the files that were found, so that none leads outside.
 */
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, findError, startOf } from './finding.ts'

export const MAX_DOCUMENT_BYTES = 20_000_000
export const MAX_PICTURE_BYTES = 1024 * 1024
/** Of all pictures of a folder together: they are held in memory. */
export const MAX_PICTURES_BYTES = 500_000_000
export const MAX_FILES = 20_000
const MAX_FOLDERS_DEEP = 8
const MAX_PATH_CHARACTERS = 200

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/

/** Whether a path names a file below a folder: `banners/autumn.png`. No `..`, no `\`, nothing absolute. */
export const isPathBelow = (path: string): boolean =>
  path.length <= MAX_PATH_CHARACTERS &&
  path.split('/').every((segment, index) => index < MAX_FOLDERS_DEEP && SEGMENT.test(segment))

/** The paths of all files below `folder/below`, in the order of their names; none when there is no such folder. */
export async function filesBelow(
  folder: string,
  below: string,
  problems: Finding[],
): Promise<readonly string[]> {
  const found: string[] = []
  async function visit(path: string): Promise<void> {
    const entries = await readdir(join(folder, path), { withFileTypes: true })
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      // Files of desktops and editors: .DS_Store, .autumn.html.swp
      if (entry.name.startsWith('.')) continue
      const inside = `${path}/${entry.name}`
      const refuse = (code: string, message: string) =>
        problems.push(findError(startOf(inside), code, message))
      if (found.length === MAX_FILES) {
        problems.push(
          findError(startOf(below), 'tooManyFiles', `There are more than ${MAX_FILES} files in ${below}.`),
        )
        return
      }
      if (entry.isSymbolicLink()) refuse('link', 'This is a link; put the file itself into the folder.')
      else if (!isPathBelow(inside))
        refuse(
          'fileName',
          `Names may have letters from A to Z, digits, ".", "-" and "_", and paths ${MAX_FOLDERS_DEEP} parts.`,
        )
      else if (entry.isDirectory()) await visit(inside)
      else if (entry.isFile()) found.push(inside)
      else refuse('noFile', 'This is no file.')
    }
  }
  const top = await lstat(join(folder, below)).catch(noneIfMissing)
  if (top?.isDirectory() === true) await visit(below)
  else if (top !== null)
    problems.push(findError(startOf(below), 'link', 'This is a link or a file; it must be a folder.'))
  return found
}

function noneIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/**
 * The bytes of a file; null, with a finding, when it is larger than the limit, a link or no file, and null without one
 * when it does not exist.
 */
export async function readBytes(
  folder: string,
  file: string,
  limit: number,
  problems: Finding[],
): Promise<Buffer | null> {
  const refuse = (code: string, message: string) => {
    problems.push(findError(startOf(file), code, message))
    return null
  }
  let handle
  try {
    // A link is not followed, and a pipe does not block, also when it takes the file's place just now.
    handle = await open(join(folder, file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') return null
    if (code === 'ELOOP') return refuse('link', 'This is a link; put the file itself into the folder.')
    return refuse('notReadable', `The file cannot be read (${String(code)}).`)
  }
  try {
    if (!(await handle.stat()).isFile()) return refuse('noFile', 'This is no file.')
    const chunks: Buffer[] = []
    let length = 0
    for (;;) {
      const chunk = Buffer.alloc(64 * 1024)
      const { bytesRead } = await handle.read(chunk, 0, chunk.length)
      if (bytesRead === 0) return Buffer.concat(chunks)
      length += bytesRead
      if (length > limit) return refuse('tooLarge', `The file is larger than ${limit} bytes.`)
      chunks.push(chunk.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

/** The text of a file in UTF-8, without its byte order mark; null as `readBytes`, and with a finding for other bytes. */
export async function readText(
  folder: string,
  file: string,
  limit: number,
  problems: Finding[],
): Promise<string | null> {
  const bytes = await readBytes(folder, file, limit, problems)
  if (bytes === null) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const zero = text.indexOf('\0')
    if (zero < 0) return text
  } catch {
    // Told below.
  }
  problems.push(
    findError(startOf(file), 'notUtf8', 'The file is not text in UTF-8; save it with this encoding.'),
  )
  return null
}
