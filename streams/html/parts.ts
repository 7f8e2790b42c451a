import { MAX_SIGNATURE_CHARACTERS } from './limits.ts'
import { tokensOf } from './tokens.ts'

/** A kind of content in a signature. */
export type Part = 'styles' | 'pictures' | 'comments' | 'text' | 'markup'
export type PartSize = Readonly<{ part: Part; characters: number }>

/**
 * A signature that is too large. `characters` is its size as written, or the html's size if the html is too large to
 * read.
 */
export type TooLargeError = Readonly<{
  kind: 'tooLarge'
  characters: number
  limit: number
  parts: readonly PartSize[]
}>

/** The error for content that is too large. It lists the three largest parts of the content. */
export const tooLargeError = (content: string): TooLargeError => ({
  kind: 'tooLarge',
  characters: content.length,
  limit: MAX_SIGNATURE_CHARACTERS,
  parts: contentPartsOf(content).slice(0, 3),
})

/** The length of the pictures that this value contains as `data:` addresses. */
const picturesIn = (value: string): number =>
  [...value.matchAll(/data:[^"')\s]+/gi)].reduce((sum, [picture]) => sum + picture.length, 0)

/** The parts with their lengths in characters, largest first. Every character belongs to one part. */
export function contentPartsOf(html: string): readonly PartSize[] {
  const sizes: Record<Part, number> = { styles: 0, pictures: 0, comments: 0, text: 0, markup: 0 }
  const add = (part: Part, written: string) => {
    const pictures = picturesIn(written)
    sizes.pictures += pictures
    sizes[part] += written.length - pictures
  }
  for (const token of tokensOf(html)) {
    const characters = token.end - token.start
    if (token.kind === 'text') sizes.text += characters
    else if (token.kind === 'comment') sizes.comments += characters
    else if (token.kind === 'raw')
      add(token.name === 'style' ? 'styles' : 'text', html.slice(token.start, token.end))
    else if (token.name === 'style') sizes.styles += characters
    else {
      sizes.markup += characters
      if (token.kind === 'open')
        for (const { name, start, end } of token.attributes) {
          sizes.markup -= end - start
          add(name === 'style' ? 'styles' : 'markup', html.slice(start, end))
        }
    }
  }
  const parts = (Object.keys(sizes) as Part[]).map((part) => ({ part, characters: sizes[part] }))
  return parts
    .filter(({ characters }) => characters > 0)
    .sort((one, other) => other.characters - one.characters)
}
