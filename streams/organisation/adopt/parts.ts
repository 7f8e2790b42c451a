/**
 * Finds the parts of lines that have several values: `T {{phone}} | M {{mobile_phone}}` has two. A part disappears
 * together with its value and its separator.
 */
import { type Token, VOID_ELEMENTS } from '../../html/tokens.ts'
import { countOffsetsUpTo } from '../../kernel/offsets.ts'
import { type Atom, isLineEdge, type ReadHtml, SEPARATORS } from './reading.ts'

/** A placeholder from `start` to `end` in the html. */
export type PlacedPlaceholder = Readonly<{ start: number; end: number; path: string; mayBeEmpty: boolean }>

/** A part with its label. `path` is its only variable; null for content that is always shown. */
export type LinePart = Readonly<{ start: number; end: number; path: string | null }>

/** A line of html, bounded by line breaks or by the edges of blocks or cells. Its separators are between its parts. */
export type PartedLine = Readonly<{ start: number; end: number; parts: readonly LinePart[] }>

/**
 * The longest label of a value. A line with a longer text makes sense without the value. `signet check` has the same
 * limit.
 */
export const MAX_LABEL_CHARACTERS = 24
/** The largest icon. A line with a larger picture makes sense without the value. */
const MAX_ICON_PIXELS = 48
/** A line with more values is running text. */
export const MAX_LINE_VALUES = 8
const MAX_PLACED = 24
const MAX_ATOMS = 120
/** The deepest nesting of elements within a line. */
const MAX_DEPTH = 40

/** Characters that separate values if there is no other separator. */
const WEAK = new Set(',;–—'.split(''))
/** Characters that separate values only after a blank. */
const BEHIND_BLANK = new Set('-/'.split(''))

/** Whether a picture is larger than an icon. */
export function isLargePicture(tokens: readonly Token[], atom: Atom): boolean {
  const token = tokens[atom.token]
  if (atom.kind !== 'picture' || token?.kind !== 'open') return false
  const sizes = token.attributes.flatMap(({ name, value }) =>
    (name === 'width' || name === 'height') && /^\s*\d+(?:px)?\s*$/.test(value) ? [parseInt(value, 10)] : [],
  )
  return sizes.length === 0 || Math.max(...sizes) > MAX_ICON_PIXELS
}

const ROOT = -1

/** A range of html. */
type Item = { start: number; end: number }

/** Builds a tree of the elements, to find what contains an offset. */
function treeOf(tokens: readonly Token[]) {
  const around: number[] = []
  const closing = new Map<number, number>()
  const open: Readonly<{ name: string; index: number }>[] = []
  const opened = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'close' && (opened.get(token.name) ?? 0) > 0)
      for (let last = open.pop(); last; last = open.pop()) {
        opened.set(last.name, (opened.get(last.name) ?? 1) - 1)
        if (last.name !== token.name) continue
        closing.set(last.index, index)
        break
      }
    around.push(open.at(-1)?.index ?? ROOT)
    if (token.kind !== 'open' || VOID_ELEMENTS.has(token.name)) continue
    open.push({ name: token.name, index })
    opened.set(token.name, (opened.get(token.name) ?? 0) + 1)
  }

  const tokenAt = (place: number): number =>
    Math.max(0, countOffsetsUpTo(tokens, place, ({ start: at }) => at) - 1)

  /** The innermost element around all of these offsets; null if they are nested too deeply. */
  function commonOf(places: readonly number[]): number | null {
    const depths = new Map<number, number>()
    let common = 0
    for (const [index, place] of places.entries()) {
      let node = around[tokenAt(place)] ?? ROOT
      for (let depth = 0; index === 0 ? depth <= MAX_DEPTH : !depths.has(node); depth++) {
        if (index === 0) depths.set(node, depth)
        if (node === ROOT || depth > MAX_DEPTH) break
        node = around[node] ?? ROOT
      }
      const depth = index === 0 ? 0 : depths.get(node)
      if (depth === undefined) return null
      common = Math.max(common, depth)
    }
    for (const [node, depth] of depths) if (depth === common) return node
    return null
  }

  /**
   * The child of `common` that contains an offset; undefined if there is none, null if it has no end or is nested too
   * deeply.
   */
  function below(common: number, place: number): Item | undefined | null {
    const index = tokenAt(place)
    const token = tokens[index]
    let node = token?.kind === 'open' && !VOID_ELEMENTS.has(token.name) ? index : (around[index] ?? ROOT)
    if (node === common) return undefined
    for (let depth = 0; depth <= MAX_DEPTH; depth++) {
      const outer = around[node] ?? ROOT
      if (outer === common) {
        const end = tokens[closing.get(node) ?? -1]?.end
        return end === undefined ? null : { start: tokens[node]?.start ?? 0, end }
      }
      node = outer
    }
    return null
  }

  /** Whether an element has a closing tag. True for the root. */
  const isWhole = (node: number): boolean => node === ROOT || closing.has(node)

  return { commonOf, below, isWhole }
}
type Tree = ReturnType<typeof treeOf>

