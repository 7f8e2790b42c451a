/**
 * Draws QR codes as pictures and names them. The name contains the code's entire text, compressed. So codes are never
 * stored: any program can draw a code from its name.
 */
import { deflateSync, inflateSync, strFromU8, strToU8, zlibSync } from 'fflate'
import { encode } from 'uqr'

/** The limit of bytes in a text, so that phones can still scan the code. */
const MAX_OCTETS = 1_200
/** The white margin that scanners expect, in modules. */
const QUIET = 4
/** The minimum size of a code in pixels, so that it stays sharp when scaled down. */
const LEAST_PX = 400

/**
 * The compression dictionary: text that is common in contact cards and web addresses. Never change it, because names in
 * sent mails depend on it.
 */
const DICTIONARY = strToU8(
  'ADR;TYPE=WORK:;;ORG:TITLE:URL:TEL;TYPE=FAX:+TEL;TYPE=CELL:+EMAIL:TEL;TYPE=WORK:+https://www.' +
    '\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:',
)

/** The prefix of a code's name. The hashes that name other pictures never begin with it. */
const BEGIN = 'qr.'
/** The file name of every code. */
export const QR_CODE_FILE = 'qr.png'
const PATH = /^qr\.([\w-]{1,2000})(?:\.([\w-]{22}))?\/qr\.png$/

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(strFromU8(bytes, true)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const fromBase64Url = (text: string): Uint8Array =>
  strToU8(atob(text.replaceAll('-', '+').replaceAll('_', '/')), true)

/**
 * The path of the QR code for a text, relative to the base address of pictures; empty if the text is empty or too long.
 *
 * @param seal returns the seal of a packed text: 22 characters of base64url, or empty
 */
export function qrPath(text: string, seal: (packed: string) => string): string {
  const octets = strToU8(text)
  if (octets.length === 0 || octets.length > MAX_OCTETS) return ''
  const packed = toBase64Url(deflateSync(octets, { level: 9, dictionary: DICTIONARY }))
  const sealed = seal(packed)
  return `${BEGIN}${packed}${sealed === '' ? '' : `.${sealed}`}/${QR_CODE_FILE}`
}

/**
 * The text of the code at a path; null for any other path.
 *
 * @param isSealed checks the seal of a packed text; `seal` is empty for a code without a seal
 */
export function qrTextAt(
  path: string,
  isSealed: (packed: string, seal: string) => boolean = (_, seal) => seal === '',
): string | null {
  const [, packed, seal = ''] = PATH.exec(path) ?? []
  if (packed === undefined || !isSealed(packed, seal)) return null
  try {
    const room = new Uint8Array(MAX_OCTETS + 1)
    const octets = inflateSync(fromBase64Url(packed), { dictionary: DICTIONARY, out: room })
    return octets.length === 0 || octets.length > MAX_OCTETS ? null : strFromU8(octets)
  } catch {
    return null
  }
}

const CRC = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (CRC[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const number = (value: number): readonly number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)

function chunk(name: string, data: Uint8Array): readonly number[] {
  const named = Uint8Array.from([...strToU8(name), ...data])
  return [...number(data.length), ...named, ...number(crcOf(named))]
}

/** The QR code of a text as a black-and-white PNG. The same text always gives the same bytes. */
export function qrPicture(text: string): Uint8Array {
  const { data, size } = encode(Array.from(strToU8(text)), { ecc: 'M', border: QUIET, boostEcc: true })
  const scale = Math.ceil(LEAST_PX / size)
  const width = size * scale
  const rowBytes = Math.ceil(width / 8)
  const pixels = new Uint8Array((rowBytes + 1) * width).fill(0xff)
  for (let y = 0; y < width; y++) {
    const start = y * (rowBytes + 1)
    // Each row begins with its filter type, here none.
    pixels[start] = 0
    const row = data[Math.floor(y / scale)] ?? []
    for (let x = 0; x < width; x++)
      if (row[Math.floor(x / scale)] === true) {
        const at = start + 1 + (x >> 3)
        pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7))
      }
  }
  const [bitDepth, greyscale] = [1, 0]
  const header = [...number(width), ...number(width), bitDepth, greyscale, 0, 0, 0]
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', Uint8Array.from(header)),
    ...chunk('IDAT', zlibSync(pixels, { level: 9 })),
    ...chunk('IEND', new Uint8Array()),
  ])
}
