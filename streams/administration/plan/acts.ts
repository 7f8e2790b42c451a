/**
 * The acts of the palette above the source of a template: each is a few edits of its text. An act never cuts a tag, a
 * comment, a style sheet, a character reference or a placeholder into two, and it leaves all other text as it is.
 */
import { cssTokensOf } from '../../html/cssTokens.ts'
import { escapeText, type OpenTag, RAW_ELEMENTS, tokensOf, VOID_ELEMENTS } from '../../html/tokens.ts'
import {
  parseTemplate,
  type Placeholder,
  showsByItself,
  variablesIn,
} from '../../organisation/template/template.ts'
import type { Edit } from './draft.ts'

/** The cursor, or what is selected, in UTF-16 code units of the text. */
export type Selected = Readonly<{ from: number; to: number }>

/** A link of the social row. `picture` is the path of its icon below `pictures/`; null shows the name. */
export type SocialLink = Readonly<{ name: string; address: string; picture: string | null }>

export type Act =
  | Readonly<{ kind: 'field' | 'slot'; name: string }>
  /** `width` in CSS pixels; null when the size of the picture is not known. */
  | Readonly<{ kind: 'picture'; path: string; alternative: string; width: number | null }>
  | Readonly<{ kind: 'ifFilled'; name: string }>
  | Readonly<{ kind: 'social'; links: readonly SocialLink[] }>
  | Readonly<{ kind: 'style'; property: 'color' | 'font-family'; value: string }>

/** The edits, the last place in the text first, so that no edit moves the place of another; and what is selected then. */
export type Acted = Readonly<{ edits: readonly Edit[]; selected: Selected }>

/**
 * A part of a template that is not cut: a tag, a comment, a style sheet, a character reference or a placeholder; and the
 * text between these. `rest` is markup that the end of the text cuts off: its end is behind the text, so that it also
 * has the last place of the text.
 */
type Unit = Readonly<{ from: number; to: number }> &
  (
    | Readonly<{ kind: 'text' | 'reference' | 'other' | 'rest' }>
    | Readonly<{ kind: 'value' | 'control'; placeholder: Placeholder }>
    | Readonly<{ kind: 'open'; tag: OpenTag }>
    | Readonly<{ kind: 'close'; name: string }>
  )

