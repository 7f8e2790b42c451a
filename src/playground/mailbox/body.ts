import type { CoercionType } from '../../engine/hosts/mailClient.ts'
import { htmlToText, textToHtml } from './text.ts'

/**
 * The parts of a message, all in `type`. Only the user changes `author`; clients with quirks do it too.
 * `signature` is the one that the next call replaces: of the client, an add-in, or the user.
 * `second` is the client's own, where it came in beside one that an add-in had set.
 * `atCaret`: the client put the signature into the middle of the author's words.
 */
export type Body = Readonly<{
  type: CoercionType
  author: string
  signature: string
  second?: string
  quoted: string
  atCaret?: true
}>

/** What some Outlook clients do differently. */
export const QUIRKS = [
  /** A message that is forwarded hands its custom properties on. */
  'copiesCustomPropertiesOnForward',
  /** A signature with inline images is not replaced by the next one: it stays above it, as if it had been typed. */
  'stacksWithInlineImages',
  /** A signature goes where the caret is; the next one still takes its place. */
  'insertsAtCaret',
  /** Replacing a signature takes the last typed line with it. */
  'losesLineAbove',
  /** The client's own signature comes in a moment late, and beside one that an add-in has set meanwhile. */
  'insertsOwnSignatureLate',
] as const
export type Quirk = (typeof QUIRKS)[number]

/** The caret of somebody who stopped in the middle: behind the first word that ends in the second half. */
const caretIn = (author: string): number => {
  let isInTag = false
  for (let index = 0; index < author.length; index++) {
    const character = author[index]
    if (character === '<') isInTag = true
    if (!isInTag && character === ' ' && index >= author.length / 2) return index
    if (character === '>') isInTag = false
  }
  return author.length
}

/** The whole body, in its own type, as the recipient gets it: the signature stands above a quoted thread. */
export const composeBody = ({ body }: Readonly<{ body: Body }>): string => {
  const { type, author, signature, second = '', quoted } = body
  const caret = body.atCaret ? caretIn(author) : author.length
  const [above, below] = [author.slice(0, caret), author.slice(caret)]
  if (type === 'text')
    return [above, signature, below, second, quoted].filter((part) => part !== '').join('\n\n')
  const region = (content: string) => (content === '' ? '' : `<div id="Signature">${content}</div>`)
  return above + region(signature) + below + region(second) + quoted
}

export const inType = (body: Body, type: CoercionType): Body => {
  if (body.type === type) return body
  const convert = type === 'text' ? htmlToText : textToHtml
  return {
    ...body,
    type,
    author: convert(body.author),
    signature: convert(body.signature),
    ...(body.second !== undefined && { second: convert(body.second) }),
    quoted: convert(body.quoted),
  }
}

const withoutLastLine = ({ type, author }: Body): string => {
  const block = type === 'html' ? /<(p|div)\b[^>]*>(?:(?!<\1\b).)*<\/\1>$/s.exec(author) : null
  return author.slice(0, block?.index ?? Math.max(0, author.lastIndexOf(type === 'html' ? '<br>' : '\n')))
}

/** The body with another signature, in the body's type, as a client with these quirks puts it in. */
export function setSignature(body: Body, signature: string, quirks: readonly Quirk[]): Body {
  const { atCaret: _, ...parts } = body
  const isReplacing = body.signature !== '' && signature !== ''
  const author = isReplacing && quirks.includes('losesLineAbove') ? withoutLastLine(body) : body.author
  const isStacking =
    isReplacing && quirks.includes('stacksWithInlineImages') && /\bcid:/i.test(body.signature)
  return {
    ...parts,
    author: isStacking ? `${author}<div id="Signature">${body.signature}</div>` : author,
    signature,
    ...(quirks.includes('insertsAtCaret') && { atCaret: true }),
  }
}

/**
 * The body once the client has put its own signature in. It is the message's signature, which an add-in replaces; in a
 * client that inserts it late it stands beside one that is there already.
 */
export function insertOwnSignature(body: Body, html: string): Body {
  const own = body.type === 'html' ? html : htmlToText(html)
  return body.signature === '' ? { ...body, signature: own } : { ...body, second: own }
}
