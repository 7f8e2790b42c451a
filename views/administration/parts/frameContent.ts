/** Finds the words and elements in a rendered signature: their positions in the frame and their sources. */
import {
  placedElements,
  type RenderedPiece,
  placedWords,
} from '../../../streams/administration/plan/wordPlaces.ts'
import type { Box } from '../../../streams/administration/design/surface.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'

/**
 * A word or picture in a rendered signature, with one box for each line that it covers. `number` is the index of its
 * place in `MarkedDocument`. `text` is the word, or the picture's alternative text.
 */
export type FrameWord = Readonly<{
  number: number
  isPicture: boolean
  text: string
  boxes: readonly Box[]
  look: WordLook
}>

/** How a word is drawn, as computed CSS values. `background` is the colour behind it. */
export type WordLook = Readonly<{
  color: string
  background: string
  fontFamily: string
  fontSize: string
  fontStyle: string
  fontWeight: string
  lineHeight: string
  textAlign: string
  textDecoration: string
}>

/** An element of a rendered signature. `number` is the index of its start tag's place in `MarkedDocument`. */
export type FrameElement = Readonly<{ number: number; box: Box }>

/** The visible words, pictures and elements of a document, in document order. */
export type FrameContent = Readonly<{ words: readonly FrameWord[]; elements: readonly FrameElement[] }>

/** A text or an element. Has a `kind`, because `instanceof` does not work across frames. */
type Seen = Readonly<{ kind: 'text'; node: Text } | { kind: 'element'; node: Element }>

/** The texts and elements in an element in document order, without its style sheets. */
function seenIn(body: Element): readonly Seen[] {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const seen: Seen[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeName === 'STYLE' || node.parentNode?.nodeName === 'STYLE') continue
    if (node.nodeType === Node.TEXT_NODE) seen.push({ kind: 'text', node: node as Text })
    else seen.push({ kind: 'element', node: node as Element })
  }
  return seen
}

const pieceOf = (seen: Seen): RenderedPiece =>
  seen.kind === 'text'
    ? { kind: 'text', text: seen.node.data }
    : { kind: 'element', name: seen.node.localName, classes: seen.node.getAttribute('class') }

/** The rectangles of a picture, or of a text from `from` to `to`. */
function rectsOf({ kind, node }: Seen, from: number, to: number): readonly DOMRect[] {
  if (kind === 'element') return [...node.getClientRects()]
  const range = node.ownerDocument.createRange()
  range.setStart(node, from)
  range.setEnd(node, to)
  return [...range.getClientRects()]
}

/**
 * The texts and elements of a marked signature's preview. Sanitises once: sanitising for a message first would not change
 * the preview.
 */
export const markedPieces = (html: string, sanitize: Sanitize): readonly RenderedPiece[] =>
  seenIn(new DOMParser().parseFromString(sanitize(html, 'preview'), 'text/html').body).map(pieceOf)

/** The signature in a preview's document, without the element that an insertion wraps it in. */
const signatureIn = ({ body }: Document): Element => body.querySelector(':scope > .signet') ?? body

const boxOf = ({ left, top, width, height }: DOMRect): Box => ({ left, top, width, height })
const hasSize = ({ width, height }: Box): boolean => width > 0 && height > 0

/** Whether a computed colour shows nothing. */
const isTransparent = (colour: string): boolean => colour === 'transparent' || /,\s*0\)$/.test(colour)

/** Reads how words are drawn. Remembers what it read, because many words share an element. */
function createLookReader({ defaultView }: Document) {
  const looks = new Map<Element, WordLook>()
  const backgroundOf = (element: Element | null): string => {
    for (let each = element; each && defaultView; each = each.parentElement) {
      const { backgroundColor } = defaultView.getComputedStyle(each)
      if (!isTransparent(backgroundColor)) return backgroundColor
    }
    return 'transparent'
  }
  return (element: Element): WordLook => {
    const known = looks.get(element)
    if (known) return known
    const style = defaultView?.getComputedStyle(element)
    const look: WordLook = {
      color: style?.color ?? '',
      background: backgroundOf(element),
      fontFamily: style?.fontFamily ?? '',
      fontSize: style?.fontSize ?? '',
      fontStyle: style?.fontStyle ?? '',
      fontWeight: style?.fontWeight ?? '',
      lineHeight: style?.lineHeight ?? '',
      textAlign: style?.textAlign ?? '',
      textDecoration: style?.textDecorationLine ?? '',
    }
    looks.set(element, look)
    return look
  }
}

/**
 * The visible words, pictures and elements of a loaded document, in document order. Skips anything without a size, such
 * as hidden words.
 */
export function readFrame(document: Document, marked: readonly RenderedPiece[]): FrameContent {
  const all = seenIn(signatureIn(document))
  const pieces = all.map(pieceOf)
  const lookOf = createLookReader(document)
  const words = placedWords(marked, pieces).flatMap(({ piece, from, to, number }): readonly FrameWord[] => {
    const seen = all[piece]
    if (!seen) return []
    const boxes = rectsOf(seen, from, to).map(boxOf).filter(hasSize)
    if (boxes.length === 0) return []
    const isPicture = seen.kind === 'element'
    const text = isPicture
      ? (seen.node.getAttribute('alt') ?? '')
      : seen.node.data.slice(from, to).replace(/\s+/g, ' ')
    const element = isPicture ? seen.node : seen.node.parentElement
    return [{ number, isPicture, text, boxes, look: lookOf(element ?? document.body) }]
  })
  const elements = [...placedElements(marked, pieces)].flatMap(([piece, number]): readonly FrameElement[] => {
    const seen = all[piece]
    if (seen?.kind !== 'element') return []
    const box = boxOf(seen.node.getBoundingClientRect())
    return hasSize(box) ? [{ number, box }] : []
  })
  return { words, elements }
}
