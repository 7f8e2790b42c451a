import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { planInsertion } from '../../streams/html/plan.ts'
import type { SignatureImage } from '../../streams/signatures/signature.ts'
import { previewDocument } from '../../views/parts/previewDocument.ts'

// The sanitiser as it ships, on a page in a real browser, because only browsers parse HTML as browsers do.

/** What is inserted and drawn of a signature, and what a mail client or a frame makes of it. */
export type Judged = Readonly<{
  /** The inserted html in the wrapper, and the same after a message was parsed, and after it was sanitised. */
  inserted: string
  inMessage: string | null
  insertedAgain: string
  drawn: string
  drawnAgain: string
  /** Tags and attributes of the message, of what Word reads of it, and of the preview. */
  tags: readonly string[]
  attributes: readonly string[]
}>

declare global {
  interface Window {
    sanitize: ReturnType<typeof createSanitizer>
    judge: (html: string, images: readonly SignatureImage[]) => Judged | null
    sanitizeMarkup: typeof sanitizeMarkup
    judgeMarkup: (html: string, profile: 'insert' | 'preview') => JudgedMarkup
  }
}

/** What the sanitiser without a document makes of html, and what the one that ships makes of that. */
export type JudgedMarkup = Readonly<{
  written: string
  /** The tree of the result, before and after the shipped sanitiser. */
  tree: readonly string[]
  judged: readonly string[]
  /** The tree that the shipped sanitiser makes of the html itself. */
  ofPane: readonly string[]
  writtenAgain: string
  /** The places of messages that the result does not stay in. */
  left: readonly string[]
}>

const sanitize = (window.sanitize = createSanitizer(window))

const parse = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

/** The markup that Word reads: it looks into its comments. */
const forWord = (html: string): string =>
  html.replace(/<!--\[if [^\]]*\]>(?:<!-->)?|(?:<!--)?<!\[endif\]-->/g, '')

window.judge = (html, images) => {
  const plan = planInsertion({ html, images, combinedIds: 'c-1' }, 'html', [], sanitize)
  const preview = previewDocument({ html, images, combinedIds: 'c-1' }, 'html', [], sanitize)
  if (plan.kind !== 'ready' || preview.kind !== 'document') return null
  const content = plan.content.replace(/ id="signet_[^"]*"/, '')
  const inserted = content.replace(/^<div class="signet"[^>]*>|<\/div>$/g, '')
  const message = parse(`<p>before</p>${content}<p>after</p>`)
  const elements = [message, parse(forWord(plan.content)), parse(preview.body)].flatMap((body) => [
    ...body.querySelectorAll('*'),
  ])
  return {
    inserted,
    inMessage: message.querySelector(':scope > p + .signet:has(+ p)')?.innerHTML ?? null,
    insertedAgain: sanitize(inserted, 'insert'),
    drawn: preview.body,
    drawnAgain: sanitize(preview.body, 'preview'),
    tags: [...new Set(elements.map(({ localName }) => localName))],
    attributes: [...new Set(elements.flatMap((element) => element.getAttributeNames()))],
  }
}

window.sanitizeMarkup = sanitizeMarkup

/** More often than any parser nests what it has written once in another way. */
const MOST_PARSES = 10

/**
 * The tree, a line for each tag, text and comment, as a parser finds it that changes nothing any more: what stands in a
 * table without a cell moves. Values are trimmed, as DOMPurify does.
 */
function linesOf(html: string): readonly string[] {
  const lines: string[] = []
  const read = (node: Node) => {
    for (const child of node.childNodes) {
      if (child instanceof Element) {
        const attributes = Array.from(child.attributes, ({ name, value }) => `${name}=${value.trim()}`)
        lines.push([`<${child.localName}`, ...attributes.sort()].join(' '))
        read(child)
        lines.push('>')
      } else lines.push(`${child.nodeName} ${child.nodeValue ?? ''}`)
    }
  }
  const { body } = document.implementation.createHTMLDocument('')
  body.innerHTML = html
  for (let parses = 1; parses < MOST_PARSES; parses++) {
    const written = body.innerHTML
    body.innerHTML = written
    if (body.innerHTML === written) break
  }
  read(body)
  return lines
}

/**
 * Where a signature can stand in a message: a `|` is its place. A link ends the link around it, and an item without a
 * list the item around it, in every parser: such a signature cannot stand there.
 */
const PLACES: readonly (readonly [place: string, not?: RegExp])[] = [
  ['|'],
  ['<b><font size="2">|</font></b>'],
  ['<h1>|</h1>'],
  ['<table><tbody><tr><td>|</td></tr></tbody></table>'],
  ['<ul><li>|</li></ul>', /<li/],
  ['<dl><dd>|</dd></dl>', /<d[dt]/],
  ['<a href="#">|</a>', /<a/],
]

/** The message without the content of the signature. */
function around(place: string, html: string): string {
  const message = parse(
    place.replace('|', () => `<div class="signet">${html}</div><i class="after">after</i>`),
  )
  message.querySelector('.signet')?.replaceChildren()
  return message.innerHTML
}

window.judgeMarkup = (html, profile) => {
  const written = sanitizeMarkup(html, profile)
  return {
    written,
    tree: linesOf(written),
    judged: linesOf(sanitize(written, profile)),
    ofPane: linesOf(sanitize(html, profile)),
    writtenAgain: sanitizeMarkup(written, profile),
    left: PLACES.flatMap(([place, not]) =>
      not?.test(written) === true || around(place, written) === around(place, '') ? [] : [place],
    ),
  }
}
