import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'
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
  }
}

const sanitize = (window.sanitize = createSanitizer(window))

const parse = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

/** The markup that Word reads: it looks into its comments. */
const forWord = (html: string): string =>
  html.replace(/<!--\[if [^\]]*\]>(?:<!-->)?|(?:<!--)?<!\[endif\]-->/g, '')

window.judge = (html, images) => {
  const plan = planInsertion({ html, images, combinedIds: 'c-1' }, 'html', [], sanitize)
  const preview = previewDocument({ html, images, combinedIds: 'c-1' }, 'html', [], sanitize)
  if (plan.kind !== 'ready' || preview.kind !== 'document') return null
  const inserted = plan.content.replace(/^<div class="signet"[^>]*>|<\/div>$/g, '')
  const message = parse(`<p>before</p>${plan.content}<p>after</p>`)
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
