/** The allowed media types. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]

/** The size limit of a file that the user offers, in bytes. */
export const MAX_PICTURE_FILE_BYTES = 10 * 1024 * 1024
/** The size limit of a picture that the service accepts, in bytes. */
export const MAX_SENT_PICTURE_BYTES = 1024 * 1024
/** The edge of the saved square, in pixels. */
export const SAVED_PICTURE_EDGE = 512
/** The longer side of the picture to crop, in pixels. */
export const OPENED_PICTURE_EDGE = 768

const starts = (bytes: Uint8Array, at: number, text: string): boolean =>
  String.fromCharCode(...bytes.subarray(at, at + text.length)) === text

/** The type of a picture file, read from its first twelve bytes; null for a file of another type. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | null {
  if (starts(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (starts(bytes, 0, 'GIF87a') || starts(bytes, 0, 'GIF89a')) return 'image/gif'
  return starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP') ? 'image/webp' : null
}

/** A data URL's base64, or plain base64; null for text that is empty or not base64 (specification, section 5). */
export function parseBase64(value: string): string | null {
  const base64 = value.replace(/^data:[^,]*,/, '').trim()
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? base64 : null
}
