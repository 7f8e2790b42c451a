import createDOMPurify from 'dompurify'
import {
  ALLOWED_ATTRIBUTES,
  cleanAttributeValue,
  ATTRIBUTES_REMOVED_IN_PREVIEW,
  isAnchorName,
  pictureWriter,
  ALLOWED_TAGS,
} from '../../../streams/html/markup.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import { sanitizeMarkup } from '../../../streams/html/sanitizeMarkup.ts'
import { cleanStyleSheet } from '../../../streams/html/styles.ts'
import { htmlToText } from '../../../streams/html/text.ts'
import { escapeText } from '../../../streams/html/tokens.ts'
import { cleanComment } from '../../../streams/html/wordMarkup.ts'

const CONFIG = {
  // DOMPurify also judges the body around the signature, and would copy all content of a body that is not allowed.
  ALLOWED_TAGS: [...ALLOWED_TAGS, '#comment', 'body'],
  ALLOWED_ATTR: [...ALLOWED_ATTRIBUTES, 'id', 'name'],
  // The hook below judges every value. DOMPurify's own check would remove `bgcolor`, and texts with a colon.
  ADD_URI_SAFE_ATTR: [...ALLOWED_ATTRIBUTES],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  FORCE_BODY: true,
}

/** DOMPurify always reports one removed element, which `FORCE_BODY` adds in front of the html. */
const REMOVED_BY_FORCE_BODY = 1

const writePicture = pictureWriter(undefined)

/**
 * Creates the sanitiser of pages. `write` first keeps only the allowed parts of the HTML, without a document. A
 * separate instance of DOMPurify then checks how this browser parses the result. If DOMPurify would change nothing, the
 * result is used unchanged, otherwise only its text.
 */
export function createSanitizer(
  window: Window & typeof globalThis,
  write: Sanitize = sanitizeMarkup,
): Sanitize {
  const purifier = createDOMPurify(window)
  let profile: 'preview' | 'insert' = 'insert'
  /** The number of style sheets and comments that contain something forbidden. */
  let changes = 0

  const isClean = (name: string, value: string, element: Element): boolean => {
    if (name === 'id' || (name === 'name' && element.nodeName === 'A')) return isAnchorName(value)
    if (!ALLOWED_ATTRIBUTES.has(name) || (profile === 'preview' && ATTRIBUTES_REMOVED_IN_PREVIEW.has(name)))
      return false
    return cleanAttributeValue(name, value, writePicture) === value
  }
  purifier.addHook('uponSanitizeAttribute', (element, data) => {
    data.keepAttr = isClean(data.attrName, data.attrValue, element)
  })
  purifier.addHook('uponSanitizeElement', (node, { tagName }) => {
    const content = (tagName === 'style' ? node.textContent : node.nodeValue) ?? ''
    if (tagName === 'style' && cleanStyleSheet(content, writePicture) !== content) changes++
    if (tagName !== '#comment') return
    if (profile === 'preview' || cleanComment(content, writePicture) !== content) changes++
    // The comment is checked above. DOMPurify would treat markup in its content as an attack.
    node.nodeValue = ''
  })

  return (html, wanted, replacePicture) => {
    const clean = write(html, wanted, replacePicture)
    profile = wanted
    changes = 0
    purifier.sanitize(clean, CONFIG)
    return changes + purifier.removed.length > REMOVED_BY_FORCE_BODY
      ? escapeText(htmlToText(clean)).replaceAll('\n', '<br>')
      : clean
  }
}
