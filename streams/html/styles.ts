import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer'

// Cleans foreign CSS without a document. It is split into tokens as the standard says; what is not written cleanly
// (escapes in names, anything broken or unclosed) is left out, and the result is written from the tokens that were judged.

/** The address of a picture as it is to be written; null when it is not allowed. */
export type WritePicture = (address: string) => string | null

/** A longer style sheet is left out: no signature needs it, and Outlook takes 30,000 characters in all. */
export const MAX_STYLE_CHARACTERS = 100_000

/** Brackets in brackets, and rules in rules. */
const MAX_DEPTH = 8

/** Errors cost the most time. */
const MAX_ERRORS = 100

const FUNCTIONS = new Set(
  (
    'calc circle clamp color color-mix conic-gradient counter cubic-bezier drop-shadow ellipse fit-content hsl hsla ' +
    'hwb inset lab lch light-dark linear-gradient matrix max min minmax oklab oklch opacity polygon radial-gradient ' +
    'rect repeat repeating-linear-gradient repeating-radial-gradient rgb rgba rotate scale scalex scaley skew skewx ' +
    'skewy steps translate translatex translatey var -moz-linear-gradient -webkit-linear-gradient'
  ).split(' '),
)

const SELECTOR_FUNCTIONS = new Set(
  'dir has is lang not nth-child nth-last-child nth-last-of-type nth-of-type where'.split(' '),
)

/** Properties that load or run something in some mail client. */
const FORBIDDEN_PROPERTIES = new Set(
  'behavior behaviour -ms-behavior -moz-binding -o-link -o-link-source'.split(' '),
)

/** The positions that keep an element's place in the message. */
const POSITIONS = new Set('static relative initial inherit unset revert'.split(' '))

type Css = Readonly<{
  tokens: readonly CSSToken[]
  /** The index of the token that closes what this one opens; -1 when nothing does. */
  ends: readonly number[]
  /** Tokens that the text ends in the middle of. */
  broken: ReadonlySet<CSSToken>
  writePicture: WritePicture
}>

const CLOSERS: Partial<Record<TokenType, TokenType>> = {
  [TokenType.Function]: TokenType.CloseParen,
  [TokenType.OpenParen]: TokenType.CloseParen,
  [TokenType.OpenSquare]: TokenType.CloseSquare,
  [TokenType.OpenCurly]: TokenType.CloseCurly,
}

function read(css: string, writePicture: WritePicture): Css {
  const broken = new Set<CSSToken>()
  let errors = 0
  const { endOfFile, nextToken } = tokenizer(
    { css },
    {
      onParseError: (error) => {
        errors++
        if ('token' in error) broken.add(error.token as CSSToken)
      },
    },
  )
  const tokens: CSSToken[] = []
  while (!endOfFile() && errors < MAX_ERRORS) tokens.push(nextToken())
  // What is broken in so many places is no CSS.
  if (errors >= MAX_ERRORS) tokens.length = 0
  const ends = new Array<number>(tokens.length).fill(-1)
  const open: number[] = []
  tokens.forEach(([type], index) => {
    if (CLOSERS[type] !== undefined) open.push(index)
    const last = open.at(-1)
    if (last === undefined || CLOSERS[tokens[last]?.[0] ?? TokenType.EOF] !== type) return
    open.pop()
    ends[last] = index
  })
  return { tokens, ends, broken, writePicture }
}

/** What a kind of text may consist of, besides the tokens that every kind may have. */
type Grammar = Readonly<{
  types: ReadonlySet<TokenType>
  delimiters: string
  functions: ReadonlySet<string>
  /** Whether names may have escapes: only where a name loads, moves and runs nothing. */
  escapes: boolean
}>

const VALUE: Grammar = {
  types: new Set([
    TokenType.Ident,
    TokenType.Hash,
    TokenType.Number,
    TokenType.Dimension,
    TokenType.Percentage,
    TokenType.Comma,
    TokenType.String,
    TokenType.URL,
    TokenType.OpenSquare,
  ]),
  delimiters: '+-*/',
  functions: FUNCTIONS,
  escapes: false,
}

const SELECTOR: Grammar = {
  types: new Set([
    TokenType.Ident,
    TokenType.Hash,
    TokenType.Number,
    TokenType.Dimension,
    TokenType.Comma,
    TokenType.Colon,
    TokenType.String,
    TokenType.OpenSquare,
  ]),
  delimiters: '.*>+~|=^$-',
  functions: SELECTOR_FUNCTIONS,
  escapes: true,
}

const MEDIA: Grammar = {
  types: new Set([TokenType.Ident, TokenType.Number, TokenType.Dimension, TokenType.Comma, TokenType.Colon]),
  delimiters: '>=/',
  functions: new Set(),
  escapes: false,
}

const isBlank = (token: CSSToken | undefined): boolean =>
  token?.[0] === TokenType.Whitespace || token?.[0] === TokenType.Comment

/** A picture in `url()`. Round brackets are the only characters of an address that need quotes. */
function writeUrl(address: string, { writePicture }: Css): string | null {
  const written = writePicture(address)
  if (written === null) return null
  return /[()]/.test(written) ? `url('${written}')` : `url(${written})`
}

/** The picture of a `url(` that opens at `index`; null unless a string is all that it has. */
function writeQuotedUrl(css: Css, index: number): string | null {
  const inside = css.tokens.slice(index + 1, css.ends[index]).filter((token) => !isBlank(token))
  const [token] = inside
  return inside.length === 1 && token?.[0] === TokenType.String && !css.broken.has(token)
    ? writeUrl(token[4].value, css)
    : null
}

