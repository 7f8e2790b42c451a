/** Reads the full structure of picture files without decoding them: a file must contain exactly one picture. */

export type PictureDimensions = Readonly<{ width: number; height: number }>

/** The sizes of all images in a file. Null if the file has another format, or has bytes after the picture. */
type ReadSizes = (bytes: Buffer) => readonly PictureDimensions[] | null

export type PictureFormat = Readonly<{
  extension: 'png' | 'jpg' | 'gif' | 'webp'
  mediaType: string
  sizesIn: ReadSizes
}>

/** A larger picture would need too much memory to draw. */
export const MAX_EDGE_PX = 4096

const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex')

const pngSizes: ReadSizes = (bytes) => {
  const at = PNG_START.length
  if (!bytes.subarray(0, at).equals(PNG_START) || bytes.length < at + 24) return null
  if (bytes.readUInt32BE(at) !== 13 || nameAt(bytes, at + 4) !== 'IHDR') return null
  const size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
  let hasData = false
  for (let chunk = at; chunk + 12 <= bytes.length;) {
    const name = nameAt(bytes, chunk + 4)
    const length = bytes.readUInt32BE(chunk)
    chunk += 12 + length
    hasData ||= name === 'IDAT'
    if (name === 'IEND') return hasData && length === 0 && chunk === bytes.length ? [size] : null
  }
  return null
}

/** Whether a marker has no length after it. Fill bytes are skipped already. */
const isBareMarker = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
/** Whether a marker starts a frame of any coding. The markers c4, c8 and cc have other meanings. */
const startsFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** The end of coded data: the `ff` of the next marker. `ff 00` is data, and `ff d0` to `ff d7` are restarts. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !isBareMarker(next)) return at
    at = bytes.indexOf(0xff, at + 1)
  }
  return bytes.length
}

const jpegSizes: ReadSizes = (bytes) => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  const sizes: PictureDimensions[] = []
  let hasScan = false
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (isBareMarker(marker)) at += 2
    else if (marker === 0) return null
    else if (marker === 0xd9) return hasScan && at + 2 === bytes.length ? sizes : null
    else {
      if (at + 4 > bytes.length) return null
      const end = at + 2 + bytes.readUInt16BE(at + 2)
      if (end < at + 4 || end > bytes.length) return null
      if (startsFrame(marker)) {
        if (end < at + 9) return null
        sizes.push({ width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) })
      }
      hasScan ||= marker === 0xda && sizes.length === 1
      at = marker === 0xda ? endOfScan(bytes, end) : end
    }
  }
  return null
}

/** The end of a sequence of blocks. Each block begins with its length; a length of 0 ends the sequence. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1
  return at + 1
}

/** The length of a colour table in bytes, from its flags. */
const colourTableLength = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1))

const gifSizes: ReadSizes = (bytes) => {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.length < 14) return null
  const sizes = [{ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }]
  for (let at = 13 + colourTableLength(bytes[10] ?? 0); at < bytes.length;) {
    const kind = bytes[at]
    if (kind === 0x3b) return sizes.length > 1 && at + 1 === bytes.length ? sizes : null
    if (kind === 0x21) at = endOfBlocks(bytes, at + 2)
    else if (kind === 0x2c && at + 10 < bytes.length) {
      sizes.push({
        width: bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5),
        height: bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7),
      })
      at = endOfBlocks(bytes, at + 10 + colourTableLength(bytes[at + 9] ?? 0) + 1)
    } else return null
  }
  return null
}

const SIZE_OF_FRAME = 16

/** The image sizes in the chunks of a WebP between two offsets; null if malformed. Frames may not contain frames. */
function webpSizesIn(
  bytes: Buffer,
  from: number,
  to: number,
  isFrame = false,
): readonly PictureDimensions[] | null {
  const sizes: PictureDimensions[] = []
  let at = from
  while (at + 8 <= to) {
    const name = nameAt(bytes, at)
    const length = bytes.readUInt32LE(at + 4)
    const content = at + 8
    const end = content + length
    if (end > to) return null
    if (name === 'VP8 ') {
      if (length < 10 || bytes.readUIntBE(content + 3, 3) !== 0x9d012a) return null
      sizes.push({
        width: bytes.readUInt16LE(content + 6) & 0x3fff,
        height: bytes.readUInt16LE(content + 8) & 0x3fff,
      })
    } else if (name === 'VP8L') {
      if (length < 5 || bytes[content] !== 0x2f) return null
      const bits = bytes.readUInt32LE(content + 1)
      sizes.push({ width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 })
    } else if (name === 'VP8X') {
      if (length < 10) return null
      sizes.push({
        width: bytes.readUIntLE(content + 4, 3) + 1,
        height: bytes.readUIntLE(content + 7, 3) + 1,
      })
    } else if (name === 'ANMF') {
      const frame =
        isFrame || length < SIZE_OF_FRAME ? null : webpSizesIn(bytes, content + SIZE_OF_FRAME, end, true)
      if (frame === null) return null
      for (const size of frame) sizes.push(size)
    }
    at = end + (length % 2)
  }
  return at === to ? sizes : null
}

const webpSizes: ReadSizes = (bytes) => {
  if (bytes.length < 20 || nameAt(bytes, 0) !== 'RIFF' || nameAt(bytes, 8) !== 'WEBP') return null
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return null
  const first = nameAt(bytes, 12)
  const sizes = webpSizesIn(bytes, 12, bytes.length)
  // An extended header has a size, but the image itself must follow.
  const least = first === 'VP8X' ? 2 : first === 'VP8 ' || first === 'VP8L' ? 1 : Infinity
  return sizes !== null && sizes.length >= least ? sizes : null
}

const nameAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)

const PICTURE_FORMATS: readonly PictureFormat[] = [
  { extension: 'png', mediaType: 'image/png', sizesIn: pngSizes },
  { extension: 'jpg', mediaType: 'image/jpeg', sizesIn: jpegSizes },
  { extension: 'gif', mediaType: 'image/gif', sizesIn: gifSizes },
  { extension: 'webp', mediaType: 'image/webp', sizesIn: webpSizes },
]

/** The format of a file that is exactly one picture, with whether it is small enough to draw; null for other files. */
export function readPictureFormat(
  bytes: Buffer,
): Readonly<{ format: PictureFormat; fits: boolean; width: number }> | null {
  for (const format of PICTURE_FORMATS) {
    const sizes = format.sizesIn(bytes)
    if (sizes === null) continue
    const edges = sizes.flatMap(({ width, height }) => [width, height])
    const fits = edges.every((edge) => edge >= 1 && edge <= MAX_EDGE_PX)
    return { format, fits, width: sizes.reduce((most, { width }) => Math.max(most, width), 0) }
  }
  return null
}
