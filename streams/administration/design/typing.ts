/**
 * Words that are typed where they are shown. A person types characters; the template gets references, line break tags
 * and placeholders. Source that the typing does not touch stays as it is.
 */
import { escapeText } from '../../html/tokens.ts'
import type { SourceRange, TreeNode } from '../../organisation/template/tree.ts'
import { templateTree } from '../../organisation/template/tree.ts'
import type { TemplateEdit } from '../plan/draft.ts'

/** Text as it is shown, with `\n` for a line break, or a placeholder that shows a value. */
export type TypedPiece =
  Readonly<{ kind: 'text'; text: string }> | Readonly<{ kind: 'value'; source: string }>

/**
 * Decodes a character reference such as `&middot;` as a browser does. A text that is no reference stays as it is. Only
 * a browser knows all 2,231 names.
 */
export type DecodeReference = (reference: string) => string

/** A shown character, line break or value, with its source. `source` is the placeholder of a value, otherwise null. */
type Unit = SourceRange & Readonly<{ shown: string; source: string | null }>

/** A run of blanks, a character reference, or one character. */
const SHOWN = /[\t\n\f\r ]+|&(?:#x[\da-f]{1,8}|#\d{1,8}|[a-z][a-z\d]{1,31});|[^]/giu

function unitsOfText(text: string, { from, to }: SourceRange, decode: DecodeReference): readonly Unit[] {
  return Array.from(text.slice(from, to).matchAll(SHOWN), ({ 0: found, index }) => {
    const shown = /^[\t\n\f\r ]/.test(found)
      ? ' '
      : found.length > 1 && found.startsWith('&')
        ? decode(found)
        : found
    return { from: from + index, to: from + index + found.length, shown, source: null }
  })
}

/** The units of words, values and line breaks; null if the range has anything else. Blanks at its ends count. */
function unitsIn(text: string, range: SourceRange, decode: DecodeReference): readonly Unit[] | null {
  const units: Unit[] = []
  const add = (node: TreeNode): boolean => {
    const { from, to } = node
    if (to <= range.from || range.to <= from) return true
    if (node.kind === 'words') {
      const inside = { from: Math.max(from, range.from), to: Math.min(to, range.to) }
      for (const unit of unitsOfText(text, inside, decode)) units.push(unit)
      return true
    }
    const isInside = range.from <= from && to <= range.to
    if (node.kind === 'value' && isInside) {
      units.push({ from, to, shown: '', source: text.slice(from, to) })
      return true
    }
    if (node.kind === 'element' && node.tag.name === 'br' && isInside) {
      units.push({ from, to, shown: '\n', source: null })
      return true
    }
    if (node.kind === 'element') return from < range.from && range.to < to && node.children.every(add)
    if (node.kind === 'slot') return from < range.from && range.to < to && node.children.every(add)
    if (node.kind === 'condition')
      return (
        from < range.from && range.to < to && node.children.every(add) && (node.otherwise ?? []).every(add)
      )
    return false
  }
  return templateTree(text).every(add) ? units : null
}

const isBlank = (shown: string): boolean => shown === ' '

/**
 * The pieces of the words in a range, as a person sees them; null if the range has more than words, values and line
 * breaks. Blanks beside a line break are not shown.
 */
export function piecesIn(
  text: string,
  range: SourceRange,
  decode: DecodeReference,
): readonly TypedPiece[] | null {
  const units = unitsIn(text, range, decode)
  if (!units) return null
  const pieces: TypedPiece[] = []
  let words = ''
  const end = () => {
    if (words !== '') pieces.push({ kind: 'text', text: words })
    words = ''
  }
  for (const [index, unit] of units.entries())
    if (unit.source !== null) {
      end()
      pieces.push({ kind: 'value', source: unit.source })
    } else if (!isHiddenBlank(units, index)) words += unit.shown
  end()
  return pieces
}

/** Whether this is a blank that no client shows, because it is beside a line break. */
const isHiddenBlank = (units: readonly Unit[], index: number): boolean =>
  isBlank(units[index]?.shown ?? '') && (units[index - 1]?.shown === '\n' || units[index + 1]?.shown === '\n')

/** Characters that HTML cannot contain, or that this page uses for itself. */
const UNUSABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\ufffc]/gu

