/** The pictures that users upload. */
import { DomainError } from '../operations/domainError.ts'
import { MAX_EDGE_PX, readPictureFormat } from '../../folder/pictureFormats.ts'

const PHOTO_LIMIT_BYTES = 1024 * 1024

/**
 * Decodes a picture from base64. The extension is detected from the content, which must be exactly one whole picture.
 *
 * @throws DomainError `photo_invalid` when it is not base64, larger than 1 MB, not exactly one PNG, JPEG, GIF or WebP,
 *   or empty or larger than 4,096 pixels in width or height
 */
export function decodePhoto(base64: string): Readonly<{
  bytes: Buffer
  extension: string
  mediaType: string
}> {
  const invalid = (message: string) => new DomainError('photo_invalid', message)
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw invalid('The picture is not base64.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > PHOTO_LIMIT_BYTES) throw invalid('The picture is larger than 1 MB.')
  const found = readPictureFormat(bytes)
  if (found === null) throw invalid('The picture is not exactly one PNG, JPEG, GIF or WebP.')
  if (!found.fits)
    throw invalid(`The picture is empty, or larger than ${MAX_EDGE_PX} × ${MAX_EDGE_PX} pixels.`)
  const { extension, mediaType } = found.format
  return { bytes, extension, mediaType }
}
