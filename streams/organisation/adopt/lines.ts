/**
 * Lines of a signature that are empty without a value: a row, a paragraph, or what stands between line breaks. They get
 * a condition, so that a person without the value has no empty line.
 */
import { VOID_ELEMENTS } from '../../html/tokens.ts'
import { type Atom, isEdge, type ReadHtml } from './reading.ts'

/** A placeholder from `start` to `end` in the html. */
export type Placed = Readonly<{ start: number; end: number; path: string; mayBeEmpty: boolean }>

/** What goes from `start` to `end` when the variable is empty. */
export type Condition = Readonly<{ start: number; end: number; path: string }>

/** A longer text beside a value is no label: the line says something without the value. As in `signet check`. */
const MAX_LABEL_CHARACTERS = 24
/** A wider or higher picture is no icon: the line shows something without the value. */
const MAX_ICON_PIXELS = 48

const LINES = new Set('tr p div li h1 h2 h3 h4 h5 h6'.split(' '))

/** What a part of the html shows. */
type Shown = {
  /** The only variable that it shows; null for none. */
  path: string | null
  /** Whether it shows something for every person. */
  isFixed: boolean
  /** The characters beside the values. */
  label: number
}
const NOTHING: Shown = { path: null, isFixed: false, label: 0 }

function add(to: Shown, { path, isFixed, label }: Shown): void {
  if (path !== null && to.path !== null && path !== to.path) to.isFixed = true
  to.path ??= path
  to.isFixed ||= isFixed
  to.label += label
}

/** The variable without which nothing is left but a label; null for a part that shows something else. */
const optionalOf = ({ path, isFixed, label }: Shown): string | null =>
  isFixed || label > MAX_LABEL_CHARACTERS ? null : path

type Segment = Shown & { readonly from: number; readonly atoms: number; to: number; atomsTo: number }

type Element = {
  readonly name: string
  readonly start: number
  /** The variable of the address that the element leads to. */
  readonly link: string | null
  readonly shown: Shown
  readonly segments: Segment[]
  segment: Segment
  /** How many lines with something in them stand above each other. */
  height: number
  isBroken: boolean
}

/** The conditions of html in which these placeholders stand, in the order of the html. None is inside of another. */
export function conditionsOf(
  { html, tokens, atoms }: ReadHtml,
  placed: readonly Placed[],
): readonly Condition[] {
  const found: Condition[] = []
  const root = elementAt('', 0, 0, 0, null)
  const open: Element[] = [root]
  const opened = new Map<string, number>()
  let nextAtom = 0
  let nextPlaced = 0
  /** Where the last placeholder that was read ends. */
  let covered = 0
  let isLineShown = false

  const top = () => open.at(-1) ?? root
  const show = (shown: Shown) => {
    add(top().segment, shown)
  }
  const showPlaced = (until: number) => {
    for (let each = placed[nextPlaced]; each && each.start < until; each = placed[++nextPlaced]) {
      show({ path: each.mayBeEmpty ? each.path : null, isFixed: !each.mayBeEmpty, label: 0 })
      covered = Math.max(covered, each.end)
    }
  }
  const showAtoms = (until: number) => {
    for (let atom = atoms[nextAtom]; atom && atom.start < until; atom = atoms[++nextAtom]) {
      showPlaced(atom.start + 1)
      isLineShown = true
      if (atom.start < covered && atom.kind !== 'picture') continue
      show({ ...NOTHING, label: atom.before.length + atom.text.length, isFixed: isLarge(atom) })
    }
    showPlaced(until)
  }
  const isLarge = (atom: Atom): boolean => {
    const token = tokens[atom.token]
    if (atom.kind !== 'picture' || token?.kind !== 'open') return false
    const sizes = token.attributes.flatMap(({ name, value }) =>
      (name === 'width' || name === 'height') && /^\s*\d+(?:px)?\s*$/.test(value)
        ? [parseInt(value, 10)]
        : [],
    )
    return sizes.length === 0 || Math.max(...sizes) > MAX_ICON_PIXELS
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
    const path = LINES.has(name) && height === 1 ? optionalOf(shown) : null
    if (path !== null) found.push({ start, end, path })
    else {
      takeSegments(element)
      if (link !== null) found.push({ start, end, path: link })
    }
  }
  const endSegment = (element: Element, to: number, next: number) => {
    element.segment.to = to
    element.segment.atomsTo = nextAtom
    element.segments.push(element.segment)
    element.segment = { ...NOTHING, from: next, atoms: nextAtom, to: next, atomsTo: nextAtom }
  }
  /** Whether these atoms are all of one line. */
  const isWholeLine = ({ atoms: from, atomsTo: to }: Segment): boolean => {
    const line = atoms[from]?.line
    const isOne = from < to && atoms[to - 1]?.line === line
    return isOne && atoms[from - 1]?.line !== line && atoms[to]?.line !== line
  }
  const takeSegments = ({ segments }: Element) => {
    /** The end of the last line break that belongs to a condition. */
    let taken = -1
    if (segments.length === 1) return
    for (const [index, segment] of segments.entries()) {
      const path = optionalOf(segment)
      if (path === null || !isWholeLine(segment)) continue
      const [before, after] = [segments[index - 1], segments[index + 1]]
      const { from, to } = segment
      if (before && from !== taken) found.push({ start: before.to, end: to, path })
      else if (after) {
        taken = after.from
        found.push({ start: from, end: after.from, path })
      } else found.push({ start: from, end: to, path })
    }
  }

  for (const token of tokens) {
    if (isEdge(token)) endLine()
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
      // Without its row, a cell that reaches into the next ones would be gone from them, too.
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
    takeSegments(root)
  }
  return outermost(found)
}

function elementAt(name: string, start: number, inner: number, atoms: number, link: string | null): Element {
  const segment = { ...NOTHING, from: inner, atoms, to: inner, atomsTo: atoms }
  return { name, start, link, shown: { ...NOTHING }, segments: [], segment, height: 0, isBroken: false }
}

/** Of ranges within each other, the outermost ones. */
function outermost(conditions: Condition[]): readonly Condition[] {
  const sorted = conditions.sort((one, other) => one.start - other.start || other.end - one.end)
  let end = 0
  return sorted.filter((condition) => {
    const isOuter = condition.start >= end
    if (isOuter) end = condition.end
    return isOuter
  })
}
