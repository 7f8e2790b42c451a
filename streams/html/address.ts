// Checks addresses in foreign HTML and CSS as a browser reads them, and writes each address as it was checked.

const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0)

/** All Unicode blanks and invisible marks. */
const BLANK = /[\s\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\ufeff]/

/** The address as browsers read it: without tabs and line breaks, and without controls and spaces at its ends. */
function asRead(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && value.charCodeAt(start) <= 0x20) start++
  while (end > start && value.charCodeAt(end - 1) <= 0x20) end--
  return value.slice(start, end).replace(/[\t\n\r]/g, '')
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (isControl(text.charCodeAt(index))) return true
  return false
}

/** The scheme in lower case with its colon, and the rest; null without a scheme. */
function splitScheme(address: string): readonly [scheme: string, rest: string] | null {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(address)?.[0]
  return scheme === undefined ? null : [scheme.toLowerCase(), address.slice(scheme.length)]
}

/** Text with its percent escapes decoded; unchanged if one of them is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** How many times an address is decoded at most. Mail clients decode less often. */
const MAX_DECODINGS = 4

/** Whether the part after `mailto:` attaches a file. Also true if the part is encoded too many times to tell. */
function attaches(rest: string): boolean {
  let text = rest
  for (let times = 0; times < MAX_DECODINGS; times++) {
    if (/[?&;][\s+]*attach/i.test(text)) return true
    const decoded = text.replace(/%([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    )
    if (decoded === text) return false
    text = decoded
  }
  return true
}

/**
 * The safe form of a link's address; null if the address is not allowed. Allowed are http, https and ftp with a host,
 * mailto without attachments, tel, anchors, and addresses relative to the page. Backslashes are never allowed: a
 * browser reads them as slashes, but Windows may read the address of a file server.
 */
export function toLinkAddress(value: string): string | null {
  const address = asRead(value)
  if (address.includes('\\') || hasControl(address)) return null
  const [scheme, rest] = splitScheme(address) ?? ['', address]
  switch (scheme) {
    case 'http:':
    case 'https:':
    case 'ftp:':
      return /^\/\/[^/?#]/.test(rest) ? address : null
    case 'mailto:':
      return attaches(rest) ? null : address
    case 'tel:':
      return address
    case '':
      // Only relative addresses are allowed: a colon before the path could end a scheme, and two slashes would begin a
      // host.
      return /^(?:#|\/(?!\/)|[^\s/:?#]+(?:[/?#]|$))/.test(address) ? address : null
    default:
      return null
  }
}

/** Encodes the characters that could end an address in the surrounding text. */
const encodeDelimiters = (address: string): string =>
  address.replace(
    /[ "'`<>{}|^[\]]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

const DATA = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i

/** Whether a text is complete base64: not empty, with valid characters and padding. */
export const isBase64 = (text: string): boolean =>
  text !== '' && text.length % 4 === 0 && !/[^A-Za-z\d+/]/.test(text.replace(/={1,2}$/, ''))

/**
 * The safe form of a picture's address; null if the address is not allowed. Allowed are http and https with a host,
 * content ids, and raster pictures in base64. The result contains no quotes, blanks or control characters, and no
 * brackets except round ones.
 */
export function toPictureAddress(value: string): string | null {
  const address = asRead(value)
  const data = DATA.exec(address)?.[0]
  if (data !== undefined) {
    // Browsers skip blanks in base64. Line breaks in wrapped base64 can arrive here as spaces.
    const content = address.slice(data.length).replace(/ /g, '')
    return isBase64(content) ? data + content : null
  }
  const [scheme, rest] = splitScheme(address) ?? ['', '']
  if (address.includes('\\') || hasControl(address)) return null
  // A content id may not begin with a slash, because it contains no host.
  if (scheme === 'cid:')
    return /^(?!\/)[^"'`<>(){}|^[\]]+$/.test(rest) && !BLANK.test(rest) ? `cid:${rest}` : null
  if (scheme !== 'https:' && scheme !== 'http:') return null
  // The host and the port end where the path begins, and contain no encoded characters.
  if (!/^\/\/[^/?#@:%\s"'`<>{}|^[\]]+(?::\d{1,5})?(?:[/?#]|$)/.test(rest)) return null
  const encoded = scheme + encodeDelimiters(rest)
  return BLANK.test(encoded) ? null : encoded
}

/**
 * Whether the sanitiser keeps this image address unchanged. An image's content is found by its address, so an image
 * with a changed address could not be attached.
 */
export const keepsPictureAddress = (url: string): boolean =>
  /^https?:/.test(url) && toPictureAddress(url) === url
