/**
 * The tree of a template's text. Each node has its range in the text, so an edit can change exactly one node. The tree
 * is only read: it is never written back.
 */
import { type OpenTag, RAW_ELEMENTS, type Token, tokensOf, VOID_ELEMENTS } from '../../html/tokens.ts'
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

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Elements whose end tag may be missing: the end of their parent ends them. */
const OPTIONAL_END = names('p li dt dd tr td th tbody thead tfoot colgroup option')
const BLOCKS = names('p div ul ol dl table h1 h2 h3 h4 h5 h6 hr blockquote pre address center')
const CELLS = names('td th')
/** The elements that a tag of this name ends, if they are open. */
const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...[...BLOCKS].map((name) => [name, names('p')] as const),
  ['li', names('li p')],
  ['dt', names('dt dd p')],
  ['dd', names('dt dd p')],
  ['td', names('td th p')],
  ['th', names('td th p')],
  ['tr', names('tr td th p')],
  ...['tbody', 'thead', 'tfoot'].map((name) => [name, names('tbody thead tfoot tr td th p')] as const),
])
const TABLE_PARTS = names('td th tr tbody thead tfoot caption colgroup')
/** An end tag does not end elements outside these. */
const SCOPES = names('table td th caption')

/** Deeper elements are opaque tags, so that no reader of the tree needs much stack. */
const MAX_DEPTH = 200

type Frame = { from: number; innerFrom: number; children: TreeNode[] } & (
  | { kind: 'root' }
  | { kind: 'element'; tag: OpenTag }
  | { kind: 'slot'; name: string }
  | { kind: 'condition'; names: readonly string[]; then: { children: TreeNode[]; to: number } | null }
)

/** Whether all conditions and slots nest, each within one tag, comment or style sheet, or all in the text. */
function areControlsNested(placeholders: readonly Placeholder[], tokens: readonly Token[]): boolean {
  const inText: string[] = []
  let next = 0
  for (const { kind, start, end } of tokens) {
    const open = kind === 'text' ? inText : []
    for (; next < placeholders.length; next++) {
      const placeholder = placeholders[next]
      if (!placeholder || placeholder.at >= end) break
      const { kind: control, at } = placeholder
      if (at < start || placeholder.end > end) return false
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
  const root: Frame = { kind: 'root', from: 0, innerFrom: 0, children: [] }
  const frames: Frame[] = [root]
  const top = (): Frame => frames[frames.length - 1] ?? root
  const add = (node: TreeNode): void => {
    if (node.from < node.to) top().children.push(node)
  }

  const closeElement = (frame: Extract<Frame, { kind: 'element' }>, innerTo: number, to: number): void => {
    frames.pop()
    const { from, innerFrom, tag, children } = frame
    add({ kind: 'element', tag, from, to, inner: { from: innerFrom, to: innerTo }, children })
  }
  /** Ends the innermost element without an end tag. Its start tag alone is opaque if the end tag is not optional. */
  const closeUnfinished = (at: number): void => {
    const frame = top()
    if (frame.kind !== 'element') return
    if (OPTIONAL_END.has(frame.tag.name)) {
      closeElement(frame, at, at)
      return
    }
    frames.pop()
    add({ kind: 'opaque', from: frame.from, to: frame.innerFrom })
    for (const child of frame.children) add(child)
  }
  const closeUntil = (depth: number, at: number): void => {
    while (frames.length > depth) closeUnfinished(at)
  }
  /** The depth of the innermost condition or slot, which no element crosses. */
  const depthOfControl = (): number => frames.findLastIndex(({ kind }) => kind !== 'element') + 1

  const openTag = (tag: OpenTag): void => {
    const ended = ENDED_BY.get(tag.name)
    for (let frame = top(); ended && frame.kind === 'element' && ended.has(frame.tag.name); frame = top())
      closeUnfinished(tag.start)
    if (VOID_ELEMENTS.has(tag.name)) {
      const inner = { from: tag.end, to: tag.end }
      add({ kind: 'element', tag, from: tag.start, to: tag.end, inner, children: [] })
    } else if (frames.length > MAX_DEPTH) add({ kind: 'opaque', from: tag.start, to: tag.end })
    else frames.push({ kind: 'element', tag, from: tag.start, innerFrom: tag.end, children: [] })
  }
  const closeTag = (name: string, start: number, end: number): void => {
    const limit = depthOfControl()
    let index = frames.length - 1
    for (; index >= limit; index--) {
      const frame = frames[index]
      if (frame?.kind !== 'element') break
      if (frame.tag.name === name) {
        closeUntil(index + 1, start)
        closeElement(frame, start, end)
        return
      }
      const isScope = TABLE_PARTS.has(name) ? frame.tag.name === 'table' : SCOPES.has(frame.tag.name)
      if (name !== 'table' && isScope) break
    }
    add({ kind: 'opaque', from: start, to: end })
  }
  const closeControl = (at: number, end: number): void => {
    closeUntil(depthOfControl(), at)
    const frame = top()
    if (frame.kind !== 'condition' && frame.kind !== 'slot') return
    frames.pop()
    const { from, innerFrom, children } = frame
    if (frame.kind === 'slot') {
      add({ kind: 'slot', name: frame.name, from, to: end, children })
      return
    }
    const { names, then } = frame
    add({
      kind: 'condition',
      names,
      from,
      to: end,
      inner: { from: innerFrom, to: then?.to ?? at },
      children: then?.children ?? children,
      otherwise: then ? children : null,
    })
  }
  const addPlaceholder = (placeholder: Placeholder): void => {
    const { kind, names, at: from, end: to } = placeholder
    const [name = ''] = names
    if (kind === 'if')
      frames.push({ kind: 'condition', names, from, innerFrom: to, children: [], then: null })
    else if (kind === 'slotStart') frames.push({ kind: 'slot', name, from, innerFrom: to, children: [] })
    else if (kind === 'else') {
      closeUntil(depthOfControl(), from)
      const frame = top()
      if (frame.kind !== 'condition') return
      frame.then = { children: frame.children, to: from }
      frame.children = []
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
    const end = Math.min(token.end, text.length)
    if (kind === 'text') addText(start, end)
    else if (token.end > text.length) add({ kind: 'opaque', from: start, to: end })
    else if (kind === 'open' && RAW_ELEMENTS.has(token.name)) {
      const content = tokens[index + 1]?.kind === 'raw' ? index + 1 : index
      const close = tokens[content + 1]
      const isClosed = close?.kind === 'close' && close.name === token.name
      const to = Math.min(isClosed ? close.end : (tokens[content]?.end ?? end), text.length)
      add({ kind: isClosed && token.name === 'style' ? 'styles' : 'opaque', from: start, to })
      index = isClosed ? content + 1 : content
    } else if (kind === 'open') openTag(token)
    else if (kind === 'close') closeTag(token.name, start, end)
    else add({ kind: kind === 'comment' ? 'comment' : 'opaque', from: start, to: end })
    while ((placeholders[next]?.at ?? text.length) < end) next++
  }
  closeUntil(1, text.length)
  return root.children
}

/** The children of a node in order, with the content of both branches of a condition. */
export const childrenOf = (node: TreeNode): readonly TreeNode[] =>
  node.kind === 'element' || node.kind === 'slot'
    ? node.children
    : node.kind === 'condition'
      ? [...node.children, ...(node.otherwise ?? [])]
      : []

export const isCell = ({ tag }: ElementNode): boolean => CELLS.has(tag.name)
