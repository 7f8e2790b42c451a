import { type OpenTag, type Token, tokensOf, VOID_ELEMENTS } from './tokens.ts'

export type Bounds = Readonly<{ start: number; end: number }>

/** The parts of a text that are not inside of an earlier one of the list, which is in the order of the text. */
export function outermost<Each extends Bounds>(parts: readonly Each[]): readonly Each[] {
  let end = 0
  return parts.filter((part) => {
    if (part.start < end) return false
    end = part.end
    return true
  })
}

/** How many letters, pictures of the signature, and other pictures a body has up to a place. */
export type Count = Readonly<{ letters: number; pictures: number; others: number }>
export const NOTHING: Count = { letters: 0, pictures: 0, others: 0 }
const ENDLESS: Count = { ...NOTHING, letters: Infinity }

/**
 * An element of a body. `before` and `after` are the counts at its start and at its end; `innerEnd` is where its
 * closing tag begins. Without a closing tag, `innerEnd` and `end` are the end of the body, and `after` is `ENDLESS`.
 */
export type Element = {
  readonly tag: OpenTag
  readonly before: Count
  after: Count
  innerEnd: number
  end: number
}

/** Calls `next` for each token, and returns the elements in the order in which they begin. */
export function elementsOf(
  tokens: Iterable<Token>,
  length: number,
  next: (token: Token) => void,
  count: () => Count = () => NOTHING,
): readonly Element[] {
  const elements: Element[] = []
  const unclosed = new Map<string, Element[]>()
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

/** Where the content of a body ends: before the end of its element `body`, if it has one. */
export const endOf = (body: string, type: 'html' | 'text'): number =>
  (type === 'html'
    ? elementsOf(tokensOf(body), body.length, () => undefined).find(({ tag }) => tag.name === 'body')
        ?.innerEnd
    : null) ?? body.length