const REFERENCE = /&(?:#x[\da-f]+|#\d+|[a-z][a-z\d]*);/gi

/** The words within the bounds, with the references and the placeholders among them. */
function wordsOf(
  text: string,
  { from, to }: Selected,
  placeholders: readonly Placeholder[],
): readonly Unit[] {
  const units: Unit[] = []
  let at = from
  const addUnit = (unit: Unit) => {
    if (at < unit.from) units.push({ kind: 'text', from: at, to: unit.from })
    units.push(unit)
    at = unit.to
  }
  const addWords = (until: number) => {
    const begin = at
    for (const { 0: reference, index } of text.slice(begin, until).matchAll(REFERENCE))
      addUnit({ kind: 'reference', from: begin + index, to: begin + index + reference.length })
  }
  for (const placeholder of placeholders) {
    addWords(placeholder.at)
    // A style may not begin before what shows nothing by itself and end behind it.
    const kind = showsByItself(placeholder) ? 'value' : 'control'
    addUnit({ kind, placeholder, from: placeholder.at, to: placeholder.end })
  }
  addWords(to)
  if (at < to) units.push({ kind: 'text', from: at, to })
  return units
}

function unitsOf(text: string): readonly Unit[] {
  const { placeholders } = parseTemplate(text, new Map()).template
  const units: Unit[] = []
  let next = 0
  /** The element without markup in it that is open, such as a style sheet. */
  let raw: OpenTag | null = null
  // What the end of the text cuts off has the blank, too.
  for (const token of tokensOf(`${text} `)) {
    const { kind, start, end } = token
    if (raw) {
      if (kind !== 'close') continue
      units.push({ kind: 'other', from: raw.start, to: end })
      raw = null
    } else if (kind === 'open' && RAW_ELEMENTS.has(token.name)) raw = token
    else if (kind === 'open') units.push({ kind, tag: token, from: start, to: end })
    else if (kind === 'close') units.push({ kind, name: token.name, from: start, to: end })
    else if (kind !== 'text') units.push({ kind: end > text.length ? 'rest' : 'other', from: start, to: end })
    else {
      while ((placeholders[next]?.at ?? end) < start) next++
      const first = next
      while ((placeholders[next]?.at ?? end) < end) next++
      const bounds = { from: start, to: Math.min(end, text.length) }
      for (const unit of wordsOf(text, bounds, placeholders.slice(first, next))) units.push(unit)
    }
  }
  if (raw) units.push({ kind: 'rest', from: raw.start, to: text.length + 1 })
  return units
}

const isInside = ({ from, to }: Unit, offset: number): boolean => from < offset && offset < to

/** Whether words show it, so that it may be replaced by others. */
const isWords = ({ kind }: Unit): boolean => kind === 'text' || kind === 'reference' || kind === 'value'

/** The selection, widened to whole placeholders and tags. It ends before one that is not closed. */
function whole(units: readonly Unit[], { from, to }: Selected): Selected {
  const cut = (offset: number) => units.find((unit) => unit.kind !== 'text' && isInside(unit, offset))
  const last = cut(to)
  return { from: cut(from)?.from ?? from, to: (last?.kind === 'rest' ? last.from : last?.to) ?? to }
}

const clipped = (text: string, { from, to }: Selected): Selected => {
  const within = (offset: number) => Math.max(0, Math.min(offset, text.length))
  return { from: within(Math.min(from, to)), to: within(Math.max(from, to)) }
}

/** One edit that replaces what is selected. The cursor stands behind the insertion then. */
const replaced = ({ from, to }: Selected, insert: string): Acted => ({
  edits: [{ from, to, insert }],
  selected: { from: from + insert.length, to: from + insert.length },
})

/**
 * Puts text at the cursor, behind the unit in which the cursor is, and before what has no end. It takes the place of
 * selected words; behind a selection with markup, it takes the place of none.
 */
function inserted(units: readonly Unit[], selected: Selected, insert: string): Acted {
  const { from, to } = whole(units, selected)
  const areWords =
    selected.to <= to && units.every((unit) => unit.to <= from || to <= unit.from || isWords(unit))
  return replaced(selected.from < selected.to && areWords ? { from, to } : { from: to, to }, insert)
}

/** The quoted value of the attribute around the selection; null outside of an attribute. */
function attributeWords(
  text: string,
  units: readonly Unit[],
  { from, to }: Selected,
): readonly Unit[] | null {
  const tag = units.find((unit) => unit.kind === 'open' && isInside(unit, from))
  for (const { valueStart, value, end } of tag?.kind === 'open' ? tag.tag.attributes : []) {
    const valueEnd = valueStart + value.length
    // A value in quotes ends before its attribute does.
    if (valueEnd === end || from < valueStart || valueEnd < to) continue
    const { placeholders } = parseTemplate(text, new Map()).template
    return wordsOf(
      text,
      { from: valueStart, to: valueEnd },
      placeholders.filter((each) => valueStart <= each.at && each.end <= valueEnd),
    )
  }
  return null
}

/** Puts a value at the cursor, also into an attribute in quotes. */
function insertedField(text: string, selected: Selected, name: string): Acted {
  const units = unitsOf(text)
  return inserted(attributeWords(text, units, selected) ?? units, selected, `{{${name}}}`)
}

/** Two units that belong together, such as the tags of an element: what has one of both has both. */
type Pair = readonly [first: Unit, last: Unit]

function pairsOf(units: readonly Unit[]): readonly Pair[] {
  const pairs: Pair[] = []
  const elements: { name: string; unit: Unit }[] = []
  const controls: Unit[] = []
  for (const unit of units) {
    if (unit.kind === 'open' && !VOID_ELEMENTS.has(unit.tag.name))
      elements.push({ name: unit.tag.name, unit })
    else if (unit.kind === 'close') {
      const at = elements.findLastIndex(({ name }) => name === unit.name)
      const opened = elements[at]
      if (opened) pairs.push([opened.unit, unit])
      if (opened) elements.length = at
    } else if (unit.kind === 'control') {
      const { kind } = unit.placeholder
      if (kind === 'else' || kind === 'end' || kind === 'slotEnd') {
        const opened = controls.pop()
        if (opened) pairs.push([opened, unit])
      }
      if (kind === 'if' || kind === 'slotStart' || kind === 'else') controls.push(unit)
    }
  }
  return pairs
}

/** The selection with the other one of each pair of which it has one. */
function balanced(units: readonly Unit[], selected: Selected): Selected {
  const pairs = pairsOf(units)
  let { from, to } = whole(units, selected)
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [first, last] of pairs) {
      const hasFirst = from <= first.from && first.to <= to
      const hasLast = from <= last.from && last.to <= to
      if (hasFirst === hasLast) continue
      if (hasFirst) to = last.to
      else from = first.from
      isChanged = true
    }
  }
  return { from, to }
}

