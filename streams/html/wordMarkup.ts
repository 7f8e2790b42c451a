import {
  type Attribute,
  decodeReferences,
  escapeText,
  firstAttributes,
  nameSet,
  type OpenTag,
  tokensOf,
} from './tokens.ts'
import { ALLOWED_ATTRIBUTES, cleanAttributeValue, ALLOWED_TAGS } from './markup.ts'
import { type WritePicture, cleanStyleSheet } from './styles.ts'

// Classic Outlook renders with Word, which reads conditional comments and VML. Signatures use them for fixed widths,
// round buttons and background pictures. A browser's parser sees such a comment as one string, so this module parses
// the comment's markup once, tag by tag, and rewrites it.

const WORD_TAGS = new Set([
  ...ALLOWED_TAGS,
  ...nameSet(
    'o:allowpng o:lock o:officedocumentsettings o:p o:pixelsperinch v:background v:fill v:f v:formulas v:group ' +
      'v:image v:imagedata v:line v:oval v:path v:rect v:roundrect v:shape v:shapetype v:stroke v:textbox ' +
      'w:anchorlock w:wrap xml',
  ),
])

const WORD_ATTRIBUTES = new Set([
  ...ALLOWED_ATTRIBUTES,
  ...nameSet(
    'adj angle arcsize aspect aspectratio color2 coordorigin coordsize eqn fill fillcolor fillok filled focus from ' +
      'inset joinstyle o:spt opacity origin path position stroke strokecolor stroked strokeweight to v:ext ' +
      'v:text-anchor xmlns:o xmlns:v xmlns:w',
  ),
])

/** Attributes whose decoded values are checked. */
export const DECODED_ATTRIBUTES = nameSet('background cite href src style')

/** Elements that are removed with their content, because the content is not text of the signature. */
const WITHOUT_CONTENT = nameSet('applet math noscript object plaintext select svg template')

/** The maximum number of comments for Word. Further comments are left out. */
export const MAX_COMMENTS = 300

/** The maximum length of a comment, before and after cleaning. Longer comments do not fit into a signature. */
const MAX_COMMENT_CHARACTERS = 30_000
const MAX_CONDITION_CHARACTERS = 60

