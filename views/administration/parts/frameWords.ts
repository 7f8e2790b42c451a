/** Finds the words and pictures in a rendered signature: their positions in the frame and their sources. */
import { type RenderedPiece, placedWords } from '../../../streams/administration/plan/wordPlaces.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'

/** A rectangle in a frame, in CSS pixels from its top left corner. */
export type Box = Readonly<{ left: number; top: number; width: number; height: number }>

/**
 * A word or picture in a rendered signature, with one box for each line that it covers. `number` is the index of its
 * place in `MarkedDocument`. `text` is the word, or the picture's alternative text.
 */
export type FrameWord = Readonly<{
  number: number
  isPicture: boolean
  text: string
  boxes: readonly Box[]
}>

/** The smallest box that contains all boxes. */
export function boxAround(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const width = Math.max(...boxes.map((box) => box.left + box.width)) - left
  const height = Math.max(...boxes.map((box) => box.top + box.height)) - top
  return { left, top, width, height }
}

/** A text or a picture. Has a `kind`, because `instanceof` does not work across frames. */
type Seen = Readonly<{ kind: 'text'; node: Text } | { kind: 'picture'; node: Element }>

/** The texts and pictures in an element in document order, without its style sheets. */
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

const pieceOf = (seen: Seen): RenderedPiece =>
  seen.kind === 'text'
    ? { kind: 'text', text: seen.node.data }
    : { kind: 'picture', classes: seen.node.getAttribute('class') }

/** The rectangles of a picture, or of a text from `from` to `to`. */
function rectsOf({ kind, node }: Seen, from: number, to: number): readonly DOMRect[] {
  if (kind === 'picture') return [...node.getClientRects()]
  const range = node.ownerDocument.createRange()
  range.setStart(node, from)
  range.setEnd(node, to)
  return [...range.getClientRects()]
}

/** The pieces of a marked signature, sanitised like its preview. */
export function markedPieces(html: string, sanitize: Sanitize): readonly RenderedPiece[] {
  const clean = sanitize(sanitize(html, 'insert'), 'preview')
  return seenIn(new DOMParser().parseFromString(clean, 'text/html').body).map(pieceOf)
}

/**
 * The visible words and pictures of a loaded document, in document order. Skips anything without a size, such as hidden
 * words.
 */
export function readFrameWords({ body }: Document, marked: readonly RenderedPiece[]): readonly FrameWord[] {
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
