// Splits HTML as the HTML standard's tokenizer does. It makes one pass, so the time grows with the length of the
// markup.

/** An attribute from `start` to `end`. Its `value` is the source text without quotes, and begins at `valueStart`. */
export type Attribute = Readonly<{
  name: string
  value: string
  valueStart: number
  start: number
  end: number
}>

export type OpenTag = Readonly<{
  kind: 'open'
  name: string
  attributes: readonly Attribute[]
  start: number
  end: number
}>

/**
 * A part of HTML with its bounds. `raw` is the content of an element that contains no markup, such as a style.
 * Declarations count as a `comment`, as do tags cut off by the end of the text, because browsers ignore both. Names are
 * in lower case.
 */
export type Token =
  | OpenTag
  | Readonly<{ kind: 'close'; name: string; start: number; end: number }>
  | Readonly<{ kind: 'raw'; name: string; start: number; end: number }>
  | Readonly<{ kind: 'comment'; start: number; end: number }>
  | Readonly<{ kind: 'text'; start: number; end: number }>

const LETTER = /[a-z]/i
const BLANKS = /[\t\n\f\r ]*/y
const BETWEEN_ATTRIBUTES = /[\t\n\f\r /]*/y
const TAG_NAME = /[^\t\n\f\r />]*/y
const ATTRIBUTE_NAME = /[^\t\n\f\r />=]*/y
const UNQUOTED_VALUE = /[^\t\n\f\r >]*/y

/** The end of the pattern's match at this offset. The pattern is sticky, and can match the empty text. */
function endOfMatch(pattern: RegExp, html: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(html)
  return pattern.lastIndex
}

/** The end of the first match from this offset on. Without a match, the end of the text. */
function endOfNext(pattern: RegExp, html: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(html) ? pattern.lastIndex : html.length
}

/** The attributes from this offset on, and the end of the tag; null if the text ends first. */
function attributesFrom(
  html: string,
  from: number,
): Readonly<{ attributes: readonly Attribute[]; end: number }> | null {
  const attributes: Attribute[] = []
  for (let at = endOfMatch(BETWEEN_ATTRIBUTES, html, from); at < html.length;) {
    if (html[at] === '>') return { attributes, end: at + 1 }
    const start = at
    // An equals sign at the start of an attribute belongs to its name.
    at = endOfMatch(ATTRIBUTE_NAME, html, at + 1)
    const name = html.slice(start, at).toLowerCase()
    let valueStart = at
    let valueEnd = at
    const sign = endOfMatch(BLANKS, html, at)
    if (html[sign] === '=') {
      valueStart = endOfMatch(BLANKS, html, sign + 1)
      const quote = html[valueStart]
      if (quote === '"' || quote === "'") {
        valueEnd = html.indexOf(quote, ++valueStart)
        if (valueEnd < 0) return null
        at = valueEnd + 1
      } else at = valueEnd = endOfMatch(UNQUOTED_VALUE, html, valueStart)
    }
    attributes.push({ name, value: html.slice(valueStart, valueEnd), valueStart, start, end: at })
    at = endOfMatch(BETWEEN_ATTRIBUTES, html, at)
  }
  return null
}

/** The end of the comment or declaration that opens at `start`. */
function endOfComment(html: string, start: number): number {
  if (!html.startsWith('<!--', start)) return endOfNext(/>/g, html, start)
  const content = start + 4
  const abrupt = endOfMatch(/(?:-?>)?/y, html, content)
  return abrupt > content ? abrupt : endOfNext(/--!?>/g, html, content)
}

/** The markup that begins at this `<`; null if the `<` is text. */
function markupAt(html: string, start: number): Exclude<Token, { kind: 'text' | 'raw' }> | null {
  const sign = html[start + 1] ?? ''
  const isClosing = sign === '/'
  const nameStart = start + (isClosing ? 2 : 1)
  if (LETTER.test(html[nameStart] ?? '')) {
    const nameEnd = endOfMatch(TAG_NAME, html, nameStart)
    const rest = attributesFrom(html, nameEnd)
    if (!rest) return { kind: 'comment', start, end: html.length }
    const name = html.slice(nameStart, nameEnd).toLowerCase()
    return isClosing
      ? { kind: 'close', name, start, end: rest.end }
      : { kind: 'open', name, attributes: rest.attributes, start, end: rest.end }
  }
  const isComment = sign === '!' || sign === '?' || (isClosing && nameStart < html.length)
  return isComment ? { kind: 'comment', start, end: endOfComment(html, start) } : null
}

/** Splits a list of names at its spaces. */
export const nameSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Elements whose content is not parsed as markup. */
export const RAW_ELEMENTS = nameSet('style title textarea script xmp iframe noembed noframes')

/** Patterns for the end of these elements' content. */
const RAW_END: ReadonlyMap<string, RegExp> = new Map(
  Array.from(RAW_ELEMENTS, (name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]),
)

/** Elements without content or a closing tag. */
export const VOID_ELEMENTS = nameSet(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr',
)

/** Elements that a document contains only once. */
export const DOCUMENT_ELEMENTS = nameSet('html head body')

/** The parts of HTML, in order and without gaps. */
export function* tokensOf(html: string): Generator<Token, void> {
  let textStart = 0
  for (let at = html.indexOf('<'); at >= 0;) {
    const markup = markupAt(html, at)
    if (!markup) {
      at = html.indexOf('<', at + 1)
      continue
    }
    if (textStart < at) yield { kind: 'text', start: textStart, end: at }
    yield markup
    textStart = markup.end
    const rawEnd = markup.kind === 'open' ? RAW_END.get(markup.name) : undefined
    if (rawEnd && markup.kind === 'open') {
      rawEnd.lastIndex = markup.end
      const end = rawEnd.exec(html)?.index ?? html.length
      if (markup.end < end) yield { kind: 'raw', name: markup.name, start: markup.end, end }
      textStart = end
    }
    at = html.indexOf('<', textStart)
  }
  if (textStart < html.length) yield { kind: 'text', start: textStart, end: html.length }
}

const NAMED_REFERENCES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])

/** Decodes the character references in a text: all references by number, and the few names that browsers write. */
export const decodeReferences = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (reference, hex, decimal, name) => {
    if (typeof name === 'string') return NAMED_REFERENCES.get(name.toLowerCase()) ?? reference
    const code = typeof hex === 'string' ? parseInt(hex, 16) : parseInt(String(decimal), 10)
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : reference
  })

/** Escapes text for html, including attribute values. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The effective attributes of a tag. If a name is repeated, only the first attribute counts. */
export function firstAttributes({ attributes }: OpenTag): readonly Attribute[] {
  const names = new Set<string>()
  return attributes.filter(({ name }) => {
    const isFirst = !names.has(name)
    names.add(name)
    return isFirst
  })
}

/** The decoded value of an attribute; null without the attribute. */
export function attributeOf({ attributes }: OpenTag, name: string): string | null {
  const found = attributes.find((attribute) => attribute.name === name)
  return found ? decodeReferences(found.value) : null
}
