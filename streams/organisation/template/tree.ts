/**
 * The tree of a template's text. Each node has its range in the text, so an edit can change exactly one node. The tree
 * is only read: it is never written back.
 */
import {
  nameSet,
  type OpenTag,
  RAW_ELEMENTS,
  type Token,
  tokensOf,
  VOID_ELEMENTS,
} from '../../html/tokens.ts'
import { parseTemplate, type Placeholder, showsByItself } from './template.ts'

/** From `from` to `to` in the text, in UTF-16 code units. */
export type SourceRange = Readonly<{ from: number; to: number }>

/** An element with its tags. `inner` is the range of its children; empty for an element without content. */
export type ElementNode = SourceRange &
  Readonly<{ kind: 'element'; tag: OpenTag; inner: SourceRange; children: readonly TreeNode[] }>

/**
 * Content that depends on values. `children` are shown while one of the values has text, `otherwise` while all are
 * empty; null without `{{else}}`.
 */
export type ConditionNode = SourceRange &
  Readonly<{
    kind: 'condition'
    names: readonly string[]
    inner: SourceRange
    children: readonly TreeNode[]
    otherwise: readonly TreeNode[] | null
  }>

/**
 * A part of a template. `words` is text without placeholders, which may be blank. `value` is a placeholder that shows
 * something. `block` is the place of the block in a slot. `styles` is a style sheet. `opaque` is markup that does not
 * nest: a tag without its counterpart, or an element whose content is not markup.
 */
export type TreeNode =
  | ElementNode
  | ConditionNode
  | (SourceRange &
      (
        | Readonly<{ kind: 'words' | 'block' | 'comment' | 'styles' | 'opaque' }>
        | Readonly<{ kind: 'value'; placeholder: Placeholder }>
        | Readonly<{ kind: 'part'; name: string }>
        | Readonly<{ kind: 'slot'; name: string; children: readonly TreeNode[] }>
      ))

/** Elements whose end tag may be missing: the end of their parent ends them. */
const OPTIONAL_END = nameSet('p li dt dd tr td th tbody thead tfoot colgroup option')
const BLOCKS = 'p div ul ol dl table h1 h2 h3 h4 h5 h6 hr blockquote pre address center'
const SECTIONS = 'tbody thead tfoot'
/** The open elements that a tag of this name ends. */
const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...BLOCKS.split(' ').map((name) => [name, nameSet('p')] as const),
  ['li', nameSet('li')],
  ['dt', nameSet('dt dd')],
  ['dd', nameSet('dt dd')],
  ['td', nameSet('td th')],
  ['th', nameSet('td th')],
  ['tr', nameSet('tr td th colgroup')],
  ...SECTIONS.split(' ').map((name) => [name, nameSet(`${SECTIONS} tr td th colgroup`)] as const),
])
/** A tag does not end elements outside these. */
const SCOPES = nameSet('table td th caption')
const LIST_SCOPES = nameSet('table td th caption ul ol dl')
const TABLE_SCOPES = nameSet('table')
const NO_NAMES: ReadonlySet<string> = new Set()
const SCOPES_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['li', 'dt', 'dd'].map((name) => [name, LIST_SCOPES] as const),
  ['table', NO_NAMES],
  ...`td th tr caption colgroup ${SECTIONS}`.split(' ').map((name) => [name, TABLE_SCOPES] as const),
])

/** Deeper elements are opaque tags, and with deeper controls all is opaque, so that no reader needs much stack. */
const MAX_DEPTH = 200

/** An open element or control. Its children are the nodes from `first` on. */
type Frame = Readonly<{ from: number; innerFrom: number; first: number }> &
  (
    | Readonly<{ kind: 'element'; tag: OpenTag }>
    | Readonly<{ kind: 'slot'; name: string }>
    | {
        readonly kind: 'condition'
        readonly names: readonly string[]
        then: Readonly<{ children: readonly TreeNode[]; to: number }> | null
      }
  )

