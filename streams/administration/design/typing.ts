/**
 * Words that are typed where they are shown. A person types characters; the template gets references, line break tags
 * and placeholders. Source that the typing does not touch stays as it is.
 */
import {
  childrenOf,
  type SourceRange,
  templateTree,
  type TreeNode,
} from '../../organisation/template/tree.ts'
import { escapedText } from '../plan/acts.ts'
import { applyEdits, type TemplateEdit } from '../plan/draft.ts'

/** Text as it is shown, with `\n` for a line break, or a placeholder that shows a value. */
export type TypedPiece =
  Readonly<{ kind: 'text'; text: string }> | Readonly<{ kind: 'value'; source: string }>

/**
 * Decodes a character reference such as `&middot;` as a browser does. A text that is no reference stays as it is. Only
 * a browser knows all 2,231 names.
 */
export type DecodeReference = (reference: string) => string

/** What one character or reference shows, as a character or line break, or a value. `source` is a value's placeholder. */
type Target = Readonly<{ shown: string; source: string | null }>
/** The same in its place in the text. `shown` is empty for a character that no client shows. */
type Unit = SourceRange & Target

/** A run of blanks, a character reference, or one character. */
const SHOWN = /[\t\n\f\r ]+|&(?:#x[\da-f]{1,8}|#\d{1,8}|[a-z][a-z\d]{1,31});|[^]/giu
const NO_BREAK_SPACE = '&nbsp;'
const BLANK = /^[\t\n\f\r ]/

/** Characters that HTML cannot contain, or that this page uses for itself. */
const UNUSABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\ufffc]/gu
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g

const shownOf = (characters: string): string =>
  BLANK.test(characters) ? ' ' : characters.replace(LINE_ENDS, '').replace(UNUSABLE, '')

/** Adds the units of text without markup. Blanks side by side are one unit. */
function addWords(text: string, { from, to }: SourceRange, decode: DecodeReference, units: Unit[]): void {
  const add = (at: number, found: string, shown: string) => {
    const last = units.at(-1)
    const isSame = shown === ' ' && last?.shown === ' ' && last.to === at
    if (isSame) units.pop()
    units.push({ from: isSame ? last.from : at, to: at + found.length, shown, source: null })
  }
  for (const { 0: found, index } of text.slice(from, to).matchAll(SHOWN)) {
    const isReference = found.length > 1 && found.startsWith('&')
    const decoded = !isReference ? found : found === NO_BREAK_SPACE ? '\u00a0' : decode(found)
    if (decoded !== found || !isReference) add(from + index, found, shownOf(decoded))
    else for (let at = 0; at < found.length; at++) add(from + index + at, found.charAt(at), found.charAt(at))
  }
}

/**
 * What the range shows: words, values and line breaks; null if it has anything else. Blanks beside a line break are not
 * shown; blanks at the ends of the range are.
 */
function unitsIn(text: string, range: SourceRange, decode: DecodeReference): readonly Unit[] | null {
  const units: Unit[] = []
  const add = (node: TreeNode): boolean => {
    const { kind, from, to } = node
    if (to <= range.from || range.to <= from) return true
    const isInside = range.from <= from && to <= range.to
    if (kind === 'words')
      addWords(text, { from: Math.max(from, range.from), to: Math.min(to, range.to) }, decode, units)
    else if (kind === 'value' && isInside) units.push({ from, to, shown: '', source: text.slice(from, to) })
    else if (kind === 'element' && node.tag.name === 'br' && isInside)
      units.push({ from, to, shown: '\n', source: null })
    else {
      // An element without an end tag ends where its content does.
      const isAround =
        kind === 'element'
          ? node.inner.from <= range.from && range.to <= node.inner.to
          : from < range.from && range.to < to
      return isAround && childrenOf(node).every(add)
    }
    return true
  }
  if (!templateTree(text).every(add)) return null
  return units.filter(
    ({ shown }, index) => !isBlank(shown) || !(isBreak(units[index - 1]) || isBreak(units[index + 1])),
  )
}

const isBreak = (unit: Target | undefined): boolean => unit?.shown === '\n'
const isBlank = (shown: string): boolean => shown === ' '

/** The pieces of the words in a range, as a person sees them; null if the range has more than words and values. */
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
  for (const { shown, source } of units)
    if (source === null) words += shown
    else {
      end()
      pieces.push({ kind: 'value', source })
    }
  end()
  return pieces
}

/** What of a text can be typed: `\n` for each line end, and no character that a template cannot contain. */
export const typeableText = (text: string): string =>
  text
    .replace(LINE_ENDS, '\n')
    .replaceAll('\t', ' ')
    .replace(UNUSABLE, (character) => (character === '\n' ? character : ''))

/** The source of one character. */
const sourceOf = (character: string): string =>
  character === '\n' ? '<br>' : character === '\u00a0' ? NO_BREAK_SPACE : escapedText(character)

const targetsOf = (pieces: readonly TypedPiece[]): readonly Target[] =>
  pieces.flatMap((piece): readonly Target[] =>
    piece.kind === 'value'
      ? [{ shown: '', source: piece.source }]
      : Array.from(typeableText(piece.text), (shown) => ({ shown, source: null })),
  )