/** A character reference that `decodeReferences` leaves unchanged, although a browser may decode it. */
export const UNDECODED_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});)(?:#|\w+;)/i

/**
 * Encodes a text so that it cannot end its attribute, its tag or the surrounding comment. Keeps character references.
 */
export const encodeForComment = (text: string): string =>
  text.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The safe form of an attribute with the space before it; empty for an empty value, or if it is not allowed. */
function writeAttribute({ name, value }: Attribute, writePicture: WritePicture): string {
  if (!WORD_ATTRIBUTES.has(name)) return ''
  const isDecoded = DECODED_ATTRIBUTES.has(name)
  if (isDecoded && UNDECODED_REFERENCE.test(value)) return ''
  const clean = cleanAttributeValue(name, isDecoded ? decodeReferences(value) : value, writePicture)
  if (clean === null || clean === '') return ''
  return ` ${name}="${isDecoded ? escapeText(clean) : encodeForComment(clean)}"`
}

function writeTag(markup: string, tag: OpenTag, writePicture: WritePicture): string {
  const written = firstAttributes(tag).map((attribute) => writeAttribute(attribute, writePicture))
  return `<${tag.name}${written.join('')}${markup[tag.end - 2] === '/' ? ' /' : ''}>`
}

/** Whether an element in `xml` is a setting of Word's editor, such as `w:view`. Its text is never shown. */
const isSetting = (name: string): boolean => name.includes(':') && !WORD_TAGS.has(name)

/** Removes tags and attributes that are not allowed, and settings of Word's editor. All other text stays. */
function cleanMarkup(markup: string, writePicture: WritePicture): string {
  let clean = ''
  /** The element and the editor setting that are being removed with their content. */
  let leftOut: string | null = null
  let setting: string | null = null
  let isInData = false
  for (const token of tokensOf(markup)) {
    const isData = 'name' in token && token.name === 'xml'
    if (isData) setting = null
    if (leftOut !== null) {
      if (token.kind === 'close' && token.name === leftOut) leftOut = null
    } else if (setting !== null) {
      if (token.kind === 'close' && token.name === setting) setting = null
    } else if (isInData && token.kind === 'open' && isSetting(token.name)) {
      if (markup[token.end - 2] !== '/') setting = token.name
    } else if (token.kind === 'text') {
      // Brackets that open no tag are left out, because another parser could read them as tags.
      clean += encodeForComment(markup.slice(token.start, token.end).replaceAll('<', ''))
    } else if (token.kind === 'raw') {
      const sheet =
        token.name === 'style' ? cleanStyleSheet(markup.slice(token.start, token.end), writePicture) : ''
      if (sheet !== '') clean += `<style>${sheet}</style>`
    } else if (token.kind === 'open' && WITHOUT_CONTENT.has(token.name)) leftOut = token.name
    else if (token.kind !== 'comment' && WORD_TAGS.has(token.name) && token.name !== 'style')
      clean += token.kind === 'close' ? `</${token.name}>` : writeTag(markup, token, writePicture)
    if (isData && leftOut === null) isInData = token.kind === 'open'
  }
  return clean
}

/** Whether markup contains only blanks and empty `<xml>` elements. */
const isNothing = (markup: string): boolean => markup.replace(/<\/?xml\b[^>]*>/g, '').trim() === ''

/** Parses `[if …]>` at the start of a comment into the condition and the rest; null without a condition. */
function readCondition(text: string): Readonly<{ condition: string; rest: string }> | null {
  const end = text.slice(0, MAX_CONDITION_CHARACTERS + 10).indexOf(']>')
  if (end < 0 || !/^\[if\s/i.test(text)) return null
  const condition = text.slice(3, end).trim()
  return /^[\w\s!&|().]+$/.test(condition) && condition.length <= MAX_CONDITION_CHARACTERS
    ? { condition, rest: text.slice(end + 2) }
    : null
}

const MARKUP_START = /^\[if\s[^\]]{0,80}\]>/i
const MARKUP_END = /<!\[endif\]$/i

/**
 * The bounds of the markup in a conditional comment, whose text is without `<!--` and `-->`; null for other comments.
 */
export function wordMarkupBounds(comment: string): Readonly<{ from: number; to: number }> | null {
  const start = MARKUP_START.exec(comment)
  const end = MARKUP_END.exec(comment)
  return start === null || end === null ? null : { from: start[0].length, to: end.index }
}

/** The end of a conditional comment. */
const END = '<![endif]'

/** Text that would end the comment, or begin another comment inside it. */
const BREAKS_OUT = /--!?>|<!--/

/**
 * The clean content of a comment for Word, without `<!--` and `-->`. It is a condition about Word with its markup,
 * which only Word reads: `[if mso]>…<![endif]`. Or it is a mark around content that Word skips: `[if !mso]><!` or
 * `<![endif]`. Null for every other comment, and for a comment without anything for Word to show. Adopting a foreign
 * signature also uses this function.
 */
export function cleanComment(comment: string, writePicture: WritePicture): string | null {
  if (comment.length > MAX_COMMENT_CHARACTERS) return null
  const text = comment.trim()
  if (text.toLowerCase() === END) return END
  const found = readCondition(text)
  if (!found) return null
  const { condition, rest } = found
  const inner = rest.trim()
  // `<!--[if !mso]>-->` also reveals its content: browsers show the markup that follows.
  if (inner === '<!' || inner === '<!--' || (inner === '' && condition.startsWith('!')))
    return `[if ${condition}]><!`
  if (!/\bmso\b/i.test(condition) || !rest.toLowerCase().endsWith(END)) return null
  const markup = cleanMarkup(rest.slice(0, -END.length), writePicture)
  if (isNothing(markup)) return null
  const clean = `[if ${condition}]>${markup}${END}`
  return clean.length > MAX_COMMENT_CHARACTERS || BREAKS_OUT.test(clean) ? null : clean
}