/** The tokens from `from` to before `to`, written again; null unless all of them are allowed and clean. */
function write(css: Css, from: number, to: number, grammar: Grammar): string | null {
  const { tokens, ends, broken } = css
  const closers: number[] = []
  let written = ''
  for (let index = from; index < to; index++) {
    const token = tokens[index]
    if (token === undefined || broken.has(token)) return null
    const [type, text] = token
    if (index === closers.at(-1)) {
      closers.pop()
      written += text
      continue
    }
    if (type === TokenType.Comment || type === TokenType.Whitespace) {
      written += type === TokenType.Comment ? ' ' : text
      continue
    }
    if (text.includes('<') || (!grammar.escapes && type !== TokenType.String && text.includes('\\')))
      return null
    const end = ends[index] ?? -1
    if (type === TokenType.Function) {
      const name = token[4].value.toLowerCase()
      if (name === 'url' && grammar.types.has(TokenType.URL)) {
        const url = end < 0 || end >= to ? null : writeQuotedUrl(css, index)
        if (url === null) return null
        written += url
        index = end
        continue
      }
      if (!grammar.functions.has(name)) return null
    } else if (type === TokenType.URL && grammar.types.has(type)) {
      const url = writeUrl(token[4].value, css)
      if (url === null) return null
      written += url
      continue
    } else if (type === TokenType.Delim) {
      if (!grammar.delimiters.includes(token[4].value)) return null
    } else if (type !== TokenType.OpenParen && !grammar.types.has(type)) return null
    if (CLOSERS[type] !== undefined) {
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
  if (word?.[0] !== TokenType.Ident || word[1].toLowerCase() !== 'important') return to
  index--
  skipBlanks()
  return tokens[index]?.[1] === '!' ? index : to
}

/** One declaration, with the blanks around it; null when it is not allowed. */
function writeDeclaration(css: Css, from: number, to: number): string | null {
  const { tokens } = css
  let index = from
  let before = ''
  for (; index < to && isBlank(tokens[index]); index++)
    if (tokens[index]?.[0] === TokenType.Whitespace) before += tokens[index]?.[1] ?? ''
  const name = tokens[index]
  if (index >= to || name?.[0] !== TokenType.Ident || !/^[\w-]+$/.test(name[1])) return null
  for (index++; index < to && isBlank(tokens[index]); index++);
  if (index >= to || tokens[index]?.[0] !== TokenType.Colon) return null

  const important = startOfImportant(css, index + 1, to)
  const value = write(css, index + 1, important, VALUE)
  if (value === null || value.trim() === '') return null
  const property = name[1].toLowerCase()
  if (FORBIDDEN_PROPERTIES.has(property)) return null
  if (property === 'position' && !POSITIONS.has(value.trim().toLowerCase())) return null
  return `${before}${name[1]}:${value}${important < to ? '!important' : ''}`
}

/** The index after a nested block that begins at `index`, or after the token; null when the block does not end. */
const after = ({ tokens, ends }: Css, index: number): number | null => {
  const end = ends[index] ?? -1
  if (end >= 0) return end + 1
  return CLOSERS[tokens[index]?.[0] ?? TokenType.EOF] === undefined ? index + 1 : null
}

function writeDeclarations(css: Css, from: number, to: number): string {
  const kept: string[] = []
  const add = (start: number, end: number) => {
    const written = writeDeclaration(css, start, end)
    if (written !== null) kept.push(written)
  }
  let start = from
  for (let index = from; index < to;) {
    if (css.tokens[index]?.[0] === TokenType.Semicolon) {
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

/** Rules whose selectors and declarations are allowed, and `@media` around them. */
function writeRules(css: Css, from: number, to: number, depth: number): string {
  const { tokens, ends } = css
  let written = ''
  for (let start = from; start < to;) {
    const first = tokens[start]
    const type = first?.[0]
    if (isBlank(first) || type === TokenType.CDO || type === TokenType.CDC) {
      if (type === TokenType.Whitespace) written += first[1]
      start++
      continue
    }
    const isAtRule = type === TokenType.AtKeyword
    let open = start
    while (open < to && tokens[open]?.[0] !== TokenType.OpenCurly) {
      if (isAtRule && tokens[open]?.[0] === TokenType.Semicolon) break
      const next = after(css, open)
      // Something is not closed: the rest of the sheet is in it.
      if (next === null) return written
      open = next
    }
    if (open >= to) return written
    const close = ends[open] ?? -1
    const isBlock = tokens[open]?.[0] === TokenType.OpenCurly
    if (isBlock && close < 0) return written
    if (isBlock && !isAtRule) {
      const selector = write(css, start, open, SELECTOR)
      const declarations = selector === null ? '' : writeDeclarations(css, open + 1, close)
      if (declarations !== '') written += `${selector ?? ''}{${declarations}}`
    } else if (isBlock && first?.[1].toLowerCase() === '@media' && depth < MAX_DEPTH) {
      const condition = write(css, start + 1, open, MEDIA)
      const rules = condition === null ? '' : writeRules(css, open + 1, close, depth + 1)
      if (rules.trim() !== '') written += `@media${condition ?? ''}{${rules}}`
    }
    start = isBlock ? close + 1 : open + 1
  }
  return written
}

/** The declarations of a `style` attribute that move, load and run nothing. */
export function cleanDeclarations(style: string, writePicture: WritePicture): string {
  if (style.length > MAX_STYLE_CHARACTERS) return ''
  const css = read(style, writePicture)
  return writeDeclarations(css, 0, css.tokens.length)
}

/** The rules of a `style` element that move, load and run nothing. The result has no `<`. */
export function cleanStyleSheet(sheet: string, writePicture: WritePicture): string {
  if (sheet.length > MAX_STYLE_CHARACTERS) return ''
  const css = read(sheet, writePicture)
  return writeRules(css, 0, css.tokens.length, 0)
}
