/** Reads the signatures of Signet in a mail that was sent, and how one differs from what was inserted. */
import { percentDecoded } from './address.ts'
import { elementsOf } from './elements.ts'
import { markOn } from './message.ts'
import { IMAGE_PREFIX } from './plan.ts'
import { attributeOf, decodeReferences, escapeText, type Token, tokensOf } from './tokens.ts'
import { createLetters, type Letters } from './words.ts'

/**
 * A signature by its mark. `hash` is that of the html that was inserted, before any program changed it. `isQuoted`: a
 * mail client has renamed the mark, as it does in a thread.
 */
export type SentSignature = Readonly<{ combinedIds: string; hash: string; html: string; isQuoted: boolean }>

/** The marked signatures of a mail, in the order in which they stand. A signature in another one is left out. */
export function sentSignatures(html: string): readonly SentSignature[] {
  const found: SentSignature[] = []
  let last = 0
  for (const { tag, innerEnd, end } of elementsOf(tokensOf(html), html.length, () => undefined)) {
    const mark = tag.start < last ? null : markOn(tag)
    if (mark === null) continue
    const { combinedIds, hash, isQuoted } = mark
    found.push({ combinedIds, hash, html: html.slice(tag.end, innerEnd), isQuoted })
    last = end
  }
  return found
}

/** What differs first, as it is in the mail and as it was written. Markup is not compared: every client rewrites it. */
export type Difference =
  | Readonly<{ kind: 'words'; sent: string; written: string }>
  | Readonly<{ kind: 'pictures' | 'links'; sent: number; written: number }>
  | Readonly<{ kind: 'picture' | 'link'; sent: string; written: string }>

/**
 * What can be told of a mail and of what was written. A client attaches pictures and gives them names, so that of these
 * at most the names can be compared.
 */
export type SentComparison = Readonly<{
  difference: Difference | null
  /** The hosts that links lead to with their own address inside, as servers do that check links; one for each link. */
  rewritten: readonly string[]
  /** The number of pictures that are not at an http(s) address. */
  attached: number
}>

/** @param written the html as it was inserted */
export function compareSent(sent: string, written: string): SentComparison {
  const [one, other] = [partsOf(sent), partsOf(written)]
  const links = linksDiffer(one.links, other.links)
  return {
    difference:
      wordsDiffer(one.text, other.text) ?? picturesDiffer(one.pictures, other.pictures) ?? links.difference,
    rewritten: links.rewritten,
    attached: one.pictures.filter((address) => readWeb(address) === null).length,
  }
}

type Parts = Readonly<{ text: string; pictures: readonly string[]; links: readonly string[] }>

/** The visible text with its references, the addresses of pictures, and those of links. */
function partsOf(html: string): Parts {
  const texts: string[] = []
  const pictures: string[] = []
  const links: string[] = []
  const read = (token: Token) => {
    if (token.kind === 'text') texts.push(decodeReferences(html.slice(token.start, token.end)))
    else if (token.kind === 'open') {
      const address = attributeOf(token, token.name === 'img' ? 'src' : 'href')
      if (address === null) return
      if (token.name === 'img') pictures.push(decodeReferences(address).trim())
      else if (token.name === 'a') links.push(decodeReferences(address).trim())
    }
  }
  for (const token of tokensOf(html)) read(token)
  return { text: escapeText(texts.join(' ').replace(/\s+/g, ' ')), pictures, links }
}

function lettersOf(text: string): Letters {
  const letters = createLetters(text, true)
  letters.read(0, text.length)
  return letters.letters()
}

/** How many characters of the text an excerpt has before and after the place that differs. */
const EXCERPT_BEFORE = 20
const EXCERPT_AFTER = 40

/** The text around a letter; empty at the end of the text. */
function excerpt(text: string, { at }: Letters, index: number): string {
  const place = at[index]
  if (place === undefined) return ''
  const start = Math.max(0, place - EXCERPT_BEFORE)
  return decodeReferences(text.slice(start, place + EXCERPT_AFTER)).trim()
}

