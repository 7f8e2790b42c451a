/** Reads from documents of signatures where their words and pictures are drawn, and from which places they come. */
import { type Piece, placedWords } from '../../../streams/administration/plan/wordPlaces.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'

/** A part of a frame, in CSS pixels from its top left corner. */
export type Box = Readonly<{ left: number; top: number; width: number; height: number }>

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

/** The smallest box around some boxes. */
export function boxAround(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const width = Math.max(...boxes.map((box) => box.left + box.width)) - left
  const height = Math.max(...boxes.map((box) => box.top + box.height)) - top
  return { left, top, width, height }
}

/** A text or a picture. A frame has classes of its own, so that `instanceof` says nothing. */
type Seen = Readonly<{ kind: 'text'; node: Text } | { kind: 'picture'; node: Element }>

/** The texts and pictures in an element, in their order, without its style sheets. */
function seenIn(body: Element): readonly Seen[] {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const seen: Seen[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeName === 'IMG') seen.push({ kind: 'picture', node: node as Element })
    else if (node.nodeType === Node.TEXT_NODE && node.parentNode?.nodeName !== 'STYLE')
      seen.push({ kind: 'text', node: node as Text })
  }
  return seen
}

const pieceOf = (seen: Seen): Piece =>
  seen.kind === 'text'
    ? { kind: 'text', text: seen.node.data }
    : { kind: 'picture', classes: seen.node.getAttribute('class') }

/** Where a text from `from` to `to`, or a picture, is drawn. */
function rectsOf({ kind, node }: Seen, from: number, to: number): readonly DOMRect[] {
  if (kind === 'picture') return [...node.getClientRects()]
  const range = node.ownerDocument.createRange()
  range.setStart(node, from)
  range.setEnd(node, to)
  return [...range.getClientRects()]
}

/** The pieces of a signature with marks, cleaned as its preview is. */
export function markedPieces(html: string, sanitize: Sanitize): readonly Piece[] {
  const clean = sanitize(sanitize(html, 'insert'), 'preview')
  return seenIn(new DOMParser().parseFromString(clean, 'text/html').body).map(pieceOf)
}

/** What is drawn of a loaded document, in its order: without what has no size, such as hidden words. */
export function wordsDrawn({ body }: Document, marked: readonly Piece[]): readonly FrameWord[] {
  const all = seenIn(body)
  return placedWords(marked, all.map(pieceOf)).flatMap(({ piece, from, to, number }): FrameWord[] => {
    const seen = all[piece]
    if (!seen) return []
    const boxes = rectsOf(seen, from, to)
      .map(({ left, top, width, height }): Box => ({ left, top, width, height }))
      .filter(({ width, height }) => width > 0 && height > 0)
    if (boxes.length === 0) return []
    const isPicture = seen.kind === 'picture'
    const text = isPicture
      ? (seen.node.getAttribute('alt') ?? '')
      : seen.node.data.slice(from, to).replace(/\s+/g, ' ')
    return [{ number, isPicture, text, boxes }]
  })
}