/** The placeholders of values at a cursor: in front of it, around it, and behind it. */
const valuesAt = (units: readonly Unit[], offset: number): readonly Placeholder[] =>
  units.flatMap((unit) =>
    unit.kind === 'value' && unit.from <= offset && offset <= unit.to ? [unit.placeholder] : [],
  )

/**
 * Puts the condition around what is selected, or around the value at the cursor. Where there is neither, the condition
 * brings the value for which it asks.
 */
function conditional(text: string, selected: Selected, name: string): Acted {
  const units = unitsOf(text)
  const values = selected.from === selected.to ? valuesAt(units, selected.from) : []
  const value = values.find((each) => variablesIn(each).includes(name)) ?? values[0]
  const behind = whole(units, selected).to
  const { from, to } =
    selected.from < selected.to
      ? balanced(units, selected)
      : { from: value?.at ?? behind, to: value?.end ?? behind }
  const [begin, end] = [`{{#if ${name}}}`, '{{/if}}']
  const brought = from === to ? `{{${name}}}` : ''
  return {
    edits: brought
      ? [{ from, to, insert: begin + brought + end }]
      : [
          { from: to, to, insert: end },
          { from, to: from, insert: begin },
        ],
    selected: { from: from + begin.length, to: to + begin.length + brought.length },
  }
}

/** The variables that selected text shows, or the values at the cursor, each once, in the order of the text. */
export function fieldsIn(text: string, given: Selected): readonly string[] {
  const selected = clipped(text, given)
  const units = unitsOf(text)
  if (selected.from === selected.to) return [...new Set(valuesAt(units, selected.from).flatMap(variablesIn))]
  const { from, to } = whole(units, selected)
  const { placeholders } = parseTemplate(text, new Map()).template
  const shown = placeholders.filter(({ kind, at, end }) => kind !== 'if' && at < to && from < end)
  return [...new Set(shown.flatMap(variablesIn))]
}

