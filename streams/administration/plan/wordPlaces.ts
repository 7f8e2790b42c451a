/**
 * Finds the template source of each word, picture and element in a preview. Renders and cleans the templates a second
 * time, with a mark before each word and in each tag. Each mark identifies the source of the next word, or of its
 * element.
 */
import { DOCUMENT_ELEMENTS, RAW_ELEMENTS, tokensOf } from '../../html/tokens.ts'
import type { ReleaseDocument } from '../../organisation/release/release.ts'
import {
  parseTemplate,
  type Placeholder,
  showsByItself,
  variablesIn,
} from '../../organisation/template/template.ts'

/** A word, placeholder, picture or tag in a template, from `from` to `to` in UTF-16 code units. */
export type SourcePlace = Readonly<{ path: string; from: number; to: number }>

/** A document with marks in its templates, the source places by mark number, and the document without marks. */
export type MarkedDocument = Readonly<{
  document: ReleaseDocument
  places: readonly SourcePlace[]
  unmarked: ReleaseDocument
}>

/** Marks use Unicode noncharacters, which Unicode reserves for programs, so no text contains them. */
const BEGIN = '\ufdd0'
const FIRST_DIGIT = 0xfdd1
const MARK = /\ufdd0([\ufdd1-\ufde0]+)/g
const ELEMENT_MARK = 'signet-from-'

const markOf = (number: number): string =>
  BEGIN +
  Array.from(number.toString(16), (digit) => String.fromCharCode(FIRST_DIGIT + parseInt(digit, 16))).join('')

/** A mark of no place. Separates a marked text from an unmarked text after it. */
export const NO_PLACE_MARK = markOf(0xffffff)

const numberIn = (digits: string): number =>
  parseInt(Array.from(digits, (digit) => (digit.charCodeAt(0) - FIRST_DIGIT).toString(16)).join(''), 16)

/** Matches placeholders, and text in braces that looks like a placeholder. */
const BRACES = /\{\{[^{}]{1,500}\}\}/g

/** Shows the mark only if the placeholder shows a value: a mark alone would keep an empty block visible. */
function markBefore(placeholder: Placeholder, mark: string): string {
  const names = placeholder.kind === 'web' ? [] : variablesIn(placeholder)
  return names.length === 0
    ? mark
    : names.reduceRight((rest, name) => `{{#if ${name}}}${mark}{{else}}${rest}{{/if}}`, '')
}

/** Adds a mark to each start tag, and before each word and each visible placeholder. */
export function withSourceMarks(document: ReleaseDocument): MarkedDocument {
  const places: SourcePlace[] = []
  const numberOf = (path: string, from: number, to: number) => places.push({ path, from, to }) - 1

  function marked(path: string, text: string): string {
    const placeholders = new Map(
      parseTemplate(text, new Map()).template.placeholders.map((each) => [each.at, each]),
    )
    const braces = [...text.matchAll(BRACES)]
    let next = 0
    let result = ''
    const addWords = (from: number, to: number) => {
      result += text
        .slice(from, to)
        .replace(
          /[^\t\n\f\r ]+/g,
          (word, at: number) => markOf(numberOf(path, from + at, from + at + word.length)) + word,
        )
    }
    const addText = (start: number, end: number) => {
      let from = start
      for (let found = braces[next]; found && found.index < end; found = braces[++next]) {
        const { 0: whole, index: at } = found
        if (at < from) continue
        addWords(from, at)
        const placeholder = placeholders.get(at)
        from = at + whole.length
        if (placeholder && showsByItself(placeholder))
          result += markBefore(placeholder, markOf(numberOf(path, at, from)))
        result += whole
      }
      addWords(from, Math.max(from, end))
    }
    for (const token of tokensOf(text)) {
      const { kind, start, end } = token
      if (kind === 'text') addText(start, end)
      else if (kind === 'open' && !RAW_ELEMENTS.has(token.name) && !DOCUMENT_ELEMENTS.has(token.name)) {
        const name = start + 1 + token.name.length
        const mark = `${ELEMENT_MARK}${String(numberOf(path, start, end))}`
        // The first of two attributes with the same name wins.
        result += `${text.slice(start, name)} class="${mark}"${text.slice(name, end)}`
      } else result += text.slice(start, end)
    }
    return result
  }

  const templates = Object.fromEntries(
    Object.entries(document.templates).map(([path, text]) => [path, marked(path, text)]),
  )
  return { document: { ...document, templates }, places, unmarked: document }
}

/** A text or an element of a rendered signature. `classes` are the classes of a marked element. */
export type RenderedPiece =
  | Readonly<{ kind: 'text'; text: string }>
  | Readonly<{ kind: 'element'; name: string; classes: string | null }>

