import DOMPurify from 'dompurify'
import type { Body } from '../mailbox/body.ts'
import type { Attachment } from '../mailbox/model.ts'

const CID = /^cid:/i
const SHOWN_AS = 'data-cid'
/** The first characters of a file in base64 tell what picture it is. */
const PICTURE_TYPES: readonly (readonly [string, string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/**
 * A part of a message ready to be put into a document: without anything that runs, and with the pictures that it
 * names by `cid:` drawn from the attachments. Text stays text.
 */
export function drawMessagePart(
  content: string,
  type: Body['type'],
  attachments: readonly Attachment[],
): DocumentFragment {
  if (type === 'text') {
    const fragment = document.createDocumentFragment()
    fragment.append(content)
    return fragment
  }
  const fragment = DOMPurify.sanitize(content, {
    // Without it a style element at the beginning is lost.
    FORCE_BODY: true,
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
  })
  for (const image of fragment.querySelectorAll('img[src]')) {
    const source = image.getAttribute('src') ?? ''
    if (!CID.test(source)) continue
    const picture = pictureNamed(decoded(source.replace(CID, '')), attachments)
    image.setAttribute(SHOWN_AS, source)
    if (picture) image.setAttribute('src', picture)
    else image.removeAttribute('src')
  }
  return fragment
}

/** The opposite: what stands in the document, as the message keeps it. */
export function readMessagePart(region: HTMLElement, type: Body['type']): string {
  if (type === 'text') return region.innerText
  // In a document without a window nothing is loaded, so that no picture is asked for by its `cid:`.
  const copy = document.implementation.createHTMLDocument().importNode(region, true)
  for (const image of copy.querySelectorAll(`img[${SHOWN_AS}]`)) {
    image.setAttribute('src', image.getAttribute(SHOWN_AS) ?? '')
    image.removeAttribute(SHOWN_AS)
  }
  return copy.innerHTML
}

function pictureNamed(name: string, attachments: readonly Attachment[]): string | null {
  const found =
    attachments.find(({ contentId }) => contentId === name) ?? attachments.find((one) => one.name === name)
  const type = found && PICTURE_TYPES.find(([start]) => found.base64.startsWith(start))
  return type ? `data:${type[1]};base64,${found.base64}` : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
