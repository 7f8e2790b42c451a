import DOMPurify from 'dompurify'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS } from '../../../streams/html/markup.ts'
import type { ItemBody } from '../mailbox/body.ts'
import type { Attachment } from '../mailbox/model.ts'

const CID = /^cid:/i
/** The attribute that keeps an image's `cid:` address while `src` shows the attachment. */
const CID_ATTRIBUTE = 'data-cid'
/** Media types of images, keyed by the first characters of the image's base64. */
const IMAGE_TYPES: readonly (readonly [string, string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** Sanitises and renders part of a message. Images with a `cid:` address come from the attachments. */
export function renderMessagePart(
  content: string,
  type: ItemBody['type'],
  attachments: readonly Attachment[],
): DocumentFragment {
  if (type === 'text') {
    const fragment = document.createDocumentFragment()
    fragment.append(content)
    return fragment
  }
  const clean = DOMPurify.sanitize(content, {
    // Without this option, a style element at the start would be lost.
    FORCE_BODY: true,
    ALLOWED_TAGS: [...ALLOWED_TAGS, '#text', 'body'],
    ALLOWED_ATTR: [...ALLOWED_ATTRIBUTES, 'contenteditable', 'id', 'name'],
  })
  // A document without a window loads nothing, so the browser does not request the `cid:` addresses.
  const { body } = new DOMParser().parseFromString(`<!doctype html><body>${clean}`, 'text/html')
  for (const image of body.querySelectorAll('img[src]')) {
    const address = image.getAttribute('src') ?? ''
    if (!CID.test(address)) continue
    const source = imageNamed(decodedOrRaw(address.replace(CID, '')), attachments)
    image.setAttribute(CID_ATTRIBUTE, address)
    if (source) image.setAttribute('src', source)
    else image.removeAttribute('src')
  }
  const fragment = document.createDocumentFragment()
  fragment.append(...body.childNodes)
  return fragment
}

/** Reads back the content that `renderMessagePart` rendered, with the user's changes. */
export function readMessagePart(region: HTMLElement, type: ItemBody['type']): string {
  if (type === 'text') return region.innerText
  // A document without a window loads nothing, so the browser does not request the `cid:` addresses.
  const copy = document.implementation.createHTMLDocument().importNode(region, true)
  for (const image of copy.querySelectorAll(`img[${CID_ATTRIBUTE}]`)) {
    image.setAttribute('src', image.getAttribute(CID_ATTRIBUTE) ?? '')
    image.removeAttribute(CID_ATTRIBUTE)
  }
  return copy.innerHTML
}

/** A `data:` URL of the attachment with this content id or name; null if it is missing or not a known image type. */
function imageNamed(name: string, attachments: readonly Attachment[]): string | null {
  const found =
    attachments.find(({ contentId }) => contentId === name) ?? attachments.find((one) => one.name === name)
  const type = found && IMAGE_TYPES.find(([start]) => found.base64.startsWith(start))
  return type ? `data:${type[1]};base64,${found.base64}` : null
}

function decodedOrRaw(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
