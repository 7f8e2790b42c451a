import { closingTextOf } from './styles.ts'
import { type CssToken, cssTokensOf } from './cssTokens.ts'
import {
  type Attribute,
  decodeReferences,
  escapeText,
  firstAttributes,
  nameSet,
  type OpenTag,
  tokensOf,
} from './tokens.ts'
import { htmlInWord } from './wordReading.ts'

// The lists are from the data of Can I email about Outlook for Windows, which `signet check` also uses. They contain
// only what the sanitiser lets through.

/** Elements that Word does not know. Their content stays. */
const UNKNOWN_ELEMENTS = nameSet('abbr figcaption figure')

/** Properties that Word ignores on every element. */
const IGNORED_PROPERTIES = nameSet(
  'accent-color aspect-ratio backdrop-filter border-radius border-spacing box-shadow box-sizing caption-side clip-path ' +
    'color-scheme empty-cells filter float font-kerning font-stretch gap list-style-image list-style-position ' +
    'max-height min-height min-width mix-blend-mode opacity order orphans position resize row-gap tab-size ' +
    'table-layout text-align-last text-orientation text-overflow text-shadow text-wrap user-select visibility ' +
    'white-space white-space-collapse widows word-spacing z-index',
)

/** Beginnings and ends of further properties that Word ignores: families of properties, and those of one browser. */
const IGNORED_BEGINNINGS =
  /^(?:-|animation|background-(?!color)|border-image|column|flex|grid|hyphen|object-|outline|overflow|shape-|text-decoration-|text-emphasis|text-underline-|transition|(?:align|justify|place)-)/
const IGNORED_ENDS = /-radius$|(?:^|-)(?:block|inline)(?:-|$)/

const isIgnored = (property: string): boolean =>
  IGNORED_PROPERTIES.has(property) || IGNORED_BEGINNINGS.test(property) || IGNORED_ENDS.test(property)

/** A length in a unit that Word cannot read. */
const UNREAD_UNIT = /\d(?:rem|ch|v[hw]|vmin|vmax)$/i
/** The functions that Word reads in values. */
const READ_FUNCTIONS = nameSet('rgb hsl url')

