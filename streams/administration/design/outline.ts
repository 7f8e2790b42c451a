/**
 * What a person sees of a template and can select: words, pictures, links, lines, cells, rows, tables. Made from the
 * template's tree. Elements that only format words, and wrappers around a single thing, are not items of their own.
 */
import { attributeOf, nameSet } from '../../html/tokens.ts'
import { parseTemplate } from '../../organisation/template/template.ts'
import {
  type ConditionNode,
  type ElementNode,
  type SourceRange,
  childrenOf,
  templateTree,
  type TreeNode,
} from '../../organisation/template/tree.ts'

export type ItemKind =
  | 'words'
  | 'picture'
  | 'link'
  | 'line'
  | 'group'
  | 'cell'
  | 'row'
  | 'table'
  | 'divider'
  | 'condition'
  | 'part'
  | 'slot'

/**
 * One selectable thing, in its whole range in the text. The range includes the conditions and elements that contain
 * nothing else.
 */
export type DesignItem = SourceRange &
  Readonly<{
    kind: ItemKind
    /** The conditions and elements that belong to the item, from the outermost. Words and lines have no elements. */
    nodes: readonly TreeNode[]
    /** The words of `words`, without blanks around them. For other items, the range of their children. */
    content: SourceRange
    children: readonly DesignItem[]
    /** The name of a part or slot; otherwise empty. */
    name: string
    /** Whether the item begins or ends with a line break, as in `{{#if phone}}<br>{{phone}}{{/if}}`. */
    breaks: Readonly<{ first: boolean; last: boolean }>
  }>

/** Elements that are shown as if their children were in their parent. */
const SPLICED = nameSet(
  'span b strong i em u s strike del ins font small big sub sup mark code tt abbr acronym cite q var kbd samp bdo ' +
    'tbody thead tfoot center o:p nobr label time wbr html body head',
)
/** Elements that show nothing. */
const UNSEEN = nameSet('col colgroup meta link base basefont param source track')
const KIND_OF: ReadonlyMap<string, ItemKind> = new Map<string, ItemKind>([
  ['a', 'link'],
  ['img', 'picture'],
  ['hr', 'divider'],
  ['table', 'table'],
  ['tr', 'row'],
  ['td', 'cell'],
  ['th', 'cell'],
])

/** Kinds that are part of a line, together with the words around them. */
const INLINE: ReadonlySet<ItemKind> = new Set<ItemKind>(['words', 'picture', 'link'])
/** Kinds that merge with a container of which they are the only content. */
const CONTAINERS: ReadonlySet<ItemKind> = new Set<ItemKind>(['line', 'group', 'cell', 'row', 'table', 'slot'])

/**
 * Words and values side by side in one list of siblings, or a line break, or another item. Between runs of one chain,
 * there is nothing but line breaks.
 */
type Piece = SourceRange &
  Readonly<{ /** The spliced elements around it, from the outermost. */ path: readonly ElementNode[] }> &
  (
    | Readonly<{ kind: 'run'; chain: Chain }>
    | Readonly<{ kind: 'break' }>
    | Readonly<{ kind: 'item'; item: DesignItem }>
  )

type Chain = Readonly<{ siblings: readonly TreeNode[] }>

const NO_BREAKS = { first: false, last: false }
const BLANK = /[\t\n\f\r ]/

const kindOf = ({ tag: { name } }: ElementNode): ItemKind => KIND_OF.get(name) ?? 'group'

/** The pieces of nodes in order, with the pieces of spliced elements in their place. */
function piecesOf(
  text: string,
  siblings: readonly TreeNode[],
  path: readonly ElementNode[] = [],
  pieces: Piece[] = [],
): Piece[] {
  let run = null as SourceRange | null
  let chain: Chain = { siblings }
  const endRun = () => {
    if (run && !isBlank(text, run)) pieces.push({ kind: 'run', chain, path, ...run })
    run = null
  }
  for (const node of siblings) {
    const { from, to } = node
    if (node.kind === 'words' || node.kind === 'value') {
      run = { from: run?.from ?? from, to }
      continue
    }
    endRun()
    if (isBreak(node)) {
      pieces.push({ kind: 'break', path, from, to })
      continue
    }
    chain = { siblings }
    if (node.kind === 'element' && SPLICED.has(node.tag.name))
      piecesOf(text, node.children, [...path, node], pieces)
    else {
      const item = itemOf(text, node)
      if (item) pieces.push({ kind: 'item', item, path, from, to })
    }
  }
  endRun()
  return pieces
}

/** The item of a node that is neither words nor spliced; null if it shows nothing. */
function itemOf(text: string, node: TreeNode): DesignItem | null {
  if (node.kind === 'element') return UNSEEN.has(node.tag.name) ? null : elementItem(text, node)
  if (node.kind === 'condition') return conditionItem(text, node)
  if (node.kind !== 'part' && node.kind !== 'slot') return null
  const { kind, name, from, to } = node
  const inside = childrenOf(node)
  const content = { from: inside[0]?.from ?? from, to: inside.at(-1)?.to ?? to }
  return { kind, name, from, to, nodes: [node], content, children: itemsOf(text, inside), breaks: NO_BREAKS }
}

