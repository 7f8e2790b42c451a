// Makes hidden characters in values visible, and allows only harmless addresses as links.

/**
 * Invisible characters, including those that reverse the text's direction. Joiners and emoji variants are excluded,
 * because texts need them.
 */
const INVISIBLE =
  /(?![\t\n\r\u200c]|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu

const markOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/**
 * The text to show for a value. An invisible character becomes a mark with its number (`[U+202E]`). Markup and
 * addresses that run code are shown as plain text.
 */
export const toShownText = (value: string): string => value.replace(INVISIBLE, markOf)

/** The value for a shown text that the user edited. A mark becomes its character again if `value` contains it. */
export function fromShownText(shown: string, value: string): string {
  const characters = new Map(Array.from(value.matchAll(INVISIBLE), ([each]) => [markOf(each), each]))
  return shown.replace(/\[U\+[\dA-F]{4,6}\]/g, (mark) => characters.get(mark) ?? mark)
}

const ALLOWED_SCHEME = /^(?:https?|mailto|tel|ftp):/i
/** The picture types that browsers draw. An address `data:image/…` of another type is not a link. */
const PICTURE_KINDS: readonly string[] = [
  ...['png', 'apng', 'jpeg', 'jpg', 'gif', 'webp', 'avif', 'bmp'],
  ...['svg+xml', 'x-icon', 'vnd.microsoft.icon'],
]
const DATA_IMAGE = /^data:image\/([a-z\d.+-]+)[;,]/i

/**
 * A value as the address of a link; null when the address is not allowed. Allowed are http, https, mailto, tel, ftp,
 * `data:image` of the `PICTURE_KINDS`, relative addresses, with or without a slash, and anchors (specification, section
 * 5). A text with a blank is not a relative address.
 */
export function linkAddressOf(value: string): string | null {
  const address = value
    .replace(INVISIBLE, '')
    .replace(/[\t\n\r]/g, '')
    .trim()
  if (address === '') return null
  const kind = DATA_IMAGE.exec(address)?.[1]?.toLowerCase()
  if (ALLOWED_SCHEME.test(address) || (kind !== undefined && PICTURE_KINDS.includes(kind))) return address
  // A relative address has no scheme before the first slash, question mark or hash, and no host after two slashes.
  const isRelative = !/^[^/?#]*:/.test(address) && !/^[\\/]{2}/.test(address) && !address.includes('\\')
  return isRelative && !/\s/.test(address) ? address : null
}