/** What of a text can be typed: `\n` for each line end, and no character that a template cannot contain. */
export const typeableText = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(UNUSABLE, (character) => (character === '\n' ? character : ''))

/** The source of one character. Braces become references, because braces begin placeholders. */
const sourceOf = (character: string): string =>
  character === '\n'
    ? '<br>'
    : character === '\u00a0'
      ? '&nbsp;'
      : escapeText(character).replaceAll('{', '&#123;').replaceAll('}', '&#125;')

type Target = Readonly<{ shown: string; source: string | null }>

const targetsOf = (pieces: readonly TypedPiece[]): readonly Target[] =>
  pieces.flatMap((piece): readonly Target[] =>
    piece.kind === 'value'
      ? [{ shown: '', source: piece.source }]
      : Array.from(typeableText(piece.text), (shown) => ({ shown, source: null })),
  )

const isSameUnit = (one: Target | undefined, other: Target | undefined): boolean =>
  one !== undefined && other !== undefined && one.shown === other.shown && one.source === other.source

/** Whether a space before or after this would not be shown. */
const endsBlanks = (target: Target | undefined): boolean => target === undefined || target.shown === '\n'

/** Writes the targets. A space that a client would not show becomes a no-break space. */
function written(targets: readonly Target[], from: number, to: number): string {
  let source = ''
  let wasBlank = endsBlanks(targets[from - 1]) || isBlank(targets[from - 1]?.shown ?? '')
  for (let index = from; index < to; index++) {
    const target = targets[index]
    if (!target) break
    if (target.source !== null) source += target.source
    else if (isBlank(target.shown)) {
      const isShown = !wasBlank && !endsBlanks(targets[index + 1]) && index + 1 < targets.length
      const isBeforeKept = index + 1 === to && isBlank(targets[to]?.shown ?? '')
      source += isShown && !isBeforeKept ? ' ' : '&nbsp;'
      wasBlank = isShown && !isBeforeKept
      continue
    } else source += sourceOf(target.shown)
    wasBlank = target.shown === '\n'
  }
  return source
}

/**
 * The edit that makes the words in a range show these pieces; none if they show them already. Replaces only what
 * differs. Null if the range has more than words, values and line breaks.
 */
export function typedEdits(
  text: string,
  range: SourceRange,
  pieces: readonly TypedPiece[],
  decode: DecodeReference,
): readonly TemplateEdit[] | null {
  const all = unitsIn(text, range, decode)
  if (!all) return null
  const units = all.filter((_, index) => !isHiddenBlank(all, index))
  const targets = targetsOf(pieces)
  let start = 0
  while (isSameUnit(units[start], targets[start])) start++
  let kept = 0
  while (
    kept < units.length - start &&
    kept < targets.length - start &&
    isSameUnit(units[units.length - 1 - kept], targets[targets.length - 1 - kept])
  )
    kept++
  // A plain blank that stays beside changed text could lose its neighbour, so it is written again.
  while (start > 0 && isBlank(units[start - 1]?.shown ?? '')) start--
  while (kept > 0 && isBlank(units[units.length - kept]?.shown ?? '')) kept--
  const [first, last] = [units[start], units[units.length - 1 - kept]]
  const from = first && start < units.length - kept ? first.from : (units[start - 1]?.to ?? range.from)
  const to = last && start < units.length - kept ? last.to : from
  const insert = written(targets, start, targets.length - kept)
  return text.slice(from, to) === insert ? [] : [{ from, to, insert }]
}

/** The range in the text of the shown characters from `from` to `to`; a value counts as one character. */
export function rangeOfShown(
  text: string,
  range: SourceRange,
  { from, to }: SourceRange,
  decode: DecodeReference,
): SourceRange | null {
  const all = unitsIn(text, range, decode)
  if (!all) return null
  const units = all.filter((_, index) => !isHiddenBlank(all, index))
  let at = 0
  let begin: number | null = null
  let end = range.from
  for (const unit of units) {
    const length = unit.source === null ? unit.shown.length : 1
    if (begin === null && at + length > from) begin = unit.from
    if (at < to) end = unit.to
    at += length
  }
  return { from: begin ?? end, to: Math.max(begin ?? end, end) }
}
