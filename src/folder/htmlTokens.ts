/** Splits html into tokens with offsets, for checks. Values and texts are decoded as browsers decode them. */
import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { type Attribute, firstAttributes, type Token, tokensOf } from '../../streams/html/tokens.ts'
import { wordMarkupBounds } from '../../streams/html/wordMarkup.ts'

/** `from` and `to` are the bounds of the value without quotes. `at` is the offset of the name. */
export type HtmlAttribute = Readonly<{
  /** The name in lower case. */
  name: string
  /** The value with its character references decoded. */
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
  /**
   * `raw` is the name of the element around raw text, such as `style`. It is null for other text, and only other text
   * is decoded.
   */
  | Readonly<{ kind: 'text'; text: string; raw: string | null; at: number; end: number }>
  /** `text` is the raw text between `<!--` and `-->`. It is empty for comments in other forms. */
  | Readonly<{ kind: 'comment'; text: string; at: number; end: number }>

const COMMENT = /^<!--([^]*)-->$/
const DOCTYPE = /^<!doctype(?![a-z])/i

const toAttribute = ({ name, value, valueStart, start, end }: Attribute, base: number): HtmlAttribute => ({
  name,
  value: decodeHTMLAttribute(value),
  at: base + start,
  end: base + end,
  from: base + valueStart,
  to: base + valueStart + value.length,
  isQuoted: valueStart + value.length < end,
})

/** The tokens in text order. `base` is added to every offset. */
export function htmlTokens(html: string, base = 0): readonly HtmlToken[] {
  const tokens: HtmlToken[] = []
  for (const token of tokensOf(html)) {
    tokens.push(toHtmlToken(token, html, base))
    if (token.kind !== 'open' || token.name !== 'plaintext') continue
    // Browsers treat everything after `<plaintext>` as text.
    const { end: at } = token
    if (at < html.length)
      tokens.push({
        kind: 'text',
        text: html.slice(at),
        raw: token.name,
        at: base + at,
        end: base + html.length,
      })
    break
  }
  return tokens
}

function toHtmlToken(token: Token, html: string, base: number): HtmlToken {
  const written = html.slice(token.start, token.end)
  const place = { at: base + token.start, end: base + token.end }
  switch (token.kind) {
    case 'open': {
      const attributes = firstAttributes(token).map((attribute) => toAttribute(attribute, base))
      return { kind: 'open', name: token.name, attributes, ...place }
    }
    case 'close':
      return { kind: 'close', name: token.name, ...place }
    case 'text':
      return { kind: 'text', text: decodeHTML(written), raw: null, ...place }
    case 'raw':
      return { kind: 'text', text: written, raw: token.name, ...place }
    case 'comment':
      return DOCTYPE.test(written)
        ? { kind: 'open', name: '!doctype', attributes: [], ...place }
        : { kind: 'comment', text: COMMENT.exec(written)?.[1] ?? '', ...place }
  }
}

/** The markup in a conditional comment for classic Outlook, with its offset; null for other comments. */
export function wordMarkup(
  comment: Extract<HtmlToken, { kind: 'comment' }>,
): Readonly<{ html: string; at: number }> | null {
  const bounds = wordMarkupBounds(comment.text)
  if (bounds === null) return null
  const { from, to } = bounds
  return { html: comment.text.slice(from, to), at: comment.at + '<!--'.length + from }
}
