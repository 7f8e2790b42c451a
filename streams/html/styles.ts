import { type CssKind, type CssToken, cssTokensOf } from './cssTokens.ts'

// Cleans foreign CSS without a document. The CSS is split into tokens as the standard requires. Broken or unclosed
// parts, and names with escapes, are left out; the rest is rewritten from the checked tokens. The result loads only
// pictures, keeps every box in its place, and applies only inside the signature.

/** The safe form of a picture's address; null if the address is not allowed. */
export type WritePicture = (address: string) => string | null

/** The maximum length of a style sheet. Signatures need less, and Outlook accepts 30,000 characters in all. */
export const MAX_STYLE_CHARACTERS = 100_000

/** The maximum nesting depth of brackets, and of rules. */
const MAX_DEPTH = 8

const FUNCTIONS =
  /^(?:calc|circle|clamp|color(?:-mix)?|counter|drop-shadow|ellipse|fit-content|(?:hsl|rgb)a?|hwb|inset|(?:ok)?l(?:ab|ch)|light-dark|max|min|minmax|opacity|polygon|rect|repeat|(?:-moz-|-webkit-)?(?:repeating-)?(?:conic|linear|radial)-gradient)$/

const SELECTOR_FUNCTIONS =
  /^(?:dir|has|is|lang|not|nth-child|nth-last-child|nth-last-of-type|nth-of-type|where)$/

/**
 * Properties that load or run something in some mail client, or that move a box, turn it, or draw it a second time.
 * Custom properties are also forbidden, because their values are not checked.
 */
const FORBIDDEN_PROPERTIES =
  /^--|^(?:-[a-z]+-)?(?:behaviou?r|binding|link.*|transform|translate|rotate|scale|zoom|offset.*|motion.*|top|right|bottom|left|inset.*|writing-mode|box-reflect|border-image.*)$|^mso-(?:position|element-|table-(?:anchor|top|left))/

/** Properties whose values may contain pictures. */
const WITH_PICTURE = /^(?:background|list-style)(?:-image)?$/

/**
 * The largest size by property, in pixels. The first pattern that matches the property applies. In order: sizes without
 * a limit, because they cannot enlarge a box; decorations; text; all other sizes.
 */
