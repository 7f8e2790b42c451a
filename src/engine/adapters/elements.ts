import { toPictureAddress } from '../../../streams/html/address.ts'
import { tokensOf } from '../../../streams/html/tokens.ts'
import { ATTRIBUTES, TAGS, WITHOUT_CONTENT } from '../../../streams/html/markup.ts'
import { cleanStyleSheet } from '../../../streams/html/styles.ts'

/** Elements in elements. What is deeper is moved to the last level. */
const MAX_DEPTH = 100

const ALLOWED_TAGS: ReadonlySet<string> = new Set(TAGS)
const ALLOWED_ATTRIBUTES: ReadonlySet<string> = new Set([...ATTRIBUTES, 'id', 'name'])

/**
 * Reads a node's own value: of a form with a field named `nextSibling`, `form.nextSibling` is that field, and a walk would
 * never end.
 */
const ownOf =
  <Name extends 'firstChild' | 'nextSibling' | 'nodeName' | 'nodeType' | 'parentNode'>(name: Name) =>
  (node: Node): Node[Name] =>
    Reflect.get(Node.prototype, name, node)
const firstChild = ownOf('firstChild')
const nextSibling = ownOf('nextSibling')
const parentNode = ownOf('parentNode')
const nodeName = ownOf('nodeName')
const nodeType = ownOf('nodeType')

/** A copy without children, and without attributes that no element may have. */
function copyOf(element: Element, document: Document): Element {
  const copy = document.createElement(element.nodeName)
  for (const name of element.getAttributeNames())
    if (ALLOWED_ATTRIBUTES.has(name)) copy.setAttribute(name, element.getAttribute(name) ?? '')
  if (element.nodeName === 'STYLE') copy.textContent = cleanStyleSheet(element.textContent, toPictureAddress)
  return copy
}

/**
 * The html without handlers. Under the policy of the pane a browser writes a line on its console for each handler that it
 * parses, even for a document without a window. This is not the check: the tree is judged by name.
 */
function withoutHandlers(html: string): string {
  let kept = ''
  let from = 0
  for (const token of tokensOf(html)) {
    if (token.kind !== 'open') continue
    for (const { name, start, end } of token.attributes) {
      if (!name.startsWith('on')) continue
      kept += html.slice(from, start)
      from = end
    }
  }
  return kept + html.slice(from)
}

/**
 * The html with allowed elements only, and with clean style sheets; the values of attributes are as they were. `inert` is
 * a document without a window, and nothing is put into it: browsers read the sheets of a document recursively, so that
 * 20,000 characters of `a{` would end the pane. Each node is copied once, however deep it is.
 */
export function withAllowedElements(html: string, inert: Document): string {
  const source = inert.createRange().createContextualFragment(withoutHandlers(html))
  const result = inert.createElement('div')
  /** Where the children of a node go, and how deep that is. */
  const places = new Map<Node, Readonly<{ to: Node; depth: number }>>()
  places.set(source, { to: result, depth: 0 })

  /** The node after this one and its children. */
  const after = (node: Node): Node | null => {
    for (let each: Node | null = node; each && each !== source; each = parentNode(each)) {
      const next = nextSibling(each)
      if (next) return next
    }
    return null
  }
  for (let node: Node | null = source.firstChild; node;) {
    const place = places.get(parentNode(node) ?? source)
    const name = nodeName(node).toLowerCase()
    if (!place || WITHOUT_CONTENT.has(name)) {
      node = after(node)
      continue
    }
    const { to, depth } = place
    const isElement = nodeType(node) === Node.ELEMENT_NODE
    if (!isElement) to.appendChild(node.cloneNode())
    else if (ALLOWED_TAGS.has(name)) {
      const copy = to.appendChild(copyOf(node as Element, inert))
      places.set(node, depth < MAX_DEPTH ? { to: copy, depth: depth + 1 } : place)
    } else places.set(node, place)
    node = (name === 'style' ? null : firstChild(node)) ?? after(node)
  }
  return result.innerHTML
}

/** The text of html, as html. */
export function textOf(html: string, inert: Document): string {
  const source = inert.createRange().createContextualFragment(html)
  for (const style of source.querySelectorAll('style')) style.remove()
  const text = inert.createElement('div')
  text.textContent = source.textContent
  return text.innerHTML
}
