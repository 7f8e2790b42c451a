/** Reads Signet's signatures in a sent mail, and compares them with the inserted html. */
import { percentDecoded } from './address.ts'
import { elementsOf } from './elements.ts'
import { markOn } from './message.ts'
import { IMAGE_PREFIX } from './plan.ts'
import { attributeOf, decodeReferences, escapeText, type Token, tokensOf } from './tokens.ts'
import { createLetterCollector, type Letters } from './words.ts'

/**
 * A signature found by its mark. `hash` is the hash of the inserted html, before any program changed it. `isQuoted`: a
 * mail client has renamed the mark, which happens in quoted threads.
 */
export type SentSignature = Readonly<{ combinedIds: string; hash: string; html: string; isQuoted: boolean }>

/** The marked signatures in a mail, in order. A signature inside another one is left out. */
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

/** The first difference between the mail and the inserted html. Ignores markup, because every client rewrites it. */
export type SentDifference =
  | Readonly<{ kind: 'words'; sent: string; written: string }>
  | Readonly<{ kind: 'pictures' | 'links'; sent: number; written: number }>
  | Readonly<{ kind: 'picture' | 'link'; sent: string; written: string }>

/**
 * The result of comparing a mail with the inserted html. Clients attach pictures under names, so only the names of
 * attached pictures can be compared.
 */
export type SentComparison = Readonly<{
  difference: SentDifference | null
  /** The hosts of rewritten links, one for each link. Link checkers embed the original address in their own address. */
  rewritten: readonly string[]
  /** The number of pictures without an http(s) address. */
  attached: number
}>

/**
 * Compares the html of a signature in a sent mail with the inserted html.
 *
 * @param written the inserted html
 */
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

/** The visible text with its character references, the addresses of pictures, and the addresses of links. */
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
  const letters = createLetterCollector(text, true)
  letters.read(0, text.length)
  return letters.letters()
}

/** The length of an excerpt before and after the first difference, in characters. */
const EXCERPT_BEFORE = 20
const EXCERPT_AFTER = 40

/** The text around the letter at an index; empty at the end of the text. */
function excerpt(text: string, { at }: Letters, index: number): string {
  const place = at[index]
  if (place === undefined) return ''
  const start = Math.max(0, place - EXCERPT_BEFORE)
  return decodeReferences(text.slice(start, place + EXCERPT_AFTER)).trim()
}

/** Compares only letters, because clients change blanks, accents and typographic characters. */
function wordsDiffer(sent: string, written: string): SentDifference | null {
  const [one, other] = [lettersOf(sent), lettersOf(written)]
  if (one.text === other.text) return null
  let index = 0
  while (one.text[index] !== undefined && one.text[index] === other.text[index]) index++
  return { kind: 'words', sent: excerpt(sent, one, index), written: excerpt(written, other, index) }
}

/** The host and port of an http(s) address as browsers read it, and the rest; null for another address. */
function readWeb(address: string): Readonly<{ host: string; rest: string }> | null {
  const read = address.replace(/[\t\n\r]/g, '')
  const start = /^(https?:)[\\/]*([^\\/?#]*)/i.exec(read)
  if (start === null) return null
  const [whole, scheme = '', authority = ''] = start
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
  const usual = scheme.length === 'https:'.length ? /:443$/ : /:80$/
  return { host: host.replace(usual, ''), rest: read.slice(whole.length) }
}

/** The name of a picture without its extension; null if a client has renamed it. */
function pictureName(address: string): string | null {
  const path = address.replace(/[?#][^]*$/, '')
  if (/^cid:/i.test(path)) {
    const name = path.slice('cid:'.length)
    if (!name.startsWith(IMAGE_PREFIX)) return null
    return stemOf(name.slice(IMAGE_PREFIX.length).replace(/@[^@]*$/, ''))
  }
  return /^https?:/i.test(path) ? stemOf(path.slice(path.lastIndexOf('/') + 1)) : null
}

/** A name without its extension, written like the attachment names of `planInsertion`. */
const stemOf = (name: string): string => name.replace(/[^\w.-]+/g, '-').replace(/\.[^.]*$/, '')

function picturesDiffer(sent: readonly string[], written: readonly string[]): SentDifference | null {
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
    // An attachment's name may end with a mark or a number that makes it unique.
    if (name !== null && expectedName !== null && !name.startsWith(expectedName))
      return { kind: 'picture', sent: name, written: expectedName }
  }
  return null
}

const plainAddress = (address: string): string => percentDecoded(address).replace(/\/$/, '').toLowerCase()

/**
 * Whether an address contains another address, which must not be at its start, and must end at a delimiter or at the
 * end.
 */
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