/** Whether all conditions and slots nest, each within one tag, comment or style sheet, or all in the text. */
function areControlsNested(placeholders: readonly Placeholder[], tokens: readonly Token[]): boolean {
  const inText: string[] = []
  let next = 0
  for (const { kind, end } of tokens) {
    const open = kind === 'text' ? inText : []
    for (; next < placeholders.length; next++) {
      const placeholder = placeholders[next]
      if (!placeholder || placeholder.at >= end) break
      const { kind: control } = placeholder
      if (placeholder.end > end || open.length > MAX_DEPTH) return false
      if (control === 'if') open.push('if')
      else if (control === 'slotStart') open.push('slot')
      else if (control === 'else') {
        if (open.pop() !== 'if') return false
        open.push('else')
      } else if (control === 'end' && !['if', 'else'].includes(open.pop() ?? '')) return false
      else if (control === 'slotEnd' && open.pop() !== 'slot') return false
    }
    if (kind !== 'text' && open.length > 0) return false
  }
  return inText.length === 0
}

/**
 * The nodes of a text in order. Their ranges cover the text without gaps, and so do the children of each node within
 * its `inner` range. Every text has a tree. If its conditions and slots do not nest, it is one opaque node. Takes linear
 * time.
 */
export function templateTree(text: string): readonly TreeNode[] {
  if (text === '') return []
  const { placeholders } = parseTemplate(text, new Map()).template
  // With a space appended, the token of an unfinished tag ends after `text`, so it can be detected.
  const tokens = [...tokensOf(`${text} `)]
  if (!areControlsNested(placeholders, tokens)) return [{ kind: 'opaque', from: 0, to: text.length }]
  /** The nodes so far, with those of open elements and controls behind them. An open element is an opaque tag. */
  const nodes: TreeNode[] = []
  const frames: Frame[] = []
  const add = (node: TreeNode): void => {
    if (node.from < node.to) nodes.push(node)
  }
  /** Takes the nodes from an index on out of the list. */
  const taken = (first: number): readonly TreeNode[] => {
    const children = nodes.slice(first)
    nodes.length = first
    return children
  }
  /** The depth of the innermost condition or slot, which no element crosses. */
  const depthOfControl = (): number => frames.findLastIndex(({ kind }) => kind !== 'element') + 1

  const closeElement = (
    { from, innerFrom, first }: Frame,
    tag: OpenTag,
    innerTo: number,
    to: number,
  ): void => {
    const children = taken(first)
    nodes[first - 1] = { kind: 'element', tag, from, to, inner: { from: innerFrom, to: innerTo }, children }
  }
  /** Ends the elements from a depth on without end tags. Where an end tag is not optional, the tag stays opaque. */
  const closeUntil = (depth: number, at: number): void => {
    while (frames.length > depth) {
      const frame = frames.pop()
      if (frame?.kind === 'element' && OPTIONAL_END.has(frame.tag.name))
        closeElement(frame, frame.tag, at, at)
    }
  }
  /** The depth of the innermost open element with one of these names, within the scope of a tag; -1 without one. */
  const depthOf = (tag: string, names: ReadonlySet<string>): number => {
    const scopes = SCOPES_OF.get(tag) ?? SCOPES
    for (let depth = frames.length - 1; depth >= 0; depth--) {
      const frame = frames[depth]
      if (frame?.kind !== 'element') return -1
      if (names.has(frame.tag.name)) return depth
      if (scopes.has(frame.tag.name)) return -1
    }
    return -1
  }

  const openTag = (tag: OpenTag): void => {
    const { name, start: from, end: to } = tag
    const ended = ENDED_BY.get(name)
    if (ended)
      for (let depth = depthOf(name, ended); depth >= 0; depth = depthOf(name, ended)) closeUntil(depth, from)
    if (VOID_ELEMENTS.has(name))
      add({ kind: 'element', tag, from, to, inner: { from: to, to }, children: [] })
    else {
      add({ kind: 'opaque', from, to })
      if (frames.length < MAX_DEPTH)
        frames.push({ kind: 'element', tag, from, innerFrom: to, first: nodes.length })
    }
  }
  const closeTag = (name: string, start: number, end: number): void => {
    const depth = depthOf(name, new Set([name]))
    const frame = frames[depth]
    if (frame?.kind !== 'element') {
      add({ kind: 'opaque', from: start, to: end })
      return
    }
    closeUntil(depth + 1, start)
    frames.pop()
    closeElement(frame, frame.tag, start, end)
  }
  const closeControl = (at: number, to: number): void => {
    closeUntil(depthOfControl(), at)
    const frame = frames.pop()
    if (!frame || frame.kind === 'element') return
    const { from, innerFrom, first } = frame
    const children = taken(first)
    if (frame.kind === 'slot') add({ kind: 'slot', name: frame.name, from, to, children })
    else {
      const { names, then } = frame
      const inner = { from: innerFrom, to: then?.to ?? at }
      const branches = then ? { children: then.children, otherwise: children } : { children, otherwise: null }
      add({ kind: 'condition', names, from, to, inner, ...branches })
    }
  }
  const addPlaceholder = (placeholder: Placeholder): void => {
    const { kind, names, at: from, end: to } = placeholder
    const [name = ''] = names
    const opened = { from, innerFrom: to, first: nodes.length }
    if (kind === 'if') frames.push({ kind: 'condition', names, ...opened, then: null })
    else if (kind === 'slotStart') frames.push({ kind: 'slot', name, ...opened })
    else if (kind === 'else') {
      closeUntil(depthOfControl(), from)
      const frame = frames.at(-1)
      if (frame?.kind === 'condition') frame.then = { children: taken(frame.first), to: from }
    } else if (kind === 'end' || kind === 'slotEnd') closeControl(from, to)
    else if (kind === 'part') add({ kind, name, from, to })
    else if (kind === 'slot') add({ kind, name, from, to, children: [] })
    else if (kind === 'block') add({ kind, from, to })
    else if (showsByItself(placeholder)) add({ kind: 'value', placeholder, from, to })
  }
  let next = 0
  const addText = (start: number, end: number): void => {
    let at = start
    for (; next < placeholders.length; next++) {
      const placeholder = placeholders[next]
      if (!placeholder || placeholder.at >= end) break
      add({ kind: 'words', from: at, to: placeholder.at })
      addPlaceholder(placeholder)
      at = placeholder.end
    }
    add({ kind: 'words', from: at, to: end })
  }

  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (!token) break
    const { kind, start } = token
    let end = Math.min(token.end, text.length)
    if (kind === 'text') addText(start, end)
    else if (token.end > text.length) add({ kind: 'opaque', from: start, to: end })
    else if (kind === 'open' && RAW_ELEMENTS.has(token.name)) {
      if (tokens[index + 1]?.kind === 'raw') index++
      const close = tokens[index + 1]
      const isClosed = close?.kind === 'close'
      if (isClosed) index++
      end = Math.min(tokens[index]?.end ?? end, text.length)
      add({ kind: isClosed && token.name === 'style' ? 'styles' : 'opaque', from: start, to: end })
    } else if (kind === 'open') openTag(token)
    else if (kind === 'close') closeTag(token.name, start, end)
    else add({ kind: kind === 'comment' ? 'comment' : 'opaque', from: start, to: end })
    // Placeholders in tags, comments and style sheets are no nodes.
    while ((placeholders[next]?.at ?? text.length) < end) next++
  }
  closeUntil(0, text.length)
  return nodes
}

/** The children of a node in order, with the content of both branches of a condition. */
export const childrenOf = (node: TreeNode): readonly TreeNode[] =>
  node.kind === 'element' || node.kind === 'slot'
    ? node.children
    : node.kind === 'condition'
      ? [...node.children, ...(node.otherwise ?? [])]
      : []

/** Whether an element is a cell of a table. */
export const isCell = ({ tag: { name } }: ElementNode): boolean => name === 'td' || name === 'th'
