/** Locates the entries of a map or list in a YAML text, and creates the edits that add and remove entries. */
import { countOffsetsUpTo } from '../../streams/kernel/offsets.ts'
import { isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap, type YAMLSeq } from 'yaml'

/** An edit that replaces the text between two offsets. */
export type TextEdit = Readonly<{ from: number; to: number; insert: string }>

/** Thrown when the text's form cannot express a change. The caller then rewrites a larger piece. */
export class InexpressibleEdit extends Error {}

/** Applies edits to the text. Overlapping edits are merged, and their combined range is replaced once. */
export function applyEdits(text: string, edits: readonly TextEdit[], offset = 0): string {
  const sorted = edits.toSorted((one, other) => one.from - other.from || one.to - other.to)
  const pieces: string[] = []
  let at = 0
  for (const { from, to, insert } of sorted) {
    pieces.push(text.slice(at, Math.max(at, from - offset)), insert)
    at = Math.max(at, to - offset)
  }
  return [...pieces, text.slice(at)].join('')
}

export type CollectionItem = Readonly<{ key: Node | null; value: Node | null }>
export type Collection = YAMLMap | YAMLSeq

export const collectionItems = (node: Collection): readonly CollectionItem[] =>
  isMap(node)
    ? node.items.map(({ key, value }: Pair) => ({ key: key as Node, value: value as Node | null }))
    : node.items.map((value) => ({ key: null, value: value as Node | null }))

export const isBlockScalar = (node: Node): boolean =>
  isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED)

const startOf = (node: Node | null): number => {
  if (!node?.range) throw new InexpressibleEdit()
  return node.range[0]
}

/** Whether a node has no text, like the value of `key:`. */
export const isMissingNode = (node: Node | null): node is null =>
  !node?.range || (isScalar(node) && node.range[0] === node.range[1])

const BLANK = /[ \t\r]/
const SPACE_IN_LINE = /[ \t]/
const SPACE = /\s/

/** Returns functions that locate lines and comments in a text. Its last line must have a line end. */
export function createYamlSource(text: string) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  // Binary search, because scanning a line with many entries would be slow.
  const lineStart = (at: number): number => starts[countOffsetsUpTo(starts, at) - 1] ?? 0
  const lineEnd = (at: number): number => starts[countOffsetsUpTo(starts, at)] ?? text.length
  const skip = (at: number, kind: RegExp): number => {
    let end = at
    while (end < text.length && kind.test(text.charAt(end))) end++
    return end
  }
  /** The first offset from here that is outside spaces and comments. */
  const skipComments = (at: number): number => {
    let end = skip(at, SPACE)
    while (text.charAt(end) === '#' && end > 0 && SPACE.test(text.charAt(end - 1)))
      end = skip(lineEnd(end), SPACE)
    return end
  }
  const isBlankLine = (start: number): boolean => {
    const end = skip(start, BLANK)
    return end >= text.length ? start < text.length : text.charAt(end) === '\n'
  }
  /** The indentation of a comment that is alone on its line; null if there is none. */
  const commentColumn = (start: number): number | null => {
    const at = skip(start, BLANK)
    return text.charAt(at) === '#' ? at - start : null
  }
  /** Whether the rest of the line is empty or a comment. */
  const endsLine = (at: number): boolean => {
    const end = skip(at, BLANK)
    return end >= text.length || text.charAt(end) === '\n' || (text.charAt(end) === '#' && end > at)
  }
  const isFirstInLine = (at: number): boolean => skip(lineStart(at), BLANK) === at

  /** The offset after a key's colon; null if there is none, as in `{ key }`. */
  function afterColon(key: Node): number | null {
    if (!key.range) throw new InexpressibleEdit()
    const at = skip(key.range[1], SPACE)
    return text.charAt(at) === ':' ? at + 1 : null
  }

  /** The end of an item's text. */
  function endOf({ key, value }: CollectionItem): number {
    if (isMissingNode(value)) {
      if (!key?.range) throw new InexpressibleEdit()
      return afterColon(key) ?? key.range[1]
    }
    return endOfNode(value)
  }
  function endOfNode(node: Node): number {
    if (!node.range) throw new InexpressibleEdit()
    if ((isMap(node) || isSeq(node)) && node.flow !== true) {
      const last = collectionItems(node).at(-1)
      if (last === undefined) throw new InexpressibleEdit()
      return endOf(last)
    }
    let end = node.range[1]
    if (isBlockScalar(node)) while (end > node.range[0] && SPACE.test(text.charAt(end - 1))) end--
    return end
  }

  return {
    text,
    lineStart,
    lineEnd,
    skip,
    skipComments,
    isBlankLine,
    commentColumn,
    endsLine,
    isFirstInLine,
    afterColon,
    endOf,
    endOfNode,
    lineBreak: text.includes('\r\n') ? '\r\n' : '\n',
  }
}
export type YamlSource = ReturnType<typeof createYamlSource>

