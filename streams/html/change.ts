import type { Content } from '../signatures/signature.ts'
import { base64Bytes } from './plan.ts'
import { toText } from './text.ts'

/** What a replacement would change. `bytes` counts the images' contents and the html (UTF-8). */
export type Change = Readonly<{
  lines: readonly Readonly<{ kind: 'same' | 'added' | 'removed'; text: string }>[]
  imagesAdded: readonly string[]
  imagesRemoved: readonly string[]
  bytesBefore: number
  bytesAfter: number
}>

/** The longest common subsequence of two texts' lines, as kept, removed and added lines. */
function compareLines(before: readonly string[], after: readonly string[]): Change['lines'] {
  const width = after.length + 1
  const common = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: { kind: 'same' | 'added' | 'removed'; text: string }[] = []
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

const linesOf = ({ html }: Content): readonly string[] =>
  toText(html)
    .split('\n')
    .filter((line) => line !== '')

const urlsOf = ({ html }: Content): readonly string[] => [
  ...new Set(
    [...html.matchAll(/<img\b[^>]*\bsrc="([^"]*)"/gi)].map(([, url]) => (url ?? '').replaceAll('&amp;', '&')),
  ),
]

const nameOf = (url: string): string => url.replace(/[?#].*$/s, '').replace(/^.*\//s, '') || url.slice(0, 40)

const utf8Length = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

const weight = (content: Content): number => {
  const urls = new Set(urlsOf(content))
  return content.images
    .filter(({ url }) => urls.has(url))
    .reduce((sum, image) => sum + base64Bytes(image.content), utf8Length(content.html))
}

/** What changes in a message when `after` replaces `before`; null is no signature. */
export function changeBetween(before: Content | null, after: Content): Change {
  const former = before ?? { html: '', images: [] }
  const [old, fresh] = [urlsOf(former), urlsOf(after)]
  return {
    lines: compareLines(linesOf(former), linesOf(after)),
    imagesAdded: fresh.filter((url) => !old.includes(url)).map(nameOf),
    imagesRemoved: old.filter((url) => !fresh.includes(url)).map(nameOf),
    bytesBefore: weight(former),
    bytesAfter: weight(after),
  }
}
