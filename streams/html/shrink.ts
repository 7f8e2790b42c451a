import { nameSet, type OpenTag, tokensOf } from './tokens.ts'

/** Block and table elements. Space beside their tags is not shown. */
const BLOCKS = nameSet('table tbody thead tfoot tr td th div p ul ol li h1 h2 h3 h4 h5 h6 center')
/** Attributes that have no effect if empty. */
const DROPPED_EMPTY = nameSet('class style id title')
const CONDITIONAL = /^<!(?:--)?(?:<!)?\[(?:if|endif)/i

const onOneLine = (text: string): string => text.replace(/[\t\n\f\r ]+/g, ' ')

function shrinkStyle(style: string): string {
  const tight = style
    .replace(/ ?([:;,]) ?/g, '$1')
    .replace(/(^|[^\d.])0(?:px|pt|em)\b/g, (_, before: string) => `${before}0`)
  let end = tight.length
  while (tight[end - 1] === ';' || tight[end - 1] === ' ') end--
  return tight.slice(0, end).trimStart()
}

function shrinkTag(html: string, tag: OpenTag): string {
  let small = ''
  let end = tag.start
  for (const { name, value, valueStart, start, end: attributeEnd } of tag.attributes) {
    const isQuoted = html[valueStart - 1] === '"'
    if (isQuoted && value === '' && DROPPED_EMPTY.has(name)) {
      small += html.slice(end, start).trimEnd()
      end = attributeEnd
    } else if (isQuoted && name === 'style') {
      small += html.slice(end, valueStart) + shrinkStyle(onOneLine(value))
      end = valueStart + value.length
    }
  }
  return onOneLine(small + html.slice(end, tag.end))
}

/**
 * The same signature in fewer characters. Removes content that mail clients do not show: comments except conditional
 * ones, space between tags without text, empty attributes, `px` after a zero. Text and layout are unchanged.
 */
export function shrink(html: string): string {
  const parts: string[] = []
  let text = ''
  let isAfterBlock = true
  for (const token of tokensOf(html)) {
    const written = html.slice(token.start, token.end)
    if (token.kind === 'text' || token.kind === 'raw') {
      text += written
      continue
    }
    if (token.kind === 'comment' && !CONDITIONAL.test(written)) continue
    const isBlock = token.kind !== 'comment' && BLOCKS.has(token.name)
    const between = onOneLine(text)
    if (between !== ' ' || !(isBlock || isAfterBlock)) parts.push(between)
    text = ''
    parts.push(token.kind === 'open' ? shrinkTag(html, token) : onOneLine(written))
    isAfterBlock = isBlock
  }
  parts.push(onOneLine(text))
  return parts.join('').trim()
}
