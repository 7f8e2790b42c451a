/** The service's own pictures, and the pictures that users upload. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../server/webServer.ts'
import { MAX_EDGE_PX, PICTURE_FORMATS } from './pictureFormats.ts'

/** The path of uploaded pictures below /images. */
export const PHOTOS_FOLDER = 'photos/'

const PHOTO_LIMIT_BYTES = 1024 * 1024

/** The media type of a path by its extension; null for an unknown one. */
export function pictureMediaType(path: string): string | null {
  return PICTURE_FORMATS.find(({ extension }) => path.endsWith(`.${extension}`))?.mediaType ?? null
}

/**
 * Decodes a picture from base64. The extension follows from its content, which must be a whole picture and nothing else.
 *
 * @throws Refusal 422 `photo_invalid` when it is not base64, larger than 1 MB, not exactly one PNG, JPEG, GIF or WebP,
 *   or empty or larger than 4,096 pixels in a direction
 */
export function decodePhoto(base64: string): Readonly<{ bytes: Buffer; extension: string }> {
  const invalid = (message: string) => new Refusal(422, 'photo_invalid', message)
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw invalid('The picture is not base64.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > PHOTO_LIMIT_BYTES) throw invalid('The picture is larger than 1 MB.')
  for (const { extension, sizesIn } of PICTURE_FORMATS) {
    const sizes = sizesIn(bytes)
    if (sizes === null) continue
    const edges = sizes.flatMap(({ width, height }) => [width, height])
    if (edges.some((edge) => edge < 1 || edge > MAX_EDGE_PX))
      throw invalid(`The picture is empty, or larger than ${MAX_EDGE_PX} × ${MAX_EDGE_PX} pixels.`)
    return { bytes, extension }
  }
  throw invalid('The picture is not exactly one PNG, JPEG, GIF or WebP.')
}

/** The service's own pictures, by their path below /images. */
export async function loadPictures(): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = join(import.meta.dirname, 'images')
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.png'))
  return new Map(
    await Promise.all(
      names.map(async (name) => [name.replaceAll('\\', '/'), await readFile(join(folder, name))] as const),
    ),
  )
}
