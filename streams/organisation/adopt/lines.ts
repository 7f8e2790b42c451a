/**
 * Finds the lines of a signature that are empty without a value: rows, paragraphs, and text between line breaks. Each
 * gets a condition, so that people without the value see no empty line.
 */
import { outermostParts } from '../../html/elements.ts'
import { VOID_ELEMENTS } from '../../html/tokens.ts'
import { countOffsetsUpTo } from '../../kernel/offsets.ts'
import {
  isLargePicture,
  MAX_LABEL_CHARACTERS,
  MAX_LINE_VALUES,
  type LinePart,
  type PartedLine,
  partedLines,
  type PlacedPlaceholder,
} from './parts.ts'
import { type Atom, isLineEdge, type ReadHtml } from './reading.ts'

/** The html from `start` to `end` is removed when all of these variables are empty. */
export type LineCondition = Readonly<{ start: number; end: number; paths: readonly string[] }>

const LINES = new Set('tr p div li h1 h2 h3 h4 h5 h6'.split(' '))

/** The visible content of a piece of html. */
type Shown = {
  /** The variables that the part shows. */
  paths: readonly string[]
  /** Whether the part shows something for every person. */
  isFixed: boolean
  /** The number of characters outside the values. */
  label: number
}
const NOTHING: Shown = { paths: [], isFixed: false, label: 0 }

function add(to: Shown, { paths, isFixed, label }: Shown): void {
  for (const path of paths) if (!to.paths.includes(path)) to.paths = [...to.paths, path]
  to.isFixed ||= isFixed || to.paths.length > MAX_LINE_VALUES
  if (to.isFixed) to.paths = []
  to.label += label
}

/**
 * The variables to test: if all are empty, the part would show only short labels. Empty if it also has fixed content.
 */
const optionalOf = ({ paths, isFixed, label }: Shown): readonly string[] =>
  isFixed || label > MAX_LABEL_CHARACTERS * paths.length ? [] : paths

type Segment = Shown & { readonly from: number; readonly atoms: number; to: number; atomsTo: number }

type Element = {
  readonly name: string
  readonly start: number
  /** The variable in its address, if the element is a link. */
  readonly link: string | null
  readonly shown: Shown
  readonly segments: Segment[]
  segment: Segment
  /** The height in non-empty lines. */
  height: number
  isBroken: boolean
}

/** Finds the conditions for html with these placeholders. Inner conditions come after outer ones. */
export function lineConditionsOf(
  { html, tokens, atoms }: ReadHtml,
  placed: readonly PlacedPlaceholder[],
): readonly LineCondition[] {
  const found: LineCondition[] = []
  const root = elementAt('', 0, 0, 0, null)
  const open: Element[] = [root]
  const opened = new Map<string, number>()
  let nextAtom = 0
  let nextPlaced = 0
  /** The end of the last placeholder read. */
  let covered = 0
  let isLineShown = false

  const top = () => open.at(-1) ?? root
  const show = (shown: Shown) => {
    add(top().segment, shown)
  }
  const showPlaced = (until: number) => {
    for (let each = placed[nextPlaced]; each && each.start < until; each = placed[++nextPlaced]) {
      show({ paths: each.mayBeEmpty ? [each.path] : [], isFixed: !each.mayBeEmpty, label: 0 })
      covered = Math.max(covered, each.end)
    }
  }
  const showAtoms = (until: number) => {
    for (let atom = atoms[nextAtom]; atom && atom.start < until; atom = atoms[++nextAtom]) {
      showPlaced(atom.start + 1)
      isLineShown = true
      if (atom.start < covered && atom.kind !== 'picture') continue
      show({
        ...NOTHING,
        label: atom.before.length + atom.text.length,
        isFixed: isLargePicture(tokens, atom),
      })
    }
    showPlaced(until)
  }
  const endLine = () => {
    if (isLineShown) top().height += 1
    isLineShown = false
  }
  const close = (element: Element, innerEnd: number, end: number) => {
    endSegment(element, innerEnd, innerEnd)
    for (const segment of element.segments) add(element.shown, segment)
    const { name, start, shown, height, isBroken, link } = element
    if (isBroken) return
    const paths = LINES.has(name) && height === 1 ? optionalOf(shown) : []
    if (paths.length > 0) found.push({ start, end, paths })
    if (paths.length !== 1) {
      found.push(...conditionsOfSegments(element, atoms))
      if (link !== null) found.push({ start, end, paths: [link] })
    }
  }
  const endSegment = (element: Element, to: number, next: number) => {
    element.segment.to = to
    element.segment.atomsTo = nextAtom
    element.segments.push(element.segment)
    element.segment = { ...NOTHING, from: next, atoms: nextAtom, to: next, atomsTo: nextAtom }
  }
  for (const token of tokens) {
    if (isLineEdge(token)) endLine()
    if (token.kind === 'open') {
      if (token.name === 'br') {
        endSegment(top(), token.start, token.end)
        continue
      }
      if (VOID_ELEMENTS.has(token.name)) {
        showAtoms(token.end)
        if (token.name !== 'img' && token.name !== 'wbr') show({ ...NOTHING, isFixed: true })
        continue
      }
      const link = placed[nextPlaced]
      const isLink = token.name === 'a' && link !== undefined && link.end <= token.end && link.mayBeEmpty
      open.push(elementAt(token.name, token.start, token.end, nextAtom, isLink ? link.path : null))
      opened.set(token.name, (opened.get(token.name) ?? 0) + 1)
      showPlaced(token.end)
      // A cell with a row span needs its row, because removing the row would also remove the cell from the rows below.
      const isSpanning = token.attributes.some(
        ({ name, value }) => name === 'rowspan' && value.trim() !== '1',
      )
      if (isSpanning) show({ ...NOTHING, isFixed: true })
    } else if (token.kind === 'close') {
      if ((opened.get(token.name) ?? 0) === 0) {
        if (!VOID_ELEMENTS.has(token.name)) top().isBroken = true
        continue
      }
      for (let element = top(); element !== root; element = top()) {
        open.pop()
        opened.set(element.name, (opened.get(element.name) ?? 1) - 1)
        const isEnd = element.name === token.name
        element.isBroken ||= !isEnd
        close(element, token.start, token.end)
        const around = top()
        add(around.segment, element.shown)
        around.height =
          around.name === 'tr' ? Math.max(around.height, element.height) : around.height + element.height
        around.isBroken ||= element.isBroken
        if (isEnd) break
      }
    } else if (token.kind === 'text') showAtoms(token.end)
    else if (token.kind === 'raw') show({ ...NOTHING, isFixed: true })
  }
  if (open.length === 1 && !root.isBroken) {
    endSegment(root, html.length, html.length)
    found.push(...conditionsOfSegments(root, atoms))
  }
  return together(found, partedLines({ html, tokens, atoms }, placed), placed)
}

