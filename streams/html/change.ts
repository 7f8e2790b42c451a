import type { Content } from '../signatures/signature.ts'
import { base64Bytes } from './raster.ts'
import { toText } from './text.ts'
import { attributeOf, tokensOf } from './tokens.ts'

/** What a replacement would change. `bytes` counts the images' contents and the html (UTF-8). */
export type Change = Readonly<{
  lines: readonly Readonly<{ kind: 'same' | 'added' | 'removed'; text: string }>[]
  imagesAdded: readonly string[]
  imagesRemoved: readonly string[]
  bytesBefore: number
  bytesAfter: number
}>

type Line = Change['lines'][number]

/** The most pairs of lines that are compared. More would take too long, and are too many to read. */
const MAX_PAIRS = 250_000

/** The longest common subsequence of two lists, as kept, removed and added lines. */
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
 * Kept, removed and added lines. Between equal lines at the start and the end, texts of too many lines are not compared:
 * the old lines are removed, and the new ones added.
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

const linesOf = ({ html }: Content): readonly string[] =>
  toText(html)
    .split('\n')
    .filter((line) => line !== '')

/** The addresses of the pictures, each once. */
function urlsOf({ html }: Content): ReadonlySet<string> {
  const urls = new Set<string>()
  for (const token of tokensOf(html))
    if (token.kind === 'open' && token.name === 'img') {
      const url = attributeOf(token, 'src')
      if (url !== null) urls.add(url)
    }
  return urls
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

/** What changes in a message when `after` replaces `before`; null is no signature. */
export function changeBetween(before: Content | null, after: Content): Change {
  const former = before ?? { html: '', images: [] }
  const [old, fresh] = [urlsOf(former), urlsOf(after)]
  const weight = ({ html, images }: Content, urls: ReadonlySet<string>) =>
    images
      .filter(({ url }) => urls.has(url))
      .reduce((sum, image) => sum + base64Bytes(image.content), utf8Length(html))
  return {
    lines: compareLines(linesOf(former), linesOf(after)),
    imagesAdded: [...fresh].filter((url) => !old.has(url)).map(nameOf),
    imagesRemoved: [...old].filter((url) => !fresh.has(url)).map(nameOf),
    bytesBefore: weight(former, old),
    bytesAfter: weight(after, fresh),
  }
}
