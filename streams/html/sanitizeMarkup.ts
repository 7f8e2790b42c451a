import { isWithinHtmlLimits } from './limits.ts'
import {
  ALLOWED_ATTRIBUTES,
  cleanAttributeValue,
  ATTRIBUTES_REMOVED_IN_PREVIEW,
  isAnchorName,
  pictureWriter,
  ALLOWED_TAGS,
  TAGS_REMOVED_WITH_CONTENT,
} from './markup.ts'
import { createNesting, type ElementContainer } from './nesting.ts'
import type { Sanitize } from './plan.ts'
import { cleanStyleSheet, type WritePicture } from './styles.ts'
import {
  type Attribute,
  decodeReferences,
  DOCUMENT_ELEMENTS,
  escapeText,
  firstAttributes,
  type OpenTag,
  type Token,
  tokensOf,
  VOID_ELEMENTS,
} from './tokens.ts'
import {
  cleanComment,
  DECODED_ATTRIBUTES,
  encodeForComment,
  MAX_COMMENTS,
  UNDECODED_REFERENCE,
} from './wordMarkup.ts'

/** Text that looks to DOMPurify like an attempt to leave an attribute. */
const BREAKS_OUT = /(?:--!?|[\]/])>|<\/(?:iframe|no(?:embed|frames|script)|script|style|textarea|title|xmp)/i

/**
 * A character reference that only browsers decode. Together with a `BRACKET`, it may let a value leave its attribute.
 */
const UNKNOWN = /&(?!(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});)[#\w]/i
const BRACKET = /[<>]|&[lg]t|&#/i

/** An encoded bracket that would begin markup if the text were decoded and parsed again. */
const OPENS_MARKUP = /&(?:lt|#0*60|#x0*3c);?(?:[\w/!&]|$)/i

/**
 * Encodes the brackets of a text, and decodes numeric references of letters, because Word writes non-Latin letters that
 * way.
 */
const encodeText = (text: string): string =>
  text
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/&#\w+;/g, (reference) => {
      const character = decodeReferences(reference)
      return character > '\x9f' ? character : reference
    })

type Options = Readonly<{
  writePicture: WritePicture
  profile: 'preview' | 'insert'
  /** The targets of the signature's links. Only these ids are kept. */
  anchors: ReadonlySet<string>
}>

/** The html, the ids that its links target, and the ids of its elements. */
type Written = Readonly<{ html: string; targets: ReadonlySet<string>; ids: ReadonlySet<string> }>

/** The safe form of an attribute's value; null if the value is not allowed. */
function writeValue({ name, value }: Attribute, writePicture: WritePicture): string | null {
  if (DECODED_ATTRIBUTES.has(name)) {
    const clean = UNDECODED_REFERENCE.test(value)
      ? null
      : cleanAttributeValue(name, decodeReferences(value), writePicture)
    return clean === null || BREAKS_OUT.test(clean) ? null : escapeText(clean)
  }
  const clean = cleanAttributeValue(name, value.trim(), writePicture)
  if (clean === null || BREAKS_OUT.test(decodeReferences(clean))) return null
  return UNKNOWN.test(clean) && BRACKET.test(clean) ? null : encodeForComment(clean)
}

