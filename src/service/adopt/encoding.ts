/** Decodes html as browsers do: by its byte order mark, else by its declaration. */

/** How far browsers look for a declaration, and some more for what Word writes before it. */
const DECLARED_WITHIN_BYTES = 4_096
const DECLARATION = /<meta\b[^>]{0,1000}?charset\s*=\s*(?:["']\s*)?([\w:.+-]{1,40})/i
const XML_DECLARATION = /^\s*<\?xml\b[^>]{0,1000}?encoding\s*=\s*["']([\w:.+-]{1,40})/i

const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

// With `stream` Node 20 reads Windows-1252; without `stream` it reads Latin-1.
const decoded = (bytes: Uint8Array, encoding: string): string => {
  const decoder = new TextDecoder(encoding)
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

/** The text in an encoding; null for a name that is none. */
export function decodeAs(bytes: Uint8Array, encoding: string): string | null {
  try {
    return decoded(bytes, encoding)
  } catch {
    return null
  }
}

/**
 * @param declared the encoding that stands elsewhere, as in the header of a mail; it counts when the html declares none
 */
export function decodeHtml(bytes: Uint8Array, declared: string | null = null): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked !== undefined) return decoded(bytes.subarray(marked[0].length), marked[1])
  const start = decoded(bytes.subarray(0, DECLARED_WITHIN_BYTES), 'windows-1252')
  const named = (DECLARATION.exec(start) ?? XML_DECLARATION.exec(start))?.[1] ?? declared
  // Bytes in which a declaration can be read are not UTF-16.
  const label = named !== null && /^utf-?16/i.test(named) ? 'utf-8' : named
  const text = label === null ? null : decodeAs(bytes, label)
  if (text !== null) return text
  const utf8 = decoded(bytes, 'utf-8')
  return utf8.includes('\uFFFD') ? decoded(bytes, 'windows-1252') : utf8
}
