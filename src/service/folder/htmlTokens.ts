/** Splits html into tags, texts and comments by the standard, with offsets and without a tree. */
import { type Token, Tokenizer, TokenizerMode } from 'parse5'

/** `from` to `to` is the value, without quotes; `at` is where the name begins. */
export type HtmlAttribute = Readonly<{
  /** In lower case. */
  name: string
  /** Decoded. */
  value: string
  at: number
  end: number
  from: number
  to: number
  isQuoted: boolean
}>

export type HtmlToken =
  | Readonly<{ kind: 'open'; name: string; attributes: readonly HtmlAttribute[]; at: number; end: number }>
  | Readonly<{ kind: 'close'; name: string; at: number; end: number }>
  /** Decoded text; `raw` names the element whose content is no markup: `style`. */
  | Readonly<{ kind: 'text'; text: string; raw: string | null; at: number; end: number }>
  /** The text as it is written; empty unless it stands between `<!--` and `-->`. */
  | Readonly<{ kind: 'comment'; text: string; at: number; end: number }>

/** Elements whose content is no markup, and how it is read. */
const RAW = {
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  plaintext: TokenizerMode.PLAINTEXT,
} as const

const isRaw = (name: string): name is keyof typeof RAW => Object.hasOwn(RAW, name)

/** Name, `=` and the first quote of an attribute as it is written. */
const ATTRIBUTE_HEAD = /^[^\s=>]+\s*(=?)\s*(["']?)/

const COMMENT = /^<!--([^]*)-->$/

/** In the order of the text. Offsets count from `base`. */
export function htmlTokens(html: string, base = 0): readonly HtmlToken[] {
  const tokens: HtmlToken[] = []
  let raw: string | null = null
  const within = (location: Token.Location | null) => ({
    at: base + (location?.startOffset ?? 0),
    end: base + (location?.endOffset ?? 0),
  })
  const addText = ({ chars, location }: Token.CharacterToken) => {
    const { at, end } = within(location)
    const last = tokens.at(-1)
    // The tokenizer separates blanks from other text.
    if (last?.kind === 'text' && last.end === at)
      tokens[tokens.length - 1] = { ...last, text: last.text + chars, end }
    else tokens.push({ kind: 'text', text: chars, raw, at, end })
  }
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const places = token.location?.attrs ?? {}
        const attributes = token.attrs.map(({ name, value }): HtmlAttribute => {
          const { startOffset, endOffset } = places[name] ?? { startOffset: 0, endOffset: 0 }
          const head = ATTRIBUTE_HEAD.exec(html.slice(startOffset, endOffset))
          const quote = head?.[2] ?? ''
          const from = startOffset + (head?.[1] === '' ? endOffset - startOffset : (head?.[0].length ?? 0))
          return {
            name,
            value,
            at: base + startOffset,
            end: base + endOffset,
            from: base + from,
            to: base + endOffset - quote.length,
            isQuoted: quote !== '',
          }
        })
        tokens.push({ kind: 'open', name: token.tagName, attributes, ...within(token.location) })
        if (isRaw(token.tagName)) {
          tokenizer.state = RAW[token.tagName]
          raw = token.tagName
        }
      },
      onEndTag(token) {
        if (token.tagName === raw) raw = null
        tokens.push({ kind: 'close', name: token.tagName, ...within(token.location) })
      },
      onComment(token) {
        const { at, end } = within(token.location)
        const written = COMMENT.exec(html.slice(at - base, end - base))
        tokens.push({ kind: 'comment', text: written?.[1] ?? '', at, end })
      },
      onCharacter: addText,
      onWhitespaceCharacter: addText,
      onNullCharacter: addText,
      onDoctype(token) {
        tokens.push({ kind: 'open', name: '!doctype', attributes: [], ...within(token.location) })
      },
      onEof() {
        // Nothing stands behind the text.
      },
    },
  )
  tokenizer.write(html, true)
  return tokens
}

const WORD_START = /^\[if\s[^\]]{0,80}\]>/i
const WORD_END = /<!\[endif\]$/i

/** The markup in a conditional comment, which classic Outlook reads, and its offset; null for other comments. */
export function wordMarkup(
  comment: Extract<HtmlToken, { kind: 'comment' }>,
): Readonly<{ html: string; at: number }> | null {
  const start = WORD_START.exec(comment.text)
  const end = WORD_END.exec(comment.text)
  if (start === null || end === null) return null
  return {
    html: comment.text.slice(start[0].length, end.index),
    at: comment.at + '<!--'.length + start[0].length,
  }
}
