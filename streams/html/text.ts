import { attributeOf, decodeReferences, nameSet, tokensOf } from './tokens.ts'

/**
 * The edge of a block. It becomes a line break, unless the text already has one there. No text contains this character,
 * because blanks in texts become spaces.
 */
const EDGE = '\v'

const BREAKS = nameSet('br p h1 h2 h3 h4 h5 h6 hr blockquote')
const EDGES = nameSet('div tr table li ul ol')
const CELLS = nameSet('td th')
/** Elements whose content is shown as text, without markup. */
const DRAWN_RAW = nameSet('textarea xmp')

/**
 * The maximum length of an address to search for in a link's text. Longer addresses are always shown, because the
 * search would be slow.
 */
const MAX_ADDRESS_CHARACTERS = 2_000

const onOneLine = (text: string): string => decodeReferences(text).replace(/\s+/g, ' ')
const withoutBlanks = (text: string): string => text.replace(/\s/g, '')

/** The address of a link if the link's text does not show it; otherwise empty. */
function addressBeside(text: string, href: string): string {
  const address = withoutBlanks(href)
  const isShown =
    address === '' || (address.length <= MAX_ADDRESS_CHARACTERS && withoutBlanks(text).includes(address))
  return isShown ? '' : ` <${href}>`
}

/**
 * The plain-text version of html. A table row becomes a line, and a space separates cells. A link shows its address
 * unless its text does; an image shows its alternative text.
 */
export function htmlToText(html: string): string {
  const parts: string[] = []
  /** The text since the last start or end of a link, and the address of the link. */
  let part = ''
  let href = ''
  const endPart = (next: string) => {
    parts.push(part, addressBeside(part, href))
    part = ''
    href = next
  }
  for (const token of tokensOf(html)) {
    if (token.kind === 'comment') continue
    if (token.kind === 'text' || token.kind === 'raw') {
      if (token.kind === 'text' || DRAWN_RAW.has(token.name))
        part += onOneLine(html.slice(token.start, token.end))
    } else if (BREAKS.has(token.name)) part += '\n'
    else if (EDGES.has(token.name)) part += EDGE
    else if (token.kind === 'close') {
      if (token.name === 'a') endPart('')
      else if (CELLS.has(token.name)) part += ' '
    } else if (token.name === 'img') part += onOneLine(attributeOf(token, 'alt') ?? '')
    else if (token.name === 'a')
      endPart(onOneLine(attributeOf(token, 'href') ?? '').replace(/^(?:mailto|tel):/i, ''))
  }
  endPart('')
  return parts
    .join('')
    .replace(/ +/g, ' ')
    .replace(/(\n?) ?(?:\v ?)+(\n?)/g, (_, before: string, after: string) => before + after || '\n')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
