/** Reads the pictures of a folder. */
import { createHash } from 'node:crypto'
import { extensionOf, PICTURE_EXTENSIONS, PICTURES_FOLDER } from '../../streams/organisation/release/paths.ts'
import { MAX_EDGE_PX, type PictureFormat, readPictureFormat } from './pictureFormats.ts'
import {
  filesBelow,
  type FolderFiles,
  MAX_PICTURE_BYTES,
  MAX_TOTAL_PICTURE_BYTES,
  readBytes,
} from './files.ts'
import { type Finding, andList, quoteUntrusted, createFindingReport, startOfFile } from './finding.ts'

export type FolderPicture = Readonly<{ mediaType: string; bytes: Uint8Array }>

/** The hash that identifies a picture: the first 32 characters of its content's SHA-256, in hex. */
export const pictureHash = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 32)

/** The format of a picture, from its content; null unless it is exactly one PNG, JPEG, GIF or WebP within 1 MB. */
export function pictureFormat(bytes: Buffer): PictureFormat | null {
  const found = bytes.length > MAX_PICTURE_BYTES ? null : readPictureFormat(bytes)
  return found?.fits === true ? found.format : null
}

const ENDINGS: readonly string[] = PICTURE_EXTENSIONS

/**
 * Reads the pictures below `pictures/`. `hashes` and `names` are keyed by path. A name is `<hash>.<extension>`, as in a
 * person's record.
 */
export async function readPictures(files: FolderFiles, problems: Finding[]) {
  const hashes = new Map<string, string>()
  const byHash = new Map<string, FolderPicture>()
  const names = new Map<string, string>()
  const { error } = createFindingReport(problems)
  let total = 0
  for (const file of await filesBelow(files, PICTURES_FOLDER, problems)) {
    const refuse = (code: string, message: string) => error(startOfFile(file), code, message)
    const ending = extensionOf(file)
    if (!ENDINGS.includes(ending)) {
      refuse(
        'pictureFormat',
        ending.toLowerCase() === 'svg'
          ? 'Mail clients do not show SVG; save the picture as PNG.'
          : `Pictures end in ${andList(ENDINGS.map((extension) => `.${extension}`))}, in lower case.`,
      )
      continue
    }
    const bytes = await readBytes(files, file, MAX_PICTURE_BYTES, problems)
    if (bytes === null) continue
    total += bytes.length
    if (total > MAX_TOTAL_PICTURE_BYTES) {
      refuse('picturesTooLarge', `The pictures are larger than ${MAX_TOTAL_PICTURE_BYTES} bytes together.`)
      break
    }
    const format = pictureFormat(bytes)
    if (format === null) {
      refuse(
        'pictureInvalid',
        readPictureFormat(bytes) === null
          ? 'This is not exactly one PNG, JPEG, GIF or WebP.'
          : `The picture is empty, or larger than ${MAX_EDGE_PX} × ${MAX_EDGE_PX} pixels.`,
      )
      continue
    }
    if (format.extension !== (ending === 'jpeg' ? 'jpg' : ending)) {
      refuse(
        'pictureFormat',
        `The content is that of a ${quoteUntrusted(`.${format.extension}`)}; name it so.`,
      )
      continue
    }
    const hash = pictureHash(bytes)
    const path = file.slice(PICTURES_FOLDER.length + 1)
    hashes.set(path, hash)
    names.set(path, `${hash}.${format.extension}`)
    byHash.set(hash, { mediaType: format.mediaType, bytes })
  }
  return { hashes, byHash, names }
}
