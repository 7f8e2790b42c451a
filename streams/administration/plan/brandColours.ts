/**
 * Finds a colour in a template in every notation (`#abc`, `#AABBCC`, `rgb(170, 187, 204)`, `navy`), and replaces it. Reads
 * style attributes, style sheets and colour attributes, also in conditional comments for Outlook. Changes no other text.
 */
import { readDeclarations, readStyleSheet, type Declaration } from '../../html/declarations.ts'
import { type Attribute, decodeReferences, nameSet, type OpenTag, tokensOf } from '../../html/tokens.ts'
import { wordMarkupBounds } from '../../html/wordMarkup.ts'
import { coloursIn, colourValue } from '../../organisation/release/brand.ts'
import { PLACEHOLDER } from '../../organisation/template/template.ts'

/** The bounds of a colour in a text. `isFunction`: it is a function, such as `rgb(…)`. */
export type ColourPlace = Readonly<{ from: number; to: number; isFunction: boolean }>

/** A colour in a text, with its value from `colourValue`. */
type UsedColour = ColourPlace & Readonly<{ value: string | null }>

/** The placeholders between which markup or a value can begin. */
const CONTROL = /^\s*(?:[#/]|else\s*$)/

/** The text with a blank for each character of a condition, and an `x` for each character of another placeholder. */
const masked = (text: string): string =>
  text.replace(PLACEHOLDER, (whole, content: string) =>
    (CONTROL.test(content) ? ' ' : 'x').repeat(whole.length),
  )

const REFERENCE = /&#?\w+;?/g

/**
 * The value of an attribute with its character references decoded, and a function from its offsets to those of the
 * markup. References that cannot be decoded become `x`, because `&#123` would otherwise contain a colour.
 */
function decodedValue({ value, valueStart }: Attribute) {
  let text = ''
  let end = 0
  const offsets: number[] = []
  const copy = (until: number) => {
    text += value.slice(end, until)
    for (; end < until; end++) offsets.push(valueStart + end)
  }
  for (const { 0: reference, index } of value.matchAll(REFERENCE)) {
    copy(index)
    const decoded = decodeReferences(reference)
    const character = decoded === reference ? 'x' : decoded
    // A decoded character has one or two code units.
    offsets.push(...Array<number>(character.length).fill(valueStart + index))
    text += character
    end = index + reference.length
  }
  copy(value.length)
  return { text, offsetOf: (at: number) => offsets[at] ?? valueStart + value.length }
}

/** Properties whose values contain colours by name. In others, such as `font-family`, a name can be any word. */
const WITH_NAMES =
  /color|background|border|outline|rule|shadow|highlight|shading|fill|stroke|decoration|emphasis/

const isName = (colour: string): boolean => /^[a-z]+$/i.test(colour)

/** The colours in the value of a declaration, with their offsets in `css`. */
const coloursInDeclaration = (css: string, { property, valueAt, end }: Declaration) =>
  coloursIn(css.slice(valueAt, end))
    .filter(({ text }) => !isName(text) || WITH_NAMES.test(property))
    .map(({ text, at }) => ({ text, at: valueAt + at }))

const BODY_COLOURS = nameSet('alink link text vlink')
/** Attributes in which `#abc` is a name, an address or words. */
const WITHOUT_COLOURS = nameSet(
  'alt background class href id name o:href o:title src string title type usemap',
)
const SIX_DIGITS = /^\s*([\da-f]{6})\s*$/i

/** The colours in the decoded value of an attribute. In comments for Word, other attributes also contain `#aabbcc`. */
function coloursInValue(tag: OpenTag, name: string, value: string, isInWord: boolean) {
  if (name === 'style')
    return readDeclarations(value).flatMap((declaration) => coloursInDeclaration(value, declaration))
  if (name.includes('color') || (tag.name === 'body' && BODY_COLOURS.has(name))) {
    // In these attributes, the `#` is optional.
    const digits = SIX_DIGITS.exec(value)?.[1]
    return digits === undefined ? coloursIn(value) : [{ text: digits, at: value.indexOf(digits) }]
  }
  return isInWord && !WITHOUT_COLOURS.has(name)
    ? coloursIn(value).filter(({ text }) => text.startsWith('#'))
    : []
}

const usedColour = (text: string, from: number, to: number): UsedColour => ({
  from,
  to,
  isFunction: text.endsWith(')'),
  value: colourValue(text) ?? colourValue(`#${text}`),
})

/** The colours in markup in text order. `base` is added to every offset. */
function* coloursInMarkup(markup: string, base: number, isInWord: boolean): Generator<UsedColour, void> {
  for (const token of tokensOf(markup)) {
    const written = markup.slice(token.start, token.end)
    const at = base + token.start
    if (token.kind === 'open') {
      for (const attribute of token.attributes) {
        const { text: value, offsetOf } = decodedValue(attribute)
        for (const { text, at: start } of coloursInValue(token, attribute.name, value, isInWord))
          yield usedColour(text, base + offsetOf(start), base + offsetOf(start + text.length))
      }
      // Everything after this tag is text.
      if (token.name === 'plaintext') return
    } else if (token.kind === 'raw' && token.name === 'style') {
      for (const declaration of readStyleSheet(written).declarations)
        for (const { text, at: start } of coloursInDeclaration(written, declaration))
          yield usedColour(text, at + start, at + start + text.length)
    } else if (token.kind === 'comment' && written.endsWith('-->')) {
      const comment = written.slice('<!--'.length, -'-->'.length)
      const bounds = wordMarkupBounds(comment)
      if (bounds !== null)
        yield* coloursInMarkup(comment.slice(bounds.from, bounds.to), at + '<!--'.length + bounds.from, true)
    }
  }
}

/** The places of a colour in a template, in text order. None for a text that is not a colour. */
export function colourPlaces(text: string, colour: string): readonly ColourPlace[] {
  const wanted = colourValue(colour)
  if (wanted === null) return []
  return [...coloursInMarkup(masked(text), 0, false)].filter(({ value }) => value === wanted)
}

/** An opaque colour as `#1f3a5f`; null for any other text. */
export function hexColour(css: string): string | null {
  const value = colourValue(css)
  return value?.endsWith('ff') ? `#${value.slice(0, 6)}` : null
}

/**
 * Replaces a colour in a template by an opaque colour. Functions stay functions, because another value can follow their
 * bracket without a blank. Returns the text itself if the colour is not in it.
 */
export function withColour(text: string, colour: string, by: string): string {
  const hex = hexColour(by)
  if (hex === null || colourValue(hex) === colourValue(colour)) return text
  const channels = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
  const asFunction = `rgb(${channels.join(',')})`
  let written = ''
  let end = 0
  for (const { from, to, isFunction } of colourPlaces(text, colour)) {
    written += text.slice(end, from) + (isFunction ? asFunction : hex)
    end = to
  }
  return written + text.slice(end)
}
