import createDOMPurify from 'dompurify'
import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'
import {
  ALLOWED_ATTRIBUTES,
  cleanAttributeValue,
  pictureWriter,
  ALLOWED_TAGS,
} from '../../streams/html/markup.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { planInsertion } from '../../streams/html/plan.ts'
import { cleanStyleSheet } from '../../streams/html/styles.ts'
import { cleanComment } from '../../streams/html/wordMarkup.ts'
import type { SignatureImage } from '../../streams/html/content.ts'
import { previewDocument } from '../../views/shared/previewDocument.ts'

// The sanitiser as it ships, on a page in a real browser, because only browsers parse HTML as browsers do.

/** What is inserted and drawn of a signature, and what a mail client or a frame makes of it. */
export type Judged = Readonly<{
  /** The inserted html in the wrapper, as a parser finds it alone and in a message, and after it was sanitised. */
  inserted: string
  alone: string
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
    judgeAlone: ReturnType<typeof createSanitizer>
    beside: (html: string, isSanitised: boolean) => Beside
  }
}

/** What both sanitisers make of html, and what a browser does. */
export type JudgedMarkup = Readonly<{
  written: string
  /** What the sanitiser of pages gives: the same, unless DOMPurify finds something. */
  judged: string
  writtenAgain: string
  /** The tree of the result, and the one that DOMPurify makes of the html itself. */
  tree: readonly string[]
  ofBrowser: readonly string[]
  /** The places of messages that the result does not stay in. */
  left: readonly string[]
}>

/** What a message looks like beside a signature, and what stands over its words. */
export type Beside = Readonly<{ boxes: readonly string[]; covered: number }>

const sanitize = (window.sanitize = createSanitizer(window))

/** Parses as messages are: in the standard's mode. */
const parse = (html: string): HTMLElement =>
  new DOMParser().parseFromString(`<!doctype html><body>${html}`, 'text/html').body

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
    alone: parse(inserted).innerHTML,
    inMessage: message.querySelector(':scope > p + .signet:has(+ p)')?.innerHTML ?? null,
    insertedAgain: sanitize(inserted, 'insert'),
    drawn: preview.body,
    drawnAgain: sanitize(preview.body, 'preview'),
    tags: [...new Set(elements.map(({ localName }) => localName))],
    attributes: [...new Set(elements.flatMap((element) => element.getAttributeNames()))],
  }
}

window.sanitizeMarkup = sanitizeMarkup

/** DOMPurify by itself: it reads the html as this browser does, and cleans values and sheets by the same rules. */
const purifier = createDOMPurify(window)
let comment: string | null = null
const writePicture = pictureWriter(undefined)
purifier.addHook('uponSanitizeAttribute', (_, data) => {
  const value = cleanAttributeValue(data.attrName, data.attrValue, writePicture)
  data.keepAttr = value !== null && ALLOWED_ATTRIBUTES.has(data.attrName)
  data.attrValue = value ?? ''
})
purifier.addHook('uponSanitizeElement', (node, { tagName }) => {
  comment = tagName === '#comment' ? cleanComment(node.nodeValue ?? '', writePicture) : null
  if (tagName === 'style') node.textContent = cleanStyleSheet(node.textContent ?? '', writePicture)
  if (tagName === '#comment' && comment === null) node.parentNode?.removeChild(node)
  else if (comment !== null) node.nodeValue = ''
})
purifier.addHook('afterSanitizeElements', (node) => {
  if (comment !== null) node.nodeValue = comment
  comment = null
})
const byBrowser = (html: string): string =>
  purifier.sanitize(parse(html).innerHTML, {
    ALLOWED_TAGS: [...ALLOWED_TAGS, '#comment', 'body'],
    ALLOWED_ATTR: [...ALLOWED_ATTRIBUTES],
    ADD_URI_SAFE_ATTR: [...ALLOWED_ATTRIBUTES],
    FORCE_BODY: true,
  })

/** More often than any parser nests what it has written once in another way. */
const MAX_PARSES = 10

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
  for (let parses = 1; parses < MAX_PARSES; parses++) {
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
    judged: sanitize(html, profile),
    writtenAgain: sanitizeMarkup(written, profile),
    tree: linesOf(written),
    ofBrowser: linesOf(byBrowser(html)),
    left: PLACES.flatMap(([place, not]) =>
      not?.test(written) === true || around(place, written) === around(place, '') ? [] : [place],
    ),
  }
}

// A judge that nothing writes for: what it does not take must be gone.
window.judgeAlone = createSanitizer(window, (html) => html)

/** The message around a signature: what its words look like, and at how many points something else is drawn. */
window.beside = (html, isSanitised) => {
  const content = isSanitised ? sanitize(html, 'insert') : html
  document.body.innerHTML = `<div id="above">${'words of the author<br>'.repeat(12)}</div><div class="signet">${content}</div><div id="below">${'words of the thread<br>'.repeat(12)}</div>`
  const words = ['above', 'below'].map((id) => document.getElementById(id)).filter((each) => each !== null)
  const boxes = words.map((element) => {
    const { visibility, display, opacity, color } = getComputedStyle(element)
    return [element.offsetWidth, element.offsetHeight, visibility, display, opacity, color].join(' ')
  })
  const signature = document.querySelector('.signet')
  const covered = words.flatMap((element) => {
    const { left, top, bottom } = element.getBoundingClientRect()
    const points: boolean[] = []
    for (let y = top + 4; y < Math.min(bottom, window.innerHeight); y += 8)
      points.push(signature?.contains(document.elementFromPoint(left + 20, y)) === true)
    return points
  })
  document.body.innerHTML = ''
  return { boxes, covered: covered.filter(Boolean).length }
}