const isPicture = (piece: RenderedPiece): boolean => piece.kind === 'element' && piece.name === 'img'

/**
 * A picture, or a word from `from` to `to` in a piece's text. `piece` is the piece's index; `number` is the index of
 * its source in `places`.
 */
export type PlacedWord = Readonly<{ piece: number; from: number; to: number; number: number }>

/** The number in an element's mark; null without a mark. */
function elementNumber(classes: string | null): number | null {
  const [, number] = /(?:^|\s)signet-from-(\d+)(?:\s|$)/.exec(classes ?? '') ?? []
  return number === undefined ? null : Number(number)
}

/**
 * Reads the text without spaces and marks. Returns the number of the preceding mark for each character, and the mark's
 * number for each picture.
 */
function readMarks(pieces: readonly RenderedPiece[]) {
  let seen = ''
  const numbers: (number | null)[] = []
  const pictures: (number | null)[] = []
  for (const piece of pieces) {
    if (piece.kind === 'element') {
      if (isPicture(piece)) pictures.push(elementNumber(piece.classes))
      continue
    }
    let number: number | null = null
    let from = 0
    const add = (part: string) => {
      const characters = part.replace(/\s+/g, '')
      seen += characters
      for (let rest = characters.length; rest > 0; rest--) numbers.push(number)
    }
    for (const { 0: mark, 1: digits = '', index } of piece.text.matchAll(MARK)) {
      add(piece.text.slice(from, index))
      number = numberIn(digits)
      from = index + mark.length
    }
    add(piece.text.slice(from))
  }
  return { seen, numbers, pictures }
}

/**
 * The words and pictures of a shown signature in their order, with their source places. A placeholder's value counts as
 * one word. Ignores spaces. Empty if the marked signature shows anything different.
 *
 * @param marked the pieces of the same signature with marks
 */
export function placedWords(
  marked: readonly RenderedPiece[],
  shown: readonly RenderedPiece[],
): readonly PlacedWord[] {
  const source = readMarks(marked)
  const pictureCount = shown.filter(isPicture).length
  const seen = shown.map((piece) => (piece.kind === 'text' ? piece.text.replace(/\s+/g, '') : '')).join('')
  if (source.seen !== seen || source.pictures.length !== pictureCount) return []
  const words: PlacedWord[] = []
  let character = 0
  let picture = 0
  for (const [piece, shownPiece] of shown.entries()) {
    if (shownPiece.kind === 'element') {
      if (!isPicture(shownPiece)) continue
      const number = source.pictures[picture++] ?? null
      if (number !== null) words.push({ piece, from: 0, to: 0, number })
      continue
    }
    let last = null as { piece: number; from: number; to: number; number: number } | null
    for (const { 0: run, index } of shownPiece.text.matchAll(/\S+/g))
      for (let at = index; at < index + run.length; at++) {
        const number = source.numbers[character++] ?? null
        if (number === null) last = null
        else if (last?.number === number) last.to = at + 1
        else {
          last = { piece, from: at, to: at + 1, number }
          words.push(last)
        }
      }
  }
  return words
}

/**
 * The number of each shown element's source in `places`, by the index of its piece. Empty if the marked signature has
 * other elements.
 *
 * @param marked the pieces of the same signature with marks
 */
export function placedElements(
  marked: readonly RenderedPiece[],
  shown: readonly RenderedPiece[],
): ReadonlyMap<number, number> {
  const sources = marked.flatMap((piece) => (piece.kind === 'element' ? [piece] : []))
  const placed = new Map<number, number>()
  let next = 0
  for (const [index, piece] of shown.entries()) {
    if (piece.kind !== 'element') continue
    const source = sources[next++]
    if (source?.name !== piece.name) return new Map()
    const number = elementNumber(source.classes)
    if (number !== null) placed.set(index, number)
  }
  return next === sources.length ? placed : new Map()
}

/** Whether a place is within a range of the template at a path. */
export const isPlaceIn = (
  place: SourcePlace | undefined,
  path: string,
  { from, to }: Pick<SourcePlace, 'from' | 'to'>,
): boolean => place?.path === path && from <= place.from && place.to <= to

/** Whether a place is at the cursor or in the selection of the template at a path. */
export const isPlaceSelected = (place: SourcePlace | undefined, selection: SourcePlace | null): boolean =>
  place !== undefined &&
  selection !== null &&
  place.path === selection.path &&
  (selection.from === selection.to
    ? place.from <= selection.from && selection.to <= place.to
    : place.from < selection.to && selection.from < place.to)
