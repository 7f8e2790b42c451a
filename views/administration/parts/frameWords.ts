/** Reads from documents of signatures where their words and pictures are drawn, and from which places they come. */
import { type Piece, placedWords } from '../../../streams/administration/plan/wordPlaces.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'

/** A part of a frame, in CSS pixels from its top left corner. */
type Box = Readonly<{ left: number; top: number; width: number; height: number }>

/**
 * A word or picture of a drawn signature, with one box for each line on which it is. `number` is that of its place in
 * `Marked`. `text` is the word, or what the picture has for readers who do not see it.
 */
export type FrameWord = Readonly<{
  number: number
  isPicture: boolean
  text: string
  boxes: readonly Box[]
}>

/** The texts and pictures in an element, in their order, without its style sheets. */
function nodesIn(body: Element): readonly (Text | HTMLImageElement)[] {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const nodes: (Text | HTMLImageElement)[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeName === 'IMG') nodes.push(node as HTMLImageElement)
    else if (node.nodeType === Node.TEXT_NODE && node.parentNode?.nodeName !== 'STYLE')
      nodes.push(node as Text)
  }
  return nodes
}

const pieceOf = (node: Text | HTMLImageElement): Piece =>
  node instanceof Node && node.nodeType === Node.TEXT_NODE
    ? { kind: 'text', text: node.nodeValue ?? '' }
    : { kind: 'picture', classes: (node as Element).getAttribute('class') }

/** The pieces of a signature with marks, cleaned as its preview is. */
export function markedPieces(html: string, sanitize: Sanitize): readonly Piece[] {
  const clean = sanitize(sanitize(html, 'insert'), 'preview')
  return nodesIn(new DOMParser().parseFromString(clean, 'text/html').body).map(pieceOf)
}

/** What is drawn of a loaded document, in its order: without what has no size, such as hidden words. */
export function wordsDrawn({ body }: Document, marked: readonly Piece[]): readonly FrameWord[] {
  const nodes = nodesIn(body)
  const boxOf = ({ left, top, width, height }: DOMRect): Box => ({ left, top, width, height })
  return placedWords(marked, nodes.map(pieceOf)).flatMap(({ piece, from, to, number }) => {
    const node = nodes[piece]
    if (!node) return []
    const isPicture = node.nodeName === 'IMG'
    const range = body.ownerDocument.createRange()
    if (isPicture) range.selectNode(node)
    else {
      range.setStart(node, from)
      range.setEnd(node, to)
    }
    const boxes = [...(isPicture ? (node as Element).getClientRects() : range.getClientRects())]
      .map(boxOf)
      .filter(({ width, height }) => width > 0 && height > 0)
    const text = isPicture
      ? ((node as Element).getAttribute('alt') ?? '')
      : (node.nodeValue ?? '').slice(from, to).replace(/\s+/g, ' ')
    return boxes.length === 0 ? [] : [{ number, isPicture, text, boxes }]
  })
}
