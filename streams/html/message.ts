import { toText } from './text.ts'
import { attributeOf, type OpenTag, tokensOf } from './tokens.ts'

// Reads a message's body as the mail client returns it: HTML that the client may have rewritten. Nothing here changes
// a body.

/**
 * One signature of Signet in a body; `start` and `end` are the bounds of its wrapper, `whole` is the wrapper with its
 * content, `html` the content alone, `hash` the content hash.
 */
export type Found = Readonly<{
  combinedIds: string
  hash: string
  whole: string
  html: string
  start: number
  end: number
}>

/** The mail clients' markers of a quoted thread. */
const QUOTE_IDS: ReadonlySet<string> = new Set(
  ['divrplyfwdmsg', 'appendonsend', 'mail-editor-reference-message-container'].flatMap((id) => [
    id,
    `x_${id}`,
  ]),
)
const QUOTE_CLASS = /\b(?:gmail_quote|moz-cite-prefix)\b/i

const beginsQuote = (tag: OpenTag): boolean =>
  QUOTE_IDS.has(attributeOf(tag, 'id')?.toLowerCase() ?? '') ||
  QUOTE_CLASS.test(attributeOf(tag, 'class') ?? '') ||
  attributeOf(tag, 'type')?.toLowerCase() === 'cite'

/** The elements that a signature can be: of Signet a `div`, of a mail client any of these. */
const SIGNED: ReadonlySet<string> = new Set(['div', 'a', 'span'])

/**
 * Whether this is the mail client's marker of its own signature: an id in Outlook on the web and new Outlook, a
 * bookmark in classic.
 */
const marksClientSignature = (tag: OpenTag): boolean =>
  /^Signature\b/i.test(attributeOf(tag, 'id') ?? '') ||
  tag.attributes.some(({ value }) => /\b_MailAutoSig\b/i.test(value))

type Bounds = Readonly<{ start: number; end: number }>

/** An element of a body: `innerEnd` is where its closing tag begins. Both ends are the body's when it is not closed. */
type Element = { readonly tag: OpenTag; innerEnd: number; end: number }

/**
 * The elements of an author's own part that are marked as a signature of Signet or of the mail client, in order, and
 * where the quoted thread begins; that is the length of the body without one.
 */
function readSignatures(body: string): Readonly<{ ours: Element[]; clients: Element[]; quote: number }> {
  const ours: Element[] = []
  const clients: Element[] = []
  const unclosed = new Map<string, Element[]>()
  let quote = body.length
  for (const token of tokensOf(body)) {
    if (token.kind === 'open') {
      if (quote === body.length && beginsQuote(token)) quote = token.start
      if (!SIGNED.has(token.name)) continue
      const element = { tag: token, innerEnd: body.length, end: body.length }
      const outer = unclosed.get(token.name)
      if (outer) outer.push(element)
      else unclosed.set(token.name, [element])
      if (token.start >= quote) continue
      if (token.name === 'div' && attributeOf(token, 'data-signet-hash') !== null) ours.push(element)
      if (marksClientSignature(token)) clients.push(element)
    } else if (token.kind === 'close') {
      const element = unclosed.get(token.name)?.pop()
      if (element) [element.innerEnd, element.end] = [token.start, token.end]
    }
  }
  return { ours, clients, quote }
}

/** Without the elements that begin in an earlier one. */
function outermost(elements: readonly Element[]): readonly Element[] {
  let end = 0
  return elements.filter((element) => {
    if (element.tag.start < end) return false
    end = element.end
    return true
  })
}

/** The signatures of Signet in the author's own part, without those in the quoted thread. */
export const findSignatures = (body: string): readonly Found[] =>
  outermost(readSignatures(body).ours).map(({ tag, innerEnd, end }) => ({
    combinedIds: attributeOf(tag, 'data-signet-id') ?? '',
    hash: attributeOf(tag, 'data-signet-hash') ?? '',
    whole: body.slice(tag.start, end),
    html: body.slice(tag.end, innerEnd),
    start: tag.start,
    end,
  }))

/**
 * The bounds of every signature in the author's part, in order: of Signet, and the mail client's own, which
 * `setSignatureAsync` replaces as well. A client's one ends where the quoted thread begins.
 */
function boundsOfSignatures(body: string): readonly Bounds[] {
  const { ours, clients, quote } = readSignatures(body)
  const own = outermost(ours).map(({ tag: { start }, end }) => ({ start, end }))
  let next = 0
  const others = clients.flatMap(({ tag: { start }, end: closed }) => {
    const end = Math.min(closed, quote)
    while ((own[next]?.end ?? Infinity) <= start) next++
    // The client wraps an add-in's signature in the same way.
    return (own[next]?.start ?? Infinity) < end ? [] : [{ start, end }]
  })
  return [...own, ...others].sort((one, other) => one.start - other.start)
}

/** The words of a body without those of signatures, in order. An insertion must preserve them. */
export function visibleTextOf(body: string): string {
  const between: string[] = []
  let end = 0
  for (const found of boundsOfSignatures(body)) {
    between.push(body.slice(end, found.start))
    end = Math.max(end, found.end)
  }
  between.push(body.slice(end))
  return toText(between.join(' '))
    .replace(/[\s\u200B\uFEFF]+/g, ' ')
    .trim()
}

/**
 * Whether an insertion preserved every word of the author and of the quoted thread, in order. Words that were typed
 * meanwhile, and a signature that the client put between them, are no loss.
 */
export function preservesText(before: string, after: string): boolean {
  const former = visibleTextOf(before).replaceAll(' ', '')
  let found = 0
  for (const character of visibleTextOf(after))
    if (former.startsWith(character, found)) found += character.length
  return found === former.length
}

/** Shorter words are no signature's alone. */
const RECOGNISED_CHARACTERS = 20

const withoutBlanks = (text: string): string => text.replace(/[\s\u200B\uFEFF]+/g, '')

/** Whether a text contains another, in linear time for any texts (Knuth, Morris and Pratt). */
function contains(text: string, part: string): boolean {
  /** For each length: the longest shorter beginning of `part` that ends a beginning of this length. */
  const shorter = [0, 0]
  let matched = 0
  for (let index = 1; index < part.length; index++) {
    while (matched > 0 && part[index] !== part[matched]) matched = shorter[matched] ?? 0
    if (part[index] === part[matched]) matched++
    shorter.push(matched)
  }
  matched = 0
  for (let index = 0; index < text.length && matched < part.length; index++) {
    while (matched > 0 && text[index] !== part[matched]) matched = shorter[matched] ?? 0
    if (text[index] === part[matched]) matched++
  }
  return matched === part.length
}

/**
 * Whether the author's own part of a body has the words of this signature, in order and together, without a marker:
 * some clients take it away when a message is sent again. Never for a signature of few words.
 */
export function hasWords(body: string, signature: string): boolean {
  const words = withoutBlanks(toText(signature))
  if (words.length < RECOGNISED_CHARACTERS) return false
  return contains(withoutBlanks(toText(body.slice(0, readSignatures(body).quote))), words)
}

/** The content ids of the inline images in a body. */
export const contentIds = (body: string): ReadonlySet<string> =>
  new Set([...body.matchAll(/\bcid:([^"'()<>\s&]+)/gi)].map(([, id]) => id ?? ''))
