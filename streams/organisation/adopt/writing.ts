/** Writes html as a template: adds placeholders and conditions, and escapes the braces of the html. */
import { firstAttributes, type Token, tokensOf, VOID_ELEMENTS } from '../../html/tokens.ts'
import { misbracedPlaceholders } from '../template/template.ts'
import { type FoundValue, placeholderKindOf } from './finding.ts'
import type { LineCondition } from './lines.ts'
import type { ReadHtml } from './reading.ts'

/** A found value with its variable's name in the template. */
export type NamedValue = FoundValue & Readonly<{ path: string }>

export function placeholderOf(place: NamedValue): string {
  const way = placeholderKindOf(place)
  return way === 'text' ? `{{${place.path}}}` : `{{${way} ${place.path}}}`
}

/** Replaces the html from `start` to `end` by `text`. Edits at the same offset are sorted by `order`. */
type Edit = Readonly<{ start: number; end: number; text: string; order: 'end' | 'begin' | 'text' }>

const ORDER: readonly Edit['order'][] = ['end', 'begin', 'text']

/** A stretch of html up to `end`, and the function that escapes its braces. */
type Region = Readonly<{ end: number; braces: (text: string) => string }>

const asReference = (brace: string): string => (brace === '{' ? '&#123;' : '&#125;')
const inText = (text: string): string => text.replace(/[{}]/g, asReference)
/** Escapes braces, but keeps the picture placeholders that the cleaning inserted. */
const withPictures = (text: string): string =>
  text.replace(/\{\{picture adopted\/[\w.-]{1,200}\}\}|[{}]/g, (found) =>
    found.length === 1 ? asReference(found) : found,
  )
/**
 * Escapes braces in a style. Styles need their braces and have no character references. So only braces that could be
 * read as a placeholder, even a faulty one, are separated: by a space, or by a semicolon, which has no effect there.
 */
function inRaw(text: string): string {
  const divided = text.replace(/\{(?=\{)/g, '{ ')
  const parts: string[] = []
  let done = 0
  for (const { end } of misbracedPlaceholders(divided)) {
    const behind = divided.lastIndexOf('{', end - 1) + 1
    parts.push(divided.slice(done, behind), ';')
    done = behind
  }
  return parts.join('') + divided.slice(done)
}
/** A comment for Word contains markup, whose styles need their braces. */
function inComment(text: string): string {
  const from = text.startsWith('<!--') ? 4 : 0
  const markup = text.slice(from)
  const parts = [text.slice(0, from)]
  for (const { kind, start, end } of tokensOf(markup))
    parts.push((kind === 'raw' ? inRaw : withPictures)(markup.slice(start, end)))
  return parts.join('')
}
/** Names cannot contain braces, so braces become underscores. */
const inNames = (text: string): string => text.replace(/[{}]/g, '_')

const WITH_PICTURES = new Set(['src', 'background', 'style'])

function* regionsOf(tokens: readonly Token[]): Generator<Region, void> {
  for (const token of tokens) {
    const { end } = token
    if (token.kind === 'text') yield { end, braces: inText }
    else if (token.kind === 'raw') yield { end, braces: inRaw }
    else if (token.kind === 'comment') yield { end, braces: inComment }
    else if (token.kind === 'close') yield { end, braces: inNames }
    else {
      for (const { name, value, valueStart } of firstAttributes(token)) {
        yield { end: valueStart, braces: inNames }
        yield { end: valueStart + value.length, braces: WITH_PICTURES.has(name) ? withPictures : inText }
      }
      yield { end, braces: inNames }
    }
  }
}

/**
 * Writes html as a template with these placeholders and conditions.
 *
 * @param places in the order of the html, without nesting
 */
export function writeTemplate(
  { html, tokens }: ReadHtml,
  places: readonly NamedValue[],
  conditions: readonly LineCondition[],
): string {
  const edits: Edit[] = conditions.flatMap(({ start, end, paths }): readonly Edit[] => [
    { start, end: start, text: `{{#if ${paths.join(' ')}}}`, order: 'begin' },
    { start: end, end, text: '{{/if}}', order: 'end' },
  ])
  let first = 0
  for (const place of places) {
    while ((tokens[first]?.end ?? Infinity) <= place.start) first++
    edits.push(...editsOf(place, tokens, first))
  }
  edits.sort((one, other) => one.start - other.start || ORDER.indexOf(one.order) - ORDER.indexOf(other.order))

  const parts: string[] = []
  const regions = regionsOf(tokens)
  let region = regions.next().value ?? null
  let done = 0
  const copy = (until: number) => {
    while (region && done < until) {
      const to = Math.min(until, region.end)
      if (to > done) parts.push(region.braces(html.slice(done, to)))
      done = Math.max(done, to)
      if (region.end <= done) region = regions.next().value ?? null
    }
  }
  const skip = (until: number) => {
    done = Math.max(done, until)
    while (region && region.end <= done) region = regions.next().value ?? null
  }
  for (const { start, end, text } of edits) {
    copy(start)
    parts.push(text)
    skip(end)
  }
  copy(html.length)
  return parts.join('')
}

/**
 * Returns the edits for one placeholder. If elements divide the text, the first one gets the placeholder, and emptied
 * elements are removed.
 */
function editsOf(place: NamedValue, tokens: readonly Token[], first: number): readonly Edit[] {
  const { start, end, isUpper, attribute } = place
  const placeholder = placeholderOf(place)
  const text = isUpper ? `<span style="text-transform:uppercase">${placeholder}</span>` : placeholder
  if (attribute !== null) return [{ start, end, text, order: 'text' }]
  const edits: Edit[] = []
  /** The opening tags after the text that are not closed yet. */
  const open: Extract<Token, { kind: 'open' }>[] = []
  for (let index = first; index < tokens.length; index++) {
    const token = tokens[index]
    const isEmptied = token?.kind === 'close' && open.at(-1)?.name === token.name
    if (!token || (token.start >= end && !isEmptied)) break
    if (token.kind === 'text') {
      const [from, to] = [Math.max(start, token.start), Math.min(end, token.end)]
      edits.push({ start: from, end: to, text: edits.length === 0 ? text : '', order: 'text' })
      if (end < token.end) break
    } else if (token.kind === 'open' && !VOID_ELEMENTS.has(token.name)) open.push(token)
    else if (token.kind === 'close') {
      const opening = open.pop()
      if (opening?.name !== token.name) open.length = 0
      else
        for (const { start: from, end: to } of [opening, token])
          edits.push({ start: from, end: to, text: '', order: 'text' })
    }
  }
  return edits
}
