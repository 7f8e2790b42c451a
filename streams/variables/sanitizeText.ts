// What a person typed, or a directory said, as it is shown: text, never markup, and links that lead somewhere harmless.

/** Control characters, and those that turn the direction of text around; joiners belong to scripts and emoji. */
const INVISIBLE = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** An address that runs, or reads the machine, wherever it is followed. Blanks between its letters change nothing. */
const spaced = (scheme: string): string => Array.from(scheme).join('\\s*')
const HARMFUL = new RegExp(
  `(?:${['javascript', 'vbscript', 'livescript', 'file', 'filesystem', 'blob', 'view-source'].map(spaced).join('|')}|${spaced('data')}(?!\\s*:\\s*image\\/))\\s*:`,
  'gi',
)

/** Takes out what matches until nothing does: what is left of one match may make another. */
function strip(text: string, pattern: RegExp): string {
  const stripped = text.replace(pattern, '')
  return stripped === text ? text : strip(stripped, pattern)
}

/** A value as text: without markup, invisible characters, and addresses that run something (specification, section 5). */
export function toShown(value: string): string {
  const shown = strip(strip(value.replace(INVISIBLE, ''), /<[^<>]*>/g), HARMFUL)
  // Taking one thing out may have made another.
  return shown === value ? value : toShown(shown)
}

const ALLOWED_SCHEME = /^(?:https?|mailto|tel|ftp):/i
const ALLOWED_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|svg\+xml|bmp|x-icon)[;,]/i

/**
 * A value as the address of a link; null when it is none that may be followed. Allowed are http, https, mailto, tel,
 * ftp, data:image, relative addresses and anchors (specification, section 5).
 */
export function toLink(value: string): string | null {
  const address = value
    .replace(INVISIBLE, '')
    .replace(/[\t\n\r]/g, '')
    .trim()
  if (address === '') return null
  if (ALLOWED_SCHEME.test(address) || ALLOWED_IMAGE.test(address)) return address
  // No scheme before the first slash, question mark or hash; and not another host by two slashes.
  const isRelative = !/^[^/?#]*:/.test(address) && !/^[\\/]{2}/.test(address) && !address.includes('\\')
  return isRelative && !/\s/.test(address) && /^(?:[/?#]|\.{1,2}\/|[^/?#]+[/?#])/.test(address)
    ? address
    : null
}