/**
 * The positions of a collection's entries in the text, and the edits that add and remove entries. Entries are numbered
 * from 0.
 */
export type CollectionLayout = Readonly<{
  isFlow: boolean
  /** The text before the keys or dashes on their lines. */
  indent: string
  /** The range of text that moves with an entry. */
  rangeOf: (index: number) => readonly [from: number, to: number]
  /**
   * Adds entries after the entry `after`; -1 adds them before all others. In a block, each text is whole lines with
   * line ends; in a flow collection, it has no line end.
   */
  add: (after: number, texts: readonly string[]) => readonly TextEdit[]
  /** Removes the entries for which `isGone` is true. */
  remove: (isGone: (index: number) => boolean) => readonly TextEdit[]
  /** Whether a blank line separates all entries, or some. */
  spaced: (which: 'all' | 'some') => boolean
}>

export const layoutOf = (source: YamlSource, node: Collection, floor: number): CollectionLayout =>
  node.flow === true ? flowLayout(source, node) : blockLayout(source, node, floor)

/**
 * The layout of a block. An entry has its lines, the comments directly above it, and more deeply indented comments
 * directly below it. A comment followed by a blank line belongs to no entry.
 *
 * @param floor the end of the line with the parent's key
 */
function blockLayout(source: YamlSource, node: Collection, floor: number): CollectionLayout {
  const { text, lineStart, lineEnd, isBlankLine, commentColumn, isFirstInLine } = source
  const headOf = ({ key, value }: CollectionItem): number => {
    if (key !== null) return startOf(key)
    let at = startOf(value) - 1
    while (text.charAt(at) === ' ') at--
    if (text.charAt(at) !== '-') throw new InexpressibleEdit()
    return at
  }
  const entries: Readonly<{ isCompact: boolean; from: number; to: number }>[] = []
  let indent = ''
  for (const item of collectionItems(node)) {
    const head = headOf(item)
    const start = lineStart(head)
    const isCompact = !isFirstInLine(head)
    if (isCompact && entries.length > 0) throw new InexpressibleEdit()
    const before = entries.at(-1)?.to ?? floor
    let from = isCompact ? head : start
    for (;;) {
      if (isCompact || from <= before) break
      const above = lineStart(from - 1)
      const column = commentColumn(above)
      if (above < before || column === null || column > head - start) break
      from = above
    }
    let to = lineEnd(source.endOf(item))
    while (to < text.length && (commentColumn(to) ?? 0) > head - start) to = lineEnd(to)
    indent = isCompact ? ' '.repeat(head - start) : text.slice(start, head)
    entries.push({ isCompact, from, to })
  }
  const entryAt = (index: number) => {
    const entry = entries[index]
    if (entry === undefined) throw new InexpressibleEdit()
    return entry
  }
  /** Whether there is a blank line above an entry. */
  const isApart = (index: number) => {
    const { from } = entryAt(index)
    return from > entryAt(index - 1).to && isBlankLine(lineStart(from - 1))
  }
  return {
    isFlow: false,
    indent,
    rangeOf: (index) => [entryAt(index).from, entryAt(index).to],
    add(after, texts) {
      if (after < 0 && entryAt(0).isCompact) throw new InexpressibleEdit()
      const at = after < 0 ? entryAt(0).from : entryAt(after).to
      return [{ from: at, to: at, insert: texts.join('') }]
    },
    remove(isGone) {
      const edits: TextEdit[] = []
      let isFirst = true
      for (const [index, { isCompact, from, to }] of entries.entries()) {
        if (!isGone(index)) {
          isFirst = false
          continue
        }
        if (isCompact) throw new InexpressibleEdit()
        let [start, end] = [from, to]
        const isLast = end >= text.length
        // When an entry is removed, the blank lines on one side of it go too.
        if (!isFirst && (isLast || isBlankLine(end)))
          while (start > entryAt(index - 1).to && isBlankLine(lineStart(start - 1)))
            start = lineStart(start - 1)
        else if (isFirst) while (end < text.length && isBlankLine(end)) end = lineEnd(end)
        edits.push({ from: start, to: end, insert: '' })
      }
      return edits
    },
    spaced(which) {
      const gaps = entries.slice(1).map((_, index) => isApart(index + 1))
      return which === 'some' ? gaps.includes(true) : gaps.length > 0 && !gaps.includes(false)
    },
  }
}