/**
 * A value of a line, with the bounds of the common element's child that contains it. `path` is null for a value that
 * every person has.
 */
type Value = Item & { readonly path: string | null }
/** A text or picture beside the values. `sign` is its text if it may be a separator. */
type Beside = Item & { label: number; sign: string; isBehindBlank: boolean }

/** Finds the lines with two or more variables that can be empty, and the cells with one, in order. */
export function partedLines(
  { tokens, atoms, html }: ReadHtml,
  placed: readonly PlacedPlaceholder[],
): readonly PartedLine[] {
  const tree = treeOf(tokens)
  const found: PartedLine[] = []
  let [start, nextAtom, nextPlaced] = [0, 0, 0]
  let edge: Token | null = null

  const endLine = (end: number, after: Token | null) => {
    const [fromAtom, fromPlaced] = [nextAtom, nextPlaced]
    while ((atoms[nextAtom]?.start ?? Infinity) < end) nextAtom++
    while ((placed[nextPlaced]?.start ?? Infinity) < end) nextPlaced++
    const values = placed.slice(fromPlaced, nextPlaced).filter((each) => each.start >= start)
    const paths = new Set(values.flatMap(({ path, mayBeEmpty }) => (mayBeEmpty ? [path] : [])))
    const isCell = isCellTag(edge) && isCellTag(after) && values.every(({ mayBeEmpty }) => mayBeEmpty)
    if (paths.size > MAX_LINE_VALUES || paths.size < (isCell ? 1 : 2)) return
    if (values.length > MAX_PLACED || nextAtom - fromAtom > MAX_ATOMS) return
    const parts = partsOf(tree, tokens, atoms.slice(fromAtom, nextAtom), values)
    const isInside = (parts?.[0]?.start ?? 0) >= start && (parts?.at(-1)?.end ?? 0) <= end
    if (parts !== null && isInside && (paths.size > 1 || parts.length === 1))
      found.push({ start, end, parts })
  }

  for (const token of tokens)
    if (isLineEdge(token)) {
      endLine(token.start, token)
      start = token.end
      edge = token
    }
  endLine(html.length, null)
  return found
}

/** Divides a line into parts; null for running text, and for a line whose values share an element. */
function partsOf(
  tree: Tree,
  tokens: readonly Token[],
  inLine: readonly Atom[],
  values: readonly PlacedPlaceholder[],
): readonly LinePart[] | null {
  const all = [...values, ...inLine]
  const common = tree.commonOf(all.flatMap(({ start, end }) => [start, end - 1]))
  if (common === null || !tree.isWhole(common)) return null
  const whole = (item: Item): Item | null => {
    const [first, last] = [tree.below(common, item.start), tree.below(common, item.end - 1)]
    if (first === null || last === null) return null
    return { start: (first ?? item).start, end: (last ?? item).end }
  }
  const shown = shownValues(values, whole)
  const beside = shown && besideValues(shown, tokens, inLine, values, whole)
  if (shown === null || beside === null) return null
  const { gaps, labels } = beside

  const parts: { start: number; end: number; path: string | null; label: number }[] = []
  const addText = (items: readonly Beside[]) => {
    const [first, last] = [items[0], items.at(-1)]
    if (first && last) parts.push({ start: first.start, end: last.end, path: null, label: 0 })
  }
  for (const [at, gap] of gaps.entries()) {
    const value = shown[at]
    const { behind, between, before } = dividedGap(gap, at > 0, value !== undefined)
    const last = parts.at(-1)
    for (const { end, label } of behind)
      if (last) {
        last.end = end
        last.label += label
      }
    addText(between)
    if (!value) continue
    const label = before.reduce((sum, each) => sum + each.label, labels[at] ?? 0)
    parts.push({ start: before[0]?.start ?? value.start, end: value.end, path: value.path, label })
  }
  const isText = parts.some(({ path, label }) => path !== null && label > MAX_LABEL_CHARACTERS)
  return isText ? null : parts
}

