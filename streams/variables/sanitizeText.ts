// Sanitises the values of users and directories: text without markup, and harmless links.

/** Control characters, and those that reverse the text direction; joiners stay, because scripts and emoji need them. */
const INVISIBLE = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** The pattern of a scheme that runs code or reads local files, also with blanks between its letters. */
const spaced = (scheme: string): string => Array.from(scheme).join('\\s*')
const HARMFUL = new RegExp(
  `(?:${['javascript', 'vbscript', 'livescript', 'file', 'filesystem', 'blob', 'view-source'].map(spaced).join('|')}|${spaced('data')}(?!\\s*:\\s*image\\/))\\s*:`,
  'gi',
)

/** Removes matches until none is left: a removal can create another match. */
function strip(text: string, pattern: RegExp): string {
  const stripped = text.replace(pattern, '')
  return stripped === text ? text : strip(stripped, pattern)
}

/** A value as text: without markup, invisible characters, and addresses that run code (specification, section 5). */
export function toShown(value: string): string {
  const shown = strip(strip(value.replace(INVISIBLE, ''), /<[^<>]*>/g), HARMFUL)
  // A removal can create another match.
  return shown === value ? value : toShown(shown)
}

const ALLOWED_SCHEME = /^(?:https?|mailto|tel|ftp):/i
const ALLOWED_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|svg\+xml|bmp|x-icon)[;,]/i

/**
 * A value as the address of a link; null when it is not allowed. Allowed are http, https, mailto, tel, ftp, data:image,
 * relative addresses and anchors (specification, section 5).
 */
export function toLink(value: string): string | null {
  const address = value
    .replace(INVISIBLE, '')
    .replace(/[\t\n\r]/g, '')
    .trim()
  if (address === '') return null
  if (ALLOWED_SCHEME.test(address) || ALLOWED_IMAGE.test(address)) return address
  // No scheme before the first slash, question mark or hash, and no other host after two slashes.
  const isRelative = !/^[^/?#]*:/.test(address) && !/^[\\/]{2}/.test(address) && !address.includes('\\')
  return isRelative && !/\s/.test(address) && /^(?:[/?#]|\.{1,2}\/|[^/?#]+[/?#])/.test(address)
    ? address
    : null
}
