// Splits CSS as the standard requires (CSS Syntax, level 3). It makes one pass, so the time grows with the length of
// the text.

export type CssKind =
  | 'atKeyword'
  | 'bad'
  | 'blank'
  | 'comment'
  | 'dimension'
  | 'function'
  | 'hash'
  | 'htmlComment'
  | 'ident'
  | 'number'
  | 'percentage'
  | 'sign'
  | 'string'
  | 'url'

/**
 * A CSS token; `text` is its source. A `sign` is a single character; an `htmlComment` is `<!--` or `-->`; `bad` is a
 * broken token, or one cut off by the end of the text. `value` is the decoded function name, string content or `url`
 * address; for other tokens it is the text.
 */
export type CssToken = Readonly<{ kind: CssKind; text: string; value: string }>

const BLANK = String.raw`[\t\n\f\r ]`
/** Characters that can begin a name, including NUL and unpaired surrogates, which the standard replaces by U+FFFD. */
const START = String.raw`a-zA-Z_\0\xb7\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u1fff\u200c-\u200d\u203f-\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\udfff\uf900-\ufdcf\ufdf0-\ufffd`
const NUMBERED = String.raw`[\da-fA-F]{1,6}(?:\r\n|${BLANK})?`
const ESCAPE = String.raw`\\(?:${NUMBERED}|[^\n\f\r]|$)`
const NAME = `(?:[${START}\\d-]|${ESCAPE})`
const IDENT = `(?:--|-?(?:[${START}]|${ESCAPE}))${NAME}*`
/** Matches blanks, numbers and names. The first group with a match determines the kind of token. */
const WORD = new RegExp(
  [
    `(${BLANK}+)`,
    String.raw`([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)(%|${IDENT})?`,
    '(<!--|-->)',
    `(#${NAME}+)`,
    `(@${IDENT})`,
    IDENT,
  ].join('|'),
  'y',
)
/** The content of a string, by quote character. */
const [DOUBLE, SINGLE] = ['"', "'"].map(
  (quote) => new RegExp(String.raw`(?:[^${quote}\\\n\f\r]|${ESCAPE}|\\(?:\r\n|[\n\f\r]))*`, 'y'),
)
/** The address after `url(`, with the blanks around it. */
const ADDRESS = new RegExp(String.raw`${BLANK}*((?:[^\0- "'()\\\x7f]|${ESCAPE})*)${BLANK}*`, 'y')
const QUOTE = new RegExp(`${BLANK}*["']`, 'y')
/** The rest of a `url(` up to its closing bracket, even if the `url(` is broken. */
const REMNANTS = new RegExp(String.raw`(?:[^)\\]|${ESCAPE}|\\)*\)?`, 'y')

/** Parts of a token whose value differs from the text: escapes, and characters that the standard replaces by U+FFFD. */
const ENCODED = new RegExp(
  String.raw`\\(?:(${NUMBERED})|\r\n|[\n\f\r])|\\?([\ud800-\udbff][\udc00-\udfff])|\\?[\0\ud800-\udfff]|\\([^]|$)`,
  'g',
)
const REPLACEMENT = '\ufffd'

/** Decodes the escapes in a name, a string or an address. */
export const decodeCssEscapes = (text: string): string =>
  text.replace(ENCODED, (found: string, number?: string, pair?: string, escaped?: string) => {
    if (number !== undefined) {
      const code = parseInt(number, 16)
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
        ? REPLACEMENT
        : String.fromCodePoint(code)
    }
    // An escaped line break in a string has no value.
    if (/[\n\f\r]/.test(found)) return ''
    return (pair ?? escaped) || REPLACEMENT
  })

/** Splits any text into tokens. The tokens' texts, joined, are the whole text. */
export function cssTokensOf(css: string): readonly CssToken[] {
  const tokens: CssToken[] = []
  let at = 0
  /** Matches the pattern at the current position, and moves to the end of the match. */
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(css)
    at += found?.[0].length ?? 0
    return found
  }
  const takeUrl = (): string | null => {
    const address = take(ADDRESS)?.[1] ?? ''
    const isWhole = css[at] === ')'
    if (at < css.length) take(REMNANTS)
    return isWhole ? decodeCssEscapes(address) : null
  }
  while (at < css.length) {
    const start = at
    const add = (kind: CssKind, value = css.slice(start, at)) => {
      tokens.push({ kind, text: css.slice(start, at), value })
    }
    const first = css[at] ?? ''
    if (css.startsWith('/*', at)) {
      const end = css.indexOf('*/', at + 2)
      at = end < 0 ? css.length : end + 2
      add(end < 0 ? 'bad' : 'comment')
      continue
    }
    const inString = first === '"' ? DOUBLE : first === "'" ? SINGLE : undefined
    if (inString) {
      at++
      const content = take(inString)?.[0] ?? ''
      const isClosed = css[at] === first
      if (isClosed) at++
      add(isClosed ? 'string' : 'bad', decodeCssEscapes(content))
      continue
    }
    const found = take(WORD)
    if (found === null) {
      at++
      add(first === '\\' ? 'bad' : 'sign')
      continue
    }
    const [word, blank, number, unit, htmlComment, hash, keyword] = found
    if (blank) add('blank')
    else if (number) add(unit === '%' ? 'percentage' : unit ? 'dimension' : 'number')
    else if (htmlComment) add('htmlComment')
    else if (hash) add('hash')
    else if (keyword) add('atKeyword')
    else if (css[at] !== '(') add('ident')
    else {
      at++
      const name = decodeCssEscapes(word)
      const afterBracket = at
      const isQuoted = name.toLowerCase() !== 'url' || take(QUOTE) !== null
      at = afterBracket
      const address = isQuoted ? null : takeUrl()
      if (isQuoted) add('function', name)
      else add(address === null ? 'bad' : 'url', address ?? '')
    }
  }
  return tokens
}
