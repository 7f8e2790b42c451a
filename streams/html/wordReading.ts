/** Rewrites html so that a browser draws it as classic Outlook does, which renders with Word. */
import { attributeOf, decodeReferences, type OpenTag, tokensOf, VOID_ELEMENTS } from './tokens.ts'

/** The version of Word in classic Outlook. */
const VERSION = 16

const WORDS = /gte|gt|lte|lt|mso|vml|true|\d+(?:\.\d+)?|[()&|!]|[^\s()&|!]+/gi

/** Whether a condition such as `(gte mso 9)&(!IE)` is true in Word. */
export function isTrueInWord(condition: string): boolean {
  const words = Array.from(condition.matchAll(WORDS), ([word]) => word.toLowerCase())
  let at = 0
  const take = (word: string): boolean => words[at] === word && ++at > 0
  const any = (): boolean => {
    let holds = all()
    while (take('|')) {
      const other = all()
      holds ||= other
    }
    return holds
  }
  const all = (): boolean => {
    let holds = one()
    while (take('&')) {
      const other = one()
      holds &&= other
    }
    return holds
  }
  const one = (): boolean => {
    let isNot = false
    while (take('!')) isNot = !isNot
    if (take('(')) {
      const holds = any()
      take(')')
      return holds !== isNot
    }
    const sign = /^(?:gte|gt|lte|lt)$/.test(words[at] ?? '') ? words[at++] : undefined
    const feature = words[at++]
    const number = /^\d/.test(words[at] ?? '') ? Number(words[at++]) : null
    return isIn(feature, sign, number) !== isNot
  }
  return any()
}

function isIn(feature: string | undefined, sign: string | undefined, number: number | null): boolean {
  const version = feature === 'mso' ? VERSION : feature === 'vml' || feature === 'true' ? 1 : null
  if (version === null) return false
  if (number === null) return true
  if (sign === 'gte') return version >= number
  if (sign === 'gt') return version > number
  if (sign === 'lte') return version <= number
  return sign === 'lt' ? version < number : version === number
}

const OPENS = /^(?:<!--|<!)\[if\s([^\]]{1,100})\]>/i
const CLOSES = /^<!(?:--\s*<!)?\[endif\]/i
const HIDDEN = /(?:^|[;\s])mso-hide\s*:\s*all/i

/** Converts a Word shape to an element that browsers draw. */
function shape(tag: OpenTag): string {
  const of = (name: string) => (attributeOf(tag, name) ?? '').replace(/["<>&;]/g, '')
  if (tag.name === 'v:imagedata' || tag.name === 'v:fill')
    return of('src') === '' ? '' : `<img src="${of('src')}">`
  const [fill, stroke] = [of('fillcolor'), of('strokecolor')]
  const style = [
    'display:inline-block',
    ...(fill === '' ? [] : [`background-color:${fill}`]),
    ...(stroke === '' ? [] : [`border:1px solid ${stroke}`]),
    decodeReferences(attributeOf(tag, 'style') ?? ''),
  ].join(';')
  return `<span style="${style.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}">`
}

const SHAPES = /^v:(?!shapetype|path|formulas|f$|stroke|textbox)/

/** The html in a conditional comment for Word, with shapes as elements that browsers draw. */
function drawn(markup: string): string {
  const parts: string[] = []
  let isInData = false
  for (const token of tokensOf(markup)) {
    if ('name' in token && token.name === 'xml') isInData = token.kind === 'open'
    else if (isInData || token.kind === 'comment') continue
    else if (token.kind === 'open' && SHAPES.test(token.name)) parts.push(shape(token))
    else if (token.kind === 'close' && SHAPES.test(token.name))
      parts.push(token.name === 'v:imagedata' || token.name === 'v:fill' ? '' : '</span>')
    else if (!('name' in token) || !token.name.includes(':')) parts.push(markup.slice(token.start, token.end))
  }
  return parts.join('')
}

/**
 * Returns html as Word reads it: with the content of conditional comments for Word, and without content hidden from
 * Word.
 */
export function htmlInWord(html: string): string {
  const parts: string[] = []
  /** For each open conditional mark, whether Word reads its content. */
  const marks: boolean[] = []
  let skipped = 0
  let hidden = null as { readonly name: string; depth: number } | null
  const mark = (isRead: boolean) => {
    marks.push(isRead)
    if (!isRead) skipped++
  }
  for (const token of tokensOf(html)) {
    const text = html.slice(token.start, token.end)
    if (token.kind === 'comment') {
      const [opening, condition] = OPENS.exec(text) ?? []
      if (opening !== undefined && condition !== undefined) {
        const inner = text.slice(opening.length).replace(/-->$/, '')
        const isMark = !opening.startsWith('<!--') || /^\s*(?:<!(?:--)?\s*)?$/.test(inner)
        if (isMark) mark(isTrueInWord(condition))
        else if (skipped === 0 && hidden === null && isTrueInWord(condition))
          parts.push(drawn(inner.replace(/<!\[endif\]$/i, '')))
      } else if (CLOSES.test(text) && marks.pop() === false) skipped--
    } else if (skipped > 0) continue
    else if (hidden !== null) {
      if ('name' in token && token.name === hidden.name && token.kind !== 'raw')
        hidden.depth += token.kind === 'open' ? 1 : -1
      if (hidden.depth === 0) hidden = null
    } else if (token.kind === 'open' && HIDDEN.test(attributeOf(token, 'style') ?? '')) {
      if (!VOID_ELEMENTS.has(token.name)) hidden = { name: token.name, depth: 1 }
    } else parts.push(text)
  }
  return parts.join('')
}
