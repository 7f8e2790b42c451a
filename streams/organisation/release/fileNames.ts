/** Normalises file names from other programs, which use other encodings, Unicode forms and cases. */

/** The characters for the bytes from 128 in the DOS code page, which Windows uses for names in archives. */
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const ASCII = 0x80

/** Converts a text to bytes, with `failureCodeOf` for characters beyond ASCII; null when a code exceeds a byte. */
const asBytes = (text: string, codeOf: (char: string) => number): readonly number[] | null => {
  const bytes = Array.from(text, (char) => (char.charCodeAt(0) < ASCII ? char.charCodeAt(0) : codeOf(char)))
  return bytes.every((byte) => byte >= 0 && byte <= 0xff) ? bytes : null
}

/** Decodes bytes as UTF-8; null when they are invalid. */
function inUtf8(bytes: readonly number[] | null): string | null {
  if (bytes === null) return null
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  } catch {
    return null
  }
}

const inCodePage437 = (bytes: readonly number[]): string =>
  bytes
    .map((byte) => (byte < ASCII ? String.fromCharCode(byte) : CODE_PAGE_437.charAt(byte - ASCII)))
    .join('')

const ofLatin1 = (name: string) => asBytes(name, (char) => char.charCodeAt(0))

/** Codes of control characters in Latin-1. In the DOS code page, most are letters. */
const NO_LETTER = /[\x80-\x9f]/

/** Decodes a file name in an archive that was read as Latin-1. Its bytes may be UTF-8 or in the DOS code page. */
export function decodeArchiveName(name: string): string {
  const bytes = ofLatin1(name)
  const read = inUtf8(bytes) ?? (bytes !== null && NO_LETTER.test(name) ? inCodePage437(bytes) : name)
  return read.normalize('NFC')
}

const LONGEST = 1_000

/**
 * Lists the possible spellings of a path, likeliest first, because a program may have decoded it with the wrong
 * encoding. All are in one Unicode form and in lower case.
 */
export function pathSpellings(path: string): readonly string[] {
  const readings = [path]
  if (/\P{ASCII}/u.test(path) && path.length <= LONGEST) {
    const latin = ofLatin1(path)
    const dos = asBytes(path, (char) => {
      const at = CODE_PAGE_437.indexOf(char)
      return at < 0 ? -1 : at + ASCII
    })
    for (const reading of [inUtf8(latin), inUtf8(dos), latin && inCodePage437(latin)])
      if (reading !== null) readings.push(reading)
  }
  return readings.map((reading) => reading.normalize('NFC').toLowerCase())
}
