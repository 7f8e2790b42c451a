/**
 * The palette's actions on the source of a template. Each action makes a few text edits. It never splits a tag,
 * comment, style sheet, character reference or placeholder, and it leaves all other text unchanged.
 */
import { cssTokensOf } from '../../html/cssTokens.ts'
import { escapeText, type OpenTag, RAW_ELEMENTS, tokensOf, VOID_ELEMENTS } from '../../html/tokens.ts'
import {
  parseTemplate,
  type Placeholder,
  showsByItself,
  variablesIn,
} from '../../organisation/template/template.ts'
import type { TemplateEdit } from './draft.ts'

/** The cursor or the selection, in UTF-16 code units of the text. */
export type TextSelection = Readonly<{ from: number; to: number }>

/** A link in the social row. `picture` is the path of its icon below `pictures/`; if null, the name is shown. */
export type SocialLink = Readonly<{ name: string; address: string; picture: string | null }>

export type PaletteAction =
  | Readonly<{ kind: 'field' | 'slot'; name: string }>
  /** `width` is in CSS pixels; null if the picture's size is unknown. */
  | Readonly<{ kind: 'picture'; path: string; alternative: string; width: number | null }>
  | Readonly<{ kind: 'ifFilled'; name: string }>
  | Readonly<{ kind: 'social'; links: readonly SocialLink[] }>
  | Readonly<{ kind: 'style'; property: string; value: string }>

/**
 * The edits, and the selection after them. The edits run from the end of the text to its start, so no edit shifts
 * another.
 */
export type ActionResult = Readonly<{ edits: readonly TemplateEdit[]; selected: TextSelection }>

/**
 * A part of a template: a tag, comment, style sheet, character reference or placeholder, which must not be split, or
 * the text between them. `rest` is markup that is still open at the end of the text. It ends one past the text, so a
 * cursor at the very end is inside it.
 */
type Unit = Readonly<{ from: number; to: number }> &
  (
    | Readonly<{ kind: 'text' | 'reference' | 'other' | 'rest' }>
    | Readonly<{ kind: 'value' | 'control'; placeholder: Placeholder }>
    | Readonly<{ kind: 'open'; tag: OpenTag }>
    | Readonly<{ kind: 'close'; name: string }>
  )