function rewrite(html: string, { writePicture, profile, anchors }: Options): Written {
  const parts: string[] = []
  const targets = new Set<string>()
  const ids = new Set<string>()
  const nesting = createNesting((markup) => {
    if (markup !== '') parts.push(markup)
  })
  let comments = 0
  let isInStyle = false
  /** The element being removed with its content. `depth` counts the open elements with its name. */
  let leftOut: { readonly name: string; depth: number } | null = null
  /** The comments directly inside each element, as indices in `parts`. */
  const commentsIn = new Map<ElementContainer, number[]>()
  /** Elements with text that looks like markup. */
  const suspicious = new Set<ElementContainer>()

  const writeAttribute = (tag: string, attribute: Attribute): string => {
    const { name, value } = attribute
    if (name === 'id' || (name === 'name' && tag === 'a')) {
      if (!isAnchorName(value)) return ''
      ids.add(value)
      return anchors.has(value) ? ` ${name}="${value}"` : ''
    }
    if (!ALLOWED_ATTRIBUTES.has(name) || (profile === 'preview' && ATTRIBUTES_REMOVED_IN_PREVIEW.has(name)))
      return ''
    const clean = writeValue(attribute, writePicture)
    if (clean === null) return ''
    if (tag === 'a' && name === 'href' && clean.startsWith('#')) targets.add(clean.slice(1))
    return ` ${name}="${clean}"`
  }

  const writeTag = (tag: OpenTag): string => {
    const { name } = tag
    if (!ALLOWED_TAGS.has(name)) return ''
    return `<${name}${firstAttributes(tag)
      .map((each) => writeAttribute(name, each))
      .join('')}>`
  }

  const writeText = (given: string) => {
    const isFirstInPre = /^<pre[ >]/.test(parts[parts.length - 1] ?? '')
    const text = encodeText(given.replace(/\0/g, '').replace(isFirstInPre ? /^[\r\n]+/ : '', ''))
    if (text === '') return
    nesting.text(!/[^\t\n\f\r ]/.test(text))
    if (OPENS_MARKUP.test(text)) suspicious.add(nesting.place())
    parts.push(text)
  }

  const writeComment = (written: string) => {
    if (profile === 'preview' || comments === MAX_COMMENTS || !written.startsWith('<!--')) return
    const clean = cleanComment(written.slice(4).replace(/--!?>$/, ''), writePicture)
    if (clean === null) return
    comments++
    const place = nesting.place()
    const known = commentsIn.get(place)
    if (known) known.push(parts.length)
    else commentsIn.set(place, [parts.length])
    parts.push(`<!--${clean}-->`)
  }

  const begin = (tag: OpenTag) => {
    const { name, end } = tag
    if (DOCUMENT_ELEMENTS.has(name)) return
    if (VOID_ELEMENTS.has(name)) {
      if (ALLOWED_TAGS.has(name)) nesting.empty(name, writeTag(tag))
    } else if (TAGS_REMOVED_WITH_CONTENT.has(name)) {
      const isWhole = html[end - 2] === '/' && (name === 'svg' || name === 'math')
      if (!isWhole) leftOut = { name, depth: 1 }
    } else if (name === 'style') {
      nesting.empty(name, writeTag(tag))
      isInStyle = true
    } else nesting.open(name, writeTag(tag))
  }

  const close = (name: string) => {
    if (name === 'br') nesting.empty('br', '<br>')
    else if (name !== 'style') nesting.close(name)
    else if (isInStyle) {
      parts.push('</style>')
      isInStyle = false
    }
  }

  const handle = (token: Token) => {
    if (leftOut) {
      if ((token.kind === 'open' || token.kind === 'close') && token.name === leftOut.name)
        leftOut.depth += token.kind === 'open' ? 1 : -1
      if (leftOut.depth === 0) leftOut = null
    } else if (token.kind === 'open') begin(token)
    else if (token.kind === 'close') close(token.name)
    else if (token.kind === 'text') writeText(html.slice(token.start, token.end))
    else if (token.kind === 'comment') writeComment(html.slice(token.start, token.end))
    else if (isInStyle) parts.push(cleanStyleSheet(html.slice(token.start, token.end), writePicture))
  }

  for (const token of tokensOf(html)) handle(token)
  close('style')
  nesting.end()
  // DOMPurify would mistake these comments for an attack, because their parent has text like markup, but no elements.
  for (const [place, indices] of commentsIn)
    if (suspicious.has(place) && !place.hasElements) for (const index of indices) parts[index] = ''
  return { html: parts.join(''), targets, ids }
}

/**
 * A sanitiser that works without a document: it reads html tag by tag, and writes only the allowed parts. The pane's
 * sanitiser (src/engine/adapters/sanitizer.ts) has the same lists, and the same code for addresses, styles and
 * comments. So the pane's sanitiser finds nothing to remove in the result (tests/browser/sanitizer.browser.test.ts).
 *
 * | Token | Is written as |
 * |---|---|
 * | opening tag, allowed | itself, with allowed attributes in double quotes; `nesting.ts` closes the elements it ends |
 * | opening tag, other | nothing; the content stays |
 * | opening tag of `TAGS_REMOVED_WITH_CONTENT` | nothing; everything up to its closing tag is left out |
 * | closing tag | the tags that close its element; nothing without an open element with this name |
 * | content of `style` | the clean style sheet; other content without markup: nothing |
 * | comment | itself, cleaned, if Word reads it; otherwise nothing |
 * | text | itself, with brackets as character references |
 *
 * An attribute is left out if its meaning depends on an unknown character reference, or if another parser could find
 * its end inside the value. An id stays only if it has a digit or a hyphen, because any other id could be the name of a
 * document property, and without a document these names are unknown.
 */
export const sanitizeMarkup: Sanitize = (html, profile, replacePicture) => {
  if (!isWithinHtmlLimits(html)) return ''
  const writePicture = pictureWriter(replacePicture)
  const written = rewrite(html, { writePicture, profile, anchors: new Set() })
  // The ids are written in a second pass, because a link may come after its target.
  const anchors = new Set(Array.from(written.ids).filter((id) => written.targets.has(id)))
  return anchors.size === 0 ? written.html : rewrite(html, { writePicture, profile, anchors }).html
}
