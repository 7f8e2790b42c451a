/** The service's own pictures, and the pictures that users upload. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../server/webServer.ts'

/** The path of uploaded pictures below /images. */
export const PHOTOS_FOLDER = 'photos/'

const PHOTO_LIMIT_BYTES = 1024 * 1024

const KINDS = [
  { extension: 'png', mediaType: 'image/png', starts: (hex: string) => hex.startsWith('89504e470d0a1a0a') },
  { extension: 'jpg', mediaType: 'image/jpeg', starts: (hex: string) => hex.startsWith('ffd8ff') },
  { extension: 'gif', mediaType: 'image/gif', starts: (hex: string) => /^47494638(37|39)61/.test(hex) },
  { extension: 'webp', mediaType: 'image/webp', starts: (hex: string) => /^52494646.{8}57454250/.test(hex) },
] as const

/** The media type of a path by its extension; null for an unknown one. */
export function pictureMediaType(path: string): string | null {
  return KINDS.find(({ extension }) => path.endsWith(`.${extension}`))?.mediaType ?? null
}

/**
 * Decodes a picture from base64. The extension follows from the first bytes.
 *
 * @throws Refusal 422 `photo_invalid` when it is not base64, not a PNG, JPEG, GIF or WebP, or larger than 1 MB
 */
export function decodePhoto(base64: string): Readonly<{ bytes: Buffer; extension: string }> {
  const invalid = (message: string) => new Refusal(422, 'photo_invalid', message)
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw invalid('The picture is not base64.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > PHOTO_LIMIT_BYTES) throw invalid('The picture is larger than 1 MB.')
  const start = bytes.subarray(0, 12).toString('hex')
  const kind = KINDS.find(({ starts }) => starts(start))
  if (kind === undefined) throw invalid('The picture is not a PNG, JPEG, GIF or WebP.')
  return { bytes, extension: kind.extension }
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