/** Finds the conditions for an element's lines, which line breaks separate. */
function conditionsOfSegments({ segments }: Element, atoms: readonly Atom[]): readonly LineCondition[] {
  const found: LineCondition[] = []
  /** The end of the last line break that a condition includes. */
  let taken = -1
  if (segments.length === 1) return found
  for (const [index, segment] of segments.entries()) {
    const paths = optionalOf(segment)
    if (paths.length === 0 || !isWholeLine(segment, atoms)) continue
    const [before, after] = [segments[index - 1], segments[index + 1]]
    const { from, to } = segment
    if (before && from !== taken) found.push({ start: before.to, end: to, paths })
    else if (after) {
      taken = after.from
      found.push({ start: from, end: after.from, paths })
    } else found.push({ start: from, end: to, paths })
  }
  return found
}

/** Whether a segment is exactly one line. */
function isWholeLine({ atoms: from, atomsTo: to }: Segment, atoms: readonly Atom[]): boolean {
  const line = atoms[from]?.line
  const isOne = from < to && atoms[to - 1]?.line === line
  return isOne && atoms[from - 1]?.line !== line && atoms[to]?.line !== line
}

/** Combines the conditions for whole lines with those for parts of lines. */
function together(
  found: readonly LineCondition[],
  lines: readonly PartedLine[],
  placed: readonly PlacedPlaceholder[],
): readonly LineCondition[] {
  const startOf = ({ start }: { readonly start: number }) => start
  /** The first placeholder at or after an offset. */
  const placedFrom = (place: number) => placed[countOffsetsUpTo(placed, place - 1, startOf)]
  /** The line that contains all placeholders of a range and can be empty as a whole; null without one. */
  const lineIn = ({ start, end }: LineCondition): PartedLine | null => {
    const line = lines[countOffsetsUpTo(lines, start - 1, ({ parts }) => parts[0]?.start ?? 0)]
    const [first, last] = [line?.parts[0]?.start ?? 0, line?.parts.at(-1)?.end ?? Infinity]
    const isOnly = (placedFrom(start)?.start ?? 0) >= first && (placedFrom(last)?.start ?? Infinity) >= end
    return line && last <= end && isOnly && line.parts.every(({ path }) => path !== null) ? line : null
  }
  /** Whether a range is in a line of several parts, each with its own condition. */
  const isOfParts = ({ start, end }: LineCondition): boolean => {
    const line = lines[countOffsetsUpTo(lines, start, startOf) - 1]
    return line !== undefined && end <= line.end && line.parts.length > 1
  }
  const whole = outermostParts(
    found
      .filter((each) => (each.paths.length === 1 ? !isOfParts(each) : lineIn(each) !== null))
      .sort((one, other) => one.start - other.start || other.end - one.end),
  )
  const conditions = [...whole]
  for (const line of lines) {
    const around = whole[countOffsetsUpTo(whole, line.end - 1, startOf) - 1]
    // The condition around it already removes the whole line.
    if (line.parts.length === 1 && around && around.end > line.start) continue
    conditions.push(...conditionsOfParts(line.parts))
  }
  return conditions.filter(({ start, end }) => start < end)
}

/**
 * A condition for each part with its separator, and one that removes the separator if all earlier parts are missing.
 */
function conditionsOfParts(parts: readonly LinePart[]): readonly LineCondition[] {
  const conditions: LineCondition[] = []
  const before = new Set<string | null>()
  let end: number | null = null
  for (const part of parts) {
    const from = end ?? part.start
    if (part.path !== null) conditions.push({ start: from, end: part.end, paths: [part.path] })
    const isSure = before.has(null) || before.has(part.path)
    const paths = [...before].filter((path) => path !== null)
    if (!isSure && paths.length > 0) conditions.push({ start: from, end: part.start, paths })
    before.add(part.path)
    end = part.end
  }
  return conditions
}

function elementAt(name: string, start: number, inner: number, atoms: number, link: string | null): Element {
  const segment = { ...NOTHING, from: inner, atoms, to: inner, atomsTo: atoms }
  return { name, start, link, shown: { ...NOTHING }, segments: [], segment, height: 0, isBroken: false }
}