/** The number of targets that show the same as a unit. */
const lengthOf = ({ shown, source }: Unit): number => (source === null ? Array.from(shown).length : 1)

const isShownBy = (unit: Unit, targets: readonly Target[]): boolean =>
  unit.source === null
    ? targets.every(({ source }) => source === null) &&
      targets.map(({ shown }) => shown).join('') === unit.shown
    : targets[0]?.source === unit.source

/** Writes the targets in a range. A space that a client would not show becomes a no-break space. */
function written(targets: readonly Target[], from: number, to: number): string {
  const endsLine = (target: Target | undefined) => target === undefined || isBreak(target)
  let source = ''
  let isAfterBlank = endsLine(targets[from - 1])
  for (const [index, target] of targets.slice(from, to).entries()) {
    const isShown = isBlank(target.shown) && !isAfterBlank && !endsLine(targets[from + index + 1])
    source +=
      target.source ?? (isShown ? ' ' : isBlank(target.shown) ? NO_BREAK_SPACE : sourceOf(target.shown))
    isAfterBlank = isShown || isBreak(target)
  }
  return source
}

/** How many units, and targets that show the same, stand at the beginning of both. */
type Same = Readonly<{ units: number; targets: number }>

function sameAtStart(units: readonly Unit[], targets: readonly Target[]): Same {
  let [count, at] = [0, 0]
  for (const unit of units) {
    const next = at + lengthOf(unit)
    if (!isShownBy(unit, targets.slice(at, next))) break
    count++
    at = next
  }
  return { units: count, targets: at }
}

function sameAtEnd(units: readonly Unit[], targets: readonly Target[]): Same {
  let [count, at] = [0, targets.length]
  for (const unit of [...units].reverse()) {
    const next = at - lengthOf(unit)
    if (next < 0 || !isShownBy(unit, targets.slice(next, at))) break
    count++
    at = next
  }
  return { units: count, targets: targets.length - at }
}

/** The last units, as many as the condition holds for, are not the same. */
function without(same: Same, units: readonly Unit[], isChanged: (unit: Unit) => boolean): Same {
  let { units: count, targets } = same
  for (let unit = units[count - 1]; unit && isChanged(unit); unit = units[--count - 1])
    targets -= lengthOf(unit)
  return { units: count, targets }
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
  const units = unitsIn(text, range, decode)
  if (!units) return null
  const targets = targetsOf(pieces)
  const same = sameAtStart(units, targets)
  if (same.units === units.length && same.targets === targets.length) return []
  const isPlain = ({ shown }: Unit) => isBlank(shown)
  // Typed letters would belong to the name behind a bare `&`.
  const isInName = ({ from, to }: Unit) => /^[#\da-z]$/i.test(text.slice(from, to))
  const isSign = ({ from, to }: Unit) => text.slice(from, to) === '&'
  const name = without(same, units, isInName)
  const sign = without(name, units, isSign)
  const start = without(sign.units < name.units ? sign : same, units, isPlain)
  const rest = units.slice(start.units)
  const end = without(sameAtEnd(rest, targets.slice(start.targets)), [...rest].reverse(), isPlain)
  const changed = units.slice(start.units, units.length - end.units)
  const [before, after] = [units[start.units - 1], units[units.length - end.units]]
  // Blanks that a line break hides stay, if the line break stays.
  const from = isBreak(before) ? ((changed[0] ?? after)?.from ?? range.to) : (before?.to ?? range.from)
  const to = isBreak(after) ? ((changed.at(-1) ?? before)?.to ?? range.from) : (after?.from ?? range.to)
  const insert = written(targets, start.targets, targets.length - end.targets)
  const edit = { from, to: Math.max(from, to), insert }
  return isShown(text, range, edit, targets, decode)
    ? [edit]
    : [{ ...range, insert: written(targets, 0, targets.length) }]
}

/** The text whose words in a range show the pieces, and the range afterwards. */
export function withTypedPieces(
  text: string,
  { from, to }: SourceRange,
  pieces: readonly TypedPiece[],
  decode: DecodeReference,
): Readonly<{ text: string; range: SourceRange }> {
  const typed = applyEdits(text, typedEdits(text, { from, to }, pieces, decode) ?? [])
  return { text: typed, range: { from, to: to + typed.length - text.length } }
}

/** Whether the words in a range show the targets after an edit: braces and signs that stay must not become markup. */
function isShown(
  text: string,
  { from, to }: SourceRange,
  edit: TemplateEdit,
  targets: readonly Target[],
  decode: DecodeReference,
): boolean {
  const length = edit.insert.length - (edit.to - edit.from)
  const units = unitsIn(applyEdits(text, [edit]), { from, to: to + length }, decode)
  const seen = (all: readonly Target[]) =>
    all
      .map(({ shown, source }) => (source === null ? shown.replaceAll('\u00a0', ' ') : `\0${source}\0`))
      .join('')
  return units !== null && seen(units) === seen(targets)
}

/** The range in the text of the shown characters from `from` to `to`; a value counts as one character. */
export function rangeOfShown(
  text: string,
  range: SourceRange,
  { from, to }: SourceRange,
  decode: DecodeReference,
): SourceRange | null {
  const units = unitsIn(text, range, decode)
  if (!units) return null
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