/** Compares letters, because clients write blanks, accents and typographic characters in one way or another. */
function wordsDiffer(sent: string, written: string): Difference | null {
  const [one, other] = [lettersOf(sent), lettersOf(written)]
  if (one.text === other.text) return null
  let index = 0
  while (one.text[index] !== undefined && one.text[index] === other.text[index]) index++
  return { kind: 'words', sent: excerpt(sent, one, index), written: excerpt(written, other, index) }
}

/** The host of an http(s) address as browsers read it, with its port, and the rest; null for another address. */
function readWeb(address: string): Readonly<{ host: string; rest: string }> | null {
  const read = address.replace(/[\t\n\r]/g, '')
  const start = /^(https?:)[\\/]*([^\\/?#]*)/i.exec(read)
  if (start === null) return null
  const [whole, scheme = '', authority = ''] = start
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
  const usual = scheme.length === 'https:'.length ? /:443$/ : /:80$/
  return { host: host.replace(usual, ''), rest: read.slice(whole.length) }
}

/** The name of a picture without its ending; null where a client has given it a name of its own. */
function pictureName(address: string): string | null {
  const path = address.replace(/[?#][^]*$/, '')
  if (/^cid:/i.test(path)) {
    const name = path.slice('cid:'.length)
    if (!name.startsWith(IMAGE_PREFIX)) return null
    return stemOf(name.slice(IMAGE_PREFIX.length).replace(/@[^@]*$/, ''))
  }
  return /^https?:/i.test(path) ? stemOf(path.slice(path.lastIndexOf('/') + 1)) : null
}

/** As `planInsertion` names attachments. */
const stemOf = (name: string): string => name.replace(/[^\w.-]+/g, '-').replace(/\.[^.]*$/, '')

function picturesDiffer(sent: readonly string[], written: readonly string[]): Difference | null {
  if (sent.length !== written.length) return { kind: 'pictures', sent: sent.length, written: written.length }
  for (const [index, address] of sent.entries()) {
    const expected = written[index] ?? ''
    const [web, expectedWeb] = [readWeb(address), readWeb(expected)]
    if (web !== null && expectedWeb !== null) {
      if (web.host !== expectedWeb.host || percentDecoded(web.rest) !== percentDecoded(expectedWeb.rest))
        return { kind: 'picture', sent: address, written: expected }
      continue
    }
    const [name, expectedName] = [pictureName(address), pictureName(expected)]
    // The name of an attachment may have got a mark or a number behind it, so that no other one has it.
    if (name !== null && expectedName !== null && !name.startsWith(expectedName))
      return { kind: 'picture', sent: name, written: expectedName }
  }
  return null
}

const plainAddress = (address: string): string => percentDecoded(address).replace(/\/$/, '').toLowerCase()

/** Whether an address has another one inside: behind its own beginning, and up to an end of its own. */
function isAround(address: string, inside: string): boolean {
  const at = address.indexOf(inside, 1)
  return at > 0 && /^\/?(?:$|[&#;]|__)/.test(address.slice(at + inside.length))
}

function linksDiffer(
  sent: readonly string[],
  written: readonly string[],
): Pick<SentComparison, 'difference' | 'rewritten'> {
  if (sent.length !== written.length)
    return { difference: { kind: 'links', sent: sent.length, written: written.length }, rewritten: [] }
  const rewritten: string[] = []
  for (const [index, address] of sent.entries()) {
    const expected = written[index] ?? ''
    const [one, other] = [plainAddress(address), plainAddress(expected)]
    if (one === other) continue
    const [web, expectedWeb] = [readWeb(address), readWeb(expected)]
    if (web !== null && expectedWeb !== null && web.host !== expectedWeb.host && isAround(one, other))
      rewritten.push(web.host)
    else return { difference: { kind: 'link', sent: address, written: expected }, rewritten }
  }
  return { difference: null, rewritten }
}
