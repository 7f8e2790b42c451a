import { type OpenTag, type Token, tokensOf, VOID_ELEMENTS } from './tokens.ts'

export type Bounds = Readonly<{ start: number; end: number }>

/** Drops each part that lies inside an earlier part. The parts must be in text order. */
export function outermostParts<Each extends Bounds>(parts: readonly Each[]): readonly Each[] {
  let end = 0
  return parts.filter((part) => {
    if (part.start < end) return false
    end = part.end
    return true
  })
}

/** The number of letters, of the signature's pictures and of other pictures before a position in a body. */
export type ContentCount = Readonly<{ letters: number; pictures: number; others: number }>
export const ZERO_COUNT: ContentCount = { letters: 0, pictures: 0, others: 0 }
const ENDLESS: ContentCount = { ...ZERO_COUNT, letters: Infinity }

/**
 * An element in a body. `before` and `after` are the counts at its start and end; `innerEnd` is the start of its
 * closing tag. Without a closing tag, `innerEnd` and `end` are the end of the body, and `after` is `ENDLESS`.
 */
export type BodyElement = {
  readonly tag: OpenTag
  readonly before: ContentCount
  after: ContentCount
  innerEnd: number
  end: number
}

/** Calls `next` for each token, and returns the elements in the order of their opening tags. */
export function elementsOf(
  tokens: Iterable<Token>,
  length: number,
  next: (token: Token) => void,
  count: () => ContentCount = () => ZERO_COUNT,
): readonly BodyElement[] {
  const elements: BodyElement[] = []
  const unclosed = new Map<string, BodyElement[]>()
  for (const token of tokens) {
    const before = count()
    next(token)
    if (token.kind === 'open') {
      const isVoid = VOID_ELEMENTS.has(token.name)
      const [innerEnd, end] = isVoid ? [token.end, token.end] : [length, length]
      const element = { tag: token, before, after: isVoid ? count() : ENDLESS, innerEnd, end }
      elements.push(element)
      if (isVoid) continue
      const outer = unclosed.get(token.name)
      if (outer) outer.push(element)
      else unclosed.set(token.name, [element])
    } else if (token.kind === 'close') {
      const element = unclosed.get(token.name)?.pop()
      if (!element) continue
      element.innerEnd = token.start
      element.end = token.end
      element.after = before
    }
  }
  return elements
}

/** The end of a body's content: before the closing tag of its `body` element, if it has one. */
export const bodyEnd = (body: string, type: 'html' | 'text'): number =>
  (type === 'html'
    ? elementsOf(tokensOf(body), body.length, () => undefined).find(({ tag }) => tag.name === 'body')
        ?.innerEnd
    : null) ?? body.length