/** The range without the blanks at its ends. */
function trimmed(text: string, { from, to }: SourceRange): SourceRange {
  let [begin, end] = [from, to]
  while (begin < end && BLANK.test(text[begin] ?? '')) begin++
  while (begin < end && BLANK.test(text[end - 1] ?? '')) end--
  return { from: begin, to: end }
}

const isBlank = (text: string, range: SourceRange): boolean => {
  const { from, to } = trimmed(text, range)
  return from === to
}

const isBreak = (node: TreeNode | null): boolean => node?.kind === 'element' && node.tag.name === 'br'

function wordsItem(text: string, range: SourceRange): DesignItem {
  const content = trimmed(text, range)
  return { kind: 'words', ...content, nodes: [], content, children: [], name: '', breaks: NO_BREAKS }
}

/** Whether the item is part of a line, together with what is beside it. */
export const isInlineItem = ({ kind, breaks, children }: DesignItem): boolean =>
  !breaks.first && !breaks.last && (INLINE.has(kind) || (kind === 'condition' && isLine(children)))

/** Whether the items of a piece share a line with the pieces beside it. */
const isInline = (piece: Piece): boolean =>
  piece.kind === 'run' || (piece.kind === 'item' && isInlineItem(piece.item))

const isLine = (children: readonly DesignItem[]): boolean => children.every(({ kind }) => INLINE.has(kind))

/** The pieces of one line, what ends it, and the range between the pieces before and after it. */
type Line = { pieces: Piece[]; end: 'break' | 'block' } & { -readonly [Key in keyof SourceRange]: number }

function linesOf(pieces: readonly Piece[]): readonly (Line | DesignItem)[] {
  const result: (Line | DesignItem)[] = []
  let line: Line = { pieces: [], end: 'block', from: 0, to: 0 }
  const end = (by: Line['end'], from: number, to: number) => {
    if (line.pieces.length > 0 || by === 'break') result.push({ ...line, end: by, to: from })
    line = { pieces: [], end: 'block', from: to, to }
  }
  for (const piece of pieces) {
    if (piece.kind === 'break') end('break', piece.from, piece.to)
    else if (isInline(piece)) line.pieces.push(piece)
    else if (piece.kind === 'item') {
      end('block', piece.from, piece.to)
      result.push(piece.item)
    }
  }
  end('block', Infinity, Infinity)
  return result
}

/** The range of a line with whole elements; null if an element at its beginning or end is also in another line. */
function rangeOfLine(text: string, { pieces, from, to }: Line): SourceRange | null {
  const [first] = pieces
  const last = pieces.at(-1)
  if (!first || !last) return null
  const shared = first.path.findIndex((node, depth) => last.path[depth] !== node)
  const depth = shared < 0 ? first.path.length : shared
  const begin = (first.path[depth] ?? trimmed(text, first)).from
  const end = (last.path[depth] ?? trimmed(text, last)).to
  return from <= begin && end <= to ? { from: begin, to: end } : null
}

/** The items of sibling nodes. Lines that are only words of one parent are one item with line breaks. */
function itemsOf(text: string, siblings: readonly TreeNode[]): readonly DesignItem[] {
  const lines = linesOf(piecesOf(text, siblings))
  const hasLines = lines.length > 1
  const items: DesignItem[] = []
  let words = null as { chain: Chain; from: number; to: number; isOpen: boolean } | null
  const endWords = () => {
    if (words) items.push(wordsItem(text, words))
    words = null
  }
  for (const line of lines) {
    if ('nodes' in line) {
      endWords()
      items.push(line)
      continue
    }
    const { pieces } = line
    const [only] = pieces
    if (pieces.length === 1 && only?.kind === 'run') {
      if (words?.isOpen && words.chain === only.chain) words.to = only.to
      else {
        endWords()
        words = { chain: only.chain, from: only.from, to: only.to, isOpen: true }
      }
      words.isOpen = line.end === 'break'
      continue
    }
    // An empty line keeps the words above and below it together.
    if (pieces.length === 0 && words?.isOpen) continue
    endWords()
    const inLine = pieces.flatMap((piece) =>
      piece.kind === 'break' ? [] : [piece.kind === 'run' ? wordsItem(text, piece) : piece.item],
    )
    const range = hasLines && inLine.length > 1 ? rangeOfLine(text, line) : null
    if (range)
      items.push({
        kind: 'line',
        ...range,
        nodes: [],
        content: range,
        children: inLine,
        name: '',
        breaks: NO_BREAKS,
      })
    else items.push(...inLine)
  }
  endWords()
  return items
}

/** The item of an element. A container with a single container in it is one item with both elements. */
function elementItem(text: string, node: ElementNode): DesignItem {
  const { from, to, inner } = node
  const kind = kindOf(node)
  const children = itemsOf(text, node.children)
  const [only] = children
  const isWrapper =
    children.length === 1 &&
    only !== undefined &&
    CONTAINERS.has(kind) &&
    CONTAINERS.has(only.kind) &&
    only.kind !== 'slot' &&
    only.nodes.every((each) => each.kind === 'element')
  return {
    kind,
    from,
    to,
    nodes: isWrapper ? [node, ...only.nodes] : [node],
    content: isWrapper ? only.content : inner,
    children: isWrapper ? only.children : children,
    name: '',
    breaks: NO_BREAKS,
  }
}