/** The text of a `style` attribute with this declaration in place of the one before. */
function withDeclaration(style: string, property: string, value: string): string {
  // References have semicolons; a mask of the same length has none.
  const masked = style.replace(/&#?\w+;/g, (reference) => 'x'.repeat(reference.length))
  let [at, begin, brackets] = [0, 0, 0]
  const ranges: { from: number; to: number }[] = []
  for (const { text, kind } of cssTokensOf(masked)) {
    if (kind === 'function' || text === '(' || text === '[' || text === '{') brackets++
    else if (text === ')' || text === ']' || text === '}') brackets = Math.max(0, brackets - 1)
    else if (text === ';' && brackets === 0) {
      ranges.push({ from: begin, to: at })
      begin = at + 1
    }
    at += text.length
  }
  if (begin < style.length) ranges.push({ from: begin, to: style.length })
  const declaration = `${property}:${value}`
  const found = ranges.findLast(
    ({ from, to }) => /^\s*([\w-]+)\s*:/.exec(masked.slice(from, to))?.[1]?.toLowerCase() === property,
  )
  if (found) {
    const blank = /^\s*/.exec(style.slice(found.from, found.to))?.[0] ?? ''
    return style.slice(0, found.from) + blank + declaration + style.slice(found.to)
  }
  const before = style.trimEnd()
  return before === '' || before.endsWith(';') ? before + declaration : `${before};${declaration}`
}

/** The edit that gives an element the style. */
function styledTag(
  text: string,
  { attributes, name, start }: OpenTag,
  property: string,
  value: string,
): Edit {
  const style = attributes.find((attribute) => attribute.name === 'style')
  if (!style) {
    const at = start + 1 + name.length
    return { from: at, to: at, insert: ` style="${property}:${value}"` }
  }
  const { start: from, end: to } = style
  const quote = text[style.valueStart - 1] === "'" && style.valueStart > from ? "'" : '"'
  const written = quote === "'" ? value.replaceAll("'", '"') : value
  return { from, to, insert: `style=${quote}${withDeclaration(style.value, property, written)}${quote}` }
}

/** Words and values without markup between them. */
type Run = Readonly<{ from: number; to: number; before: Unit | undefined; after: Unit | undefined }>

function runsOf(text: string, units: readonly Unit[]): readonly Run[] {
  const runs: Run[] = []
  for (let index = 0; index < units.length; index++) {
    const first = index
    for (let unit = units[index]; unit && isWords(unit); unit = units[++index]);
    if (index === first) continue
    const [from, to] = [units[first]?.from ?? 0, units[index - 1]?.to ?? 0]
    if (text.slice(from, to).trim() !== '')
      runs.push({ from, to, before: units[first - 1], after: units[index] })
  }
  return runs
}

/**
 * Gives the selected words a style, or the words around the cursor. Where they are all that an element has, the element
 * gets it; else they get an element of their own. A cursor in a tag gives the style to its element.
 */
function styled(text: string, selected: Selected, property: string, value: string): Acted {
  const units = unitsOf(text)
  const tag = units.find(
    (unit) =>
      unit.kind === 'open' &&
      unit.from < selected.to &&
      selected.from < unit.to &&
      unit.from <= selected.from &&
      selected.to <= unit.to,
  )
  const edits: Edit[] = []
  if (tag?.kind === 'open') edits.push(styledTag(text, tag.tag, property, value))
  else {
    const range = whole(units, selected)
    const isCursor = selected.from === selected.to
    for (const run of runsOf(text, units)) {
      const isMeant = isCursor
        ? run.from <= selected.from && selected.from <= run.to
        : run.from < range.to && range.from < run.to
      if (!isMeant || (isCursor && edits.length > 0)) continue
      let [from, to] = isCursor
        ? [run.from, run.to]
        : [Math.max(run.from, range.from), Math.min(run.to, range.to)]
      const words = text.slice(from, to)
      if (words.trim() === '') continue
      from += words.length - words.trimStart().length
      to -= words.length - words.trimEnd().length
      const { before, after } = run
      const isAll = text.slice(run.from, from).trim() === '' && text.slice(to, run.to).trim() === ''
      if (isAll && before?.kind === 'open' && after?.kind === 'close' && before.tag.name === after.name)
        edits.push(styledTag(text, before.tag, property, value))
      else {
        edits.push({ from, to: from, insert: `<span style="${property}:${value}">` })
        edits.push({ from: to, to, insert: '</span>' })
      }
    }
  }
  edits.reverse()
  return { edits, selected: moved(selected, edits) }
}

/** The selection after edits as in `Acted`. Text inserted at its bounds stays outside. */
function moved({ from, to }: Selected, edits: readonly Edit[]): Selected {
  const shift = (offset: number, isEnd: boolean) =>
    edits.reduce((at, edit) => {
      if (edit.to > offset || (isEnd && edit.from === offset)) return at
      return at + edit.insert.length - (edit.to - edit.from)
    }, offset)
  return from === to
    ? { from: shift(from, false), to: shift(from, false) }
    : { from: shift(from, false), to: shift(to, true) }
}

const ICON_PX = 24

const pictureTag = (path: string, alternative: string, size: string): string =>
  `<img src="{{picture ${path}}}" alt="${textOf(alternative)}"${size}>`

/** Text for an attribute or between tags. Braces are references, because braces begin placeholders. */
const textOf = (text: string): string => escapeText(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;')

function socialRow(links: readonly SocialLink[], lineEnd: string): string {
  const cells = links.map(({ name, address, picture }, index) => {
    const space = index < links.length - 1 ? ' style="padding-right:8px"' : ''
    const size = ` width="${String(ICON_PX)}" height="${String(ICON_PX)}" border="0"`
    const shown = picture === null ? textOf(name) : pictureTag(picture, name, size)
    return `  <td${space}><a href="${textOf(address)}">${shown}</a></td>`
  })
  return [
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>',
    ...cells,
    '</tr></table>',
  ].join(lineEnd)
}

/** The edits of an act, and what is selected afterwards. The selection may lie beyond the text. */
export function acted(text: string, given: Selected, act: Act): Acted {
  const selected = clipped(text, given)
  switch (act.kind) {
    case 'field':
      return insertedField(text, selected, act.name)
    case 'slot':
      return inserted(unitsOf(text), selected, `{{block ${act.name}}}`)
    case 'picture': {
      const size = act.width === null ? '' : ` width="${String(act.width)}"`
      return inserted(unitsOf(text), selected, pictureTag(act.path, act.alternative, size))
    }
    case 'social':
      return act.links.length === 0
        ? { edits: [], selected }
        : inserted(unitsOf(text), selected, socialRow(act.links, text.includes('\r\n') ? '\r\n' : '\n'))
    case 'ifFilled':
      return conditional(text, selected, act.name)
    case 'style':
      return styled(text, selected, act.property, act.value)
  }
}

/** Families that have serifs or are of one width: where the font is missing, a similar one takes its place. */
const GENERIC: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['monospace', /^(?:consolas|courier|menlo|monaco)|\bmono\b/i],
  [
    'serif',
    /^(?:times|georgia|garamond|cambria|palatino|book antiqua|baskerville)|^(?!.*\bsans\b).*\bserif\b/i,
  ],
]

/** The value of `font-family` for a font, with a generic family behind it. Names of fonts have letters, digits and blanks. */
export function fontFamily(font: string): string {
  const generic = GENERIC.find(([, pattern]) => pattern.test(font))?.[0] ?? 'sans-serif'
  return `${/^[a-z][a-z-]*(?: [a-z][a-z-]*)*$/i.test(font) ? font : `'${font}'`},${generic}`
}

/** The social networks that the palette offers, with the word in the file names of their icons. */
export const NETWORKS: readonly Readonly<{ id: string; name: string }>[] = [
  { id: 'linkedin', name: 'LinkedIn' },
  { id: 'xing', name: 'XING' },
  { id: 'facebook', name: 'Facebook' },
  { id: 'instagram', name: 'Instagram' },
  { id: 'youtube', name: 'YouTube' },
  { id: 'x', name: 'X' },
  { id: 'bluesky', name: 'Bluesky' },
  { id: 'mastodon', name: 'Mastodon' },
  { id: 'github', name: 'GitHub' },
  { id: 'whatsapp', name: 'WhatsApp' },
]

/** The draft's picture with the network's name as a word of its file name; null without one. */
export const iconOf = (pictures: readonly string[], network: string): string | null =>
  pictures.find((path) =>
    path
      .slice(path.lastIndexOf('/') + 1)
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .includes(network),
  ) ?? null
