import { isBase64 } from './address.ts'

/** A raster picture that mail clients can show. */
export type Raster = Readonly<{
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  width: number
  height: number
}>

/** The size in bytes of base64 content. */
export function base64ByteSize(base64: string): number {
  let { length } = base64
  while (base64[length - 1] === '=') length--
  return Math.floor((length * 3) / 4)
}

/** The size limit for a picture. Larger pictures could keep the message from being sent. */
export const MAX_IMAGE_BYTES = 5_000_000

/** The maximum number of pixels in a picture. Decoding takes four bytes for each pixel, however small the file is. */
export const MAX_IMAGE_PIXELS = 50_000_000

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Reads single bytes from base64, so that a large picture's header can be read without decoding the rest. */
export function base64Reader(base64: string) {
  const value = (index: number): number => DIGITS.indexOf(base64[index] ?? '')
  const length = base64ByteSize(base64)
  /** The byte at this index. Two base64 digits, of six bits each, contain all of it. */
  const at = (index: number): number => {
    if (index >= length) return 0
    const digit = Math.floor((index * 4) / 3)
    return (((value(digit) << 6) | value(digit + 1)) >> (4 - 2 * (index % 3))) & 255
  }
  /** The number in `count` bytes, most significant byte first. */
  const big = (index: number, count: number): number => {
    let number = 0
    for (let byte = 0; byte < count; byte++) number = number * 256 + at(index + byte)
    return number
  }
  /** The number in `count` bytes, least significant byte first. */
  const little = (index: number, count: number): number => {
    let number = 0
    for (let byte = count - 1; byte >= 0; byte--) number = number * 256 + at(index + byte)
    return number
  }
  const says = (index: number, text: string): boolean =>
    Array.from(text).every((char, offset) => at(index + offset) === char.charCodeAt(0))
  return { length, at, big, little, says }
}
type Bytes = ReturnType<typeof base64Reader>
type Size = Readonly<{ width: number; height: number }>

const sizeOfPng = ({ big, says }: Bytes): Size | null =>
  says(12, 'IHDR') ? { width: big(16, 4), height: big(20, 4) } : null

const sizeOfGif = ({ little }: Bytes): Size => ({ width: little(6, 2), height: little(8, 2) })

/** Reads the size from the frame header, which comes after other segments of any length. */
function sizeOfJpeg({ length, at, big }: Bytes): Size | null {
  for (let index = 2; index + 9 < length;) {
    if (at(index) !== 0xff) return null
    const marker = at(index + 1)
    if (marker === 0xff) {
      index++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: big(index + 7, 2), height: big(index + 5, 2) }
    // After this marker, the pixels begin or the picture ends, so no frame header follows.
    if (marker === 0xda || marker === 0xd9) return null
    index += 2 + big(index + 2, 2)
  }
  return null
}

function sizeOfWebp({ at, little, says }: Bytes): Size | null {
  if (says(12, 'VP8X')) return { width: little(24, 3) + 1, height: little(27, 3) + 1 }
  if (says(12, 'VP8L') && at(20) === 0x2f) {
    const bits = little(21, 4)
    return { width: (bits & 0x3fff) + 1, height: (Math.floor(bits / 0x4000) & 0x3fff) + 1 }
  }
  if (says(12, 'VP8 ') && little(23, 3) === 0x2a019d)
    return { width: little(26, 2) & 0x3fff, height: little(28, 2) & 0x3fff }
  return null
}

const FORMATS: readonly Readonly<{
  type: Raster['type']
  is: (bytes: Bytes) => boolean
  sizeOf: (bytes: Bytes) => Size | null
}>[] = [
  { type: 'image/png', is: ({ says }) => says(0, '\x89PNG\r\n\x1a\n'), sizeOf: sizeOfPng },
  { type: 'image/jpeg', is: ({ big }) => big(0, 3) === 0xffd8ff, sizeOf: sizeOfJpeg },
  { type: 'image/gif', is: ({ says }) => says(0, 'GIF87a') || says(0, 'GIF89a'), sizeOf: sizeOfGif },
  { type: 'image/webp', is: ({ says }) => says(0, 'RIFF') && says(8, 'WEBP'), sizeOf: sizeOfWebp },
]

/**
 * The type and size of a base64 picture, from its first bytes and its header. Null for incomplete base64, for formats
 * that mail clients cannot show, and beyond `MAX_IMAGE_BYTES` or `MAX_IMAGE_PIXELS`.
 */
export function readRaster(base64: string): Raster | null {
  if (base64ByteSize(base64) > MAX_IMAGE_BYTES || !isBase64(base64)) return null
  const bytes = base64Reader(base64)
  const format = FORMATS.find(({ is }) => is(bytes))
  const size = format?.sizeOf(bytes)
  if (!format || !size || size.width === 0 || size.height === 0) return null
  return size.width * size.height <= MAX_IMAGE_PIXELS ? { type: format.type, ...size } : null
}
