/** The names of files as other programs write and read them: in other encodings, Unicode forms and cases. */

/** What the bytes from 128 on are in the code page of DOS, in which archives of Windows write names. */
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const ASCII = 0x80

/** The bytes of a text as its character codes; null when one is no byte. */
const asBytes = (text: string, codeOf: (char: string) => number): readonly number[] | null => {
  const bytes = Array.from(text, (char) => (char.charCodeAt(0) < ASCII ? char.charCodeAt(0) : codeOf(char)))
  return bytes.every((byte) => byte >= 0 && byte <= 0xff) ? bytes : null
}

/** The bytes as text in UTF-8; null when they are none. */
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

/** Where Latin-1 has no letters, and the code page of DOS has most. */
const NO_LETTER = /[\x80-\x9f]/

/** A name of an archive that was read as Latin-1: its bytes may be UTF-8, or of the code page of DOS. */
export function archivedName(name: string): string {
  const bytes = ofLatin1(name)
  const read = inUtf8(bytes) ?? (bytes !== null && NO_LETTER.test(name) ? inCodePage437(bytes) : name)
  return read.normalize('NFC')
}

const LONGEST = 1_000

/**
 * What a path may be, in one Unicode form and in small letters: as it is, and as it was before a program read its bytes
 * in another encoding. The likeliest comes first.
 */
export function readingsOf(path: string): readonly string[] {
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
