/**
 * Decodes html: by its byte order mark, else by its content, else by its declaration. Content comes before the
 * declaration, because programs declare windows-1252 and write UTF-8. Other encodings are almost never valid UTF-8 by
 * chance, unless the text is very short.
 */

/** How many bytes are searched for a declaration: as many as in browsers, plus room for Word's text before it. */
const DECLARED_WITHIN_BYTES = 4_096
const DECLARATION = /<meta\b[^>]{0,1000}?charset\s*=\s*(?:["']\s*)?([\w:.+-]{1,40})/i
const XML_DECLARATION = /^\s*<\?xml\b[^>]{0,1000}?encoding\s*=\s*["']([\w:.+-]{1,40})/i

const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

// Without `stream`, Node 20 decodes Windows-1252 as Latin-1.
const decoded = (bytes: Uint8Array, encoding: string): string => {
  const decoder = new TextDecoder(encoding)
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

/** Decodes bytes in the named encoding; null for an unknown name. */
export function decodeWithEncoding(bytes: Uint8Array, encoding: string): string | null {
  try {
    return decoded(bytes, encoding)
  } catch {
    return null
  }
}

/** Decodes UTF-8; null if the bytes are not valid UTF-8. */
function strictUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)

/** Detects UTF-16 without a byte order mark: every other byte of markup is zero. */
function zerosOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const start = bytes.subarray(0, DECLARED_WITHIN_BYTES)
  const zerosAt = (rest: number) => start.filter((byte, index) => byte === 0 && index % 2 === rest).length
  const [even, odd] = [zerosAt(0), zerosAt(1)]
  if (start.length < 4 || Math.max(even, odd) < start.length / 4) return null
  return even === 0 ? 'utf-16le' : odd === 0 ? 'utf-16be' : null
}

/** The names of multi-byte encodings, whose text can be valid UTF-8 by chance. */
const OF_SEVERAL_BYTES =
  /^(?:gb|big5|shift|sjis|ms_?kanji|x-sjis|euc|ks_c|korean|windows-(?:31j|949)|x-gbk|chinese)/i
/** A character that takes three or four bytes in UTF-8. */
const BEYOND_TWO_BYTES = /[\u0800-\uffff]/
const REPLACED = /\uFFFD/g
const NO_LETTER = /[\uFFFD\x80-\x9f]/

/** Decoded text. `isUnclear`: no encoding fits the content well, or several do, so letters may be wrong. */
export type DecodedHtml = Readonly<{ text: string; isUnclear: boolean }>

/**
 * Decodes html, and reports whether the encoding is unclear.
 *
 * @param declared the encoding from elsewhere, such as a mail header; used if the html declares none
 * @param given the encoding that the user chose; used if the content is unclear
 */
export function readHtmlText(
  bytes: Uint8Array,
  declared: string | null = null,
  given: string | null = null,
): DecodedHtml {
  const read = readAlone(bytes, declared)
  const asGiven = read.isUnclear && given !== null ? decodeWithEncoding(bytes, given) : null
  return asGiven === null ? read : { text: asGiven, isUnclear: false }
}

function readAlone(bytes: Uint8Array, declared: string | null): DecodedHtml {
  const clear = (text: string) => ({ text, isUnclear: false })
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked !== undefined) return clear(decoded(bytes.subarray(marked[0].length), marked[1]))
  const wide = zerosOf(bytes)
  if (wide !== null) return clear(decoded(bytes, wide))
  const start = decoded(bytes.subarray(0, DECLARED_WITHIN_BYTES), 'windows-1252')
  const named = (DECLARATION.exec(start) ?? XML_DECLARATION.exec(start))?.[1] ?? declared
  // A declaration of UTF-16 was found byte by byte, so it is wrong. UTF-8 is tried below in any case.
  const label = named === null || /^(?:utf-?(?:8|16)|unicode)/i.test(named) ? null : named
  const byLabel = label === null ? null : decodeWithEncoding(bytes, label)
  const utf8 = strictUtf8(bytes)
  if (isAscii(bytes)) return clear(byLabel ?? utf8 ?? '')
  if (utf8 !== null) {
    const isByChance = byLabel !== null && OF_SEVERAL_BYTES.test(label ?? '') && !BEYOND_TWO_BYTES.test(utf8)
    return isByChance ? { text: byLabel, isUnclear: true } : clear(utf8)
  }
  if (byLabel !== null) return { text: byLabel, isUnclear: NO_LETTER.test(byLabel) }
  const lossy = decoded(bytes, 'utf-8')
  const broken = lossy.match(REPLACED)?.length ?? 0
  // A UTF-8 text that was cut or patched has a few wrong bytes.
  const isMostlyUtf8 = lossy.replace(REPLACED, '').replace(/\p{ASCII}/gu, '').length > broken
  return { text: isMostlyUtf8 ? lossy : decoded(bytes, 'windows-1252'), isUnclear: true }
}

/** Decodes html to text; `given` is the encoding that the user chose for unclear content. */
export const decodeHtml = (bytes: Uint8Array, given: string | null = null): string =>
  readHtmlText(bytes, null, given).text

/** The byte of each Windows-1252 or Latin-1 character above ASCII. */
const BYTE_OF: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 0x80 }, (_, index) => 0x80 + index).flatMap((byte) => [
    [String.fromCharCode(byte), byte] as const,
    [decoded(Uint8Array.of(byte), 'windows-1252'), byte] as const,
  ]),
)

/** Repairs UTF-8 text that was decoded as Windows-1252. Other text stays unchanged. */
export function repairMojibake(text: string): string {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code < 0x80 ? code : BYTE_OF.get(text.charAt(at))
    if (byte === undefined) return text
    bytes[at] = byte
  }
  return isAscii(bytes) ? text : (strictUtf8(bytes) ?? text)
}