/** The first or last of these nodes that shows something or breaks the line; null if none does. */
function edge(text: string, siblings: readonly TreeNode[], isFirst: boolean): TreeNode | null {
  const nodes = isFirst ? siblings : [...siblings].reverse()
  for (const node of nodes) {
    if (node.kind === 'comment' || node.kind === 'styles') continue
    if (node.kind === 'words' && isBlank(text, node)) continue
    if (node.kind !== 'element' || !SPLICED.has(node.tag.name)) return node
    const found = edge(text, node.children, isFirst)
    if (found) return found
  }
  return null
}

/** The item of a condition: its only content, or all of it. Null if it shows nothing. */
function conditionItem(text: string, node: ConditionNode): DesignItem | null {
  const { from, to, inner, otherwise } = node
  const shown = itemsOf(text, node.children)
  const children = [...shown, ...itemsOf(text, otherwise ?? [])]
  const [only] = children
  if (!only) return null
  const breaks = {
    first: (shown[0]?.breaks.first ?? false) || isBreak(edge(text, node.children, true)),
    last: (shown.at(-1)?.breaks.last ?? false) || isBreak(edge(text, node.children, false)),
  }
  if (children.length === 1 && otherwise === null)
    return { ...only, from, to, nodes: [node, ...only.nodes], breaks }
  const content = { from: inner.from, to: otherwise?.at(-1)?.to ?? inner.to }
  return { kind: 'condition', from, to, nodes: [node], content, children, name: '', breaks }
}

/** Reads the items of a template's text. Takes linear time. */
export const readOutline = (text: string): readonly DesignItem[] => itemsOf(text, templateTree(text))

/** The outlines of the last texts, the oldest first: an act and its drawing ask several times for the same few. */
const outlines = new Map<string, readonly DesignItem[]>()
const MAX_OUTLINES = 8

/** The items of a template's text. Reads each of the last texts once. */
export function outlineOf(text: string): readonly DesignItem[] {
  const outline = outlines.get(text) ?? readOutline(text)
  outlines.delete(text)
  outlines.set(text, outline)
  for (const oldest of outlines.keys()) {
    if (outlines.size <= MAX_OUTLINES) break
    outlines.delete(oldest)
  }
  return outline
}

/** The item with this range, with its parents from the outermost and the siblings of each; null without one. */
export type FoundItem = Readonly<{
  item: DesignItem
  parents: readonly DesignItem[]
  siblings: readonly DesignItem[]
  index: number
}>

export function findItem(outline: readonly DesignItem[], { from, to }: SourceRange): FoundItem | null {
  const parents: DesignItem[] = []
  for (let siblings = outline; ;) {
    const index = siblings.findIndex((each) => each.from <= from && to <= each.to)
    const item = siblings[index]
    if (!item) return null
    if (item.from === from && item.to === to) return { item, parents, siblings, index }
    parents.push(item)
    siblings = item.children
  }
}

/** All items in the order of the text, parents before their children. */
export const allItems = (outline: readonly DesignItem[]): readonly DesignItem[] =>
  outline.flatMap((item) => [item, ...allItems(item.children)])

/** The words in an item, in order. */
export const wordsIn = (item: DesignItem): readonly DesignItem[] =>
  item.kind === 'words' ? [item] : item.children.flatMap(wordsIn)

/** The item's innermost element with the properties that a person can change; null for words, lines and parts. */
export const elementOf = ({ nodes }: DesignItem): ElementNode | null =>
  nodes.findLast((node): node is ElementNode => node.kind === 'element') ?? null

/** The picture of the draft that an image shows, and whether it is linked; null for another address. */
export function pictureIn({ tag }: ElementNode): Readonly<{ path: string; isLinked: boolean }> | null {
  const source = (attributeOf(tag, 'src') ?? '').trim()
  const [only] = parseTemplate(source, new Map()).template.placeholders
  const isPicture = only?.kind === 'picture' && only.at === 0 && only.end === source.length
  return isPicture ? { path: only.names[0] ?? '', isLinked: only.isLinked === true } : null
}

/** The conditions under which the whole item is shown, from the outermost. */
export const conditionsOf = ({ nodes }: DesignItem): readonly ConditionNode[] =>
  nodes.filter((node): node is ConditionNode => node.kind === 'condition')

/** The item nearest to a range: with this range, or the first one in it, or the innermost around it. */
export function nearestItem(outline: readonly DesignItem[], range: SourceRange): DesignItem | null {
  const exact = findItem(outline, range)
  if (exact) return exact.item
  let around: DesignItem | null = null
  for (let items = outline; ;) {
    const inside = items.find(({ from, to }) => range.from <= from && to <= range.to)
    if (inside) return inside
    const next = items.find(({ from, to }) => from <= range.from && range.to <= to)
    if (!next) return around
    around = next
    items = next.children
  }
}