const LARGEST: readonly (readonly [properties: RegExp, pixels: number])[] = [
  [/radius|^(?:background|max-|z-)/, Infinity],
  [/shadow|outline|filter|stroke|decoration|underline/, 20],
  [/^(?:font|line|letter|word|text)/, 200],
  [/^/, 2_000],
]
const CALCULATED = /(?:calc|clamp|max|min)\(/i
/**
 * `SUM`: a calculation whose result is about as large as its numbers. `IS_WIDTH`: properties that allow any
 * calculation, because they cannot lengthen the message.
 */
const SUM = /^[^*/]{0,60}(?:\*\s*\d(?![\d.])[^*/]{0,60})?$/
const IS_WIDTH = /^(?:min-)?width$/

/** The length of each unit in pixels. All other units depend on the font, and count as `UNKNOWN_PIXELS`. */
const PIXELS: ReadonlyMap<string, number> = new Map([
  ['px', 1],
  ['q', 1],
  ['pt', 1.4],
  ['mm', 4],
  ['cm', 38],
  ['in', 96],
  ['%', 0.16],
])
const UNKNOWN_PIXELS = 16

/** The positions that keep an element's place in the message. */
const POSITIONS = /^\s*(?:static|relative|initial|inherit|unset|revert)\s*$/i

type Css = Readonly<{
  tokens: readonly CssToken[]
  /** For each token, the index of its closing token; -1 without one. */
  ends: readonly number[]
  writePicture: WritePicture
}>

const CLOSERS: ReadonlyMap<string | undefined, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/** The closing text for this bracket or function; undefined for other tokens. */
export const closingTextOf = (token: CssToken | undefined): string | undefined =>
  token?.kind === 'function' ? ')' : CLOSERS.get(token?.text)

function read(css: string, writePicture: WritePicture): Css {
  const tokens = cssTokensOf(css)
  const ends = new Array<number>(tokens.length).fill(-1)
  const open: number[] = []
  tokens.forEach((token, index) => {
    if (closingTextOf(token) !== undefined) open.push(index)
    const last = open.at(-1)
    if (last === undefined || closingTextOf(tokens[last]) !== token.text) return
    open.pop()
    ends[last] = index
  })
  return { tokens, ends, writePicture }
}

/** The tokens allowed in a kind of text, besides blanks and comments. */
type Grammar = Readonly<{
  kinds: ReadonlySet<CssKind>
  signs: string
  functions: RegExp
  /** Whether names may contain escapes. They may only where no name can load, move or run anything. */
  escapes: boolean
}>

const VALUE: Grammar = {
  kinds: new Set(['ident', 'hash', 'number', 'dimension', 'percentage', 'string']),
  signs: ',([+-*/',
  functions: FUNCTIONS,
  escapes: false,
}
const PICTURE: Grammar = { ...VALUE, kinds: new Set([...VALUE.kinds, 'url']) }

const SELECTOR: Grammar = {
  kinds: new Set(['ident', 'hash', 'number', 'dimension', 'string']),
  signs: ',:([.*>+~|=^$-',
  functions: SELECTOR_FUNCTIONS,
  escapes: true,
}

const MEDIA: Grammar = {
  kinds: new Set(['ident', 'number', 'dimension']),
  signs: ',:(>=/',
  functions: /^$/,
  escapes: false,
}

const isBlank = (token: CssToken | undefined): boolean => token?.kind === 'blank' || token?.kind === 'comment'

/** Writes a picture's address as `url()`, quoted if it contains round brackets; null if the address is not allowed. */
function writeUrl(address: string, { writePicture }: Css): string | null {
  const written = writePicture(address)
  if (written === null) return null
  return /[()]/.test(written) ? `url('${written}')` : `url(${written})`
}

/** Writes the picture in a `url(` that opens at `index`; null unless the `url(` contains only a string. */
function writeQuotedUrl(css: Css, index: number): string | null {
  const inside = css.tokens.slice(index + 1, css.ends[index]).filter((token) => !isBlank(token))
  const [token] = inside
  return inside.length === 1 && token?.kind === 'string' ? writeUrl(token.value, css) : null
}

/** Rewrites the tokens from `from` to before `to`; null unless all of them are allowed and clean. */
function write(css: Css, from: number, to: number, grammar: Grammar): string | null {
  const { tokens, ends } = css
  const closers: number[] = []
  let written = ''
  for (let index = from; index < to; index++) {
    const token = tokens[index]
    if (token === undefined) return null
    const { kind, text } = token
    if (index === closers.at(-1)) {
      closers.pop()
      written += text
      continue
    }
    if (isBlank(token)) {
      written += kind === 'comment' ? ' ' : text
      continue
    }
    if (text.includes('<') || (!grammar.escapes && kind !== 'string' && text.includes('\\'))) return null
    const end = ends[index] ?? -1
    if (kind === 'function') {
      const name = token.value.toLowerCase()
      if (name === 'url' && grammar.kinds.has('url')) {
        const url = end < 0 || end >= to ? null : writeQuotedUrl(css, index)
        if (url === null) return null
        written += url
        index = end
        continue
      }
      if (!grammar.functions.test(name)) return null
    } else if (kind === 'sign') {
      if (!grammar.signs.includes(text)) return null
    } else if (!grammar.kinds.has(kind)) return null
    else if (kind === 'url') {
      const url = writeUrl(token.value, css)
      if (url === null) return null
      written += url
      continue
    }
    if (closingTextOf(token) !== undefined) {
      if (end < 0 || end >= to || closers.length === MAX_DEPTH) return null
      closers.push(end)
    }
    written += text
  }
  return written
}

/** The index of `!important` at the end of a value; `to` without it. */
function startOfImportant({ tokens }: Css, from: number, to: number): number {
  let index = to - 1
  const skipBlanks = () => {
    while (index > from && isBlank(tokens[index])) index--
  }
  skipBlanks()
  const word = tokens[index]
  if (word?.text.toLowerCase() !== 'important') return to
  index--
  skipBlanks()
  return tokens[index]?.text === '!' ? index : to
}

/** Whether a value, from `from` to before `to`, keeps the box in place and within the size that signatures need. */
function isInPlace({ tokens }: Css, from: number, to: number, property: string, value: string): boolean {
  if (property === 'position') return POSITIONS.test(value)
  if (property.includes('margin') && value.includes('-')) return false
  const largest = LARGEST.find(([properties]) => properties.test(property))?.[1] ?? 0
  if (largest < Infinity && CALCULATED.test(value) && !SUM.test(value) && !IS_WIDTH.test(property))
    return false
  let before = ''
  return tokens.slice(from, to).every((token) => {
    const { kind, text } = token
    const isLineHeight = property === 'line-height' || (property === 'font' && before === '/')
    if (!isBlank(token)) before = text
    if (kind !== 'dimension' && kind !== 'percentage' && !(kind === 'number' && isLineHeight)) return true
    // Units in `PIXELS` have one or two letters, so a unit of three letters is unknown.
    const unit = /[a-z%]{0,3}$/i.exec(text)?.[0].toLowerCase() ?? ''
    return Math.abs(parseFloat(text)) * (PIXELS.get(unit) ?? UNKNOWN_PIXELS) <= largest
  })
}

/** Writes one declaration, with the blanks around it; null if it is not allowed. */
function writeDeclaration(css: Css, from: number, to: number): string | null {
  const { tokens } = css
  let index = from
  let before = ''
  for (; index < to && isBlank(tokens[index]); index++)
    if (tokens[index]?.kind === 'blank') before += tokens[index]?.text ?? ''
  const name = tokens[index]
  if (index >= to || name?.kind !== 'ident' || !/^[\w-]+$/.test(name.text)) return null
  for (index++; index < to && isBlank(tokens[index]); index++);
  if (index >= to || tokens[index]?.text !== ':') return null

  const property = name.text.toLowerCase()
  if (FORBIDDEN_PROPERTIES.test(property)) return null
  const important = startOfImportant(css, index + 1, to)
  const value = write(css, index + 1, important, WITH_PICTURE.test(property) ? PICTURE : VALUE)
  if (value === null || value.trim() === '') return null
  if (!isInPlace(css, index + 1, important, property, value)) return null
  return `${before}${name.text}:${value}${important < to ? '!important' : ''}`
}

/** The index after the token at `index`, or after the block that it opens; null if the block is not closed. */
const after = ({ tokens, ends }: Css, index: number): number | null => {
  const end = ends[index] ?? -1
  if (end >= 0) return end + 1
  return closingTextOf(tokens[index]) === undefined ? index + 1 : null
}

function writeDeclarations(css: Css, from: number, to: number): string {
  const kept: string[] = []
  const add = (start: number, end: number) => {
    const written = writeDeclaration(css, start, end)
    if (written !== null) kept.push(written)
  }
  let start = from
  for (let index = from; index < to;) {
    if (css.tokens[index]?.text === ';') {
      add(start, index)
      start = index + 1
    }
    const next = after(css, index)
    if (next === null) return kept.join(';')
    index = next
  }
  add(start, to)
  return kept.join(';')
}

/** Selectors that are already limited to the signature's wrapper, also in Outlook's dark mode. */
const BOUND = /^(?:\[data-ogs[bc]\]\s+)?\.signet(?:$|\s*>|\s+(?=[^\s~+|]))/
const DARK_MODE = /^\[data-ogs[bc]\]\s+/
/** Selectors for the document root. They are rewritten to the signature's wrapper. */
const DOCUMENT = /^(?:html(?:\s+|\s*>\s*))?(?:html|body|:root)(?![^\s>])/i

/** Limits a selector to the signature's wrapper; null if it could select something outside. */
function bind(selector: string): string | null {
  const text = selector.trim()
  if (BOUND.test(text)) return text
  const dark = DARK_MODE.exec(text)?.[0] ?? ''
  const rest = text.slice(dark.length)
  const bound = `${dark}.signet${DOCUMENT.test(rest) ? rest.replace(DOCUMENT, '') : ` ${rest}`}`
  return BOUND.test(bound) ? bound : null
}

/** Writes the selectors from `from` to before `to`; null unless all of them are allowed. */
function writeSelectors(css: Css, from: number, to: number): string | null {
  const written: string[] = []
  let start = from
  for (let index = from; index <= to; index = after(css, index) ?? to) {
    if (index < to && css.tokens[index]?.text !== ',') continue
    const selector = write(css, start, index, SELECTOR)
    const bound = selector === null ? null : bind(selector)
    if (bound === null) return null
    written.push(bound)
    start = index + 1
  }
  return written.join(',')
}

/** Writes the allowed rules, with the `@media` around them. */
function writeRules(css: Css, from: number, to: number, depth: number): string {
  const { tokens, ends } = css
  let written = ''
  for (let start = from; start < to;) {
    const first = tokens[start]
    if (isBlank(first) || first?.kind === 'htmlComment') {
      if (first?.kind === 'blank') written += first.text
      start++
      continue
    }
    const isAtRule = first?.kind === 'atKeyword'
    let open = start
    while (open < to && tokens[open]?.text !== '{') {
      if (isAtRule && tokens[open]?.text === ';') break
      const next = after(css, open)
      // The block is not closed, so it contains the rest of the style sheet.
      if (next === null) return written
      open = next
    }
    if (open >= to) return written
    const close = ends[open] ?? -1
    const isBlock = tokens[open]?.text === '{'
    if (isBlock && close < 0) return written
    if (isBlock && !isAtRule) {
      const selectors = writeSelectors(css, start, open)
      const declarations = selectors === null ? '' : writeDeclarations(css, open + 1, close)
      if (declarations !== '') written += `${selectors ?? ''}{${declarations}}`
    } else if (isBlock && first?.text.toLowerCase() === '@media' && depth < MAX_DEPTH) {
      const condition = write(css, start + 1, open, MEDIA)
      const rules = condition === null ? '' : writeRules(css, open + 1, close, depth + 1)
      if (rules.trim() !== '') written += `@media${condition ?? ''}{${rules}}`
    }
    start = isBlock ? close + 1 : open + 1
  }
  return written
}

/** The safe declarations of a `style` attribute, which move and run nothing, and load only pictures. */
export function cleanDeclarations(style: string, writePicture: WritePicture): string {
  if (style.length > MAX_STYLE_CHARACTERS) return ''
  const css = read(style, writePicture)
  return writeDeclarations(css, 0, css.tokens.length)
}

/**
 * The safe rules of a `style` element, which move and run nothing, load only pictures, and select only elements in
 * `.signet`. The result contains no `<`.
 */
export function cleanStyleSheet(sheet: string, writePicture: WritePicture): string {
  if (sheet.length > MAX_STYLE_CHARACTERS) return ''
  const css = read(sheet, writePicture)
  const clean = writeRules(css, 0, css.tokens.length, 0)
  return clean.length > MAX_STYLE_CHARACTERS ? '' : clean
}
