import type { SignatureContent } from './content.ts'
import { base64ByteSize } from './raster.ts'
import { htmlToText } from './text.ts'
import { attributeOf, tokensOf } from './tokens.ts'

/**
 * The effect of a replacement. `imagesChanged` are images with new content at the same address. `bytesBefore` and
 * `bytesAfter` count the html (UTF-8) and the contents of the images. `isSame`: nothing changes.
 */
export type ContentChange = Readonly<{
  lines: readonly Readonly<{ kind: 'same' | 'added' | 'removed'; text: string }>[]
  imagesAdded: readonly string[]
  imagesRemoved: readonly string[]
  imagesChanged: readonly string[]
  bytesBefore: number
  bytesAfter: number
  isSame: boolean
}>

/**
 * A short form of a `ContentChange`. `formatting`: only the formatting changes. `kilobytes` is the growth in size, with one
 * decimal place; negative if the size shrinks.
 */
export type ChangeSummary = Readonly<{
  text: 'added' | 'removed' | 'changed' | null
  pictures: Readonly<{ added: number; removed: number; changed: number }>
  formatting: boolean
  kilobytes: number
}>

type Line = ContentChange['lines'][number]

/**
 * The maximum number of line pairs to compare. Comparing more would take too long, and the result would be too long to
 * read.
 */
const MAX_PAIRS = 250_000

/**
 * Compares two lists of lines by their longest common subsequence. Its lines are the same; all other lines are removed
 * or added.
 */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1
  const common = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: Line[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]]
    if (old !== undefined && old === fresh) {
      lines.push({ kind: 'same', text: old })
      row++
      column++
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'removed', text: old })
      row++
    } else if (fresh !== undefined) {
      lines.push({ kind: 'added', text: fresh })
      column++
    }
  }
  return lines
}

const asLines =
  (kind: Line['kind']) =>
  (text: string): Line => ({ kind, text })

/**
 * Lists the lines as same, removed or added. Equal lines at the start and the end are the same. If too many lines
 * remain in between, they are not compared: all old lines count as removed and all new ones as added.
 */
function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  return [
    ...before.slice(0, start).map(asLines('same')),
    ...(old.length * fresh.length <= MAX_PAIRS
      ? compareMiddle(old, fresh)
      : [...old.map(asLines('removed')), ...fresh.map(asLines('added'))]),
    ...before.slice(before.length - end).map(asLines('same')),
  ]
}

const linesOf = ({ html }: SignatureContent): readonly string[] =>
  htmlToText(html)
    .split('\n')
    .filter((line) => line !== '')

/** The content of each picture in base64, by address; null for unknown content. */
function picturesOf({ html, images }: SignatureContent): ReadonlyMap<string, string | null> {
  const contents = new Map(images.map(({ url, content }) => [url, content]))
  const pictures = new Map<string, string | null>()
  for (const token of tokensOf(html))
    if (token.kind === 'open' && token.name === 'img') {
      const url = attributeOf(token, 'src')
      if (url !== null) pictures.set(url, contents.get(url) ?? null)
    }
  return pictures
}

const nameOf = (url: string): string => url.replace(/[?#].*$/s, '').replace(/^.*\//s, '') || url.slice(0, 40)

const utf8Length = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

const bytesOf = (html: string, pictures: ReadonlyMap<string, string | null>): number =>
  [...pictures.values()].reduce(
    (sum, content) => (content === null ? sum : sum + base64ByteSize(content)),
    utf8Length(html),
  )

/** The changes in a message when `after` replaces `before`. `before: null` means no signature. */
export function changeBetween(before: SignatureContent | null, after: SignatureContent): ContentChange {
  const former = before ?? { html: '', images: [] }
  const [old, fresh] = [picturesOf(former), picturesOf(after)]
  const imagesChanged = [...fresh].flatMap(([url, content]) =>
    old.has(url) && old.get(url) !== content ? [nameOf(url)] : [],
  )
  return {
    lines: compareLines(linesOf(former), linesOf(after)),
    imagesAdded: [...fresh.keys()].filter((url) => !old.has(url)).map(nameOf),
    imagesRemoved: [...old.keys()].filter((url) => !fresh.has(url)).map(nameOf),
    imagesChanged,
    bytesBefore: bytesOf(former.html, old),
    bytesAfter: bytesOf(after.html, fresh),
    isSame: former.html === after.html && imagesChanged.length === 0,
  }
}

/** Summarises a change for one sentence in the pane. */
export function changeSummaryOf(change: ContentChange): ChangeSummary {
  const has = (kind: Line['kind']) => change.lines.some((line) => line.kind === kind)
  const [comes, goes] = [has('added'), has('removed')]
  const text = comes ? (goes ? 'changed' : 'added') : goes ? 'removed' : null
  const pictures = {
    added: change.imagesAdded.length,
    removed: change.imagesRemoved.length,
    changed: change.imagesChanged.length,
  }
  return {
    text,
    pictures,
    formatting: !change.isSame && text === null && Object.values(pictures).every((count) => count === 0),
    kilobytes: Math.round((change.bytesAfter - change.bytesBefore) / 100) / 10,
  }
}