const REFERENCE = /&(?:#x[\da-f]+|#\d+|[a-z][a-z\d]*);/gi

/** Splits the text within the bounds into words, references and placeholders. */
function wordsOf(
  text: string,
  { from, to }: TextSelection,
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
    // A style must not begin before an invisible placeholder and end after it.
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
  /** The open raw-text element, such as a style sheet. */
  let raw: OpenTag | null = null
  // With a space appended, the token of an unfinished tag ends after `text`, so it can be detected.
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

/** Whether the unit is visible text that an insertion may replace. */
const isWords = ({ kind }: Unit): boolean => kind === 'text' || kind === 'reference' || kind === 'value'

/** Widens the selection to whole placeholders and tags. It ends before unfinished markup. */
function whole(units: readonly Unit[], { from, to }: TextSelection): TextSelection {
  const cut = (offset: number) => units.find((unit) => unit.kind !== 'text' && isInside(unit, offset))
  const last = cut(to)
  return { from: cut(from)?.from ?? from, to: (last?.kind === 'rest' ? last.from : last?.to) ?? to }
}

const clipped = (text: string, { from, to }: TextSelection): TextSelection => {
  const within = (offset: number) => Math.max(0, Math.min(offset, text.length))
  return { from: within(Math.min(from, to)), to: within(Math.max(from, to)) }
}

/** One edit that replaces the selection. The cursor moves to the end of the inserted text. */
const replaced = ({ from, to }: TextSelection, insert: string): ActionResult => ({
  edits: [{ from, to, insert }],
  selected: { from: from + insert.length, to: from + insert.length },
})

/**
 * Inserts text after the unit at the cursor, or before unfinished markup. Replaces the selection only if it has no
 * markup; otherwise inserts after the selection.
 */
function inserted(units: readonly Unit[], selected: TextSelection, insert: string): ActionResult {
  const { from, to } = whole(units, selected)
  const areWords =
    selected.to <= to && units.every((unit) => unit.to <= from || to <= unit.from || isWords(unit))
  return replaced(selected.from < selected.to && areWords ? { from, to } : { from: to, to }, insert)
}

/** The quoted attribute value that contains the selection; null outside an attribute. */
function attributeWords(
  text: string,
  units: readonly Unit[],
  { from, to }: TextSelection,
): readonly Unit[] | null {
  const tag = units.find((unit) => unit.kind === 'open' && isInside(unit, from))
  for (const { valueStart, value, end } of tag?.kind === 'open' ? tag.tag.attributes : []) {
    const valueEnd = valueStart + value.length
    // In a quoted attribute, the value ends before the attribute does.
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

/** Inserts a field at the cursor, also inside a quoted attribute. */
function insertedField(text: string, selected: TextSelection, name: string): ActionResult {
  const units = unitsOf(text)
  return inserted(attributeWords(text, units, selected) ?? units, selected, `{{${name}}}`)
}

/** Two matching units, such as the tags of an element. A selection must contain both or neither. */
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

/** Widens the selection until it contains both units of each pair, or neither. */
function balanced(units: readonly Unit[], selected: TextSelection): TextSelection {
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

/** The value placeholders that touch the cursor. */
const valuesAt = (units: readonly Unit[], offset: number): readonly Placeholder[] =>
  units.flatMap((unit) =>
    unit.kind === 'value' && unit.from <= offset && offset <= unit.to ? [unit.placeholder] : [],
  )

/**
 * Puts a condition around the selection, or around the value at the cursor. If there is neither, also inserts the
 * tested value.
 */
function conditional(text: string, selected: TextSelection, name: string): ActionResult {
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

/** The variables in the selected text or at the cursor, without duplicates, in text order. */
export function variablesInSelection(text: string, given: TextSelection): readonly string[] {
  const selected = clipped(text, given)
  const units = unitsOf(text)
  if (selected.from === selected.to) return [...new Set(valuesAt(units, selected.from).flatMap(variablesIn))]
  const { from, to } = whole(units, selected)
  const { placeholders } = parseTemplate(text, new Map()).template
  const shown = placeholders.filter(({ kind, at, end }) => kind !== 'if' && at < to && from < end)
  return [...new Set(shown.flatMap(variablesIn))]
}

/** A property and its value in a `style` attribute. */
export type StyleDeclaration = readonly [property: string, value: string]

/** Sets a declaration in the text of a `style` attribute, replacing an earlier one. */
function withDeclaration(style: string, [property, value]: StyleDeclaration): string {
  // References contain semicolons, so a mask of the same length replaces them.
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
  const nameIn = ({ from, to }: { from: number; to: number }) =>
    /^\s*([\w-]+)\s*:/.exec(masked.slice(from, to))?.[1]?.toLowerCase() ?? ''
  // A later `padding` would override an earlier `padding-top`.
  const shorthand = ranges.findLastIndex((range) => {
    const name = nameIn(range)
    return name !== '' && name !== property && property.startsWith(`${name}-`)
  })
  const found = ranges.slice(shorthand + 1).findLast((range) => nameIn(range) === property)
  if (found) {
    const blank = /^\s*/.exec(style.slice(found.from, found.to))?.[0] ?? ''
    return style.slice(0, found.from) + blank + declaration + style.slice(found.to)
  }
  const before = style.trimEnd()
  return before === '' || before.endsWith(';') ? before + declaration : `${before};${declaration}`
}

/** The edit that adds declarations to the style of an element, or replaces earlier ones. */
export function styledTag(
  text: string,
  { attributes, name, start }: OpenTag,
  declarations: readonly StyleDeclaration[],
): TemplateEdit {
  const style = attributes.find((attribute) => attribute.name === 'style')
  if (!style) {
    const at = start + 1 + name.length
    const written = declarations.reduce(withDeclaration, '')
    return { from: at, to: at, insert: ` style="${written}"` }
  }
  const { start: from, end: to } = style
  const quote = text[style.valueStart - 1] === "'" && style.valueStart > from ? "'" : '"'
  const quoted = declarations.map(([property, value]): StyleDeclaration => [
    property,
    quote === "'" ? value.replaceAll("'", '"') : value,
  ])
  return { from, to, insert: `style=${quote}${quoted.reduce(withDeclaration, style.value)}${quote}` }
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
 * Styles the selected words, or the words around the cursor. If they are the element's whole content, styles the
 * element; otherwise wraps them in a new element. With the cursor in a tag, styles the tag's element.
 */
function styled(text: string, selected: TextSelection, property: string, value: string): ActionResult {
  const units = unitsOf(text)
  const tag = units.find(
    (unit) =>
      unit.kind === 'open' &&
      unit.from < selected.to &&
      selected.from < unit.to &&
      unit.from <= selected.from &&
      selected.to <= unit.to,
  )
  const edits: TemplateEdit[] = []
  if (tag?.kind === 'open') edits.push(styledTag(text, tag.tag, [[property, value]]))
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
        edits.push(styledTag(text, before.tag, [[property, value]]))
      else {
        edits.push({ from, to: from, insert: `<span style="${property}:${value}">` })
        edits.push({ from: to, to, insert: '</span>' })
      }
    }
  }
  edits.reverse()
  return { edits, selected: moved(selected, edits) }
}

/** The selection after these edits. Text inserted at its edges stays outside. */
export function moved({ from, to }: TextSelection, edits: readonly TemplateEdit[]): TextSelection {
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

export const pictureTag = (path: string, alternative: string, size: string): string =>
  `<img src="{{picture ${path}}}" alt="${escapedText(alternative)}"${size}>`

/** Escapes text for an attribute or an element. Braces become references, because braces begin placeholders. */
export const escapedText = (text: string): string =>
  escapeText(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;')

export function socialRow(links: readonly SocialLink[], lineEnd: string): string {
  const cells = links.map(({ name, address, picture }, index) => {
    const space = index < links.length - 1 ? ' style="padding-right:8px"' : ''
    const size = ` width="${String(ICON_PX)}" height="${String(ICON_PX)}" border="0"`
    const shown = picture === null ? escapedText(name) : pictureTag(picture, name, size)
    return `  <td${space}><a href="${escapedText(address)}">${shown}</a></td>`
  })
  return [
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>',
    ...cells,
    '</tr></table>',
  ].join(lineEnd)
}

/** Performs an action and returns its edits and the new selection. The given selection may extend beyond the text. */
export function performAction(text: string, given: TextSelection, act: PaletteAction): ActionResult {
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

/** Generic families for serif and monospaced fonts, so that a missing font gets a similar replacement. */
const GENERIC: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['monospace', /^(?:consolas|courier|menlo|monaco)|\bmono\b/i],
  [
    'serif',
    /^(?:times|georgia|garamond|cambria|palatino|book antiqua|baskerville)|^(?!.*\bsans\b).*\bserif\b/i,
  ],
]

/** The value of `font-family` for a font, followed by a generic family. Font names have letters, digits and spaces. */
export function fontFamily(font: string): string {
  const generic = GENERIC.find(([, pattern]) => pattern.test(font))?.[0] ?? 'sans-serif'
  return `${/^[a-z][a-z-]*(?: [a-z][a-z-]*)*$/i.test(font) ? font : `'${font}'`},${generic}`
}

/** The palette's social networks. `id` is the word to find in an icon's file name. */
export const SOCIAL_NETWORKS: readonly Readonly<{ id: string; name: string }>[] = [
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

/** The draft's picture with the network's name as a word in its file name; null if there is none. */
export const networkIconOf = (pictures: readonly string[], network: string): string | null =>
  pictures.find((path) =>
    path
      .slice(path.lastIndexOf('/') + 1)
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .includes(network),
  ) ?? null