/** The only value of `background` that Word reads: a colour. */
const COLOUR = /^(?:#[\da-f]+|[a-z]+|(?:rgb|hsl)\([^()]*\))(?:!important)?$/

const CELLS = nameSet('td th')
const WITHOUT_WIDTH = nameSet('div img p span')
const WITHOUT_HEIGHT = nameSet('div p span')

/** Whether Word draws a declaration on an element. `element` is null if a style sheet's rule does not name it. */
function isDrawn(property: string, value: readonly CssToken[], element: string | null): boolean {
  if (isIgnored(property)) return false
  const isRead = value.every(({ kind, text, value: name }) =>
    kind === 'function' ? READ_FUNCTIONS.has(name.toLowerCase()) : !UNREAD_UNIT.test(text),
  )
  if (!isRead) return false
  const words = value.map(({ text }) => text.toLowerCase())
  if (words.includes('initial')) return false
  switch (property) {
    case 'background':
      return COLOUR.test(words.join(''))
    case 'display':
      return words.includes('none') && element !== 'img'
    case 'max-width':
      return element === null || element === 'table'
    case 'width':
      return element === null || !WITHOUT_WIDTH.has(element)
    case 'height':
      return element === null || !WITHOUT_HEIGHT.has(element)
    case 'text-transform':
      return !words.includes('lowercase')
  }
  if (/^padding(?:-|$)/.test(property)) return element === null || CELLS.has(element)
  if (/^margin(?:-|$)/.test(property)) return element !== 'span' && !words.includes('auto')
  return true
}

const isBlank = ({ kind }: CssToken): boolean => kind === 'blank' || kind === 'comment'

/** Splits tokens at each `separator` outside brackets. Each part but the last ends with its separator. */
function splitAt(tokens: readonly CssToken[], separator: string): readonly (readonly CssToken[])[] {
  const parts: CssToken[][] = []
  const closers: string[] = []
  let part: CssToken[] = []
  for (const token of tokens) {
    part.push(token)
    const closer = closingTextOf(token)
    if (closer !== undefined) closers.push(closer)
    else if (token.text === closers.at(-1)) closers.pop()
    if (closers.length > 0 || token.text !== separator) continue
    parts.push(part)
    part = []
  }
  return part.length === 0 ? parts : [...parts, part]
}

const textOf = (tokens: readonly CssToken[]): string => tokens.map(({ text }) => text).join('')

/** The declarations that Word draws. */
const drawnDeclarations = (tokens: readonly CssToken[], element: string | null): string =>
  splitAt(tokens, ';')
    .filter((declaration) => {
      const [name, colon, ...value] = declaration.filter((token) => !isBlank(token) && token.text !== ';')
      return colon?.text !== ':' || isDrawn(name?.text.toLowerCase() ?? '', value, element)
    })
    .map(textOf)
    .join('')

/** A part of a selector that Word knows: an element with at most one class or id. */
const KNOWN_PART = /^[\w-]*(?:[.#][\w-]+)?(?::link)?$/

/** The parts of a selector between blanks. Only descendants have several. */
const partsOf = (selector: string): readonly string[] => selector.split(/\s+/)

/** The element that a selector names last, such as `td`; null without one. */
const elementIn = (selector: string): string | null =>
  /^[a-z]\w*/i.exec(partsOf(selector).at(-1) ?? '')?.[0].toLowerCase() ?? null

/** The rules that Word reads, without those in `@media`. A rule that is not closed ends the style sheet. */
function drawnRules(sheet: string): string {
  let written = ''
  for (const rule of splitAt(cssTokensOf(sheet), '}')) {
    const open = rule.findIndex(({ text }) => text === '{')
    const first = rule.find((token) => !isBlank(token))
    if (open < 0 || first?.kind === 'atKeyword' || rule.at(-1)?.text !== '}') continue
    const declarations = rule.slice(open + 1, -1)
    const selectors = splitAt(rule.slice(0, open), ',')
      .map((part) => textOf(part.filter(({ kind, text }) => kind !== 'comment' && text !== ',')).trim())
      .filter((selector) => partsOf(selector).every((part) => KNOWN_PART.test(part)))
    const [element, ...others] = new Set(selectors.map(elementIn))
    const drawn = drawnDeclarations(declarations, others.length === 0 ? (element ?? null) : null)
    if (selectors.length > 0 && drawn.trim() !== '') written += `${selectors.join(',')}{${drawn}}`
  }
  return written
}

/** An attribute as Word reads it, with its quotes; null if Word ignores it. */
function drawnAttribute({ name, value }: Attribute, element: string): string | null {
  if (name === 'background') return null
  if (name !== 'style') return `${name}="${value.replaceAll('"', '&quot;')}"`
  const drawn = drawnDeclarations(cssTokensOf(decodeReferences(value)), element)
  return drawn.trim() === '' ? null : `style="${escapeText(drawn)}"`
}

function drawnTag(tag: OpenTag): string {
  const attributes = firstAttributes(tag).flatMap((attribute) => drawnAttribute(attribute, tag.name) ?? [])
  return `<${[tag.name, ...attributes].join(' ')}>`
}

/** The html without elements, attributes and styles that Word ignores. Comments stay. */
function withoutIgnored(html: string): string {
  const parts: string[] = []
  for (const token of tokensOf(html)) {
    const text = html.slice(token.start, token.end)
    if (token.kind === 'raw') parts.push(token.name === 'style' ? drawnRules(text) : text)
    else if (token.kind === 'text' || token.kind === 'comment') parts.push(text)
    else if (UNKNOWN_ELEMENTS.has(token.name)) continue
    else parts.push(token.kind === 'open' ? drawnTag(token) : text)
  }
  return parts.join('')
}

/**
 * Rewrites a signature so that a browser draws it approximately as classic Outlook does, which draws with Word. The
 * content of comments for Word appears; content hidden from Word disappears. All other words and pictures stay, in their
 * order. The result of foreign html is foreign html: sanitise it before use.
 */
export const asClassicOutlook = (html: string): string => htmlInWord(withoutIgnored(html))