function flowLayout(source: YamlSource, node: Collection): CollectionLayout {
  const { text, lineStart, lineEnd, skipComments, commentColumn, endsLine, isFirstInLine, lineBreak } = source
  const entries = collectionItems(node).map((item) => {
    const start = startOf(item.key ?? item.value)
    const end = source.endOf(item)
    const next = skipComments(end)
    if (!',]}'.includes(text.charAt(next))) throw new InexpressibleEdit()
    const comma = text.charAt(next) === ',' ? next : null
    const isAlone = isFirstInLine(start) && endsLine(comma === null ? end : comma + 1)
    return { start, end, comma, isAlone }
  })
  for (const [index, { comma }] of entries.entries()) {
    const next = entries[index + 1]
    if (next !== undefined && (comma === null || skipComments(comma + 1) !== next.start))
      throw new InexpressibleEdit()
  }
  const entryAt = (index: number) => {
    const entry = entries[index]
    if (entry === undefined) throw new InexpressibleEdit()
    return entry
  }
  const indentOf = (start: number) => text.slice(lineStart(start), start)
  /**
   * Where the lines of an entry start, including the comments directly above it. The entry shares these lines with no
   * other.
   */
  const linesFrom = (index: number) => {
    const before = index === 0 ? lineEnd(node.range?.[0] ?? 0) : lineEnd(entryAt(index - 1).end)
    let from = lineStart(entryAt(index).start)
    while (from > before && commentColumn(lineStart(from - 1)) !== null) from = lineStart(from - 1)
    return from
  }
  return {
    isFlow: true,
    indent: '',
    rangeOf: (index) => [entryAt(index).start, entryAt(index).end],
    add(after, texts) {
      if (after < 0) {
        const { start, isAlone } = entryAt(0)
        if (!isAlone) return [{ from: start, to: start, insert: `${texts.join(', ')}, ` }]
        const at = linesFrom(0)
        const insert = texts.map((one) => `${indentOf(start)}${one},${lineBreak}`).join('')
        return [{ from: at, to: at, insert }]
      }
      const { start, end, comma, isAlone } = entryAt(after)
      if (!isAlone) return [{ from: end, to: end, insert: texts.map((one) => `, ${one}`).join('') }]
      const at = lineEnd(comma ?? end)
      const lines = texts.map((one) => `${indentOf(start)}${one}`)
      return comma === null
        ? [
            { from: end, to: end, insert: ',' },
            { from: at, to: at, insert: `${lines.join(`,${lineBreak}`)}${lineBreak}` },
          ]
        : [{ from: at, to: at, insert: lines.map((line) => `${line},${lineBreak}`).join('') }]
    },
    remove(isGone) {
      const edits: TextEdit[] = []
      let kept = entries.length - 1
      while (kept >= 0 && isGone(kept)) kept--
      if (kept < 0) throw new InexpressibleEdit()
      const last = entryAt(entries.length - 1)
      const isTailOnLine =
        kept < entries.length - 1 && !text.slice(entryAt(kept).end, last.end).includes('\n')
      if (isTailOnLine) edits.push({ from: entryAt(kept).end, to: last.end, insert: '' })
      for (const [index, { start, end, comma, isAlone }] of entries.entries()) {
        if (!isGone(index) || (isTailOnLine && index > kept)) continue
        if (isAlone) edits.push({ from: linesFrom(index), to: lineEnd(comma ?? end), insert: '' })
        else if (comma === null) edits.push({ from: start, to: end, insert: '' })
        else edits.push({ from: start, to: source.skip(comma + 1, SPACE_IN_LINE), insert: '' })
      }
      return edits
    },
    spaced: () => false,
  }
}
