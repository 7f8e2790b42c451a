import type { BodyType } from '../../engine/hosts/mailClient.ts'
import { tokensOf } from '../../../streams/html/tokens.ts'
import { htmlToText, textToHtml } from './text.ts'

/**
 * The parts of a message's body, all in the format `type`. Only the user, or a client with quirks, changes `author`.
 * `signature` is from the client, an add-in or the user; the next call that sets a signature replaces it. `second` is
 * the client's own signature, inserted beside an add-in's signature. With `atCaret`, the client inserted the signature
 * in the middle of the author's text. `online` is the online meeting block that the client adds at the end.
 */
export type ItemBody = Readonly<{
  type: BodyType
  author: string
  signature: string
  second?: string
  online?: string
  quoted: string
  atCaret?: true
}>

/** Known deviations of some Outlook clients. */
export const QUIRKS = [
  'copiesCustomPropertiesOnForward',
  /** A signature with inline images is not replaced: it stays above the next one, as if the user had typed it. */
  'stacksWithInlineImages',
  /** A signature is inserted at the caret. The next signature still replaces it. */
  'insertsAtCaret',
  /** Replacing a signature removes the last typed line. */
  'losesLineAbove',
  /** The client inserts its own signature late. If an add-in has set a signature meanwhile, both stay. */
  'insertsOwnSignatureLate',
  'raisesTwice',
  'asksBeforeSending',
  /**
   * The client raises no launch events. Outlook does this for reopened drafts, and until the administrator consents.
   */
  'raisesNothing',
] as const
export type Quirk = (typeof QUIRKS)[number]

/** A caret position in the middle of the text: after the first word that ends in the second half. */
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

/** Joins the parts to the body that the recipient gets. The signature is above a quoted thread. */
export const composeBody = ({ body }: Readonly<{ body: ItemBody }>): string => {
  const { type, author, signature, second = '', online = '', quoted } = body
  const caret = body.atCaret ? caretIn(author) : author.length
  const [above, below] = [author.slice(0, caret), author.slice(caret)]
  if (type === 'text')
    return [above, signature, below, second, online, quoted].filter((part) => part !== '').join('\n\n')
  const region = (content: string) => (content === '' ? '' : `<div id="Signature">${content}</div>`)
  return above + region(signature) + below + region(second) + online + quoted
}

export const convertBody = (body: ItemBody, type: BodyType): ItemBody => {
  if (body.type === type) return body
  const convert = type === 'text' ? htmlToText : textToHtml
  return {
    ...body,
    type,
    author: convert(body.author),
    signature: convert(body.signature),
    ...(body.second !== undefined && { second: convert(body.second) }),
    ...(body.online !== undefined && { online: convert(body.online) }),
    quoted: convert(body.quoted),
  }
}

/** The start of the last paragraph in an author's HTML; null if the HTML does not end with a paragraph. */
function startOfLastParagraph(html: string): number | null {
  const starts = new Map<string, number>()
  let last: number | null = null
  for (const token of tokensOf(html)) {
    last = token.kind === 'close' ? (starts.get(token.name) ?? null) : null
    if (token.kind === 'open' && (token.name === 'p' || token.name === 'div'))
      starts.set(token.name, token.start)
  }
  return last
}

const withoutLastLine = ({ type, author }: ItemBody): string =>
  author.slice(
    0,
    (type === 'html' ? startOfLastParagraph(author) : null) ??
      Math.max(0, author.lastIndexOf(type === 'html' ? '<br>' : '\n')),
  )

/** Moves an online meeting block into the author's text, because a client sets the signature at a meeting's end. */
const withBlockAbove = ({ online = '', author, ...body }: ItemBody): ItemBody => ({
  ...body,
  author: composeBody({ body: { type: body.type, author, online, signature: '', quoted: '' } }),
})

/** Replaces the signature. The new one has the body's type. The quirks change how the client inserts it. */
export function setSignature(body: ItemBody, signature: string, quirks: readonly Quirk[]): ItemBody {
  if (body.online && body.signature === '' && signature !== '')
    return setSignature(withBlockAbove(body), signature, quirks)
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

/** Puts a text signature above the whole body, and keeps earlier signatures. An empty signature changes nothing. */
export const prependTextSignature = ({ atCaret: _, ...body }: ItemBody, signature: string): ItemBody =>
  signature === ''
    ? body
    : { ...body, author: `${signature}\n\n${composeBody({ body })}`, signature: '', quoted: '' }

/**
 * Inserts the client's own signature, which an add-in can replace. If an add-in has already set a signature, the
 * message keeps both.
 */
export function insertOwnSignature(body: ItemBody, html: string): ItemBody {
  const own = body.type === 'html' ? html : htmlToText(html)
  return body.signature === '' ? { ...body, signature: own } : { ...body, second: own }
}