/** The values of a line; null if their elements overlap. Adjacent values of the same variable are merged. */
function shownValues(
  values: readonly PlacedPlaceholder[],
  whole: (item: Item) => Item | null,
): readonly Value[] | null {
  const shown: Value[] = []
  for (const { start: first, end, path, mayBeEmpty } of values) {
    const item = whole({ start: first, end })
    if (item === null) return null
    const value = { ...item, path: mayBeEmpty ? path : null }
    const last = shown.at(-1)
    if (last?.path === value.path) last.end = Math.max(last.end, value.end)
    else if (last && last.end > value.start) return null
    else shown.push(value)
  }
  return shown
}

/** Finds the texts and pictures around the values, and the length of the text in each value's element. */
function besideValues(
  shown: readonly Value[],
  tokens: readonly Token[],
  inLine: readonly Atom[],
  values: readonly PlacedPlaceholder[],
  whole: (item: Item) => Item | null,
): Readonly<{ gaps: readonly (readonly Beside[])[]; labels: readonly number[] }> | null {
  const gaps: Beside[][] = [[]]
  const labels: number[] = shown.map(() => 0)
  let isListed = true
  for (const atom of inLine) {
    while (gaps.length <= shown.length && (shown[gaps.length - 1]?.end ?? Infinity) <= atom.start)
      gaps.push([])
    const at = gaps.length - 1
    const value = shown[at]
    if (isLargePicture(tokens, atom) && value?.path !== null) return null
    const isPlaced = values.some(({ start: first, end }) => first <= atom.start && atom.start < end)
    const label = isPlaced ? 0 : atom.before.length + atom.text.length
    if (value && value.start <= atom.start) {
      labels[at] = (labels[at] ?? 0) + label
      // A separator inside a value's element would disappear with that element.
      if (!isPlaced && SEPARATORS.has(atom.text) && value.path !== null) isListed = false
      continue
    }
    const item = whole(atom)
    const last = gaps[at]?.at(-1)
    if (item === null) return null
    if (last && last.end > item.start) {
      if (SEPARATORS.has(last.sign) || SEPARATORS.has(atom.text)) isListed = false
      last.end = Math.max(last.end, item.end)
      last.label += label
      last.sign = ''
    } else gaps[at]?.push({ ...item, label, sign: atom.text, isBehindBlank: atom.before !== '' })
  }
  while (gaps.length <= shown.length) gaps.push([])
  return isListed ? { gaps, labels } : null
}

const isCellTag = (token: Token | null): boolean =>
  (token?.kind === 'open' || token?.kind === 'close') && (token.name === 'td' || token.name === 'th')

/**
 * Divides the content between two values into what belongs to the first value, a text of its own, and what belongs to
 * the second value.
 */
function dividedGap(
  items: readonly Beside[],
  hasBefore: boolean,
  hasBehind: boolean,
): Readonly<Record<'behind' | 'between' | 'before', readonly Beside[]>> {
  const isStrong = ({ sign }: Beside) => SEPARATORS.has(sign)
  const [first, last] = [items.findIndex(isStrong), items.findLastIndex(isStrong)]
  const none = { behind: [], between: [], before: [] }
  if (!hasBefore) {
    const text = items.slice(0, Math.max(last, 0))
    const isOwn = text.some((item) => !isStrong(item))
    return isOwn ? { ...none, between: text, before: items.slice(last + 1) } : { ...none, before: items }
  }
  if (!hasBehind) {
    const text = first < 0 ? [] : items.slice(first + 1)
    const isOwn = text.some((item) => !isStrong(item))
    return isOwn ? { ...none, between: text, behind: items.slice(0, first) } : { ...none, behind: items }
  }
  if (first >= 0) {
    const between = items.slice(first + 1, last)
    return {
      behind: items.slice(0, first),
      before: items.slice(last + 1),
      between: between.every(isStrong) ? [] : between,
    }
  }
  const weak = items.findIndex(
    ({ sign, isBehindBlank }) => WEAK.has(sign) || (BEHIND_BLANK.has(sign) && isBehindBlank),
  )
  if (weak >= 0) return { ...none, behind: items.slice(0, weak), before: items.slice(weak + 1) }
  const blank = items.findIndex(({ isBehindBlank }) => isBehindBlank)
  const until = blank < 0 ? items.length : blank
  return { ...none, behind: items.slice(0, until), before: items.slice(until) }
}
